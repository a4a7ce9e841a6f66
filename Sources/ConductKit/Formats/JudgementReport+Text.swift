extension JudgementReport {
    /// The report for a terminal: what makes a pass weak, then findings, then one line with the verdict.
    package var text: String {
        var lines: [String] = []
        let unused = ids(.notExercised)
        if !unused.isEmpty { lines.append("not exercised: \(unused.joined(separator: ", "))") }
        let unjudged = rules.filter { $0.status == .notJudged }.map { "\($0.id) (\($0.reason ?? ""))" }
        if !unjudged.isEmpty { lines.append("not judged: \(unjudged.joined(separator: ", "))") }
        if !missing.isEmpty { lines.append("required and not exercised: \(missing.joined(separator: ", "))") }
        for result in allow where result.state != .used {
            lines.append("allow-list: \(ShownText.clean(result.entry.rule)) is \(result.state.rawValue)")
        }
        for entry in gone {
            lines.append("baseline: \(ShownText.clean(entry.rule)) \(ShownText.clean(entry.route)) is gone")
        }
        for finding in findings {
            let level = finding.isLeft ? finding.severity.rawValue : "suppressed"
            let world = finding.world.map { "\(ShownText.clean($0)): " } ?? ""
            if !lines.isEmpty { lines.append("") }
            lines.append("\(level) \(finding.name): \(finding.title)")
            lines.append("  \(world)\(finding.target)\(finding.count == 1 ? "" : ", \(finding.count) times")")
            lines.append("  seen: \(ShownText.clean(finding.seen))")
            lines.append("  expected: \(finding.expected)")
            let requests = finding.requests.map(ShownText.clean).joined(separator: ", ")
            if !requests.isEmpty { lines.append("  requests: \(requests)") }
        }
        if !lines.isEmpty { lines.append("") }
        lines.append(verdictLine)
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line for each failed rule, as a workflow of GitHub reads them.
    package var github: String {
        var lines: [String] = []
        for rule in rules where rule.status == .failed {
            let own = findings.filter { $0.rule == rule.id && $0.isLeft }
            guard let first = own.first else { continue }
            let level = own.contains { $0.severity == .error } ? "error" : "warning"
            let more = own.count > 1 ? " (and \(own.count - 1) more)" : ""
            let message = "\(first.target): \(first.seen)\(more)"
            lines.append("::\(level) title=\(Self.property(rule.id))::\(Self.data(message))\n")
        }
        return lines.joined()
    }

    private static func data(_ text: String) -> String {
        var made = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": made += "%25"
            case "\r": made += "%0D"
            case "\n": made += "%0A"
            default: if scalar.value >= 0x20, scalar.value != 0x7F { made.unicodeScalars.append(scalar) }
            }
        }
        return made
    }

    private static func property(_ text: String) -> String {
        var made = ""
        for character in data(text) {
            switch character {
            case ":": made += "%3A"
            case ",": made += "%2C"
            default: made.append(character)
            }
        }
        return made
    }

    /// The report for a step summary: headings and one table.
    package var markdown: String {
        var lines = ["# Conduct: \(verdict.rawValue)", "", Self.escaped(verdictLine)]
        if !findings.isEmpty {
            lines += ["", "## Findings", "", "| severity | rule | where | seen | expected | requests | count |"]
            lines += ["|---|---|---|---|---|---|---|"]
            for finding in findings {
                let level = finding.isLeft ? finding.severity.rawValue : "suppressed"
                let place = [finding.world, finding.target].compactMap { $0 }.joined(separator: " ")
                let cells = [
                    level, finding.name, place, finding.seen, finding.expected,
                    finding.requests.joined(separator: ", "), "\(finding.count)",
                ]
                lines.append("| " + cells.map(Self.escaped).joined(separator: " | ") + " |")
            }
        }
        let unused = ids(.notExercised)
        if !unused.isEmpty { lines += ["", "## Not exercised", "", unused.map(Self.escaped).joined(separator: ", ")] }
        let unjudged = rules.filter { $0.status == .notJudged }.map { "\($0.id) (\($0.reason ?? ""))" }
        if !unjudged.isEmpty { lines += ["", "## Not judged", "", unjudged.map(Self.escaped).joined(separator: ", ")] }
        if !missing.isEmpty {
            lines += ["", "## Required and not exercised", "", missing.map(Self.escaped).joined(separator: ", ")]
        }
        let idle = allow.filter { $0.state != .used }.map { "\($0.entry.rule) is \($0.state.rawValue)" }
        if !idle.isEmpty { lines += ["", "## Allow-list", "", idle.map(Self.escaped).joined(separator: ", ")] }
        let lost = gone.map { "\($0.rule) \($0.route)" }
        if !lost.isEmpty {
            lines += ["", "## Gone from the baseline", "", lost.map(Self.escaped).joined(separator: ", ")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text that can't become markup.
    private static func escaped(_ text: String) -> String {
        var made = ""
        // By code point: a combining mark behind a sign would hide it.
        for scalar in ShownText.clean(text).unicodeScalars {
            switch scalar {
            case "<": made += "&lt;"
            case ">": made += "&gt;"
            case "&": made += "&amp;"
            case "|", "`", "*", "_", "[", "]", "\\", "#", "~", "!", "@":
                made += "\\\(scalar)"
            default: made.unicodeScalars.append(scalar)
            }
        }
        return made
    }
}
