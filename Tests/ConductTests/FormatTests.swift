import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 10: the forms of the report.
@Suite struct FormatTests {
    /// A report with an error, a warning, and text that tries to be markup.
    private var report: JudgementReport {
        Traffic.made {
            $0.add("GET /v1/open?a=<b>|%0A::error::x", at: 0, authorization: "Bearer null")
            $0.add("GET /v1/<script>alert(1)<script>", at: 5_000, 404)
            $0.add("POST /v1/sign-in", at: 9_000, bytes: [0x7B, 0x7D], type: nil)
        }.report()
    }

    @Test func `10 text ends with the verdict`() {
        let text = report.text
        let lines = text.split(separator: "\n")
        expectEqual(lines.first?.hasPrefix("not exercised: "), true)
        expectEqual(
            lines.last,
            "conduct: fail, 2 errors, 1 warning, \(report.count(JudgementReport.Status.passed)) passed, \(report.count(JudgementReport.Status.notExercised)) not exercised"
        )
    }

    @Test func `10 github has one line for each failed rule`() {
        let lines = report.github.split(separator: "\n")
        expectEqual(lines.count, 3)
        #expect(lines[0].hasPrefix("::error title=auth/malformed-credential::shop GET /v1/open: req_1 "))
        #expect(lines[1].hasPrefix("::warning title=body/type-missing::"))
        #expect(lines.allSatisfy { $0.hasPrefix("::error ") || $0.hasPrefix("::warning ") })
    }

    @Test func `10 nothing of the journal becomes markup`() {
        #expect(!report.html.contains("<script"))
        #expect(!report.markdown.contains("<script"))
        #expect(!report.junit.contains("<script"))
        #expect(!report.html.contains("http-equiv") && !report.html.contains("src="))
    }

    @Test func `10 a combining mark behind a sign does not hide it`() {
        let markdown = Traffic.made { $0.add("GET /v1/<\u{301}b>|\u{301}x", at: 0, 404) }.report().markdown
        #expect(markdown.contains("&lt;\u{301}b&gt;\\|\u{301}x"), "\(markdown)")
    }

    @Test func `8 what is shown alike is one finding, and a name behind an at sign is shown`() {
        let mails = Traffic.made {
            $0.add("GET /v1/nope/a@b.com", at: 0, 404)
            $0.add("GET /v1/nope/a@c.com", at: 5_000, 404)
        }
        .report()
        expectEqual(mails.findings.map(\.rule), ["url/unknown-route", "privacy/personal-in-url"])
        expectEqual(mails.findings.map(\.count), [2, 2])
        expectEqual(mails.findings.map(\.route), ["/v1/nope/a…@…", "/v1/nope/a…@…"])
        let names = Traffic.made {
            $0.add("GET /v1/nope/@alice", at: 0, 404)
            $0.add("GET /v1/nope/@bob", at: 5_000, 404)
        }
        .report()
        expectEqual(names.findings.map(\.route), ["/v1/nope/@alice", "/v1/nope/@bob"])
        expectEqual(Set(names.findings.map(\.fingerprint)).count, 2)
    }

    @Test func `10 junit counts its cases`() {
        let junit = report.junit
        let rules = report.rules
        #expect(junit.hasPrefix("<?xml"))
        #expect(
            junit.contains(
                "<testsuites name=\"conduct\" tests=\"\(rules.count)\" failures=\"2\" errors=\"0\" time=\"0\">"
            )
        )
        #expect(junit.contains("<testcase name=\"auth/malformed-credential\" classname=\"conduct.auth\""))
        // A warning fails nothing by default, and is told all the same.
        #expect(
            junit.contains("<testcase name=\"body/type-missing\" classname=\"conduct.body\" time=\"0\"><system-out>")
        )
    }

    @Test func `10 sarif names rules by their places`() throws {
        let run = try #require(report.sarif(.build)["runs"]?[0])
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.arrayValue)
        let results = try #require(run["results"]?.arrayValue)
        expectEqual(report.sarif(.build)["version"], "2.1.0")
        expectEqual(results.count, 3)
        for result in results {
            let index = try #require(result["ruleIndex"]?.intValue)
            expectEqual(rules[Int(index)]["id"], result["ruleId"])
            expectEqual(result["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"], "requests.har")
            expectEqual(result["partialFingerprints"]?["understudyConduct/v1"]?.stringValue?.count, 16)
        }
    }

    @Test func `8 members come in the order of the contract`() {
        let report = report.json
        expectEqual(
            report.objectValue?.members.map(\.name),
            [
                "format", "version", "verdict", "world", "journal", "counts", "findings", "rules", "allow",
            ]
        )
        expectEqual(
            report["findings"]?[0]?.objectValue?.members.map(\.name),
            [
                "rule", "severity", "api", "method", "route", "title", "seen", "expected", "why", "fix", "requests",
                "count", "first", "last", "fingerprint", "source", "help",
            ]
        )
    }

    @Test func `11 the allow-list and the baseline suppress, and tell what they met`() {
        var settings = ConductSettings()
        settings.allow = [
            .init(rule: "auth/*", reason: "known"),
            .init(rule: "url/unknown-route", reason: "old", until: "2020-01-01"),
            .init(rule: "poll/*", reason: "none"),
        ]
        var engine = ConductEngine(.build, settings: settings, knowledge: [Traffic.knowledge])
        let traffic = Traffic.made {
            $0.add("GET /v1/open", at: 0, authorization: "Bearer null")
            $0.add("GET /v1/nowhere", at: 5_000, 404)
        }
        for exchange in traffic.exchanges { engine.take(exchange) }
        var context = ReportContext(world: "main", journal: .init(from: 1, to: 2, entries: 2))
        context.today = "2026-01-01"
        let report = engine.report(ReportFilter(), context)
        expectEqual(report.allow.map(\.state), [.used, .expired, .unused])
        expectEqual(report.verdict, .fail)
        expectEqual(report.findings.map { $0.suppressed == nil }, [true, false])
        context.baseline = [
            .init(fingerprint: report.findings[0].fingerprint, rule: "url/unknown-route", route: "/v1/nowhere"),
            .init(fingerprint: "0123456789abcdef", rule: "poll/too-fast", route: "/x"),
        ]
        let known = engine.report(ReportFilter(), context)
        expectEqual(known.verdict, .pass)
        expectEqual(known.suppressedCount, 2)
        expectEqual(known.gone.map(\.fingerprint), ["0123456789abcdef"])
    }

    @Test func `6 each rule has its page, and ids are used once`() throws {
        expectEqual(GenericRules.all.count, 49)
        expectEqual(Set(RuleRegistry.build.names).count, RuleRegistry.build.names.count)
        for name in RuleRegistry.build.names {
            let page = try RulePage(name, in: .build)
            #expect(page.markdown.contains(page.declaration.what))
            #expect(page.html.hasPrefix("<!doctype html>"))
            // A finding shows this sentence alone.
            let fix = page.declaration.shortFix
            #expect(fix.hasSuffix(".") && fix.split(separator: " ").count >= 5, "\(name): \(fix)")
        }
        for instance in RuleRegistry.build.instances {
            for part in instance.parts { #expect(RuleRegistry.build.declaration(part.rule) != nil, "\(part.rule)") }
        }
        #expect(throws: UnknownRule.self) { try RulePage("auth/repeat-after-402", in: .build) }
    }
}
