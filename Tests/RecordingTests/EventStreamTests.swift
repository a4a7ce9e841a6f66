import HTTPMessage
import Recording
import TestSupport
import Testing

@Suite struct EventStreamTests {
    private static func events(_ text: String, pieces: Int = .max) -> [EventStreamParser.Event] {
        var parser = EventStreamParser()
        var events: [EventStreamParser.Event] = []
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            let end = place + min(pieces, bytes.count - place)
            events += parser.feed(bytes[place..<end])
            place = end
        }
        return events
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `13 lines end in any of three ways, wherever the pieces are cut`(end: String) {
        let lines = [
            "\u{FEFF}: hello", "data: a", "data:b", "data:  c", "", "event: x", "id: 1", "data", "", "data: d", "",
        ]
        let text = lines.map { $0 + end }.joined()
        let whole = Self.events(text)
        expectEqual(whole.map(\.data), ["a\nb\n c", "", "d"])
        expectEqual(whole.map(\.type), ["message", "x", "message"])
        expectEqual(whole.map(\.id), ["", "1", "1"])
        for pieces in 1...9 {
            expectEqual(Self.events(text, pieces: pieces).map(\.data), whole.map(\.data))
        }
        expectEqual(whole.last?.end, text.utf8.count)
    }

    @Test func `13 an event without data and one without its empty line do not count`() {
        #expect(Self.events("event: x\n\ndata: last").isEmpty)
        expectEqual(Self.events("data: a\n\nid: \0\ndata: b\n\n").map(\.id), ["", ""])
        expectEqual(Self.events("other: a\n:comment\ndata: b\n\n").map(\.data), ["b"])
    }

    @Test func `13 a line of the limit is whole and a longer one is cut`() {
        var parser = EventStreamParser(limit: 16)
        let bytes = Array("data: 0123456789abcdef\n\n".utf8)
        expectEqual(parser.feed(bytes[...]).map(\.data), ["0123456789"])
    }

    @Test func `13 only digits set the reconnection time`() {
        var parser = EventStreamParser()
        _ = parser.feed(Array("retry: 12\nretry: x\nretry: \n".utf8)[...])
        expectEqual(parser.retry, 12)
    }
}
