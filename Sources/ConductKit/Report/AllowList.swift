import Basics

/// The allow-list (conduct contract, section 11).
enum AllowList {
    /// Suppresses the findings that an entry meets, and returns what each entry met.
    package static func apply(
        _ entries: [ConductSettings.Allowance],
        to findings: inout [ConductFinding],
        today: String
    ) -> [JudgementReport.AllowResult] {
        var results: [JudgementReport.AllowResult] = []
        for entry in entries {
            let isExpired = entry.until.map { today > $0 } ?? false
            var met = 0
            for place in findings.indices where meets(entry, findings[place]) {
                met += 1
                if !isExpired, findings[place].suppressed == nil {
                    findings[place].suppressed = .allowed(reason: entry.reason)
                }
            }
            results.append(
                JudgementReport.AllowResult(
                    entry: entry,
                    state: isExpired ? .expired : met > 0 ? .used : .unused,
                    findings: met
                )
            )
        }
        return results
    }

    /// Tells whether an entry is about a finding.
    static func meets(_ entry: ConductSettings.Allowance, _ finding: ConductFinding) -> Bool {
        guard Glob.matches(entry.rule, finding.rule) || finding.instance.map({ Glob.matches(entry.rule, $0) }) ?? false
        else { return false }
        if let api = entry.api, api != finding.api { return false }
        guard let route = entry.route else { return true }
        let parts = route.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] == finding.method || parts[0] == "*" else { return false }
        return parts[1] == finding.route || PathGlob.matches(parts[1], finding.route)
    }
}
