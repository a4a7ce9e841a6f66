import CivilTime
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

/// The order of a recording, each world's position in it, and the omissions of foreign archives.
@Suite struct OrderTests {
    private static func entry(_ seconds: Int64, _ answer: String) -> HAREntry {
        HAREntry(
            started: Instant(seconds: seconds),
            request: HARRequest(method: "GET", url: "https://api.example.com/a", headers: []),
            response: HARResponse(
                status: 200,
                statusText: "",
                headers: [],
                content: HARContent(size: 1, mimeType: "text/plain", bytes: Array(answer.utf8))
            ),
            timings: HARTimings()
        )
    }

    private static func order(_ entries: [(file: Int, entry: HAREntry)]) -> [Int] {
        var book = ReplayIndex()
        for (place, item) in entries.enumerated() {
            book.add(item.entry, file: item.file, offset: place, length: 1)
        }
        book.settle()
        var reader = OneReader(book)
        let live = book.fingerprinter.fingerprint(method: "GET", path: "/a", query: nil, contentType: "", body: [])
        return entries.indices.map { _ in
            guard case .line(let line) = reader.choose(live, failsWhenExhausted: true) else { return -1 }
            return line
        }
    }

    @Test func `13 entries that stand out of order are served in the order in which they began`() {
        let times: [Int64] = [1_700_000_002, 1_700_000_000, 1_700_000_003, 1_700_000_000]
        expectEqual(Self.order(times.map { (0, Self.entry($0, "")) }), [1, 3, 0, 2])
        // One without a time stays behind the one before it.
        expectEqual(Self.order([1_700_000_002, 0, 1_700_000_001].map { (0, Self.entry($0, "")) }), [2, 0, 1])
        // The recordings are read one after another.
        let two = [(0, Self.entry(1_700_000_009, "")), (1, Self.entry(1_700_000_000, ""))]
        expectEqual(Self.order(two), [0, 1])
    }

    @Test func `4 two worlds do not share their places in a recording`() {
        var book = ReplayIndex()
        for place in 0..<3 { book.add(Self.entry(1_700_000_000, ""), file: 0, offset: place, length: 1) }
        let live = book.fingerprinter.fingerprint(method: "GET", path: "/a", query: nil, contentType: "", body: [])
        var one = ReplayPlace()
        expectEqual(book.choose(live, at: &one, failsWhenExhausted: true), .line(0))
        var fork = one
        var other = ReplayPlace()
        expectEqual(book.choose(live, at: &one, failsWhenExhausted: true), .line(1))
        expectEqual(book.choose(live, at: &other, failsWhenExhausted: true), .line(0))
        expectEqual(book.choose(live, at: &fork, failsWhenExhausted: true), .line(1))
        expectEqual(book.choose(live, at: &one, failsWhenExhausted: true), .line(2))
        expectEqual(book.choose(live, at: &one, failsWhenExhausted: true), .exhausted(2))
    }

    @Test func `13 dates are seen from the clock that the backend's own Date goes by`() {
        var entry = Self.entry(1_700_000_000, "")
        entry.virtualTime = Instant(seconds: 1_600_000_000)
        func at() -> Instant? {
            var book = ReplayIndex()
            book.add(entry, file: 0, offset: 0, length: 1)
            return book.lines.first?.at
        }
        expectEqual(at(), Instant(seconds: 1_600_000_000))
        entry.response.headers = [HARPair("Date", Instant(seconds: 1_600_000_001).httpDate)]
        expectEqual(at(), Instant(seconds: 1_600_000_000))
        entry.response.headers = [HARPair("date", Instant(seconds: 1_700_000_007).httpDate)]
        expectEqual(at(), Instant(seconds: 1_700_000_000))
    }

    @Test func `13 content without a type field has the type that the archive tells`() {
        var entry = Self.entry(1_700_000_000, "hello")
        func type() -> String? {
            ReplayAnswer().response(entry, requestID: nil, isHead: false).fields[.contentType]
        }
        expectEqual(type(), "text/plain")
        entry.response.headers = [HARPair("content-type", "text/html")]
        expectEqual(type(), "text/html")
        entry.response.headers = []
        entry.response.content.mimeType = "x-unknown"
        expectNil(type())
    }

    @Test func `13 multipart content that is given as parameters only is matched part by part`() throws {
        let text = #"""
            {"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[{"startedDateTime":
            "2025-01-01T12:00:00.000Z","time":1,"request":{"method":"POST","url":"https://api.example.com/a",
            "httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":9,
            "postData":{"mimeType":"multipart/form-data; boundary=xx","params":[{"name":"u","value":"v"},
            {"name":"f","fileName":"a.txt","contentType":"text/plain","value":"hello"}]}},"response":{"status":200,
            "statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":""},
            "redirectURL":"","headersSize":-1,"bodySize":0},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}]}}
            """#
        let entry = try #require(try Archives.read(Array(text.utf8)).entries.first).entry
        var book = ReplayIndex()
        book.add(entry, file: 0, offset: 0, length: 1)
        func choice(_ content: String) -> ReplayIndex.Choice {
            let part = "--yy\r\nContent-Disposition: form-data; name="
            let live = book.fingerprinter.fingerprint(
                method: "POST",
                path: "/a",
                query: nil,
                contentType: "multipart/form-data; boundary=yy",
                body: Array(
                    (part + "\"u\"\r\n\r\nv\r\n" + part
                        + "\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n\(content)\r\n--yy--\r\n").utf8
                )
            )
            return book.candidate(for: live, at: ReplayPlace(), failsWhenExhausted: false)
        }
        expectEqual(choice("hello"), .line(0))
        expectEqual(choice("other"), .none)
    }
}
