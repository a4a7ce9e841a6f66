import CivilTime
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Proxy contract, section 7: the rule about other hosts, which are in no journal.
@Suite struct OtherHostTests {
    private static let rule = "url/other-host"

    private func proxied(_ isProxied: Bool = true) -> Traffic {
        Traffic.made { traffic in
            traffic.add("GET /v1/public", at: 0)
            traffic.add("GET /v1/open", at: 5_000)
            for place in traffic.exchanges.indices { traffic.exchanges[place].isProxied = isProxied && place == 0 }
        }
    }

    @Test func `7 any request by the proxy is the situation, another host the breach`() {
        var none = proxied(false)
        expectEqual(none.status(Self.rule), .notExercised)
        // A host that is passed on by name.
        none.hosts.count = 2
        expectEqual(none.status(Self.rule), .passed)
        var traffic = proxied()
        expectEqual(traffic.status(Self.rule), .passed)
        expectEqual(traffic.report().rules.first { $0.id == Self.rule }?.judged, 1)
        traffic.ask("tracker.example", at: 1_000, count: 3)
        traffic.ask("10.0.0.1", 80, at: 2_000, method: "POST")
        traffic.ask("fd00::1", at: 3_000)
        let report = traffic.report()
        expectEqual(report.verdict, .pass, "a warning")
        expectEqual(report.rules.first { $0.id == Self.rule }?.judged, 6)
        expectEqual(report.rules.first { $0.id == Self.rule }?.status, .failed)
        expectEqual(
            report.findings.map { "\($0.severity) \($0.method) \($0.route) \($0.count) \($0.requests)" },
            [
                "warning POST 10.0.0.1:80 1 []", "warning CONNECT [fd00::1]:443 1 []",
                "warning CONNECT tracker.example:443 3 []",
            ]
        )
        let finding = report.json["findings"]?[2]
        expectEqual(finding?["route"], "tracker.example:443")
        expectEqual(finding?["requests"], [])
        expectEqual(finding?["api"], "tracker.example")
        expectEqual(finding?["seen"], "The client asked the forward proxy for `tracker.example:443` 3 times.")
        #expect(report.text.contains("tracker.example:443") && !report.text.contains("requests: \n"))
        #expect(report.markdown.contains("tracker.example:443"))
        #expect(report.junit.contains("tracker.example:443") && !report.junit.contains("()"))
    }

    @Test func `7 severity, allow-list, baseline, user, API and rules apply to it`() throws {
        var traffic = proxied()
        traffic.ask("tracker.example")
        func found(_ settings: ConductSettings, _ filter: ReportFilter = ReportFilter()) -> [String] {
            traffic.report(settings, filter: filter).findings.filter { $0.suppressed == nil }.map { "\($0.severity)" }
        }
        expectEqual(found(ConductSettings()), ["warning"])
        var settings = ConductSettings()
        settings.rules[Self.rule] = .init(severity: .error)
        expectEqual(found(settings), ["error"])
        expectEqual(traffic.report(settings).verdict, .fail)
        settings.rules[Self.rule] = .init(severity: .off)
        expectEqual(found(settings), [])
        expectEqual(traffic.report(settings).rules.first { $0.id == Self.rule }?.reason, "switched-off")
        var allowing = ConductSettings()
        for route in ["* tracker.example:443", "CONNECT tracker.example:443"] {
            allowing.allow = [.init(rule: "url/*", route: route, reason: "r")]
            expectEqual(found(allowing), [], route)
        }
        allowing.allow = [.init(rule: Self.rule, route: "* other.example:443", reason: "r")]
        expectEqual(found(allowing), ["warning"])
        // A host is no user's and no API's.
        var filter = ReportFilter()
        filter.user = "anna@example.com"
        expectEqual(found(ConductSettings(), filter), [])
        filter.user = nil
        filter.api = "shop"
        expectEqual(found(ConductSettings(), filter), [])
        filter.api = nil
        filter.rules = ["url/unknown-route"]
        expectEqual(found(ConductSettings(), filter), [])
        filter.rules = [Self.rule]
        expectEqual(found(ConductSettings(), filter), ["warning"])
    }

    @Test func `7 what was last asked for before an instant is left out`() {
        var traffic = proxied()
        traffic.ask("a.example", at: 1_000, count: 2)
        traffic.ask("b.example", at: 2_000)
        traffic.hosts.leaveOut(before: Traffic.start + .milliseconds(2_000))
        expectEqual(traffic.hosts.others.map(\.text), ["b.example:443"])
        expectEqual(traffic.hosts.count, 1)
    }
}
