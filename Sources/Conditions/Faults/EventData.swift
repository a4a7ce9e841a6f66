import JSON

/// The data of one server-sent event, and the bytes around it (HTML, section 9.2.6).
struct EventData {
    private let before: [UInt8]
    private let data: [UInt8]
    /// The line end behind the data, and what follows.
    private let after: [UInt8]

    /// Creates the data of an event as it was sent; nil if it has none, or none that can be replaced.
    init?(_ event: [UInt8]) {
        var before: [UInt8] = []
        var data: [UInt8]?
        var after: [UInt8] = []
        var lineEnd: [UInt8] = []
        for line in Self.lines(event) {
            let content =
                before.isEmpty && line.content.starts(with: Self.mark) ? line.content.dropFirst(3) : line.content
            guard Self.isData(content) else {
                if data == nil { before += line.content + line.end } else { after += line.content + line.end }
                continue
            }
            if data == nil {
                before += line.content[..<content.startIndex]
                lineEnd = Array(line.end)
            }
            let value = content.dropFirst(Self.name.count)
            let text = value.first == 0x20 ? value.dropFirst() : value
            data = data.map { $0 + [0x0A] + text } ?? Array(text)
        }
        guard let data else { return nil }
        (self.before, self.data, self.after) = (before, data, lineEnd + after)
    }

    private static let name = Array("data:".utf8)
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The data as JSON; nil if it is none.
    var json: JSON? { try? JSONReader.read(data) }

    /// Returns the event with other data, of one line.
    func event(with data: [UInt8]) -> [UInt8] { before + Self.name + [0x20] + data + after }

    private static func isData(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: name.dropLast())
            && (line.count < name.count || line[line.startIndex + name.count - 1] == 0x3A)
    }

    private static func lines(_ event: [UInt8]) -> [(content: ArraySlice<UInt8>, end: ArraySlice<UInt8>)] {
        var lines: [(content: ArraySlice<UInt8>, end: ArraySlice<UInt8>)] = []
        var start = 0
        var place = 0
        while place < event.count {
            guard event[place] == 0x0A || event[place] == 0x0D else {
                place += 1
                continue
            }
            let next = place + 1
            let end = event[place] == 0x0D && next < event.count && event[next] == 0x0A ? next + 1 : next
            lines.append((event[start..<place], event[place..<end]))
            (start, place) = (end, end)
        }
        return lines
    }
}
