import Basics

extension JudgementReport {
    /// The report as JUnit's XML: a suite for each group, a case for each rule.
    package var junit: String {
        func text(_ text: String) -> String { Self.legal(text).escapedForHTML }
        var groups: [String] = []
        for rule in rules {
            let group = String(rule.id.prefix { $0 != "/" })
            if !groups.contains(group) { groups.append(group) }
        }
        var suites = ""
        var (allTests, allFailures) = (0, 0)
        for group in groups {
            var cases = ""
            var (tests, failures, skipped) = (0, 0, 0)
            for rule in rules where rule.id.hasPrefix(group + "/") {
                tests += 1
                cases += "    <testcase name=\"\(text(rule.id))\" classname=\"conduct.\(text(group))\" time=\"0\">"
                let own = findings.filter { $0.rule == rule.id && $0.isLeft }
                let failing = own.filter { failOn.isReached(by: $0.severity) }
                func lines(_ list: [ConductFinding]) -> String {
                    list.map { finding in
                        let requests = finding.requests.joined(separator: ", ")
                        let which = requests.isEmpty ? "" : " (\(requests))"
                        return "\(finding.target): \(finding.seen) \(finding.expected)\(which)"
                    }
                    .joined(separator: "\n")
                }
                if rule.status == .failed, let first = failing.first {
                    failures += 1
                    cases += "<failure message=\"\(text(first.title))\" type=\"\(first.severity.rawValue)\">"
                    cases += "\(text(lines(failing)))</failure>"
                } else if rule.status == .notExercised {
                    skipped += 1
                    cases +=
                        "<skipped message=\"\(text("not exercised; \(rule.exercisedBy.joined(separator: ", "))"))\"/>"
                } else if rule.status == .notJudged {
                    skipped += 1
                    cases += "<skipped message=\"not judged: \(text(rule.reason ?? ""))\"/>"
                }
                let others = own.filter { !failOn.isReached(by: $0.severity) }
                if !others.isEmpty { cases += "<system-out>\(text(lines(others)))</system-out>" }
                cases += "</testcase>\n"
            }
            suites += "  <testsuite name=\"\(text(group))\" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\" "
            suites += "skipped=\"\(skipped)\" time=\"0\">\n\(cases)  </testsuite>\n"
            allTests += tests
            allFailures += failures
        }
        // Suites alone count what was skipped: the schema has no such attribute at the root.
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="conduct" tests="\(allTests)" failures="\(allFailures)" errors="0" time="0">
            \(suites)</testsuites>

            """
    }

    /// The characters that XML 1.0 allows.
    private static func legal(_ text: String) -> String {
        var made = String.UnicodeScalarView()
        for scalar in text.unicodeScalars
        where scalar == "\n"
            || scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        {
            made.append(scalar)
        }
        return String(made)
    }
}
