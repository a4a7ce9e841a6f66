extension ConductReport {
    /// The report over several worlds: the findings of all with their worlds, each rule with all of its situations.
    package static func merged(_ reports: [(world: String, report: ConductReport)]) -> ConductReport {
        var findings: [ConductFinding] = []
        var rules: [String: RuleResult] = [:]
        var allow: [AllowResult] = []
        var journal = JournalRange()
        for (world, report) in reports {
            for var finding in report.findings {
                finding.world = world
                findings.append(finding)
            }
            for rule in report.rules { rules[rule.id] = rules[rule.id].map { $0.joined(rule) } ?? rule }
            for result in report.allow {
                if let place = allow.firstIndex(where: { $0.entry == result.entry }) {
                    allow[place].findings += result.findings
                    if result.state == .used { allow[place].state = .used }
                } else {
                    allow.append(result)
                }
            }
            journal.entries += report.journal.entries
            journal.isComplete = journal.isComplete && report.journal.isComplete
            if let from = report.journal.from { journal.from = min(journal.from ?? from, from) }
            if let to = report.journal.to { journal.to = max(journal.to ?? to, to) }
        }
        findings.sort { left, right in
            if (left.suppressed == nil) != (right.suppressed == nil) { return left.suppressed == nil }
            if left.severity != right.severity { return left.severity == .error }
            if (left.rule, left.api) != (right.rule, right.api) {
                return (left.rule, left.api) < (right.rule, right.api)
            }
            if left.firstSeq != right.firstSeq { return left.firstSeq < right.firstSeq }
            return (left.world ?? "", left.fingerprint) < (right.world ?? "", right.fingerprint)
        }
        // A rule that one world requires is missing only if no world has exercised it.
        var missing: [String] = []
        for (_, report) in reports {
            for name in report.missing where !missing.contains(name) {
                let isHeld = reports.contains { !$0.report.missing.contains(name) && $0.report.journal.entries > 0 }
                if !isHeld { missing.append(name) }
            }
        }
        let fails = findings.contains { finding in
            finding.suppressed == nil
                && reports.contains { $0.world == finding.world && $0.report.failOn.isReached(by: finding.severity) }
        }
        return ConductReport(
            verdict: fails || !missing.isEmpty ? .fail : .pass,
            world: "*",
            files: nil,
            journal: journal,
            findings: findings,
            rules: rules.values.sorted { $0.id < $1.id },
            allow: allow,
            gone: reports.first?.report.gone ?? [],
            failOn: reports.first?.report.failOn ?? .error,
            missing: missing
        )
    }
}

extension ConductReport.RuleResult {
    /// The line over two worlds.
    fileprivate func joined(_ other: ConductReport.RuleResult) -> ConductReport.RuleResult {
        let order: [ConductReport.Status] = [.failed, .passed, .notExercised, .notJudged]
        var joined = self
        joined.judged += other.judged
        joined.findings += other.findings
        joined.status = order.first { $0 == status || $0 == other.status } ?? status
        joined.reason = joined.status == .notJudged ? reason ?? other.reason : nil
        joined.exercisedBy =
            joined.status == .notExercised ? exercisedBy + (exercisedBy.isEmpty ? other.exercisedBy : []) : []
        joined.severity = max(severity ?? .warning, other.severity ?? .warning)
        return joined
    }
}
