/// The joined contents of the parts of a multipart body, since a recipient may join a credential that was cut in two.
enum MultipartSeams {
    /// The number of bytes taken from the beginning and from the end of a long part, each of which can hold only a
    /// piece of a credential.
    private static let reach = 8 * 1_024

    /// The text around the seams; empty if there are fewer than two parts.
    static func text(of content: [UInt8], _ type: String) -> [UInt8] {
        guard let mark = delimiter(type) else { return [] }
        var joined: [UInt8] = []
        var parts = 0
        var start: Int?
        var place = 0
        while place + mark.count <= content.count {
            guard content[place] == 0x2D, content[place...].starts(with: mark) else {
                place += 1
                continue
            }
            if let start {
                add(content[start..<max(start, place)], to: &joined)
                parts += 1
            }
            place += mark.count
            start = place
        }
        if let start {
            add(content[start...], to: &joined)
            parts += 1
        }
        return parts > 1 ? joined : []
    }

    private static func delimiter(_ type: String) -> [UInt8]? {
        for parameter in type.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " && $0 != "\t" }).lowercased() == "boundary" else {
                continue
            }
            let name = pair[1].filter { $0 != "\"" && $0 != " " && $0 != "\t" }
            return name.isEmpty ? nil : Array("--\(name)".utf8)
        }
        return nil
    }

    /// Adds the content of a part, without the line end before the next delimiter.
    private static func add(_ part: ArraySlice<UInt8>, to joined: inout [UInt8]) {
        var place = part.startIndex
        while place < part.endIndex, !part[place...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) { place += 1 }
        var content = part[min(place + 4, part.endIndex)...]
        if content.suffix(2).elementsEqual([0x0D, 0x0A]) { content = content.dropLast(2) }
        if content.count <= 2 * reach {
            joined += content
        } else {
            joined += content.prefix(reach) + [0x01] + content.suffix(reach)
        }
    }
}
