import HTTPMessage
import JSON
import TestSupport
import Testing

/// Section 11 of the conduct contract: the settings of a world.
@Suite struct ConductSettingTests {
    @Test func `conduct 11 the settings are those of a world, and merged`() throws {
        let harness = try Harness()
        let defaults = try harness.call(.get, "/settings").json["conduct"]
        expectEqual(defaults, ["graceMs": .null, "failOn": "error", "require": [], "rules": [:], "allow": []])
        let put = try harness.call(
            .put,
            "/settings",
            #"{"conduct":{"failOn":"warning","rules":{"poll/too-fast":{"times":2}}}}"#
        )
        expectEqual(put.status, 200)
        expectEqual(put.json["conduct"]?["failOn"], "warning")
        let again = try harness.call(
            .put,
            "/settings",
            #"{"conduct":{"rules":{"retry/unbounded":{"severity":"off"}}}}"#
        )
        expectEqual(
            again.json["conduct"]?["rules"],
            ["poll/too-fast": ["times": 2], "retry/unbounded": ["severity": "off"]]
        )
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"other"}"#).status, 201)
        try expectEqual(harness.call(.get, "/settings", world: "other").json["conduct"], defaults)
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"fork","from":"main"}"#).status, 201)
        try expectEqual(harness.call(.get, "/settings", world: "fork").json["conduct"]?["failOn"], "warning")
        // A reset brings the world's first settings back.
        _ = try harness.call(.post, "/reset")
        try expectEqual(harness.call(.get, "/settings").json["conduct"], defaults)
    }

    @Test(arguments: [
        (#"{"conduct":{"failOn":"eror"}}"#, "$.conduct.failOn"),
        (#"{"conduct":{"rules":{"poll/too-fst":null}}}"#, "$.conduct.rules.poll/too-fst"),
        (#"{"conduct":{"allow":[{"rule":"url/*","reason":""}]}}"#, "$.conduct.allow[0].reason"),
        (#"{"conduct":{"allow":[{"rule":"url/*","api":"nobody","reason":"x"}]}}"#, "$.conduct.allow[0].api"),
        (#"{"conduct":{"baseline":"x.json"}}"#, "$.conduct.baseline"), (#"{"conduct":[]}"#, "$.conduct"),
    ])
    func `conduct 11 what does not fit is 422, and nothing is changed`(body: String, path: String) throws {
        let harness = try Harness()
        let answer = try harness.call(.put, "/settings", body)
        expectEqual(answer.status, 422)
        expectEqual(answer.json["errors"]?.arrayValue?.compactMap { $0["path"]?.stringValue }, [path])
        try expectEqual(harness.call(.get, "/settings").json["conduct"]?["failOn"], "error")
    }

    @Test func `conduct 11 settings belong to no API`() throws {
        let answer = try Harness().call(.put, "/settings?api=omnichat", #"{"conduct":{"graceMs":1}}"#)
        expectEqual(answer.status, 422)
    }

    @Test func `conduct 11 the report follows the settings, and each world its own`() throws {
        let harness = try Harness()
        _ = try harness.send(.get, "/omnichat/api/v1/nowhere")
        try expectEqual(harness.call(.get, "/conduct").json["verdict"], "fail")
        let allow =
            #"{"conduct":{"allow":[{"rule":"url/unknown-route","reason":"comes soon"}],"require":["poll/too-fast"]}}"#
        try expectEqual(harness.call(.put, "/settings", allow).status, 200)
        let report = try harness.call(.get, "/conduct").json
        expectEqual(report["counts"]?["suppressed"], 1)
        expectEqual(report["findings"]?[0]?["suppressed"], ["by": "allow", "reason": "comes soon"])
        expectEqual(report["allow"]?[0]?["state"], "used")
        expectEqual(report["allow"]?[0]?["findings"], 1)
        // What is required was not exercised.
        expectEqual(report["verdict"], "fail")
        _ = try harness.call(.put, "/settings", #"{"conduct":{"require":[]}}"#)
        try expectEqual(harness.call(.get, "/conduct").json["verdict"], "pass")
        _ = try harness.call(
            .put,
            "/settings",
            #"{"conduct":{"allow":[],"rules":{"url/unknown-route":{"severity":"off"}}}}"#
        )
        let off = try harness.call(.get, "/conduct").json
        expectEqual(off["verdict"], "pass")
        let rule = off["rules"]?.arrayValue?.first { $0["id"] == "url/unknown-route" }
        expectEqual(rule?["status"], "notJudged")
        expectEqual(rule?["reason"], "switched-off")
    }

    @Test func `conduct 11 the settings go with the document of a world`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/settings", #"{"conduct":{"graceMs":7}}"#)
        let document = try harness.call(.get, "/state")
        expectEqual(document.json["conduct"]?["graceMs"], 7)
        _ = try harness.call(.post, "/reset")
        try expectNil(harness.call(.get, "/state").json["conduct"])
        try expectEqual(harness.call(.put, "/state", document.text).status, 200)
        try expectEqual(harness.call(.get, "/settings").json["conduct"]?["graceMs"], 7)
    }
}
