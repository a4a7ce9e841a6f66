import HTTPMessage
import JSON
import Testing

/// Section 9 of the conduct contract: the calls.
@Suite struct ConductCallTests {
    @Test func `conduct 9 the report is JSON in the order of the contract`() throws {
        let harness = try Harness()
        let report = try harness.call(.get, "/conduct").json
        #expect(report["format"] == "understudy-conduct")
        #expect(report["verdict"] == "pass")
        #expect(report["journal"] == ["from": .null, "to": .null, "entries": 0, "complete": true])
        let rules = try #require(report["rules"]?.arrayValue)
        #expect(rules.count == 45)
        #expect(rules.allSatisfy { $0["status"] == "notExercised" })
    }

    @Test(arguments: [
        ("/conduct?rule=auth/repeat-after-402", 422), ("/conduct?failOn=eror", 400),
        ("/conduct?format=jason", 400), ("/conduct?world=nowhere", 404), ("/conduct?rul=x", 400),
        ("/conduct?since=-1", 400), ("/conduct/rules/auth/nothing", 404),
        ("/conduct?rule=auth/*&rule=sawaed/refresh-once&world=*", 200),
        ("/conduct/rules/sawaed/refresh-once?format=html", 200),
    ])
    func `conduct 9 values that do not fit are refused, and the nearest is named`(path: String, status: Int) throws {
        #expect(try Harness().call(.get, path).status == status)
    }

    @Test func `conduct 9 the rules come with their settings and instances`() throws {
        let items = try #require(try Harness().call(.get, "/conduct/rules").json["items"]?.arrayValue)
        let rule = try #require(items.first { $0["id"] == "poll/too-fast" })
        #expect(rule["settings"]?["minIntervalMs"] == ["default": 1_000, "unit": "milliseconds"])
        #expect(rule["instances"]?.arrayValue?.contains { $0["id"] == "sawaed/poll-interval" } == true)
        #expect(rule["help"] == "/__admin/conduct/rules/poll/too-fast")
        let page = try Harness().call(.get, "/conduct/rules/omnichat/no-list-polling").json
        #expect(page["id"] == "poll/too-fast")
        #expect(page["as"] == "omnichat/no-list-polling")
        #expect(page["fix"]?["urlsession"]?.stringValue?.isEmpty == false)
    }
}
