/// The report on the conduct of the clients of a world, or of a file (conduct contract, section 8).
package struct JudgementReport: Sendable {
    package enum Verdict: String, Sendable { case pass, fail }

    /// The state of a rule after judging.
    package enum Status: String, Sendable, CaseIterable { case passed, failed, notExercised, notJudged }

    /// The part of the journal that was judged.
    package struct JournalRange: Sendable, Equatable {
        package var from: UInt64?
        package var to: UInt64?
        package var entries: Int
        package var isComplete: Bool

        package init(from: UInt64? = nil, to: UInt64? = nil, entries: Int = 0, isComplete: Bool = true) {
            self.from = from
            self.to = to
            self.entries = entries
            self.isComplete = isComplete
        }
    }

    /// The line of a rule.
    package struct RuleResult: Sendable, Equatable {
        package var id: String
        package var severity: ConductSeverity?
        package var status: Status
        package var judged: Int
        package var findings: Int
        package var reason: String?
        package var exercisedBy: [String]
    }

    /// An entry of the allow-list, and what it met.
    package struct AllowResult: Sendable, Equatable {
        package enum State: String, Sendable { case used, unused, expired }

        package var entry: ConductSettings.Allowance
        package var state: State
        package var findings: Int
    }

    package var verdict: Verdict
    /// The world's name; `*` for several; nil for files.
    package var world: String?
    /// The names of the files judged; nil for a journal.
    package var files: [String]?
    package var journal: JournalRange
    package var findings: [ConductFinding]
    package var rules: [RuleResult]
    package var allow: [AllowResult]
    /// The entries of the baseline without a finding.
    package var gone: [ConductSettings.BaselineEntry]
    package var failOn: ConductFailure
    /// The rules and instances that have to be exercised.
    package var required: [String]
    /// Those of them that were neither passed nor failed.
    package var missing: [String]

    /// The number of findings of a severity that are left.
    package func count(_ severity: ConductSeverity) -> Int {
        findings.count { $0.suppressed == nil && $0.severity == severity }
    }

    package var suppressedCount: Int { findings.count { $0.suppressed != nil } }

    /// The number of rules of a status.
    package func count(_ status: Status) -> Int { rules.count { $0.status == status } }
}
