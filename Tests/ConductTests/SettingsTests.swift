import Backend
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 11: settings, allow-list, baseline.
@Suite struct SettingsTests {
    /// The settings after changes, and what of the last one was refused.
    private func changed(_ texts: String...) throws -> (settings: ConductSettings, faults: [String]) {
        var settings = ConductSettings()
        var faults: [String] = []
        for text in texts {
            let object = try #require(try JSONReader.read(text: text).objectValue)
            var check = BodyCheck(object, at: "$.conduct")
            settings.change(&check, .build, apis: .of(["shop", "trendy"]))
            check.refuseUnknown()
            faults = check.items.map { "\($0.path) \($0.reason)" }
        }
        return (settings, faults)
    }

    @Test func `11 objects are merged and lists replaced`() throws {
        let (settings, faults) = try changed(
            #"{"graceMs":50,"require":["poll/too-fast"],"rules":{"poll/too-fast":{"severity":"error","minIntervalMs":500}}}"#,
            #"{"require":["auth/repeat-after-401"],"rules":{"poll/too-fast":{"times":3}}}"#,
            #"{"failOn":"warning","rules":{"omnichat/no-list-polling":{"severity":"off"}}}"#
        )
        expectEqual(faults, [])
        expectEqual(settings.graceMs, 50)
        expectEqual(settings.failOn, .warning)
        expectEqual(settings.require, ["auth/repeat-after-401"])
        expectEqual(settings.rules["poll/too-fast"]?.severity, .error)
        expectEqual(settings.rules["poll/too-fast"]?.numbers, [.minIntervalMs: 500, .times: 3])
        expectEqual(settings.rules["omnichat/no-list-polling"]?.severity, .off)
        expectEqual(ConductSettings(stored: settings.stored, .build), settings)
    }

    @Test func `11 null takes a rule back to its default`() throws {
        let (settings, faults) = try changed(
            #"{"rules":{"poll/too-fast":{"severity":"off"},"retry/no-backoff":{"times":9}}}"#,
            #"{"rules":{"poll/too-fast":null}}"#
        )
        expectEqual(faults, [])
        expectEqual(settings.rules.keys.sorted(), ["retry/no-backoff"])
        try expectNil(
            changed(#"{"rules":{"poll/too-fast":{"times":3}}}"#, #"{"rules":{"poll/too-fast":null}}"#).0.stored
        )
    }

    @Test(arguments: [
        (#"{"failOn":"eror"}"#, "$.conduct.failOn must be one of error, warning, never; did you mean error?"),
        (#"{"graceMs":-1}"#, "$.conduct.graceMs must be a whole number from 0 to 3600000"),
        (#"{"gracems":1}"#, "did you mean graceMs?"),
        (#"{"require":["auth/repeat-after-402"]}"#, "$.conduct.require[0]"),
        (#"{"require":["auth/repeat-after-402"]}"#, "did you mean auth/repeat-after-401?"),
        (#"{"rules":{"pol/too-fast":{}}}"#, "did you mean poll/too-fast?"),
        (#"{"rules":{"poll/too-fast":{"severity":"of"}}}"#, "did you mean off?"),
        (#"{"rules":{"conn/not-reused":{"times":0}}}"#, "must be a whole number from 1 to 1000000000"),
        (#"{"rules":{"poll/no-slowdown":{"unchanged":0}}}"#, "must be a whole number from 1 to 1000000000"),
        (#"{"rules":{"poll/too-fast":{"minInterval":1}}}"#, "unknown member; allowed: severity, times, minIntervalMs"),
        (#"{"rules":{"poll/too-fast":{"times":1.5}}}"#, "$.conduct.rules.poll/too-fast.times must be a whole number"),
        (#"{"rules":{"poll/no-slowdown":{"evenPercent":101}}}"#, "from 0 to 100"),
        (#"{"rules":{"auth/malformed-credential":{"times":1}}}"#, "unknown member; allowed: severity"),
        (#"{"allow":[{"rule":"url/unknown-route"}]}"#, "$.conduct.allow[0].reason is required"),
        (#"{"allow":[{"rule":"url/unknown-route","reason":"  "}]}"#, "$.conduct.allow[0].reason must not be blank"),
        (#"{"allow":[{"reason":"x"}]}"#, "$.conduct.allow[0].rule is required"),
        (#"{"allow":[{"rule":"url/unknown-rout","reason":"x"}]}"#, "did you mean url/unknown-route?"),
        (#"{"allow":[{"rule":"nothing/*","reason":"x"}]}"#, "$.conduct.allow[0].rule"),
        (#"{"allow":[{"rule":"url/*","api":"trend","reason":"x"}]}"#, "did you mean trendy?"),
        (#"{"allow":[{"rule":"url/*","route":"/api","reason":"x"}]}"#, "$.conduct.allow[0].route must be a method"),
        (#"{"allow":[{"rule":"url/*","until":"2027-02-30","reason":"x"}]}"#, "must be a date such as 2027-03-31"),
        (#"{"allow":[{"rule":"url/*","untl":"2027-02-28","reason":"x"}]}"#, "did you mean until?"),
        (#"{"baseline":"x"}"#, "unknown member"),
    ])
    func `11 what does not fit is refused, and the nearest named`(text: String, refusal: String) throws {
        let faults = try changed(text).faults
        #expect(faults.contains { $0.contains(refusal) }, "\(faults)")
    }

    /// A request to a route that is not there, and one with a broken credential.
    private var traffic: Traffic {
        Traffic.made {
            $0.add("GET /v1/flags", at: 0, 404)
            $0.add("GET /v1/open", at: 5_000, authorization: "Bearer null")
        }
    }

    private func report(_ allow: [ConductSettings.Allowance], today: String = "2027-03-31") -> JudgementReport {
        var settings = ConductSettings()
        settings.allow = allow
        var engine = ConductEngine(.build, settings: settings, knowledge: [Traffic.knowledge])
        for exchange in traffic.exchanges { engine.take(exchange) }
        var context = ReportContext(world: "main", journal: .init(from: 1, to: 2, entries: 2))
        context.today = today
        return engine.report(ReportFilter(), context)
    }

    @Test func `11 an allowance suppresses what it narrows to`() {
        for (entry, suppressed) in [
            (ConductSettings.Allowance(rule: "url/unknown-route", reason: "x"), 1),
            (.init(rule: "url/*", api: "shop", route: "GET /v1/*", reason: "x"), 1),
            (.init(rule: "*", reason: "x"), 2),
            (.init(rule: "url/*", api: "trendy", reason: "x"), 0),
            (.init(rule: "url/*", route: "POST /v1/flags", reason: "x"), 0),
            (.init(rule: "url/*", route: "* /v1/{name}", reason: "x"), 1),
            (.init(rule: "url/*", route: "GET /v1", reason: "x"), 0),
        ] {
            let report = report([entry])
            expectEqual(report.suppressedCount, suppressed, "\(entry)")
            expectEqual(report.allow.map(\.state), [suppressed > 0 ? .used : .unused])
            expectEqual(report.verdict, suppressed == 2 ? .pass : .fail)
        }
    }

    @Test func `11 an allowance holds on its last day, and not on the day after`() {
        let entry = ConductSettings.Allowance(rule: "*", reason: "x", until: "2027-03-31")
        expectEqual(report([entry], today: "2027-03-31").verdict, .pass)
        let late = report([entry], today: "2027-04-01")
        expectEqual(late.verdict, .fail)
        expectEqual(late.allow.map(\.state), [.expired])
        #expect(late.text.contains("allow-list: * is expired"))
    }

    @Test func `11 an unused allowance is shown in every format but three`() {
        let report = report([.init(rule: "poll/too-fast", reason: "old sins")])
        for format in ConductFormat.allCases {
            let text = String(decoding: format.render(report, .build), as: UTF8.self)
            expectEqual(text.contains("unused"), ![.junit, .sarif, .github].contains(format), "\(format)")
        }
    }

    @Test func `11 a baseline suppresses what was there and names what is gone`() throws {
        let first = report([])
        let text = Baseline.text(of: first)
        let entries = try Baseline.read(text)
        expectEqual(entries.map(\.fingerprint), first.findings.map(\.fingerprint).sorted())
        try expectEqual(JSONReader.read(text).objectValue?.members.map(\.name), ["format", "version", "findings"])
        var engine = ConductEngine(.build, knowledge: [Traffic.knowledge])
        for exchange in traffic.exchanges.prefix(1) { engine.take(exchange) }
        var context = ReportContext(world: "main", journal: .init(from: 1, to: 1, entries: 1))
        context.baseline = entries
        let second = engine.report(ReportFilter(), context)
        expectEqual(second.verdict, .pass)
        expectEqual(second.gone.map(\.rule), ["auth/malformed-credential"])
        #expect(second.text.contains("baseline: auth/malformed-credential /v1/open is gone"))
        // The same, applied to a report that a server has printed.
        var read = try #require(
            JudgementReport(json: first.json, failOn: .error, required: ["poll/too-fast"], missing: ["poll/too-fast"])
        )
        expectEqual(read.json, first.json)
        read.apply(baseline: entries)
        expectEqual(read.suppressedCount, 2)
        expectEqual(read.verdict, .fail)
        expectEqual(read.missing, ["poll/too-fast"])
    }

    @Test(arguments: [
        ("[]", 1, "$", "must be an object"),
        ("{\n\"format\":\"x\"}", 2, "$.format", "must be \"understudy-conduct-baseline\""),
        ("{\"format\":\"understudy-conduct-baseline\",\n\"version\":2}", 2, "$.version", "must be 1"),
        ("{\"format\":\"understudy-conduct-baseline\",\"version\":1}", 1, "$.findings", "must be a list"),
        (
            "{\"format\":\"understudy-conduct-baseline\",\"version\":1,\"findings\":[\n{\"fingerprint\":\"x\"}]}", 2,
            "$.findings[0].fingerprint", "must be 16 hexadecimal digits"
        ),
    ])
    func `11 a broken baseline is named with its place`(text: String, line: Int, path: String, reason: String) {
        #expect(throws: Baseline.Fault(line: line, path: path, reason: reason)) {
            try Baseline.read(Array(text.utf8))
        }
    }

    @Test func `11 the entry of an instance beats that of its rule`() throws {
        var settings = ConductSettings()
        settings.rules["retry/unbounded"] = .init(severity: .off)
        settings.rules["trendy/backs-off"] = .init(severity: .warning, numbers: [.maxRepeats: 9])
        let table = LimitTable(.build, settings)
        let rule = try #require(RuleRegistry.build.places["retry/unbounded"])
        let limits = table.limits(rule, api: "trendy", method: "GET", route: "/api/v1/events")
        expectEqual(limits.severity, .warning)
        expectEqual(limits[.maxRepeats], 9)
        expectNil(table.limits(rule, api: "omnichat", method: "GET", route: "/x").severity)
        // Without settings it is what section 7 says.
        let plain = LimitTable(.build, ConductSettings())
        expectEqual(plain.limits(rule, api: "trendy", method: "GET", route: "/x")[.maxRepeats], 4)
    }

    @Test func `3 a merged report misses what no world exercised`() {
        var settings = ConductSettings()
        settings.require = ["url/unknown-route", "poll/after-the-end"]
        func report(_ traffic: Traffic) -> JudgementReport { traffic.report(settings) }
        let one = report(Traffic.made { $0.add("GET /v1/open", at: 0) })
        let two = report(Traffic.made { $0.add("GET /v1/job", at: 0, answer: ["status": "done"]) })
        expectEqual(one.missing, ["poll/after-the-end"])
        expectEqual(JudgementReport.merged([("a", one), ("b", one)]).verdict, .fail)
        expectEqual(JudgementReport.merged([("a", one), ("b", two)]).missing, [])
        // A world's histories before and after a reset are folded.
        let bad = report(traffic)
        let merged = JudgementReport.merged([("a", bad), ("a", bad), ("b", bad)])
        expectEqual(merged.findings.count, 4)
        expectEqual(merged.findings.map(\.count).sorted(), [1, 1, 2, 2])
    }
}
