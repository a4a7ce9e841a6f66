import CivilTime
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

@Suite struct ReplayTests {
    private static func entry(
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String = "application/json",
        answer: String,
        status: Int = 200
    ) -> HAREntry {
        var request = HARRequest(
            method: method,
            url: "https://api.example.com" + target,
            headers: [HARPair("Content-Type", type)]
        )
        if !body.isEmpty { request.postData = HARPostData(mimeType: type, bytes: Array(body.utf8)) }
        let content = HARContent(size: answer.utf8.count, mimeType: "application/json", bytes: Array(answer.utf8))
        let response = HARResponse(
            status: status,
            statusText: "OK",
            headers: [HARPair("Content-Type", "application/json")],
            content: content
        )
        return HAREntry(
            started: Instant(seconds: 1_700_000_000),
            request: request,
            response: response,
            timings: HARTimings()
        )
    }

    private static func book(_ entries: [HAREntry], _ rules: MatchRules = MatchRules()) -> OneReader {
        var book = OneReader(ReplayIndex(rules: rules))
        for (place, entry) in entries.enumerated() { book.add(entry, file: 0, offset: place, length: 1) }
        return book
    }

    private static func print(
        _ book: OneReader,
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String = "application/json"
    ) -> RequestFingerprint {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        return book.fingerprinter.fingerprint(
            method: method,
            path: parts[0],
            query: parts.count > 1 ? parts[1] : nil,
            contentType: type,
            body: Array(body.utf8)
        )
    }

    private static func serve(
        _ book: inout OneReader,
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String = "application/json",
        fails: Bool = false
    ) -> ReplayIndex.Choice {
        book.choose(print(book, method, target, body, type: type), failsWhenExhausted: fails)
    }

    @Test func `13 method, path, query and body have to be equal`() {
        var book = Self.book([
            Self.entry("GET", "/a?x=1&y=2", answer: "0"), Self.entry("POST", "/a", #"{"n":1,"m":[1,2]}"#, answer: "1"),
            Self.entry("POST", "/f", "a=1&b=2", type: "application/x-www-form-urlencoded", answer: "2"),
        ])
        expectEqual(Self.serve(&book, "GET", "/a?y=2&x=1"), .line(0))
        expectEqual(Self.serve(&book, "GET", "//a/./?y=2&x=1"), .none)
        expectEqual(Self.serve(&book, "GET", "//a?y=2&x=1"), .line(0))
        expectEqual(Self.serve(&book, "HEAD", "/a?x=1&y=2"), .none)
        expectEqual(Self.serve(&book, "GET", "/a?x=1"), .none)
        expectEqual(Self.serve(&book, "GET", "/b?x=1&y=2"), .none)
        expectEqual(Self.serve(&book, "POST", "/a", #"{ "m": [1, 2], "n": 1 }"#), .line(1))
        expectEqual(Self.serve(&book, "POST", "/a", #"{"m":[2,1],"n":1}"#), .none)
        expectEqual(Self.serve(&book, "POST", "/a", #"{"m":[1,2],"n":2}"#), .none)
        expectEqual(Self.serve(&book, "POST", "/f", "b=2&a=1", type: "application/x-www-form-urlencoded"), .line(2))
    }

    @Test func `13 what changes by nature does not count`() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln"
        var book = Self.book([
            Self.entry("GET", "/a?since=2025-01-01T00:00:00Z&traceId=1&token=abc", answer: "0"),
            Self.entry(
                "POST",
                "/b",
                #"{"refreshToken":"redacted-token-1","at":"2025-01-01T00:00:00Z","exp":1735732800,"nonce":"1","x":1}"#,
                answer: "1"
            ),
            Self.entry(
                "POST",
                "/c",
                "--b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b1--\r\n",
                type: "multipart/form-data; boundary=b1",
                answer: "2"
            ),
            Self.entry("GET", "/users/redacted-email-1@example.invalid", answer: "3"),
        ])
        expectEqual(Self.serve(&book, "GET", "/a?since=2026-06-06T10:00:00.123Z&traceId=zz&token=\(jwt)"), .line(0))
        expectEqual(
            Self.serve(
                &book,
                "POST",
                "/b",
                #"{"refreshToken":"real","at":"2026-01-01T00:00:00Z","exp":1775732800,"nonce":"2","x":1}"#
            ),
            .line(1)
        )
        expectEqual(
            Self.serve(
                &book,
                "POST",
                "/b",
                #"{"refreshToken":"real","at":"2026-01-01T00:00:00Z","exp":1775732800,"nonce":"2","x":2}"#
            ),
            .none
        )
        expectEqual(
            Self.serve(
                &book,
                "POST",
                "/c",
                "--other\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--other--\r\n",
                type: "multipart/form-data; boundary=other"
            ),
            .line(2)
        )
        expectEqual(Self.serve(&book, "GET", "/users/anna@example.com"), .line(3))
    }

    @Test(arguments: [
        ("1", "1.0"), ("100", "1e2"), ("0.1", "0.10"), ("0", "-0"), ("-1.5", "-15E-1"), ("1e400", "1e+400"),
        ("0.001", "1e-3"), ("12345678901234567890", "1234567890123456789e1"),
    ])
    func `13 numbers are equal however they are spelled`(left: String, right: String) {
        func key(_ number: String) -> [UInt8] {
            Fingerprinter().fingerprint(
                method: "POST",
                path: "/a",
                query: nil,
                contentType: "application/json",
                body: Array("{\"a\":[\(number)]}".utf8)
            ).key
        }
        expectEqual(key(left), key(right))
        #expect(key(left) != key(left + "1"))
        #expect(key(left) != key("\"\(left)\""))
    }

    @Test func `13 what keeps an answer from being cached and moments in a query do not count`() {
        func key(_ query: String) -> [UInt8] {
            Fingerprinter().fingerprint(method: "GET", path: "/a", query: query, contentType: "", body: []).key
        }
        expectEqual(key("x=1&_=1735689600000"), key("_=1735689612345&x=1"))
        expectEqual(key("updated_at=1735689600"), key("updated_at=1800000000"))
        #expect(key("count=1735689600") != key("count=1800000000"))
    }

    @Test func `13 ignore leaves out query parameters and members of the body`() {
        let rules = MatchRules(headers: [], query: ["page"], body: ["a.b", "items.id"])
        var book = Self.book(
            [Self.entry("POST", "/a?page=1&q=x", #"{"a":{"b":1,"c":2},"items":[{"id":1},{"id":2}]}"#, answer: "0")],
            rules
        )
        expectEqual(
            Self.serve(&book, "POST", "/a?q=x&page=7", #"{"a":{"b":9,"c":2},"items":[{"id":8},{"id":9}]}"#),
            .line(0)
        )
        expectEqual(Self.serve(&book, "POST", "/a?q=x", #"{"a":{"c":2},"items":[{},{}]}"#), .line(0))
        expectEqual(Self.serve(&book, "POST", "/a?q=x", #"{"a":{"c":3},"items":[{},{}]}"#), .none)
    }

    @Test func `13 entries of one key come in the recorded order and the last repeats`() {
        let entries = (0..<3).map { Self.entry("GET", "/a", answer: "\($0)") }
        var book = Self.book(entries)
        expectEqual(
            (0..<5).map { _ in Self.serve(&book, "GET", "/a") },
            [.line(0), .line(1), .line(2), .line(2), .line(2)]
        )
        book.rewind()
        expectEqual(
            (0..<4).map { _ in Self.serve(&book, "GET", "/a", fails: true) },
            [
                .line(0), .line(1), .line(2), .exhausted(2),
            ]
        )
    }

    @Test func `13 redacted people stay apart`() {
        let entries = [1, 2, 1, 2].map {
            Self.entry("POST", "/login", #"{"email":"redacted-email-\#($0)@example.invalid"}"#, answer: "\($0)")
        }
        var book = Self.book(entries)
        func login(_ who: String) -> ReplayIndex.Choice {
            Self.serve(&book, "POST", "/login", #"{"email":"\#(who)@x.se"}"#)
        }
        expectEqual(login("anna"), .line(0))
        expectEqual(login("anna"), .line(2))
        expectEqual(login("bo"), .line(1))
        expectEqual(login("anna"), .line(2))
        expectEqual(login("bo"), .line(3))
    }

    @Test func `13 an exact date is preferred as long as it is new`() {
        var book = Self.book([
            Self.entry("GET", "/d?day=2025-01-06", answer: "0"), Self.entry("GET", "/d?day=2025-01-07", answer: "1"),
        ])
        expectEqual(Self.serve(&book, "GET", "/d?day=2025-01-07"), .line(1))
        expectEqual(Self.serve(&book, "GET", "/d?day=2025-01-06"), .line(0))
        expectEqual(Self.serve(&book, "GET", "/d?day=2025-01-07"), .line(1))
        expectEqual(Self.serve(&book, "GET", "/d?day=2025-02-01"), .line(1))
    }

    @Test func `13 a miss names what is nearest and what differs`() throws {
        let entries = [
            Self.entry("GET", "/api/items?page=1", answer: "0"),
            Self.entry("POST", "/api/items", #"{"a":{"b":1}}"#, answer: "1"),
            Self.entry("GET", "/other/things/far", answer: "2"), Self.entry("GET", "/api/items?page=2", answer: "3"),
        ]
        let book = Self.book(entries)
        let live = Self.print(book, "GET", "/api/items?page=3")
        let nearest = book.nearest(to: live)
        expectEqual(nearest, [0, 3, 1])
        let address = try #require(HARAddress(entries[0].request.url))
        expectEqual(
            MatchReport.differences(live: live, recorded: book.book.fingerprint(of: entries[0], address)),
            ["query: page is 3, recorded 1"]
        )
        let other = Self.print(book, "POST", "/api/itemz", #"{"a":{"b":2},"c":1}"#)
        let post = try #require(HARAddress(entries[1].request.url))
        expectEqual(
            MatchReport.differences(live: other, recorded: book.book.fingerprint(of: entries[1], post)),
            [
                "path: /api/itemz, recorded /api/items", "body: $.a.b is 2, recorded 1", "body: $.c is not recorded",
            ]
        )
    }

    @Test func `13 entries without an answer are never served`() {
        var book = Self.book([Self.entry("GET", "/a", answer: "", status: 0)])
        expectEqual(book.unusable, 1)
        expectEqual(Self.serve(&book, "GET", "/a"), .none)
    }

    // MARK: Answers

    @Test func `13 the answer has the recorded fields in order, repeats too, without what belongs to the connection`() {
        var entry = Self.entry("GET", "/a", answer: "{}")
        entry.response.headers = [
            HARPair("X-B", "2"), HARPair("Connection", "close"), HARPair("Set-Cookie", "a=1"),
            HARPair("Content-Length", "2"),
            HARPair("set-cookie", "b=2"), HARPair("Content-Encoding", "gzip"), HARPair("Transfer-Encoding", "chunked"),
            HARPair("X-Request-Id", "req_7"), HARPair("bad name", "x"), HARPair("X-A", "1"),
        ]
        let answer = ReplayAnswer().response(entry, requestID: nil, isHead: false)
        expectEqual(
            answer.fields.pairs.map(\.name),
            [
                "X-B", "Set-Cookie", "Content-Length", "set-cookie", "Transfer-Encoding", "X-Request-Id", "X-A",
                "Content-Type",
            ]
        )
        let own = ReplayAnswer().response(entry, requestID: "mine", isHead: false)
        expectEqual(own.fields[.requestID], "mine")
        expectEqual(own.fields.pairs.map(\.name), answer.fields.pairs.map(\.name))
    }

    @Test func `13 a redirect whose archive names its end alone leads there`() {
        var entry = Self.entry("GET", "/a", answer: "")
        entry.response.status = 302
        entry.response.redirectURL = "https://api.example.com/b"
        let links = LinkRewriter(["api.example.com"], to: "http://127.0.0.1:4683")
        let answer = ReplayAnswer(links: links).response(entry, requestID: nil, isHead: false)
        expectEqual(answer.fields["Location"], "http://127.0.0.1:4683/b")
        entry.response.headers = [HARPair("location", "/c")]
        let own = ReplayAnswer(links: links).response(entry, requestID: nil, isHead: false)
        expectEqual(own.fields.values("Location"), ["/c"])
        entry.response.headers = []
        entry.response.status = 304
        expectNil(ReplayAnswer().response(entry, requestID: nil, isHead: false).fields["Location"])
    }

    private static func waits(_ response: Response) -> [Int64] {
        response.timeline.compactMap { step in
            guard case .wait(let length, .either) = step else { return nil }
            return length.wholeMilliseconds
        }
    }

    @Test func `13 speed 0 has no waits, 1 those recorded, 2 half of them`() {
        var entry = Self.entry("GET", "/a", answer: "{}")
        entry.timings.wait = 80
        entry.timings.receive = 20
        entry.time = 100
        expectEqual(Self.waits(ReplayAnswer().response(entry, requestID: nil, isHead: false)), [])
        expectEqual(Self.waits(ReplayAnswer(speed: 1).response(entry, requestID: nil, isHead: false)), [100])
        expectEqual(Self.waits(ReplayAnswer(speed: 2).response(entry, requestID: nil, isHead: false)), [50])
        entry.response.content = HARContent(
            size: 1,
            mimeType: "text/event-stream",
            bytes: Array("data: 1\n\ndata: 2\n\n".utf8)
        )
        entry.events = [
            HAREvent(offset: 80, name: "message", id: "", data: "1"),
            HAREvent(offset: 180, name: "message", id: "", data: "2"),
        ]
        expectEqual(Self.waits(ReplayAnswer(speed: 1).response(entry, requestID: nil, isHead: false)), [80, 100])
        let steps = ReplayAnswer().response(entry, requestID: nil, isHead: false).timeline.dropFirst()
        expectEqual(Array(steps), [.bytes(Array("data: 1\n\n".utf8)), .bytes(Array("data: 2\n\n".utf8)), .end])
    }

    @Test func `13 refresh moves dates and token lifetimes to the world's clock`() throws {
        let token = "eyJhbGciOiJIUzI1NiJ9." + "eyJleHAiOjE3MDAwMDM2MDB9" + ".c2ln"
        var entry = Self.entry(
            "GET",
            "/a",
            answer:
                #"{"at": "2023-11-14T22:13:20.000Z", "zoned":"2023-11-15T00:13:20+02:00","day":"2023-11-14","expiresAt":1700003600,"n":1700000000,"token":"\#(token)","text":"x"}"#
        )
        entry.response.headers += [
            HARPair("Date", "Tue, 14 Nov 2023 22:13:20 GMT"),
            HARPair("Set-Cookie", "a=1; Expires=Tue, 14 Nov 2023 23:13:20 GMT; Path=/"),
        ]
        let shift = DateShift(by: .days(1))
        let answer = ReplayAnswer(shift: shift).response(entry, requestID: nil, isHead: false)
        guard case .bytes(let bytes) = answer.body else {
            Issue.record("no content")
            return
        }
        let body = try JSONReader.read(bytes)
        expectEqual(body["at"], "2023-11-15T22:13:20.000Z")
        expectEqual(body["zoned"], "2023-11-16T00:13:20+02:00")
        expectEqual(body["day"], "2023-11-15")
        expectEqual(body["expiresAt"], 1_700_090_000)
        expectEqual(body["n"], 1_700_000_000)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"{"at": ""#))
        expectEqual(body["token"]?.stringValue, "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwOTAwMDB9.c2ln")
        expectEqual(answer.fields[.date], "Wed, 15 Nov 2023 22:13:20 GMT")
        expectEqual(answer.fields["Set-Cookie"], "a=1; Expires=Wed, 15 Nov 2023 23:13:20 GMT; Path=/")
    }

    @Test func `13 refresh moves moments as cookies, limits and clocks with fractions write them, and no birthday`() {
        let shift = DateShift(by: .days(1))
        expectEqual(
            shift.header("Set-Cookie", "a=b; expires=Thu, 02-Jan-2025 12:00:00 GMT; Path=/"),
            "a=b; expires=Fri, 03-Jan-2025 12:00:00 GMT; Path=/"
        )
        expectEqual(shift.header("X-RateLimit-Reset", "1735732860"), "1735819260")
        expectEqual(shift.header("X-RateLimit-Reset", "60"), "60")
        expectEqual(shift.header("Expires", "Thu, 02 Jan 2025 12:00:00 GMT"), "Fri, 03 Jan 2025 12:00:00 GMT")
        expectEqual(shift.header("X-Count", "1735732860"), "1735732860")
        let body =
            #"{"created":1735732860.125,"createdAtMs":1735732860000,"birthDate":"1990-05-05","day":"2025-01-01"}"#
        expectEqual(
            String(decoding: shift.content(Array(body.utf8), isEventStream: false), as: UTF8.self),
            #"{"created":1735819260.125,"createdAtMs":1735819260000,"birthDate":"1990-05-05","day":"2025-01-02"}"#
        )
    }

    @Test func `13 an answer that broke off breaks off again`() {
        var entry = Self.entry("GET", "/a", answer: "{}")
        entry.response.error = "the connection was reset"
        expectEqual(ReplayAnswer().response(entry, requestID: nil, isHead: false).timeline.last, .abort)
    }
}
