/// The contents of the parts of a multipart content put together, since what is cut in two may be put together by who
/// reads it.
enum MultipartSeams {
    /// As much of the beginning and of the end of a long part is taken, of which a credential takes a piece at most.
    private static let reach = 8 * 1_024

    /// The text around the seams; empty where there are fewer than two parts.
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

    /// Adds what follows the head of a part, without the line end in front of the next mark.
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
