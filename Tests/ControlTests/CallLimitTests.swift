import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, sections 4 and 17: the depth of bodies, and tokens of worlds that are gone.
@Suite struct CallLimitTests {
    private func body(depth: Int) -> String {
        // The body, match and body.body are three of the levels.
        let inner = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
        return #"{"match":{"body":\#(inner)}}"#
    }

    @Test(arguments: [64, 3, 100])
    func `17 a body may be as deep as the limit, one level more is 400`(limit: Int) throws {
        let harness = try Harness { $0.bounds.jsonDepth = limit }
        try expectEqual(harness.call(.post, "/requests/count", body(depth: limit)).status, 200)
        try expectEqual(harness.call(.post, "/requests/count", body(depth: limit + 1)).problem, "400 invalid-json")
    }

    @Test func `17 the depth is 64 unless somebody says otherwise`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.post, "/requests/count", body(depth: 64)).status, 200)
        try expectEqual(harness.call(.post, "/requests/count", body(depth: 65)).problem, "400 invalid-json")
    }

    @Test func `4 a token of a world that is gone never acts on another one`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"short"}"#)
        let token = try harness.token(world: "short")
        let sent: [(FieldName, String)] = [(.authorization, "Bearer \(token)")]
        try expectEqual(harness.call(.get, "/clock", headers: sent).status, 200)
        _ = try harness.call(.put, "/clock", #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#, headers: sent)
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
        _ = try harness.call(.delete, "/worlds/short")
        for (method, path) in [(HTTPMessage.HTTPMethod.get, "/clock"), (.post, "/reset"), (.get, "/requests")] {
            let answer = try harness.call(method, path, headers: sent)
            expectEqual(answer.problem, "404 unknown-world")
            #expect(answer.detail.contains("\"short\""))
        }
        // A name beats the credential, and other tokens name no world.
        try expectEqual(harness.call(.get, "/clock", world: "main", headers: sent).status, 200)
        try expectEqual(harness.call(.get, "/clock", headers: [(.authorization, "Bearer rubbish")]).status, 200)
        // The API itself refuses it, in the world main.
        try expectEqual(harness.chat(.get, "/api/v1/user/profile", token: token).status, 401)
    }
}
