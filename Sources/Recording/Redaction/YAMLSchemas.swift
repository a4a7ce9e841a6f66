import Secrets

/// Finds the parts of YAML that are schemas, in which the names of members are those of what is described.
///
/// Lines are read by their indentation. It is the search in `JSONRedactor` for another notation.
struct YAMLSchemas {
    private struct Line {
        var range: Range<Int>
        /// The column of the name, behind the hyphens of lists.
        var indent: Int
        var key: String
        var value: Range<Int>
    }

    private let bytes: [UInt8]
    private var lines: [Line] = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while place < bytes.count {
            let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
            if let line = line(place..<end) { lines.append(line) }
            place = end + 1
        }
    }

    /// Returns the ranges of the values that are schemas; all of an OpenAPI document or a JSON schema.
    ///
    /// Without `isYAML` only a document that begins with its version counts.
    static func ranges(in bytes: [UInt8], isYAML: Bool) -> [Range<Int>] {
        let text = YAMLSchemas(isYAML ? bytes : Array(bytes.prefix(SchemaObject.mostExamined)))
        guard let first = text.lines.first, isYAML || SchemaObject.versions.contains(first.key) else { return [] }
        if text.object(from: 0, deeperThan: first.indent - 1).isDocument { return [0..<bytes.count] }
        return isYAML ? text.schemas : []
    }

    private var schemas: [Range<Int>] {
        var found: [Range<Int>] = []
        var outer: [(indent: Int, key: String)] = []
        var place = 0
        while place < lines.count {
            let line = lines[place]
            while let last = outer.last, last.indent >= line.indent { outer.removeLast() }
            let isBelow = outer.last.map { SchemaObject.names.contains($0.key) } ?? false
            let isTold = SecretNames.kind(of: line.key) != nil
            let isNamed = SchemaObject.names.contains(line.key)
            outer.append((line.indent, line.key))
            place += 1
            guard isBelow || isTold || isNamed else { continue }
            let object =
                bytes[line.value].first == 0x7B
                ? SchemaObject(flow: bytes[line.value]) : object(from: place, deeperThan: line.indent)
            guard isBelow && object.isSchema || isTold && object.isDescription || isNamed && object.hasFlowSchemas
            else { continue }
            while place < lines.count, lines[place].indent > line.indent { place += 1 }
            let end = place < lines.count ? lines[place].range.lowerBound : bytes.count
            found.append(line.value.lowerBound..<end)
        }
        return found
    }

    /// The object whose members begin with a line, if these are deeper than a column.
    private func object(from first: Int, deeperThan indent: Int) -> SchemaObject {
        guard first < lines.count, lines[first].indent > indent else { return SchemaObject(members: []) }
        let column = lines[first].indent
        var members: [(name: String, text: String?)] = []
        let limit = lines[first].range.lowerBound + SchemaObject.mostExamined
        for line in lines[first...] {
            guard line.indent > indent, line.range.lowerBound < limit else { break }
            guard line.indent == column else { continue }
            members.append((line.key, line.value.isEmpty ? nil : text(line.value)))
        }
        return SchemaObject(members: members)
    }

    /// Reads a line with a name and perhaps a value; nil for any other.
    private func line(_ range: Range<Int>) -> Line? {
        var end = range.upperBound
        while end > range.lowerBound, bytes[end - 1] <= 0x20 { end -= 1 }
        var start = range.lowerBound
        while start < end, bytes[start] == 0x20 || isHyphen(start, end) { start += 1 }
        guard start < end, bytes[start] != 0x23 else { return nil }
        var colon = start
        while colon < end, bytes[colon] != 0x3A || colon + 1 < end && bytes[colon + 1] != 0x20 { colon += 1 }
        guard colon < end, colon > start, colon - start <= 128 else { return nil }
        var value = colon + 1
        while value < end, bytes[value] == 0x20 { value += 1 }
        // The text behind it is a remark.
        if value < end, bytes[value] == 0x23 { value = end }
        return Line(range: range, indent: start - range.lowerBound, key: text(start..<colon), value: value..<end)
    }

    private func isHyphen(_ place: Int, _ end: Int) -> Bool {
        bytes[place] == 0x2D && place + 1 < end && bytes[place + 1] == 0x20
    }

    /// A text without quotes around it.
    private func text(_ range: Range<Int>) -> String { SchemaObject.bare(bytes[range]) }
}

extension SchemaObject {
    /// Reads the first members of an object in braces on one line of YAML.
    init(flow bytes: ArraySlice<UInt8>) {
        var members: [(name: String, text: String?)] = []
        var depth = 0
        var start = bytes.startIndex
        var colon: Int?
        func end(_ place: Int) {
            guard let name = colon else { return }
            members.append((Self.bare(bytes[start..<name]), Self.bare(bytes[(name + 1)..<place])))
        }
        for place in bytes.indices {
            switch bytes[place] {
            case 0x7B, 0x5B:
                depth += 1
                if depth == 1 { start = place + 1 }
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { end(place) }
            case 0x3A where depth == 1 && colon == nil: colon = place
            case 0x2C where depth == 1:
                end(place)
                (start, colon) = (place + 1, nil)
            default: break
            }
            if depth == 0 { break }
        }
        self.init(members: members)
    }

    /// Returns a text of YAML without the blanks and the quotes around it.
    static func bare(_ bytes: ArraySlice<UInt8>) -> String {
        let marks: [UInt8] = [0x20, 0x09, 0x22, 0x27]
        return String(
            decoding: bytes.drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed(),
            as: UTF8.self
        )
    }
}
