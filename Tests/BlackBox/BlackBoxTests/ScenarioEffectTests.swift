import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 7: a scenario does what its title says, or says that it changes nothing.
@Suite(.serialized) struct ScenarioEffectTests {
    @Test func `7 a scenario without any change says so`() throws {
        let seeds = Checkout.root.appending(path: "seeds")
        let names = try FileManager.default.subpathsOfDirectory(atPath: seeds.path)
            .filter { $0.contains("/scenarios/") && $0.hasSuffix(".json") }
        #expect(names.count > 200)
        for name in names {
            let text = try String(contentsOf: seeds.appending(path: name), encoding: .utf8)
            let scenario = try #require(try JSONReader.read(text: text).objectValue)
            let changes = scenario.members.map(\.name).filter { !["title", "expect"].contains($0) }
            let says = scenario["title"]?.stringValue?.hasPrefix("Nothing is changed: ") == true
            expectEqual(says, changes.isEmpty, name)
        }
    }

    @Test func `7 a scenario of rate limits acts although the setting is off, which returns with it`() throws {
        let served = try Served()
        for (api, scenario, path) in [
            ("trendy", "rate-limited", "/api/v1/events"), ("omnichat", "rate-limited", "/api/v1/user/profile"),
            ("trafikskola", "rate-limited", "/api/mobile/i18n?locale=sv"),
        ] {
            try expectEqual(served.control("PUT", "/settings", #"{"\#(api)":{"rateLimits":"off"}}"#).status, 200)
            let target = "/\(api)\(path)"
            #expect(try Wire(port: served.hub).ask("GET", target).status != 429)
            try expectEqual(served.control("PUT", "/scenarios/\(api)/\(scenario)").status, 200)
            try expectEqual(Wire(port: served.hub).ask("GET", target).status, 429, api)
            let same = try served.control("PUT", "/settings", #"{"\#(api)":{"rateLimits":"on"}}"#).json
            expectEqual(same["warnings"], nil)
            // The other order: the change is made, and told.
            let late = try served.control("PUT", "/settings", #"{"\#(api)":{"rateLimits":"off"}}"#).json
            expectEqual(late[api]?["rateLimits"], "off")
            expectEqual(late["warnings"]?.arrayValue?.count, 1)
            expectEqual(late["warnings"]?[0]?["path"]?.stringValue, "$.\(api).rateLimits")
            let reason = late["warnings"]?[0]?["reason"]?.stringValue ?? ""
            #expect(reason.contains("the active scenario \(api)/\(scenario) has set"), "\(reason)")
            try expectEqual(served.control("DELETE", "/scenarios/\(api)/\(scenario)").status, 200)
            let settings = try served.control("GET", "/settings").json[api]
            expectEqual(settings?["rateLimits"], "off")
        }
    }
}
