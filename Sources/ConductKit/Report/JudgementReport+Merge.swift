extension JudgementReport {
    /// The report over several worlds: the findings of all with their worlds, each rule with all of its situations.
    package static func merged(_ reports: [(world: String, report: JudgementReport)]) -> JudgementReport {
        var merger = ConductMerger()
        for (world, report) in reports { merger.add(report, world: world) }
        return merger.report
    }
}

/// Reports of several worlds, or of one world at several times, as they are put together into one.
package struct ConductMerger: Sendable {
    private var findings: [ConductFinding] = []
    /// The places of findings by world and fingerprint.
    private var places: [String: Int] = [:]
    private var rules: [String: JudgementReport.RuleResult] = [:]
    private var allow: [JudgementReport.AllowResult] = []
    private var journal = JudgementReport.JournalRange()
    /// The entries of the baseline that no report so far has met.
    private var gone: [ConductSettings.BaselineEntry]?
    private var failOn: ConductFailure?
    private var required: [String] = []
    private var held: Set<String> = []
    private var fails = false

    package init() {}

    /// Adds the report of a world.
    package mutating func add(_ report: JudgementReport, world: String) {
        for finding in report.findings { add(finding, world) }
        fails = fails || report.findings.contains { $0.isLeft && report.failOn.isReached(by: $0.severity) }
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
        gone = gone.map { former in former.filter(report.gone.contains) } ?? report.gone
        if failOn == nil { failOn = report.failOn }
        for name in report.required where !required.contains(name) { required.append(name) }
        if report.journal.entries > 0 { held.formUnion(report.required.filter { !report.missing.contains($0) }) }
    }

    /// Folds findings of one world that differ in time alone.
    private mutating func add(_ finding: ConductFinding, _ world: String) {
        var finding = finding
        finding.world = world
        let key = "\(world)\n\(finding.fingerprint)"
        guard let place = places[key] else {
            places[key] = findings.count
            findings.append(finding)
            return
        }
        findings[place].count += finding.count
        findings[place].first = min(findings[place].first, finding.first)
        findings[place].last = max(findings[place].last, finding.last)
    }

    package var report: JudgementReport {
        // A rule that one world requires is missing only if no world that requires it has exercised it.
        let missing = journal.entries == 0 ? [] : required.filter { !held.contains($0) }
        return JudgementReport(
            verdict: fails || !missing.isEmpty ? .fail : .pass,
            world: "*",
            files: nil,
            journal: journal,
            findings: findings.sorted(by: Self.comesFirst),
            rules: rules.values.sorted { $0.id < $1.id },
            allow: allow,
            gone: gone ?? [],
            failOn: failOn ?? .error,
            required: required,
            missing: missing
        )
    }

    private static func comesFirst(_ left: ConductFinding, _ right: ConductFinding) -> Bool {
        if (left.suppressed == nil) != (right.suppressed == nil) { return left.suppressed == nil }
        if left.severity != right.severity { return left.severity == .error }
        if (left.rule, left.api) != (right.rule, right.api) { return (left.rule, left.api) < (right.rule, right.api) }
        if left.firstSeq != right.firstSeq { return left.firstSeq < right.firstSeq }
        return (left.world ?? "", left.fingerprint) < (right.world ?? "", right.fingerprint)
    }
}

extension JudgementReport.RuleResult {
    /// The line over two worlds.
    fileprivate func joined(_ other: JudgementReport.RuleResult) -> JudgementReport.RuleResult {
        let order: [JudgementReport.Status] = [.failed, .passed, .notExercised, .notJudged]
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
