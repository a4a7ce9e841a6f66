import JSON
import Scaffolding
import TestSupport
import Testing

/// Mappings beyond the limits of stubs, which are switched off and listed; the others are imported (own-API contract,
/// sections 20 and 22).
@Suite struct Section20LimitTests {
    /// Imports a mapping between two ordinary ones, and expects what is written to be read without mistakes.
    private static func imported(
        _ mapping: String,
        bodies: [(name: String, text: String)] = []
    ) throws -> (stub: JSON, listed: [String]) {
        let other = #"{"name":"good","request":{"urlPath":"/good"},"response":{}}"#
        let imported = try Imported([("a.json", other), ("b.json", mapping), ("c.json", other)], bodies: bodies)
        expectEqual(imported.mistakes, [])
        let stubs = try imported.stubs
        try #require(stubs.count == 3)
        for place in [0, 2] {
            expectEqual(stubs[place], ["name": "good", "match": ["path": "/good"], "response": ["status": 200]])
        }
        let start = "wm/mappings/b.json:1: $."
        #expect(imported.omissions.allSatisfy { $0.hasPrefix(start) })
        return (stubs[1], imported.omissions.map { String($0.dropFirst(start.count)) })
    }

    /// Expects one mapping to be carried over, and another one to be switched off for one reason.
    private static func expect(_ most: String, _ over: String, _ reason: String) throws {
        let taken = try imported(most)
        expectEqual(taken.listed.filter { !$0.contains(": is looser here: ") }, [])
        expectNil(taken.stub["enabled"])
        let refused = try imported(over)
        expectEqual(refused.listed, [reason])
        expectEqual(refused.stub["enabled"], false)
    }

    private static func text(_ count: Int, of character: Character = "a") -> String {
        String(repeating: character, count: count)
    }

    @Test func `22 a name has at most 1,000 bytes`() throws {
        func named(_ count: Int) -> String { mapping(more: "\"name\":\"\(Self.text(count))\",") }
        try Self.expect(named(1_000), named(1_001), "name: has 1001 bytes; the limit is 1000")
    }

    @Test func `22 a path has at most 8 KiB`() throws {
        func at(_ count: Int) -> String { mapping(request: "{\"urlPath\":\"/\(Self.text(count - 1))\"}") }
        try Self.expect(
            at(8_192),
            at(8_193),
            "request.urlPath: a regular expression has at most 1000 characters, at character 1001"
        )
    }

    @Test func `6 a path with a star has at most 1,000 characters as an expression`() throws {
        // The slash and the star have a backslash each.
        func at(_ count: Int) -> String { mapping(request: "{\"urlPath\":\"/\(Self.text(count - 4))*\"}") }
        try Self.expect(
            at(1_000),
            at(1_001),
            "request.urlPath: a regular expression has at most 1000 characters, at character 1001"
        )
    }

    @Test func `22 a query has at most 1,000 names`() throws {
        func names(_ count: Int) -> String {
            let names = (0..<count).map { "\"q\($0)\":{\"equalTo\":\"1\"}" }.joined(separator: ",")
            return mapping(request: "{\"queryParameters\":{\(names)}}")
        }
        try Self.expect(
            names(1_000),
            names(1_001),
            "request.queryParameters: is not a match.query that a stub can have: must have at most 1000 names"
        )
        func url(_ count: Int) -> String {
            let query = (0..<count).map { "q\($0)=1" }.joined(separator: "&")
            return mapping(request: "{\"url\":\"/a?\(query)\"}")
        }
        try Self.expect(url(1_000), url(1_001), "request.url: has over 1000 parameters")
    }

    @Test func `22 a match has at most 64 KiB`() throws {
        // {"bodyText":{"contains":"…"}}
        func matching(_ count: Int) -> String {
            mapping(request: "{\"bodyPatterns\":[{\"contains\":\"\(Self.text(count - 28))\"}]}")
        }
        try Self.expect(
            matching(65_536),
            matching(65_537),
            "request: is not a match that a stub can have: must be at most 65536 bytes of JSON"
        )
    }

    @Test func `22 a file has at most a depth of 64`() throws {
        func nested(_ count: Int) -> String { Self.text(count, of: "[") + Self.text(count, of: "]") }
        // The list of stubs, the stub and the response are around the content, or the match around the subset.
        func content(_ count: Int) -> String { mapping(response: "{\"jsonBody\":\(nested(count))}") }
        let reason = "that a stub can have: more than 64 arrays and objects inside one another"
        try Self.expect(content(61), content(62), "response.jsonBody: is not a response.body \(reason)")
        try Self.expect(content(61), content(200), "response.jsonBody: is not a response.body \(reason)")
        func subset(_ count: Int) -> String {
            let pattern =
                "{\"equalToJson\":\"\(nested(count))\",\"ignoreExtraElements\":true,\"ignoreArrayOrder\":true}"
            return mapping(request: "{\"bodyPatterns\":[\(pattern)]}")
        }
        try Self.expect(subset(61), subset(62), "request.bodyPatterns: is not a match.body \(reason)")
    }

    @Test func `22 a file has at most 8 MiB`() throws {
        // A template in a file is written into the stub, with all that stands around it there.
        func filled(_ count: Int) throws -> (stub: JSON, listed: [String]) {
            let text = "{{now}}" + Self.text(count - 7)
            return try Self.imported(
                mapping(response: #"{"bodyFileName":"b","transformers":["response-template"]}"#),
                bodies: [("b", text)]
            )
        }
        let frame = try Imported(mapping(response: #"{"body":""}"#)).text(of: "stubs/wiremock.json").utf8.count
        let most = 8 * 1_024 * 1_024
        let taken = try filled(most - frame)
        expectEqual(taken.listed, [])
        expectNil(taken.stub["enabled"])
        let refused = try filled(most - frame + 1)
        expectEqual(
            refused.listed,
            [
                "response.bodyFileName: is not a response.text that a stub can have: has \(most + 1) bytes in a file; the "
                    + "limit is \(most)"
            ]
        )
        expectEqual(refused.stub["enabled"], false)
        expectEqual(refused.stub["response"], ["status": 200])
    }

    @Test func `22 stubs share a file by the bytes that they have in it`() throws {
        // Each number is on a line of its own there, behind many blanks: 8 KiB become 400.
        let numbers = [String](repeating: "1", count: 4_000).joined(separator: ",")
        let list = Self.text(50, of: "[") + numbers + Self.text(50, of: "]")
        let many = [String](repeating: mapping(response: "{\"jsonBody\":\(list)}"), count: 3)
        let imported = try Imported("[\(many.joined(separator: ","))]")
        expectEqual(imported.omissions, [])
        let stubs = imported.scaffold.files.filter { $0.path.hasPrefix("stubs/") }
        #expect(stubs.count == 2 && stubs.allSatisfy { $0.bytes.count <= 1_024 * 1_024 })
    }

    @Test func `7 an answer has at most 100 lines of fields, and an object each name once`() throws {
        func lines(_ count: Int) -> String {
            let lines = (0..<count).map { "\"X-\($0)\":\"1\"" }.joined(separator: ",")
            return mapping(response: "{\"headers\":{\(lines)}}")
        }
        try Self.expect(
            lines(100),
            lines(101),
            "response.headers: is not a response.headers that a stub can have: must have at most 100 lines"
        )
        try Self.expect(
            mapping(response: #"{"jsonBody":{"a":1,"b":1}}"#),
            mapping(response: #"{"jsonBody":{"a":1,"a":1}}"#),
            "response.jsonBody: is not a response.body that a stub can have: the object already has a member \"a\""
        )
    }

    @Test func `20 what needs a part that was left out is left out with it`() throws {
        let names = (0...1_000).map { "\"q\($0)\":{\"equalTo\":\"\(Self.text(70))\"}" }.joined(separator: ",")
        let refused = try Self.imported(
            mapping(
                request: "{\"urlPathTemplate\":\"/a/{id}\",\"queryParameters\":{\(names)}}",
                response: #"{"body":"{{request.path.id}}","transformers":["response-template"]}"#
            )
        )
        expectEqual(refused.stub, ["enabled": false, "response": ["status": 200]])
        expectEqual(
            refused.listed.map { String($0.prefix { $0 != ":" }) },
            [
                "request", "request.queryParameters", "response.body",
            ]
        )
    }
}
