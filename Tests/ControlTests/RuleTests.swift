import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, sections 3 and 16: the rules for every call.
@Suite struct RuleTests {
    static let writes: [(HTTPMessage.HTTPMethod, String)] = [
        (.put, "/clock"), (.post, "/clock/advance"), (.post, "/reset"), (.post, "/worlds"), (.put, "/settings"),
        (.put, "/scenarios/omnichat/unicode"), (.post, "/tokens"), (.post, "/users/test@icloud.com/expire"),
        (.post, "/users/test@icloud.com/revoke"),
    ]

    @Test func `health tells the version and the uptime`() throws {
        let harness = try Harness()
        harness.passRealTime(.milliseconds(12_500))
        let answer = try harness.call(.get, "/health")
        expectEqual(answer.status, 200)
        expectEqual(answer.text, #"{"status":"ok","version":"9.8.7","uptimeSeconds":12.5}"#)
        expectEqual(answer.contentType, "application/json; charset=utf-8")
    }

    @Test func `the APIs are listed with address, endpoints and scenarios`() throws {
        let answer = try Harness().call(.get, "/apis")
        expectEqual(
            answer.text,
            #"{"items":[{"name":"omnichat","title":"OmniChat","url":"http://127.0.0.1:4683","endpoints":19,"scenarios":43,"source":"built-in"}]}"#
        )
        expectEqual(answer[.totalCount], "1")
    }

    @Test(arguments: writes.indices)
    func `a write with another content type is 415`(place: Int) throws {
        let (method, path) = Self.writes[place]
        let harness = try Harness()
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/problem+json", "json", "", nil]
            as [String?]
        {
            let answer = try harness.call(method, path, "{}", type: type)
            expectEqual(answer.problem, "415 unsupported-media-type", "\(type ?? "none")")
        }
    }

    @Test func `JSON may come with parameters and in any case`() throws {
        let harness = try Harness()
        for type in ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;charset=\"utf-8\""] {
            try expectEqual(harness.call(.put, "/settings", "{}", type: type).status, 200)
        }
    }

    @Test(arguments: writes.indices)
    func `a body that is not JSON is 400 with line and column`(place: Int) throws {
        let (method, path) = Self.writes[place]
        let answer = try Harness().call(method, path, "{\n  \"a\": 1,\n  oops\n}")
        expectEqual(answer.problem, "400 invalid-json")
        #expect(answer.detail.hasPrefix("Invalid JSON at line 3, column 3: "), "\(answer.detail)")
    }

    @Test func `3 a member that is repeated is 422 and named`() throws {
        let answer = try Harness().call(.put, "/clock", #"{"mode":"real","mode":"real"}"#)
        expectEqual(answer.problem, "422 invalid-body")
        #expect(answer.detail.contains("mode"), "\(answer.detail)")
    }

    @Test(arguments: ["{} {}", "{\"mode\":\"real\",}", "\u{FEFF}{", "nul"])
    func `what strict JSON refuses is 400`(body: String) throws {
        try expectEqual(Harness().call(.put, "/clock", body).problem, "400 invalid-json")
    }

    @Test func `a body nested 64 deep is read, one level more is 400`() throws {
        let harness = try Harness()
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        }
        try expectEqual(harness.call(.put, "/settings", #"{"x":\#(nested(64))}"#).problem, "422 invalid-body")
        try expectEqual(harness.call(.put, "/settings", #"{"x":\#(nested(65))}"#).problem, "400 invalid-json")
    }

    @Test(arguments: writes.indices)
    func `a body that is no object is 422`(place: Int) throws {
        let (method, path) = Self.writes[place]
        for body in ["[]", "5", "\"text\"", "null", "true"] {
            let answer = try Harness().call(method, path, body)
            expectEqual(answer.problem, "422 invalid-body")
            expectEqual(answer.faults, ["$: must be an object"])
        }
    }

    @Test(arguments: writes.indices)
    func `an unknown member is 422 and named`(place: Int) throws {
        let (method, path) = Self.writes[place]
        let answer = try Harness().call(method, path, #"{"wobble":1}"#)
        expectEqual(answer.problem, "422 invalid-body")
        #expect(answer.faultPaths.contains("$.wobble"), "\(answer.faults)")
        #expect(answer.faults.contains { $0.hasPrefix("$.wobble: unknown member") })
    }

    @Test func `a near miss of a member is told`() throws {
        let answer = try Harness().call(.post, "/worlds", #"{"ttlSecond":5}"#)
        expectEqual(answer.faults.count, 1)
        #expect(answer.faults[0].contains("did you mean ttlSeconds?"))
    }

    @Test func `several faults are listed together, in one answer`() throws {
        let answer = try Harness().call(
            .post,
            "/worlds",
            #"{"name":"A","seed":-1,"wobble":true,"clock":{"mode":"fast","x":1}}"#
        )
        expectEqual(answer.faultPaths, ["$.name", "$.seed", "$.clock.mode", "$.clock.x", "$.wobble"])
        #expect(answer.detail.contains("(and 4 more)"))
    }

    @Test(arguments: [
        "/clock", "/health", "/worlds", "/requests", "/settings", "/scenarios", "/outbox", "/openapi.json",
    ])
    func `an unknown query parameter is 400 and named`(path: String) throws {
        let answer = try Harness().call(.get, path + "?wobble=1")
        expectEqual(answer.problem, "400 invalid-parameter")
        expectEqual(answer.faultPaths, ["?wobble"])
        #expect(answer.detail.contains("\"wobble\""))
    }

    @Test func `a near miss of a query parameter is told`() throws {
        #expect(try Harness().call(.get, "/requests?stauts=404").detail.contains("Did you mean status?"))
        #expect(try Harness().call(.get, "/clock?apis=omnichat").detail.contains("Did you mean api?"))
    }

    @Test func `paging is for lists; elsewhere it would silently do nothing`() throws {
        try expectEqual(Harness().call(.get, "/clock?limit=1").problem, "400 invalid-parameter")
        try expectEqual(Harness().call(.get, "/health?offset=1").problem, "400 invalid-parameter")
    }

    @Test func `an unknown path is 404 with the nearest call`() throws {
        let harness = try Harness()
        let answer = try harness.call(.get, "/clocks")
        expectEqual(answer.problem, "404 not-found")
        expectEqual(answer.detail, "There is no control call GET /__admin/clocks. The nearest is GET /__admin/clock.")
        try expectEqual(harness.call(.get, "").problem, "404 not-found")
    }

    @Test(
        arguments: [
            ("GET", "/conducts/of/nothing", nil), ("GET", "/zzz", nil), ("GET", "/x/y", nil), ("GET", "/v1/clock", nil),
            ("GET", "/clock/now/then", nil), ("DELETE", "/problem-solver", nil),
            ("GET", "/worldz", "GET /__admin/worlds"),
            ("GET", "/Requests/", "GET /__admin/requests"), ("POST", "/clock/advnace", "POST /__admin/clock/advance"),
            ("GET", "/ressets", "POST /__admin/reset"), ("GET", "/gate/g1", "GET /__admin/gates/{name}"),
        ] as [(String, String, String?)]
    )
    func `a hint is given where a few letters are wrong, and none elsewhere`(
        method: String,
        path: String,
        hint: String?
    ) throws {
        let answer = try Harness().call(HTTPMessage.HTTPMethod(rawValue: method), path)
        expectEqual(answer.problem, "404 not-found")
        if let hint {
            #expect(answer.detail.hasSuffix(" The nearest is \(hint)."), "\(answer.detail)")
        } else {
            #expect(!answer.detail.contains("nearest"), "\(answer.detail)")
        }
    }

    @Test func `another method is 405 with Allow`() throws {
        let harness = try Harness()
        let clock = try harness.call(.delete, "/clock")
        expectEqual(clock.problem, "405 method-not-allowed")
        expectEqual(clock[.allow], "GET, PUT")
        expectEqual(clock.detail, "This path does not take DELETE, only GET, PUT.")
        try expectEqual(harness.call(.get, "/reset")[.allow], "POST")
        try expectEqual(harness.call(.post, "/worlds/x")[.allow], "DELETE")
        try expectEqual(harness.call(.options, "/health")[.allow], "GET")
    }

    @Test func `HEAD is answered as GET`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.head, "/health").status, 200)
        try expectEqual(harness.call(.head, "/reset").problem, "405 method-not-allowed")
    }

    @Test(arguments: Problem.Slug.allCases)
    func `every problem type has a page at its relative address`(slug: Problem.Slug) throws {
        let harness = try Harness()
        let answer = try harness.call(.get, "/problems/\(slug.rawValue)")
        expectEqual(answer.status, 200)
        expectEqual(answer.json.keys, ["type", "title", "status", "explanation"])
        expectEqual(answer.json.string("type"), "/__admin/problems/\(slug.rawValue)")
        expectEqual(answer.json.string("title"), slug.title)
        expectEqual(answer.json["status"]?.intValue, Int64(slug.status.code))
        #expect(answer.json.string("explanation").count > 20)
    }

    @Test func `an unknown problem type is 404 with the nearest`() throws {
        let answer = try Harness().call(.get, "/problems/unknown-wold")
        expectEqual(answer.problem, "404 not-found")
        #expect(answer.detail.contains("Did you mean unknown-world?"))
    }

    @Test func `a problem document has its members in order`() throws {
        let answer = try Harness().call(.put, "/clock", #"{"mode":5}"#)
        expectEqual(
            answer.text,
            #"{"type":"/__admin/problems/invalid-body","title":"Invalid request body","status":422,"#
                + #""detail":"$.mode must be a non-empty string. Nothing was changed.","#
                + #""errors":[{"path":"$.mode","reason":"must be a non-empty string"}]}"#
        )
        try expectEqual(Harness().call(.get, "/nowhere").json.keys, ["type", "title", "status", "detail"])
    }

    @Test func `a list is cut by limit and offset and keeps its total`() throws {
        let harness = try Harness()
        let whole = try harness.call(.get, "/scenarios").items
        expectEqual(whole.count, 43)
        for (query, expected) in [
            ("limit=3", Array(whole[0..<3])), ("limit=3&offset=41", Array(whole[41...])), ("offset=43", []),
            ("offset=1000", []), ("limit=0", []), ("offset=42", Array(whole[42...])), ("limit=1000", whole),
        ] {
            let answer = try harness.call(.get, "/scenarios?\(query)")
            expectEqual(answer.items, expected, "\(query)")
            expectEqual(answer[.totalCount], "43")
        }
    }

    @Test(arguments: [
        "limit=-1", "offset=-1", "limit=x", "limit=", "offset=1.5", "limit=%2B1", "offset=99999999999999999999",
    ])
    func `a page that is no whole number from 0 is 400`(query: String) throws {
        for path in ["/worlds", "/requests", "/apis", "/scenarios", "/outbox"] {
            let answer = try Harness().call(.get, "\(path)?\(query)")
            expectEqual(answer.problem, "400 invalid-parameter")
            expectEqual(answer.faultPaths, ["?" + query.prefix { $0 != "=" }])
        }
    }

    @Test func `the API is the one of the port, of the mount or of the query`() throws {
        let harness = try Harness()
        let keys = try harness.call(.get, "/apple/keys?api=omnichat")
        expectEqual(keys.status, 200)
        try expectEqual(harness.call(.get, "/apple/keys", entryPoint: .api(0)).text, keys.text)
        try expectEqual(harness.send(.get, "/omnichat/__admin/apple/keys").text, keys.text)
        try expectEqual(harness.call(.get, "/apple/keys?api=omnichat", entryPoint: .api(0)).text, keys.text)
        // On the hub without a name the keys of all APIs come together; a token needs one API.
        try expectEqual(harness.call(.get, "/apple/keys").text, keys.text)
        let without = try harness.call(.post, "/tokens", #"{"user":"\#(Harness.user)","kind":"access"}"#)
        expectEqual(without.problem, "422 invalid-body")
        expectEqual(without.faultPaths, ["$.api"])
    }

    @Test func `an unknown API is 422 with the known ones and the nearest`() throws {
        let answer = try Harness().call(.get, "/requests?api=omnichatt")
        expectEqual(answer.problem, "422 unknown-api")
        expectEqual(answer.faults, ["?api: must be one of omnichat"])
        #expect(answer.detail.contains("Did you mean omnichat?"))
    }

    @Test func `a body over the limit is 413`() throws {
        let harness = try Harness()
        var fields = Fields()
        fields.append(.host, "127.0.0.1:4680")
        fields.append(.contentType, "application/json")
        let head = RequestHead(method: .put, target: RequestTarget(rawPath: "/__admin/clock"), fields: fields)
        let address = try #require(harness.emulator.address(of: head, entryPoint: .hub))
        let body = RequestBody(bytes: Array("{}".utf8), length: 3, exceedsLimit: true)
        let response = harness.control.answer(
            HTTPRequest(head: head, body: body),
            address: address,
            entryPoint: .hub,
            emulator: harness.emulator,
            host: harness.host,
            origins: harness.origins,
            at: harness.hostTime
        )
        expectEqual(Played(immediate: response).problem, "413 payload-too-large")
    }
}
