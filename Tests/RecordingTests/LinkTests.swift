import Backend
import CivilTime
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

/// The links of a replayed response, which lead back to the emulator.
@Suite struct LinkTests {
    private static let here = "http://127.0.0.1:4683/@w"
    private static let links = LinkRewriter(["api.example.com", "cdn.example.com:8443"], to: here)

    @Test(arguments: [
        ("https://api.example.com/a?page=2", "http://127.0.0.1:4683/@w/a?page=2"),
        ("http://API.example.com:80/a", "http://127.0.0.1:4683/@w/a"),
        ("https://api.example.com:443", "http://127.0.0.1:4683/@w"),
        ("https://cdn.example.com:8443/i.png", "http://127.0.0.1:4683/@w/i.png"),
        ("<https://api.example.com/a?p=2>; rel=\"next\"", "<http://127.0.0.1:4683/@w/a?p=2>; rel=\"next\""),
        ("see [it](https://api.example.com/x) or https://api.example.com.", "see [it](\(here)/x) or \(here)."),
        ("wss://api.example.com/live", "ws://127.0.0.1:4683/@w/live"),
        (#""https:\/\/api.example.com\/a""#, #""http:\/\/127.0.0.1:4683\/@w\/a""#),
        (#""first\nhttps://api.example.com/a""#, #""first\n\#(here)/a""#),
        (
            "url=https%3A%2F%2Fapi.example.com%2Fa&to=https%3a%2f%2fcdn.example.com%3A8443%2fb",
            "url=http%3A%2F%2F127.0.0.1%3A4683%2F%40w%2Fa&to=http%3A%2F%2F127.0.0.1%3A4683%2F%40w%2fb"
        ),
    ])
    func `13 an address of the recorded backend leads here, however it is written`(text: String, expected: String) {
        expectEqual(Self.links.text(text), expected)
        expectEqual(Self.links.content(Array(text.utf8), type: "application/json; charset=utf-8"), Array(expected.utf8))
    }

    @Test(arguments: [
        "https://api.example.com.evil.test/a", "https://api.example.comm/a", "https://xapi.example.com/a",
        "https://cdn.example.com/a", "https://api.example.com:8443/a", "https://anna@api.example.com/a",
        "https://other.test/?u=api.example.com", "anna@api.example.com", "api.example.com/a", "//api.example.com/a",
        "app://api.example.com/a", "news://api.example.com/a", "https:/api.example.com/a", "https://", "://", "",
        "https%3A%2F%2Fapi.example.com%40evil.test", "https://api.example.com@evil.test/",
    ])
    func `13 an address of anybody else stays`(text: String) {
        expectEqual(Self.links.text(text), text)
    }

    @Test(arguments: 1..<35) func `13 an address that is cut over two events leads here`(cut: Int) {
        let address = Array("see https://api.example.com/a?b=1".utf8)
        func event(_ text: some Collection<UInt8>) -> String {
            #"data: {"n": 1.0, "delta":\#(JSON.string(String(decoding: text, as: UTF8.self)).text)}"# + "\n\n"
        }
        let stream = event(address.prefix(cut)) + event(address.dropFirst(cut)) + event(" bye".utf8)
        let moved = String(decoding: Self.links.content(Array(stream.utf8), type: "text/event-stream"), as: UTF8.self)
        var parser = EventStreamParser()
        let texts = parser.feed(Array(moved.utf8)[...]).compactMap {
            (try? JSONReader.read(text: $0.data))?["delta"]?.stringValue
        }
        expectEqual(texts.count, 3)
        expectEqual(texts.joined(), "see \(Self.here)/a?b=1 bye")
        // Lines that nothing is cut in keep every byte.
        #expect(moved.hasSuffix(event(" bye".utf8)))
    }

    @Test func `13 an address that is led here already is not led on`() {
        let links = LinkRewriter(["127.0.0.1:4683"], to: Self.here)
        let stream = "data: {\"d\":\"http://127.0.0.1:4683/a\"}\n\ndata: {\"d\":\"http://127.0.0.1:4683/b\"}\n\n"
        let moved = String(decoding: links.content(Array(stream.utf8), type: "text/event-stream"), as: UTF8.self)
        expectEqual(moved, "data: {\"d\":\"\(Self.here)/a\"}\n\ndata: {\"d\":\"\(Self.here)/b\"}\n\n")
    }

    @Test func `13 only texts are changed, and no field that names origins for safety`() {
        let text = "https://api.example.com/a"
        for type in ["image/png", "application/octet-stream", "video/mp4", "application/pdf", "application/zip"] {
            expectEqual(Self.links.content(Array(text.utf8), type: type), Array(text.utf8))
        }
        for type in [
            "", "text/event-stream", "text/html", "application/problem+json", "application/xml", "image/svg+xml",
        ] {
            expectEqual(Self.links.content(Array(text.utf8), type: type), Array("\(Self.here)/a".utf8), "\(type)")
        }
        for name in ["Access-Control-Allow-Origin", "Content-Security-Policy", "Set-Cookie", "ETag"] {
            expectEqual(Self.links.header(name, text), text)
        }
        for name in ["Location", "Content-Location", "Link", "Refresh", "X-Upload-URL"] {
            expectEqual(Self.links.header(name, text), "\(Self.here)/a")
        }
    }

    @Test func `13 hostile text takes linear time`() {
        let pieces = ["https://", "https:\\/\\/", "https%3A%2F%2F", "https://api.example.com", "%2f%2f", "//", "\\"]
        for piece in pieces {
            let text = String(repeating: piece, count: 2_000_000 / piece.utf8.count)
            let time = ProcessorTime.measure { _ = Self.links.content(Array(text.utf8), type: "text/plain") }
            #expect(time < .seconds(30), "\(piece)")
        }
    }

    private static func entry(_ target: String, body: String = "", answer: String) -> HAREntry {
        var request = HARRequest(
            method: body.isEmpty ? "GET" : "POST",
            url: "https://api.example.com" + target,
            headers: [HARPair("Content-Type", "application/json")]
        )
        if !body.isEmpty { request.postData = HARPostData(mimeType: "application/json", bytes: Array(body.utf8)) }
        let content = HARContent(size: 1, mimeType: "application/json", bytes: Array(answer.utf8))
        let response = HARResponse(
            status: 200,
            statusText: "",
            headers: [
                HARPair("Content-Length", "1"), HARPair("Location", "https://api.example.com/new"),
                HARPair("Access-Control-Allow-Origin", "https://api.example.com"),
            ],
            content: content
        )
        return HAREntry(started: .epoch, request: request, response: response, timings: HARTimings())
    }

    @Test func `13 a replayed answer leads here, with its new length`() throws {
        let entry = Self.entry("/a", answer: #"{"next":"https://api.example.com/a?page=2"}"#)
        let response = ReplayAnswer(links: Self.links).response(entry, requestID: nil, isHead: false)
        let text = #"{"next":"http://127.0.0.1:4683/@w/a?page=2"}"#
        expectEqual(response.body.content, Array(text.utf8))
        expectEqual(response.fields[.contentLength], "\(text.utf8.count)")
        expectEqual(response.fields[.location], "http://127.0.0.1:4683/@w/new")
        expectEqual(response.fields["Access-Control-Allow-Origin"], "https://api.example.com")
        let kept = ReplayAnswer().response(entry, requestID: nil, isHead: false)
        expectEqual(kept.fields[.location], "https://api.example.com/new")
        expectEqual(kept.body.content, entry.response.content.bytes)
    }

    @Test func `13 a link that comes back in a request is the recorded one`() throws {
        var book = ReplayIndex()
        book.add(Self.entry("/first", answer: "{}"), file: 0, offset: 0, length: 1)
        let body = #"{"image":"https://api.example.com/i/1.png","other":"https://other.test/x"}"#
        book.add(
            Self.entry("/use?u=https%3A%2F%2Fapi.example.com%2Fi", body: body, answer: "{}"),
            file: 0,
            offset: 1,
            length: 1
        )
        expectEqual(book.homes, ["api.example.com"])
        func live(_ origin: String, other: String = "https://other.test/x") -> RequestFingerprint {
            book.fingerprinter.at(book.homes + ["127.0.0.1:4683"], prefix: "/@w").fingerprint(
                method: "POST",
                path: "/use",
                query: "u=" + (origin + "/i").percentEncodedComponent,
                contentType: "application/json",
                body: Array(#"{"image":"\#(origin)/i/1.png","other":"\#(other)"}"#.utf8)
            )
        }
        for origin in [Self.here, "http://127.0.0.1:4683", "https://api.example.com"] {
            expectEqual(
                book.candidate(for: live(origin), at: ReplayPlace(), failsWhenExhausted: false),
                .line(1),
                "\(origin)"
            )
        }
        expectEqual(
            book.candidate(for: live("https://elsewhere.test"), at: ReplayPlace(), failsWhenExhausted: false),
            .none
        )
        expectEqual(
            book.candidate(for: live(Self.here, other: "\(Self.here)/x"), at: ReplayPlace(), failsWhenExhausted: false),
            .none
        )
    }

    @Test(arguments: [
        ("sid=1; Domain=example.com; Path=/", "sid=1; Path=/"), ("sid=1;domain = .API.example.com", "sid=1"),
        ("sid=1; Path=/; Domain=cdn.example.com; Secure", "sid=1; Path=/; Secure"),
        ("sid=1; Domain=other.test", "sid=1; Domain=other.test"),
        ("sid=1; Domain=ample.com", "sid=1; Domain=ample.com"),
        ("domain=example.com; Path=/", "domain=example.com; Path=/"),
        ("sid=1; Path=/a; HttpOnly", "sid=1; Path=/a; HttpOnly"), ("", ""), (";;", ";;"),
        ("sid; Domain", "sid; Domain"),
    ])
    func `13 a cookie of the recorded backend is one that a client here may keep`(value: String, expected: String) {
        expectEqual(Self.links.header("Set-Cookie", value), expected)
    }
}
