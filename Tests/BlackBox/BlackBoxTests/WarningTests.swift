import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, section 4: faults, gates and latency that can't act.
@Suite struct WarningTests {
    private func warnings(_ served: Served, _ method: String, _ path: String, _ body: String) throws -> JSON? {
        let answer = try served.control(method, path, body)
        #expect([200, 201].contains(answer.status), "\(answer.text)")
        return answer.json["warnings"]
    }

    @Test func `4 a match that can meet no route is told, with the nearest`() throws {
        let served = try Served()
        let match = #""match":{"api":"omnichat","path":"/api/v1/conversation"}"#
        let wanted: JSON = [
            [
                "path": "$.match.path",
                "reason": "no route of omnichat fits /api/v1/conversation; nearest: /api/v1/conversations",
            ]
        ]
        try expectEqual(warnings(served, "POST", "/faults", "{\(match),\"effect\":{\"status\":500}}"), wanted)
        try expectEqual(warnings(served, "POST", "/gates", "{\(match),\"name\":\"g1\"}"), wanted)
        try expectEqual(warnings(served, "PUT", "/latency", "{\(match),\"delay\":{\"ms\":5}}"), wanted)
        // The list shows faults as they are.
        try expectNil(served.control("GET", "/faults").json["items"]?[0]?["warnings"])
    }

    @Test func `9 a PATCH warns as a POST does`() throws {
        let served = try Served()
        let fine = #""match":{"api":"omnichat","path":"/api/models"}"#
        let wrong = #""match":{"api":"omnichat","path":"/api/model"}"#
        let wanted: JSON = [
            ["path": "$.match.path", "reason": "no route of omnichat fits /api/model; nearest: /api/models"]
        ]
        try expectNil(warnings(served, "POST", "/faults", "{\(fine),\"effect\":{\"status\":500}}"))
        try expectEqual(warnings(served, "PATCH", "/faults/flt_1", "{\(wrong)}"), wanted)
        // A change of something else says nothing new.
        try expectNil(warnings(served, "PATCH", "/faults/flt_1", #"{"enabled":false}"#))
        try expectNil(warnings(served, "PATCH", "/faults/flt_1", "{\(fine)}"))
        try expectNil(warnings(served, "POST", "/gates", "{\(fine),\"name\":\"g1\"}"))
        try expectEqual(warnings(served, "PATCH", "/gates/g1", "{\(wrong)}"), wanted)
        try expectNil(warnings(served, "PATCH", "/gates/g1", #"{"match":null}"#))
        // A match keeps no warning of its own.
        try expectNil(served.control("GET", "/faults/flt_1").json["warnings"])
    }

    @Test(arguments: [
        (#"{"api":"omnichat","path":"/omnichat/api/models"}"#, "$.match.path", "nearest: /api/models"),
        (#"{"api":"omnichat","path":"/@t1/api/models"}"#, "$.match.path", "nearest: /api/models"),
        (
            #"{"api":"omnichat","method":"DELETE","path":"/api/models"}"#, "$.match.method",
            "no route of omnichat fits DELETE /api/models; nearest: GET /api/models"
        ),
        (#"{"path":"/api/v9/nothing/here"}"#, "$.match.path", "no route of any API fits /api/v9/nothing/here"),
        (#"{"api":"omnichat","path":"/v2/*"}"#, "$.match.path", "no route of omnichat fits /v2/*"),
    ])
    func `4 an unknown path, a wrong method, a mount and a world prefix are told`(
        match: String,
        path: String,
        reason: String
    ) throws {
        let served = try Served()
        let found = try warnings(served, "POST", "/faults", "{\"match\":\(match),\"effect\":{\"status\":500}}")
        expectEqual(found?[0]?["path"]?.stringValue, path, "\(found?.text ?? "none")")
        expectEqual(found?[0]?["reason"]?.stringValue?.contains(reason), true, "\(found?.text ?? "none")")
    }

    @Test(arguments: [
        #"{"api":"omnichat","path":"/api/models"}"#, #"{"path":"/api/models"}"#, #"{"path":"/api/**"}"#,
        #"{"api":"omnichat","path":"/api/v1/conversations/conv_1"}"#,
        #"{"api":"omnichat","method":"HEAD","path":"/api/models"}"#,
        #"{"api":"omnichat","method":"POST"}"#, #"{"user":"nobody"}"#, #"{"path":{"regex":"/nothing.*"}}"#, "{}",
        #"{"api":"omnichat","method":"OPTIONS","path":"/anything"}"#, #"{"path":"/api/models/"}"#,
    ])
    func `4 a match that can meet a route is not told`(match: String) throws {
        let served = try Served()
        let found = try warnings(served, "POST", "/faults", "{\"match\":\(match),\"effect\":{\"status\":500}}")
        expectNil(found, "\(found?.text ?? "")")
    }

    @Test func `4 an API that a recording answers for is not told`() throws {
        let folder = try Folder()
        let backend = try Served()
        let record = try Proxy(
            ["record", "--upstream", "http://127.0.0.1:\(backend.api)", "--out", "r.har"],
            in: folder
        )
        _ = try record.ask("GET", "/api/models")
        record.child.signal(SIGTERM)
        _ = try record.child.waitForExit()
        let replay = try Proxy(["replay", "r.har"], in: folder)
        let body = #"{"match":{"api":"omnichat","path":"/unknown"},"effect":{"status":500}}"#
        let answer = try replay.ask("POST", "/__admin/faults", body)
        expectEqual(answer.status, 201, "\(answer.text)")
        expectNil(answer.json["warnings"], "\(answer.text)")
    }
}
