import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 10: JUnit and SARIF have the form of their schemas, whatever the journal holds.
///
/// `scripts/report-schemas` holds reports of a running server to the published schemas themselves.
@Suite struct SchemaTests {
    /// A report whose every text tries to leave its place.
    private static func hostile(_ failOn: ConductFailure) -> JudgementReport {
        let evil = "]]><a b=\"c\"&amp;'\u{0}\u{8}\u{B}\u{1F}\u{7F}\u{85}\u{FFFE}\u{202E}<!--%0A::error::\r\n\t😀"
        var settings = ConductSettings()
        settings.failOn = failOn
        settings.allow = [.init(rule: "url/unknown-route", route: "GET /v1/allowed", reason: evil)]
        var engine = ConductEngine(.build, settings: settings, knowledge: [Traffic.knowledge])
        let traffic = Traffic.made {
            $0.add("GET /v1/open?a=\(evil)", at: 0, authorization: "Bearer null")
            for path in ["/v1/\(evil)", "/v1/allowed", "/v1/known", "/v1/a@b.example", "/v1/<b>\"&]]>"] {
                let time = Int64($0.exchanges.count) * 5_000
                // The helper splits at blanks.
                $0.add("GET " + path.filter { $0 != " " }, at: time, 404, known: false)
            }
            $0.add("POST /v1/sign-in", at: 90_000, bytes: [0x7B, 0x7D], type: nil)
        }
        var exchanges = traffic.exchanges
        for place in exchanges.indices {
            exchanges[place].user = "\(evil)@example.com"
            exchanges[place].userID = "u\(evil)"
            exchanges[place].id = "req\(evil)\(place)"
        }
        for exchange in exchanges { engine.take(exchange) }
        var context = ReportContext(world: "main", journal: .init(from: 1, to: 9, entries: exchanges.count))
        context.baseline = [
            .init(
                fingerprint: FindingFingerprint.make(
                    rule: "url/unknown-route",
                    api: "shop",
                    method: "GET",
                    route: "/v1/known"
                ),
                rule: evil,
                route: evil
            ),
            .init(fingerprint: "0123456789abcdef", rule: evil, route: evil),
        ]
        context.require = ["poll/after-the-end"]
        return engine.report(ReportFilter(), context)
    }

    @Test(arguments: ConductFailure.allCases)
    func `10 junit has the elements and attributes of its schema`(failOn: ConductFailure) throws {
        let report = Self.hostile(failOn)
        var (suites, cases, failures, skipped): (Int, Int, Int, Int) = (0, 0, 0, 0)
        var open: [String] = []
        var counted: [(name: String, attributes: [String: String])] = []
        for tag in try XMLTag.tags(in: report.junit) {
            if tag.isEnd {
                expectEqual(open.popLast(), tag.name)
                continue
            }
            let allowed: [String: (parent: String?, attributes: Set<String>, needed: Set<String>)] = [
                "testsuites": (nil, ["name", "time", "tests", "failures", "errors"], []),
                "testsuite": (
                    "testsuites", ["name", "tests", "failures", "errors", "skipped", "time"],
                    ["name", "tests", "failures", "errors"]
                ),
                "testcase": ("testsuite", ["name", "classname", "time"], ["name"]),
                "failure": ("testcase", ["type", "message"], []),
                "skipped": ("testcase", ["type", "message"], ["message"]),
                "system-out": ("testcase", [], []),
            ]
            let form = try #require(allowed[tag.name], "\(tag.name)")
            expectEqual(open.last, form.parent)
            #expect(Set(tag.attributes.keys).isSubset(of: form.attributes), "\(tag.name)")
            #expect(form.needed.isSubset(of: tag.attributes.keys))
            switch tag.name {
            case "testsuites", "testsuite":
                suites += tag.name == "testsuite" ? 1 : 0
                counted.append((tag.name, tag.attributes))
            case "testcase":
                cases += 1
                let group = tag.attributes["name"]?.prefix { $0 != "/" } ?? ""
                expectEqual(tag.attributes["classname"], "conduct.\(group)")
            case "failure": failures += 1
            case "skipped": skipped += 1
            default: break
            }
            if !tag.isEmpty { open.append(tag.name) }
        }
        #expect(open.isEmpty)
        expectEqual(cases, report.rules.count)
        expectEqual(suites, Set(report.rules.map { $0.id.prefix { $0 != "/" } }).count)
        let root = try #require(counted.first)
        for (name, total) in [("tests", cases), ("failures", failures), ("errors", 0)] {
            expectEqual(root.attributes[name], "\(total)")
            expectEqual(counted.dropFirst().compactMap { $0.attributes[name].flatMap { Int($0) } }.reduce(0, +), total)
        }
        let left = counted.dropFirst().compactMap { $0.attributes["skipped"].flatMap { Int($0) } }
        #expect(left.count == suites && left.reduce(0, +) == skipped)
        expectEqual(
            skipped,
            report.count(JudgementReport.Status.notExercised) + report.count(JudgementReport.Status.notJudged)
        )
        expectEqual(failures, [.error: 2, .warning: 4, .never: 0][failOn])
    }

    @Test func `10 sarif has the members of its schema`() throws {
        let report = Self.hostile(.error)
        let sarif = report.sarif(.build)
        func check(_ json: JSON?, _ allowed: Set<String>, needs: Set<String>) throws {
            let names = try #require(json?.objectValue).members.map(\.name)
            expectEqual(Set(names).count, names.count)
            #expect(Set(names).isSubset(of: allowed), "\(names)")
            #expect(needs.isSubset(of: names), "\(names)")
        }
        try check(sarif, ["$schema", "version", "runs"], needs: ["version", "runs"])
        let run = try #require(sarif["runs"]?[0])
        try check(run, ["tool", "results"], needs: ["tool"])
        try check(run["tool"], ["driver"], needs: ["driver"])
        try check(run["tool"]?["driver"], ["name", "rules"], needs: ["name"])
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.arrayValue)
        for rule in rules {
            try check(
                rule,
                ["id", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"],
                needs: ["id"]
            )
            for name in ["shortDescription", "fullDescription", "help"] {
                try check(rule[name], ["text"], needs: ["text"])
            }
            #expect(["error", "warning"].contains(rule["defaultConfiguration"]?["level"]?.stringValue))
        }
        expectEqual(Set(rules.map(\.text)).count, rules.count)
        let results = try #require(run["results"]?.arrayValue)
        expectEqual(results.count, report.findings.count)
        for result in results {
            try check(
                result,
                ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "suppressions"],
                needs: ["message"]
            )
            expectEqual(rules[Int(try #require(result["ruleIndex"]?.intValue))]["id"], result["ruleId"])
            #expect(["error", "warning"].contains(result["level"]?.stringValue))
            try check(result["message"], ["text"], needs: ["text"])
            expectEqual(result["locations"]?.arrayValue?.count, 1)
            expectEqual(result["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"], "requests.har")
            for suppression in result["suppressions"]?.arrayValue ?? [] {
                try check(suppression, ["kind", "justification"], needs: ["kind"])
                expectEqual(suppression["kind"], "external")
            }
        }
        expectEqual(results.count { $0["suppressions"] != nil }, 2)
        for text in [sarif.text, report.junit] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        }
    }
}

/// A tag of XML as a strict reader takes it.
private struct XMLTag {
    struct Malformed: Error, CustomStringConvertible { var description: String }

    var name: String
    var attributes: [String: String] = [:]
    var isEnd = false
    var isEmpty = false

    /// Returns the tags of a document, or throws what is not well formed.
    static func tags(in document: String) throws -> [XMLTag] {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        guard document.hasPrefix(head) else { throw Malformed(description: "no declaration") }
        var tags: [XMLTag] = []
        for part in document.dropFirst(head.count).split(separator: "<", omittingEmptySubsequences: true) {
            guard let end = part.firstIndex(of: ">") else { throw Malformed(description: "an open tag: \(part)") }
            let text = part[part.index(after: end)...]
            guard !text.contains(">") else { throw Malformed(description: "a bare > in \(text)") }
            try checkReferences(text)
            tags.append(try XMLTag(part[..<end]))
        }
        return tags
    }

    private init(_ text: Substring) throws {
        var text = text
        if text.hasPrefix("/") {
            isEnd = true
            text = text.dropFirst()
        }
        if text.hasSuffix("/") {
            isEmpty = true
            text = text.dropLast()
        }
        name = String(text.prefix { $0 != " " })
        text = text.dropFirst(name.count)
        while !text.isEmpty {
            let rest = text.dropFirst()
            guard text.first == " ", let equals = rest.firstIndex(of: "="),
                rest[equals...].dropFirst().first == "\"",
                let end = rest[equals...].dropFirst(2).firstIndex(of: "\"")
            else { throw Malformed(description: "attributes: \(text)") }
            let value = rest[rest.index(equals, offsetBy: 2)..<end]
            guard !value.contains("<"), attributes[String(rest[..<equals])] == nil else {
                throw Malformed(description: "an attribute: \(value)")
            }
            try Self.checkReferences(value)
            attributes[String(rest[..<equals])] = String(value)
            text = rest[rest.index(after: end)...]
        }
    }

    /// Every ampersand begins a reference to a character.
    private static func checkReferences(_ text: Substring) throws {
        for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            let name = part.prefix { $0 != ";" }
            guard ["amp", "lt", "gt", "quot", "apos", "#39", "#34"].contains(name), part.count > name.count else {
                throw Malformed(description: "a bare & before \(part)")
            }
        }
    }
}
