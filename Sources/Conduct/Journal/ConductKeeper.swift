import Basics
package import ConductKit
import Journal

/// The judgement of one world's journal, kept between reports so that each exchange is judged once (conduct contract,
/// section 16).
package final class ConductKeeper: Sendable {
    private let rules: RuleRegistry
    private let knowledge: [APIKnowledge]
    private let state = Locked<JournalJudgement?>(nil)

    package init(_ rules: RuleRegistry, knowledge: [APIKnowledge]) {
        self.rules = rules
        self.knowledge = knowledge
    }

    /// The report over a copy of the journal.
    package func report(
        _ judged: JudgedWorld,
        filter: ReportFilter = ReportFilter(),
        change: @Sendable (inout ReportContext) -> Void = { _ in }
    ) -> JudgementReport {
        state.withLock { kept in
            // What falls out of the journal takes its findings along.
            var judgement =
                kept.flatMap { $0.isOf(judged) && $0.isWhole(judged) ? $0 : nil }
                ?? JournalJudgement(judged, rules, knowledge)
            // A copy of the engine would make it copy what it is about to change.
            kept = nil
            let present = judgement.judge(judged)
            kept = judgement
            var context = judged.context
            // A host has no number: it is compared by the time of that exchange.
            if let start = judged.journal[filter.since]?.startedAt { context.hosts.leaveOut(before: start) }
            change(&context)
            return present.report(filter, context)
        }
    }
}
