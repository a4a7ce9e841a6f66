import CivilTime
import Emulation
import HTTPMessage
import JSON
import TestSupport
import Testing

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
            "$.match.pth: unknown member; allowed: api, method, path, query, headers, user, body; did you mean path?"
        ),
        (#"{"api":"omnichatt"}"#, "$.match.api: must be one of notes, omnichat, trafikskola; did you mean omnichat?"),
        (
            #"{"method":"PSOT"}"#,
            "$.match.method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS; did you mean POST?"
        ),
        (#"{"path":"api"}"#, "$.match.path: must begin with / or a star"),
        (#"{"path":"/a?b=1"}"#, "$.match.path: is a path alone; the query goes into match.query"),
        (#"{"path":"/a/{id"}"#, "$.match.path: has a brace that is not a whole segment such as {id}"),
        (#"{"path":7}"#, "$.match.path: must be a string"),
        (#"{"query":{"a":[1]}}"#, "$.match.query.a: must be a string, a number or a boolean"),
        (#"{"headers":{"a b":"1"}}"#, "$.match.headers.a b: is not the name of a header field"),
        (#"{"headers":[]}"#, "$.match.headers: must be an object"),
        (#"{"user":""}"#, "$.match.user: must be an e-mail or an id"),
    ])
    func `8 a match that does not fit is refused with its path`(text: String, reason: String) throws {
        #expect(try read(text).1 == [reason])
    }

    @Test func `8 the API of the call narrows a match, and another one is a contradiction`() throws {
        let (matcher, faults) = try read("{}", scope: "omnichat")
        #expect(faults.isEmpty)
        #expect(matcher.json == ["api": "omnichat"])
        #expect(try read(#"{"api":"notes"}"#, scope: "omnichat").1.count == 1)
        #expect(try read(#"{"api":"omnichat"}"#, scope: "omnichat").1.isEmpty)
    }

    @Test func `8 an absent match, and an empty one, mean anything`() throws {
        #expect(try Matcher().matches(subject()))
        #expect(try read("{}").0.matches(subject()))
        #expect(try read(#"{"query":{},"headers":{}}"#).0.matches(subject()))
    }

    @Test(arguments: [
        ("/api/mobile/auth/*", true), ("/api/mobile/auth/refresh", true), ("/api/mobile/auth/refresh/", true),
        ("/api/mobile/auth", false), ("/api/mobile/*", false), ("/api/**", true), ("/**", true), ("**/refresh", true),
        ("/api/**/refresh", true), ("/**/auth/**", true), ("/api/{a}/auth/{b}", true), ("/api/{rest…}", true),
        ("/api/mobile/auth/refresh/{rest…}", false), ("/api/mobile/auth/ref*", true), ("/api/mobile/auth/*sh", true),
        ("/api/mobile/auth/r*r*h", true), ("/api/mobile/auth/*x*", false), ("/api/*", false), ("*", false),
        ("/api/mob%69le/auth/refresh", true), ("/API/mobile/auth/refresh", false), ("/api/mobile/auth/refresh**", true),
    ])
    func `8 path is a glob or a template`(pattern: String, fits: Bool) throws {
        #expect(try read(#"{"path":"\#(pattern)"}"#).0.matches(subject()) == fits)
        #expect(PathPattern(pattern).matches("/api/mobile/auth/refresh") == fits)
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
            #expect(PathPattern(pattern).matches(segments) == expected, "\(pattern) \(path) seed \(chance.seed)")
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
            #expect(matcher.matches(sent) == fits, "\(text)")
            #expect(matcher.differences(from: sent).isEmpty == fits, "\(text)")
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
            #expect(matcher.matches(sent) == fits, "\(text)")
            #expect(matcher.differences(from: sent).isEmpty == fits, "\(text)")
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
            #expect(try matcher.matches(subject(body: sent)) == fits, "\(pattern)")
            #expect(try matcher.differences(from: subject(body: sent)).isEmpty == fits, "\(pattern)")
        }
        let (matcher, _) = try read(#"{"body":{"a":1}}"#)
        for other in ["", "a=1", "[", #"{"a":2}"#] { #expect(try !matcher.matches(subject(body: other))) }
    }

    @Test func `11 near misses say what differed, line by line`() throws {
        let (matcher, _) = try read(
            #"{"api":"notes","method":"GET","path":"/b/*","query":{"q":"1"},"headers":{"X-A":"1"},"user":"ada","body":{"a":{"b":1},"c":2}}"#
        )
        let sent = try subject(.post, "/a/x", query: "q=2", body: #"{"a":{"b":2}}"#)
        #expect(
            matcher.differences(from: sent) == [
                "api: expected notes, found trafikskola", "method: expected GET, found POST",
                "path: expected /b/*, found /a/x", #"query.q: expected "1", found "2""#,
                #"headers.X-A: expected "1", found none"#, "user: expected ada, found nobody",
                "body.a.b: expected 1, found 2", "body.c: expected 2, found none",
            ]
        )
        #expect(try matcher.differences(from: subject(body: "x")).last == "body: expected JSON, found something else")
    }

    @Test func `8 an expired or foreign credential still has its user`() throws {
        let bench = try Bench()
        let hosted = try bench.hosted("main")
        var check = BodyCheck(["match": ["user": "ada"], "effect": ["status": 503]])
        let spec = try #require(FaultSpec.read(&check, apis: ["notes"], scope: nil))
        hosted.world.faults.add(spec, .control)
        let token = NotesAPI.token(issuer: "https://elsewhere.example")
        #expect(try bench.send(.get, "/notes/n1", fields: ["Authorization": "Bearer \(token)"]).status == 503)
        #expect(try bench.send(.get, "/notes/n1").status == 200)
        // A route that takes its credential in the body.
        let body = #"{"token":"\#(token)"}"#
        #expect(try bench.send(.post, "/slow", body: body).status == 503)
        #expect(try bench.send(.post, "/slow", body: "{}").status == 200)
    }
}
