import Backend
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 18: CORS of the emulated APIs is a setting of the world, and control calls never allow it.
@Suite struct CrossOriginTests {
    private static let page = "http://localhost:3000"

    private func ask(
        _ harness: Harness,
        _ method: HTTPMessage.HTTPMethod = .get,
        origin: String,
        more: [(FieldName, String)] = []
    )
        throws -> Played
    { try harness.chat(method, "/api/v1/conversations", headers: [("Origin", origin)] + more) }

    @Test func `18 without the setting no page is let in`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.get, "/settings").json["cors"]?.text, #"{"origins":[]}"#)
        try expectNil(ask(harness, origin: Self.page)["Access-Control-Allow-Origin"])
    }

    @Test func `18 an allowed page may read the answer, errors too, and another may not`() throws {
        let harness = try Harness()
        try harness.set(#"{"cors":{"origins":["http://localhost:3000"]}}"#)
        let answer = try ask(harness, origin: Self.page)
        expectEqual(answer.status, 401)
        expectEqual(answer["Access-Control-Allow-Origin"], Self.page)
        expectEqual(answer["Access-Control-Allow-Credentials"], "true")
        expectEqual(answer["Access-Control-Expose-Headers"]?.contains("X-Request-Id"), true)
        expectEqual(answer["Vary"], "Origin")
        for origin in ["http://localhost:3001", "https://localhost:3000", "null", "http://localhost:3000.evil.example"]
        {
            try expectNil(ask(harness, origin: origin)["Access-Control-Allow-Origin"], "\(origin)")
        }
    }

    @Test func `18 a preflight of an allowed page is answered, and journalled`() throws {
        let harness = try Harness()
        try harness.set(#"{"cors":{"origins":["*"]}}"#)
        let sent: [(FieldName, String)] = [
            ("Access-Control-Request-Method", "PATCH"),
            ("Access-Control-Request-Headers", "authorization, content-type"),
        ]
        let answer = try ask(harness, .options, origin: "https://any.example", more: sent)
        expectEqual(answer.status, 204)
        expectEqual(answer["Access-Control-Allow-Origin"], "https://any.example")
        expectEqual(answer["Access-Control-Allow-Methods"], "PATCH")
        expectEqual(answer["Access-Control-Allow-Headers"], "authorization, content-type")
        expectEqual(answer.fields.values("Vary"), ["Origin"])
        try expectEqual(harness.call(.get, "/requests?method=OPTIONS").json["items"]?.arrayValue?.count, 1)
        try expectEqual(
            harness.call(.get, "/unmatched").json["items"]?.arrayValue,
            [],
            "11: a preflight that was granted missed nothing"
        )
    }

    @Test func `18 the setting is the world's own, and a reset takes it back`() throws {
        let harness = try Harness { $0.crossOrigin = CrossOrigin(origins: ["https://start.example"]) }
        _ = try harness.call(.post, "/worlds", #"{"name":"w1"}"#)
        try harness.set(#"{"cors":{"origins":["https://w1.example"]}}"#, world: "w1")
        try expectNil(ask(harness, origin: "https://w1.example")["Access-Control-Allow-Origin"])
        #expect(try ask(harness, origin: "https://start.example")["Access-Control-Allow-Origin"] != nil)
        try harness.set(#"{"cors":{"origins":[]}}"#)
        try expectNil(ask(harness, origin: "https://start.example")["Access-Control-Allow-Origin"])
        _ = try harness.call(.post, "/reset")
        #expect(try ask(harness, origin: "https://start.example")["Access-Control-Allow-Origin"] != nil)
    }

    @Test(arguments: [
        (#"{"cors":{"origins":["localhost:3000"]}}"#, "$.cors.origins[0]"),
        (#"{"cors":{"origins":["http://a.example/path"]}}"#, "$.cors.origins[0]"),
        (#"{"cors":{"origins":"*"}}"#, "$.cors.origins"),
        (#"{"cors":{"origin":["*"]}}"#, "$.cors.origin"),
        (#"{"crs":{"origins":["*"]}}"#, "$.crs"),
    ])
    func `18 a setting that does not fit is refused by its path`(body: String, path: String) throws {
        let harness = try Harness()
        let answer = try harness.call(.put, "/settings", body)
        expectEqual(answer.status, 422)
        #expect(answer.faultPaths.contains(path), "\(answer.faults)")
        try expectEqual(harness.call(.get, "/settings").json["cors"]?.text, #"{"origins":[]}"#)
    }

    @Test func `18 a control call never has CORS fields`() throws {
        let harness = try Harness()
        try harness.set(#"{"cors":{"origins":["*"]}}"#)
        let answer = try harness.call(.get, "/clock", headers: [("Origin", "http://127.0.0.1:4680")])
        expectEqual(answer.status, 200)
        expectNil(answer["Access-Control-Allow-Origin"])
        try expectEqual(harness.call(.get, "/clock", headers: [("Origin", "https://any.example")]).status, 403)
    }
}
