import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Control contract, section 8: the `match` object, which faults, gates, latency and verification share.
@Suite struct MatcherTests {
    private func read(_ text: String, scope: String? = nil) throws -> (Matcher, [String]) {
        var check = BodyCheck(try #require(JSONReader.read(text: text).objectValue), at: "$.match")
        let matcher = Matcher(&check, apis: ["notes", "omnichat", "trafikskola"], scope: scope)
        check.refuseUnknown()
        return (matcher, check.items.map { "\($0.path): \($0.reason)" })
    }

    private func subject(
        _ method: HTTPMessage.HTTPMethod = .post,
        _ path: String = "/api/mobile/auth/refresh",
        query: String? = nil,
        fields: Fields = Fields(),
        user: CallUser? = nil,
        body: String = ""
    ) throws -> MatchSubject {
        let call = Call(
            request: HTTPRequest(
                head: RequestHead(
                    method: method,
                    target: RequestTarget(rawPath: path, rawQuery: query),
                    fields: fields
                ),
                body: RequestBody(Array(body.utf8))
            ),
            path: try #require(Path(raw: path)),
            peer: "127.0.0.1",
            now: .epoch,
            epoch: Epoch(start: .epoch),
            requestID: "r"
        )
        return MatchSubject(call, api: "trafikskola", user: user)
    }

    @Test(arguments: [
        (
            #"{"pth":"/a"}"#,
            "$.match.pth: unknown member; allowed: api, method, path, query, headers, user, body, bodyText, connection; did you mean path?"
        ),
        (#"{"api":"omnichatt"}"#, "$.match.api: must be one of notes, omnichat, trafikskola; did you mean omnichat?"),
        (
            #"{"method":"PSOT"}"#,
            "$.match.method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS; did you mean POST?"
        ),
        (#"{"connection":"old"}"#, "$.match.connection: must be one of reused, fresh"),
        (#"{"path":"api"}"#, "$.match.path: must begin with / or a star"),
        (#"{"path":"/a?b=1"}"#, "$.match.path: is a path alone; the query goes into match.query"),
        (#"{"path":"/a/{id"}"#, "$.match.path: has a brace that is not a whole segment such as {id}"),
        (#"{"path":7}"#, "$.match.path: must be a string, or an object with a regex"),
        (#"{"path":{}}"#, "$.match.path.regex: is required"),
        (#"{"path":{"regex":"(?=a)"}}"#, "$.match.path.regex: look-ahead is not supported, at character 1"),
        (
            #"{"path":{"regex":"a"}}"#,
            "$.match.path.regex: matches no path: paths begin with /, have no query, and are percent-encoded like URLs"
        ),
        (#"{"path":{"regex":"/a","x":1}}"#, "$.match.path.x: unknown member; allowed: regex"),
        (#"{"query":{"a":{}}}"#, "$.match.query.a: must have exactly one of contains, regex, absent"),
        (
            #"{"query":{"a":{"contains":"x","absent":true}}}"#,
            "$.match.query.a: must have exactly one of contains, regex, absent"
        ),
        (#"{"query":{"a":{"absent":false}}}"#, "$.match.query.a.absent: must be true"),
        (
            #"{"headers":{"a":{"regex":"(a)\\1"}}}"#,
            "$.match.headers.a.regex: back-references are not supported, at character 4"
        ),
        (
            #"{"bodyText":{"equals":"a","regex":"b"}}"#,
            "$.match.bodyText: must have exactly one of equals, contains, regex"
        ),
        (#"{"bodyText":"a"}"#, "$.match.bodyText: must be an object"),
        (
            #"{"query":{"a":[1]}}"#,
            "$.match.query.a: must be a string, a number, a boolean or an object with a condition"
        ),
        (#"{"headers":{"a b":"1"}}"#, "$.match.headers.a b: is not the name of a header field"),
        (#"{"headers":[]}"#, "$.match.headers: must be an object"),
        (#"{"user":""}"#, "$.match.user: must be an e-mail or an id"),
    ])
    func `8 a match that does not fit is refused with its path`(text: String, reason: String) throws {
        try expectEqual(read(text).1, [reason])
    }

    @Test func `8 the API of the call narrows a match, and another one is a contradiction`() throws {
        let (matcher, faults) = try read("{}", scope: "omnichat")
        #expect(faults.isEmpty)
        expectEqual(matcher.json, ["api": "omnichat"])
        try expectEqual(read(#"{"api":"notes"}"#, scope: "omnichat").1.count, 1)
        #expect(try read(#"{"api":"omnichat"}"#, scope: "omnichat").1.isEmpty)
    }

    @Test func `8 an absent match, and an empty one, mean anything`() throws {
        #expect(try Matcher().matches(subject()))
        #expect(try read("{}").0.matches(subject()))
        #expect(try read(#"{"query":{},"headers":{}}"#).0.matches(subject()))
    }

    @Test(arguments: [
        ("/api/mobile/auth/*", true), ("/api/mobile/auth/refresh", true), ("/api/mobile/auth/refresh/", false),
        ("/api/mobile/auth", false), ("/api/mobile/*", false), ("/api/**", true), ("/**", true), ("**/refresh", true),
        ("/api/**/refresh", true), ("/**/auth/**", true), ("/api/{a}/auth/{b}", true), ("/api/{rest…}", true),
        ("/api/mobile/auth/refresh/{rest…}", false), ("/api/mobile/auth/ref*", true), ("/api/mobile/auth/*sh", true),
        ("/api/mobile/auth/r*r*h", true), ("/api/mobile/auth/*x*", false), ("/api/*", false), ("*", false),
        ("/api/mob%69le/auth/refresh", true), ("/API/mobile/auth/refresh", false), ("/api/mobile/auth/refresh**", true),
    ])
    func `8 path is a glob or a template`(pattern: String, fits: Bool) throws {
        try expectEqual(read(#"{"path":"\#(pattern)"}"#).0.matches(subject()), fits)
        let segments = ["api", "mobile", "auth", "refresh"]
        expectEqual(PathPattern(pattern).matches(segments, endingInSlash: false), fits)
    }

    @Test(arguments: [
        (#"{"query":{"q":{"contains":"sho"}}}"#, true), (#"{"query":{"q":{"contains":"shoo"}}}"#, false),
        (#"{"query":{"q":{"regex":"[a-z]+"}}}"#, true), (#"{"query":{"q":{"regex":"[a-z]"}}}"#, false),
        // Any of several values of a name will do, and the expression has to fit all of one.
        (#"{"query":{"tag":{"regex":"b|c"}}}"#, true), (#"{"query":{"tag":"b"}}"#, true),
        (#"{"query":{"tag":{"regex":"ab"}}}"#, false), (#"{"query":{"x":{"absent":true}}}"#, true),
        (#"{"query":{"q":{"absent":true}}}"#, false), (#"{"query":{"q":"shoes"}}"#, true),
        // No other names than those beside the star.
        (#"{"query":{"*":{"absent":true}}}"#, false), (#"{"query":{"q":"shoes","*":{"absent":true}}}"#, false),
        (#"{"query":{"*":"x"}}"#, false),
        (#"{"query":{"q":"shoes","tag":{"absent":true},"*":{"absent":true}}}"#, false),
        (#"{"headers":{"x-tier":{"regex":"gold|silver"}}}"#, true),
        (#"{"headers":{"X-Tier":{"contains":"ol"}}}"#, true),
        (#"{"headers":{"X-None":{"absent":true}}}"#, true), (#"{"headers":{"X-Tier":{"absent":true}}}"#, false),
        (#"{"headers":{"Accept":{"regex":"a, b"}}}"#, true), (#"{"headers":{"Accept":{"regex":"b"}}}"#, true),
        (#"{"headers":{"Accept":{"contains":"c"}}}"#, false),
        (#"{"path":{"regex":"/v1/[^/]+/\\d+"}}"#, true), (#"{"path":{"regex":"/v1"}}"#, false),
        (#"{"path":{"regex":"/v1/caf%C3%A9/7"}}"#, true),
        (#"{"bodyText":{"equals":"h\u00e9llo 12"}}"#, true), (#"{"bodyText":{"contains":"llo"}}"#, true),
        (#"{"bodyText":{"regex":".*\\d\\d"}}"#, true), (#"{"bodyText":{"regex":"\\d\\d"}}"#, false),
    ])
    func `6 values may be contained, fit an expression or be absent`(text: String, fits: Bool) throws {
        var fields = Fields()
        fields.append("X-Tier", "gold")
        fields.append("Accept", "a")
        fields.append("Accept", "b")
        let subject = try subject(
            .get,
            "/v1/café/7",
            query: "q=shoes&tag=a&tag=b",
            fields: fields,
            body: "h\u{e9}llo 12"
        )
        let (matcher, faults) = try read(text)
        expectEqual(faults, [])
        expectEqual(matcher.matches(subject), fits)
        expectEqual(matcher.differences(from: subject).isEmpty, fits)
        // The same among so many values that they are looked up.
        let many = (0..<40).map { "n\($0)=\($0)" }.joined(separator: "&")
        for place in 0..<40 { fields.append(try #require(FieldName("N\(place)")), "v") }
        let larger = try self.subject(
            .get,
            "/v1/café/7",
            query: many + "&q=shoes&tag=a&tag=b",
            fields: fields,
            body: "h\u{e9}llo 12"
        )
        expectEqual(matcher.matches(larger), fits)
    }

    @Test func `6 a star in a query lets no other names pass than those beside it`() throws {
        for (query, fits) in [
            ("", true), ("q=1", true), ("q=2", true), ("q=1&p=2", false), ("%71=1", true), ("*=1", false),
            ("Q=1", false),
        ] {
            let subject = try subject(.get, "/", query: query)
            try expectEqual(
                read(#"{"query":{"q":{"regex":".*"},"*":{"absent":true}}}"#).0.matches(subject),
                fits && !query.isEmpty
            )
            try expectEqual(read(#"{"query":{"*":{"absent":true}}}"#).0.matches(subject), query.isEmpty)
        }
    }

    @Test func `6 a near miss says what was asked for`() throws {
        let wanted = #"""
            {"path":{"regex":"/a"},"query":{"q":{"contains":"x"},"p":{"absent":true},"*":{"absent":true}},
             "headers":{"H":{"regex":"v+"}},"bodyText":{"equals":"b"}}
            """#
        let subject = try subject(.get, "/b", query: "q=1&p=2&r=3", body: "c")
        try expectEqual(
            read(wanted).0.differences(from: subject),
            [
                #"path: expected a match of "/a", found /b"#, #"query.q: expected text that contains "x", found "1""#,
                #"query.p: expected none, found "2""#, #"query.r: expected none, found "3""#,
                #"headers.H: expected a match of "v+", found none"#,
                #"bodyText: expected "b", found "c""#,
            ]
        )
    }

    @Test func `6 a body that is not UTF-8 has no text`() throws {
        let (matcher, _) = try read(#"{"bodyText":{"contains":""}}"#)
        let head = RequestHead(method: .post, target: RequestTarget(rawPath: "/"), fields: Fields())
        let call = Call(
            request: HTTPRequest(head: head, body: RequestBody([0xFF])),
            path: try #require(Path(raw: "/")),
            peer: "127.0.0.1",
            now: .epoch,
            epoch: Epoch(start: .epoch),
            requestID: "r"
        )
        let subject = MatchSubject(call, api: "notes", user: nil)
        #expect(!matcher.matches(subject))
        expectEqual(
            matcher.differences(from: subject),
            [
                #"bodyText: expected text that contains "", found bytes that are not UTF-8"#
            ]
        )
    }

    @Test func `6 an expression has 1,000 characters and no more`() throws {
        let most = "/" + String(repeating: "a", count: 999)
        try expectEqual(read(#"{"path":{"regex":"\#(most)"}}"#).1, [])
        try expectEqual(
            read(#"{"path":{"regex":"\#(most)a"}}"#).1,
            ["$.match.path.regex: a regular expression has at most 1000 characters, at character 1001"]
        )
    }

    @Test func `8 patterns with many stars cost little`() throws {
        let pattern = String(repeating: "/**/a", count: 200)
        let path = String(repeating: "/a", count: 199) + "/b"
        #expect(!PathPattern(pattern).matches(path))
        #expect(
            !PathPattern("/" + String(repeating: "a*", count: 300) + "b").matches(
                "/" + String(repeating: "a", count: 2_000)
            )
        )
    }

    @Test func `8 a pattern fits what its parts, tried one by one, fit`() {
        /// Every way of taking the parts, as they are told of.
        func fits(_ parts: ArraySlice<String>, _ segments: ArraySlice<String>) -> Bool {
            guard let part = parts.first else { return segments.isEmpty }
            let later = parts.dropFirst()
            switch part {
            case "**", "{rest…}":
                let least = part == "**" ? 0 : 1
                guard segments.count >= least else { return false }
                return (least...segments.count).contains { fits(later, segments.dropFirst($0)) }
            case "*": return !segments.isEmpty && fits(later, segments.dropFirst())
            case "a*": return segments.first?.hasPrefix("a") == true && fits(later, segments.dropFirst())
            default: return segments.first == part && fits(later, segments.dropFirst())
            }
        }
        var chance = SeededGenerator.announced()
        var fitting = 0
        for _ in 0..<20_000 {
            let parts = (0..<chance.below(7)).map { _ in ["a", "b", "*", "**", "{rest…}", "a*"][chance.below(6)] }
            let segments = (0..<chance.below(8)).map { _ in ["a", "b", "ab"][chance.below(3)] }
            let expected = fits(parts[...], segments[...])
            if expected { fitting += 1 }
            let pattern = "/" + parts.joined(separator: "/")
            let path = "/" + segments.joined(separator: "/")
            expectEqual(PathPattern(pattern).matches(segments), expected, "\(pattern) \(path) seed \(chance.seed)")
        }
        #expect(fitting > 1_000)
    }

    @Test func `8 query, headers, method and user`() throws {
        let ada = CallUser(id: "u1", email: "Anna@example.com")
        let sent = try subject(
            .get,
            "/x",
            query: "limit=5&tag=a&tag=b&on=true",
            fields: ["X-One": "1", "Accept": "a", "Accept": "b"],
            user: ada
        )
        for (text, fits) in [
            (#"{"query":{"limit":5}}"#, true), (#"{"query":{"limit":"5","tag":"b"}}"#, true),
            (#"{"query":{"tag":"c"}}"#, false), (#"{"query":{"on":true}}"#, true), (#"{"query":{"none":""}}"#, false),
            (#"{"headers":{"x-one":"1"}}"#, true), (#"{"headers":{"accept":"b"}}"#, true),
            (#"{"headers":{"accept":"a, b"}}"#, true), (#"{"headers":{"x-two":"1"}}"#, false),
            (#"{"method":"get"}"#, true), (#"{"method":"POST"}"#, false), (#"{"user":"u1"}"#, true),
            (#"{"user":"anna@example.com"}"#, true), (#"{"user":"u2"}"#, false), (#"{"api":"notes"}"#, false),
        ] {
            let (matcher, faults) = try read(text)
            #expect(faults.isEmpty, "\(text)")
            expectEqual(matcher.matches(sent), fits, "\(text)")
            expectEqual(matcher.differences(from: sent).isEmpty, fits, "\(text)")
        }
        #expect(try !read(#"{"user":"u1"}"#).0.matches(subject()))
    }

    @Test func `8 a query is compared by code points, as a body is`() throws {
        let sent = try subject(.get, "/x", query: "q=e%CC%81&e%CC%81=1&a+b=%2B")
        for (text, fits) in [
            (#"{"query":{"q":"e\u0301"}}"#, true), (#"{"query":{"q":"\u00e9"}}"#, false),
            (#"{"query":{"e\u0301":"1"}}"#, true), (#"{"query":{"\u00e9":"1"}}"#, false),
            (#"{"query":{"a b":"+"}}"#, true),
        ] {
            let matcher = try read(text).0
            expectEqual(matcher.matches(sent), fits, "\(text)")
            expectEqual(matcher.differences(from: sent).isEmpty, fits, "\(text)")
        }
    }

    @Test func `8 body is a subset match on JSON`() throws {
        let sent = #"{"a":1,"b":{"c":[1,{"d":"x","e":2},3],"f":null},"g":1.0}"#
        for (pattern, fits) in [
            (#"{}"#, true), (#"{"a":1}"#, true), (#"{"a":1.0}"#, true), (#"{"g":1}"#, true), (#"{"a":"1"}"#, false),
            (#"{"b":{"c":[1]}}"#, true), (#"{"b":{"c":[{"d":"x"},3]}}"#, true), (#"{"b":{"c":[3,1]}}"#, false),
            (#"{"b":{"c":[]}}"#, true), (#"{"b":{"f":null}}"#, true), (#"{"h":null}"#, false), (#"[1]"#, false),
        ] {
            let (matcher, faults) = try read(#"{"body":\#(pattern)}"#)
            #expect(faults.isEmpty)
            try expectEqual(matcher.matches(subject(body: sent)), fits, "\(pattern)")
            try expectEqual(matcher.differences(from: subject(body: sent)).isEmpty, fits, "\(pattern)")
        }
        let (matcher, _) = try read(#"{"body":{"a":1}}"#)
        for other in ["", "a=1", "[", #"{"a":2}"#] { #expect(try !matcher.matches(subject(body: other))) }
    }

    @Test func `11 near misses say what differed, line by line`() throws {
        let (matcher, _) = try read(
            #"{"api":"notes","method":"GET","path":"/b/*","query":{"q":"1"},"headers":{"X-A":"1"},"user":"ada","body":{"a":{"b":1},"c":2}}"#
        )
        let sent = try subject(.post, "/a/x", query: "q=2", body: #"{"a":{"b":2}}"#)
        expectEqual(
            matcher.differences(from: sent),
            [
                "api: expected notes, found trafikskola", "method: expected GET, found POST",
                "path: expected /b/*, found /a/x", #"query.q: expected "1", found "2""#,
                #"headers.X-A: expected "1", found none"#, "user: expected ada, found nobody",
                "body.a.b: expected 1, found 2", "body.c: expected 2, found none",
            ]
        )
        try expectEqual(matcher.differences(from: subject(body: "x")).last, "body: expected JSON, found something else")
    }

    @Test func `8 an expired or foreign credential still has its user`() throws {
        let harness = try EngineHarness()
        let hosted = try harness.hosted("main")
        var check = BodyCheck(["match": ["user": "ada"], "effect": ["status": 503]])
        let spec = try #require(FaultSpec.read(&check, apis: ["notes"], scope: nil))
        hosted.world.faults.add(spec, .control)
        let token = NotesAPI.token(issuer: "https://elsewhere.example")
        try expectEqual(harness.send(.get, "/notes/n1", fields: ["Authorization": "Bearer \(token)"]).status, 503)
        try expectEqual(harness.send(.get, "/notes/n1").status, 200)
        // A route that takes its credential in the body.
        let body = #"{"token":"\#(token)"}"#
        try expectEqual(harness.send(.post, "/slow", body: body).status, 503)
        try expectEqual(harness.send(.post, "/slow", body: "{}").status, 200)
    }
}
