import HTTPMessage
import JSON
import Testing

/// Section 11 of the conduct contract: the settings of a world.
@Suite struct ConductSettingTests {
    @Test func `conduct 11 the settings are those of a world, and merged`() throws {
        let harness = try Harness()
        let defaults = try harness.call(.get, "/settings").json["conduct"]
        #expect(defaults == ["graceMs": 100, "failOn": "error", "require": [], "rules": [:], "allow": []])
        let put = try harness.call(
            .put,
            "/settings",
            #"{"conduct":{"failOn":"warning","rules":{"poll/too-fast":{"times":2}}}}"#
        )
        #expect(put.status == 200)
        #expect(put.json["conduct"]?["failOn"] == "warning")
        let again = try harness.call(
            .put,
            "/settings",
            #"{"conduct":{"rules":{"retry/unbounded":{"severity":"off"}}}}"#
        )
        #expect(
            again.json["conduct"]?["rules"]
                == ["poll/too-fast": ["times": 2], "retry/unbounded": ["severity": "off"]]
        )
        #expect(try harness.call(.post, "/worlds", #"{"name":"other"}"#).status == 201)
        #expect(try harness.call(.get, "/settings", world: "other").json["conduct"] == defaults)
        #expect(try harness.call(.post, "/worlds", #"{"name":"fork","from":"main"}"#).status == 201)
        #expect(try harness.call(.get, "/settings", world: "fork").json["conduct"]?["failOn"] == "warning")
        // A reset brings the world's first settings back.
        _ = try harness.call(.post, "/reset")
        #expect(try harness.call(.get, "/settings").json["conduct"] == defaults)
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
        #expect(answer.status == 422)
        #expect(answer.json["errors"]?.arrayValue?.compactMap { $0["path"]?.stringValue } == [path])
        #expect(try harness.call(.get, "/settings").json["conduct"]?["failOn"] == "error")
    }

    @Test func `conduct 11 settings belong to no API`() throws {
        let answer = try Harness().call(.put, "/settings?api=omnichat", #"{"conduct":{"graceMs":1}}"#)
        #expect(answer.status == 422)
    }

    @Test func `conduct 11 the report follows the settings, and each world its own`() throws {
        let harness = try Harness()
        _ = try harness.send(.get, "/omnichat/api/v1/nowhere")
        #expect(try harness.call(.get, "/conduct").json["verdict"] == "fail")
        let allow =
            #"{"conduct":{"allow":[{"rule":"url/unknown-route","reason":"comes soon"}],"require":["poll/too-fast"]}}"#
        #expect(try harness.call(.put, "/settings", allow).status == 200)
        let report = try harness.call(.get, "/conduct").json
        #expect(report["counts"]?["suppressed"] == 1)
        #expect(report["findings"]?[0]?["suppressed"] == ["by": "allow", "reason": "comes soon"])
        #expect(report["allow"]?[0]?["state"] == "used")
        #expect(report["allow"]?[0]?["findings"] == 1)
        // What is required was not exercised.
        #expect(report["verdict"] == "fail")
        _ = try harness.call(.put, "/settings", #"{"conduct":{"require":[]}}"#)
        #expect(try harness.call(.get, "/conduct").json["verdict"] == "pass")
        _ = try harness.call(
            .put,
            "/settings",
            #"{"conduct":{"allow":[],"rules":{"url/unknown-route":{"severity":"off"}}}}"#
        )
        let off = try harness.call(.get, "/conduct").json
        #expect(off["verdict"] == "pass")
        let rule = off["rules"]?.arrayValue?.first { $0["id"] == "url/unknown-route" }
        #expect(rule?["status"] == "notJudged")
        #expect(rule?["reason"] == "switched-off")
    }

    @Test func `conduct 11 the settings go with the document of a world`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/settings", #"{"conduct":{"graceMs":7}}"#)
        let document = try harness.call(.get, "/state")
        #expect(document.json["conduct"]?["graceMs"] == 7)
        _ = try harness.call(.post, "/reset")
        #expect(try harness.call(.get, "/state").json["conduct"] == nil)
        #expect(try harness.call(.put, "/state", document.text).status == 200)
        #expect(try harness.call(.get, "/settings").json["conduct"]?["graceMs"] == 7)
    }
}
