import CivilTime
import HTTPMessage
import Recording
import TestSupport
import Testing

/// Recordings of many entries, the search of which must be fast.
@Suite struct LargeReplayIndexTests {
    private static func entry(_ target: String, at second: Int64 = 0) -> HAREntry {
        HAREntry(
            started: Instant(seconds: second),
            request: HARRequest(method: "GET", url: "https://api.example.com" + target, headers: []),
            response: HARResponse(
                status: 200,
                statusText: "",
                headers: [],
                content: HARContent(size: 0, mimeType: "", bytes: [])
            ),
            timings: HARTimings()
        )
    }

    private static func print(_ book: OneReader, _ path: String, _ query: String? = nil) -> RequestFingerprint {
        book.fingerprinter.fingerprint(method: "GET", path: path, query: query, contentType: "", body: [])
    }

    @Test func `13 entries of one key come in the recorded order, however many there are`() {
        var book = OneReader(ReplayIndex())
        for place in 0..<5_000 { book.add(Self.entry("/poll"), file: 0, offset: place, length: 1) }
        let live = Self.print(book, "/poll")
        for place in 0..<5_000 {
            expectEqual(book.candidate(for: live, failsWhenExhausted: true), .line(place))
            guard book.choose(live, failsWhenExhausted: true) == .line(place) else {
                Issue.record("entry \(place) is not in its turn")
                return
            }
        }
        expectEqual(book.choose(live, failsWhenExhausted: true), .exhausted(4_999))
        expectEqual(book.choose(live, failsWhenExhausted: false), .line(4_999))
        book.rewind()
        expectEqual(book.choose(live, failsWhenExhausted: true), .line(0))
    }

    @Test func `13 exact values are preferred among a thousand and the order among more`() {
        var book = OneReader(ReplayIndex())
        for place in 0..<1_500 {
            let day = Instant(seconds: 1_735_689_600 + Int64(place) * 86_400).isoDay
            book.add(Self.entry("/days?on=\(day)"), file: 0, offset: place, length: 1)
        }
        func day(_ place: Int) -> String { Instant(seconds: 1_735_689_600 + Int64(place) * 86_400).isoDay }
        expectEqual(book.choose(Self.print(book, "/days", "on=\(day(999))"), failsWhenExhausted: false), .line(999))
        // One place too far: the first that fits by nature.
        expectEqual(book.choose(Self.print(book, "/days", "on=\(day(1_000))"), failsWhenExhausted: false), .line(0))
        // Now it is within reach.
        expectEqual(book.choose(Self.print(book, "/days", "on=\(day(1_000))"), failsWhenExhausted: false), .line(1_000))
    }

    @Test func `13 a miss is answered from many entries without a noticeable wait`() {
        var book = OneReader(ReplayIndex())
        for place in 0..<20_000 { book.add(Self.entry("/things/\(place)/parts"), file: 0, offset: place, length: 1) }
        let live = Self.print(book, "/things/19999/part")
        let time = ProcessorTime.measure { expectEqual(book.nearest(to: live).first, 19_999) }
        // A debug build; a release build takes a hundredth of it.
        #expect(time < .seconds(5))
    }
}
