import Secrets

/// The search for cells in columns with a telling heading: comma-separated values and the like.
enum TableScanner {
    /// Finds the cells.
    ///
    /// Content whose type is not a table's counts as one only if all of its first lines have that form.
    static func find(_ bytes: [UInt8], type: String) -> [SecretScanner.Finding] {
        let isTable = ["text/csv", "application/csv", "text/tab-separated-values", "text/comma-separated-values"]
            .contains(type)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let first = bytes[start...].firstIndex(of: 0x0A), first - start < 16 * 1_024,
            let separator = separator(bytes[start..<first])
        else { return [] }
        var place = start
        let heading = row(bytes, &place, separator)
        let columns = heading.indices.compactMap { column -> (Int, SecretKind)? in
            SecretNames.kind(of: String(decoding: bytes[heading[column]], as: UTF8.self)).map { (column, $0) }
        }
        guard !columns.isEmpty, heading.count > 1, isTable || isHeading(bytes, heading) else { return [] }
        var findings: [SecretScanner.Finding] = []
        var isFirst = true
        while place < bytes.count {
            let cells = row(bytes, &place, separator)
            if isFirst, !isTable, cells.count != heading.count { return [] }
            isFirst = false
            for (column, kind) in columns where column < cells.count && cells[column].count > 2 {
                findings.append(SecretScanner.Finding(range: cells[column], kind: kind))
            }
        }
        return findings
    }

    private static func separator(_ line: ArraySlice<UInt8>) -> UInt8? {
        let candidates: [UInt8] = [0x09, 0x3B, 0x2C, 0x7C]
        return candidates.max { one, other in line.count { $0 == one } < line.count { $0 == other } }
            .flatMap { line.contains($0) ? $0 : nil }
    }

    /// Returns true if the cells are names and nothing else.
    private static func isHeading(_ bytes: [UInt8], _ cells: [Range<Int>]) -> Bool {
        cells.allSatisfy { cell in
            !cell.isEmpty && cell.count <= 64
                && bytes[cell].allSatisfy {
                    ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 >= 0x80 || [0x5F, 0x2D, 0x2E, 0x20].contains($0)
                }
        }
    }

    /// Returns the cells of the row that begins at a place, without their quotes; the place moves behind it.
    private static func row(_ bytes: [UInt8], _ place: inout Int, _ separator: UInt8) -> [Range<Int>] {
        var cells: [Range<Int>] = []
        while true {
            while place < bytes.count, bytes[place] == 0x20 { place += 1 }
            let isQuoted = place < bytes.count && bytes[place] == 0x22
            if isQuoted { place += 1 }
            let start = place
            while place < bytes.count {
                if isQuoted {
                    if bytes[place] == 0x22 {
                        guard place + 1 < bytes.count, bytes[place + 1] == 0x22 else { break }
                        place += 1
                    }
                } else if bytes[place] == separator || bytes[place] == 0x0A || bytes[place] == 0x0D {
                    break
                }
                place += 1
            }
            var end = min(place, bytes.count)
            if isQuoted {
                place = min(place + 1, bytes.count)
            } else {
                while end > start, bytes[end - 1] == 0x20 { end -= 1 }
            }
            cells.append(start..<end)
            while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x0D { place += 1 }
            guard place < bytes.count, bytes[place] == separator else {
                // Text after a closing quote on the line belongs to no cell.
                while place < bytes.count, bytes[place] != 0x0A { place += 1 }
                place = min(place + 1, bytes.count)
                return cells
            }
            place += 1
        }
    }
}
