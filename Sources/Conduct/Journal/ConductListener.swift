import Basics
import CivilTime
package import ConductKit
package import JSON
import Journal

/// The live judgement of a world while somebody listens to its events (conduct contract, section 15).
///
/// It tells of each fingerprint once. What was there when it began is not new. Unlike a report it does not begin anew
/// when entries fall out of a full journal.
package final class ConductListener: Sendable {
    private struct State: Sendable {
        var judgement: JournalJudgement
        /// The fingerprints that need not be told any more.
        var told: Set<String>
        /// The begin of the latest exchange ever judged.
        var latest: Int64
    }

    private let rules: RuleRegistry
    private let knowledge: [APIKnowledge]
    private let state = Locked<State?>(nil)

    package init(_ rules: RuleRegistry, knowledge: [APIKnowledge]) {
        self.rules = rules
        self.knowledge = knowledge
    }

    /// The number of exchanges beyond those in the journal after which the judgement begins anew, so that it stays
    /// bounded.
    private static let mostGone = 20_000

    /// The findings that are there for the first time, in the order of a report; none at the first call.
    package func news(_ judged: JudgedWorld) -> [ConductFinding] {
        state.withLock { kept in
            var former = kept.take()
            let isFirst = former == nil
            var isAnew = false
            if let state = former, !state.judgement.isOf(judged) || state.judgement.count > mostKept(judged) {
                former?.judgement = JournalJudgement(judged, rules, knowledge)
                // After a reset the same may be found again, but what was judged before is not told twice.
                former?.told = []
                isAnew = true
            }
            var state = former ?? State(judgement: JournalJudgement(judged, rules, knowledge), told: [], latest: .min)
            former = nil
            let present = state.judgement.judge(judged)
            let findings = present.report(ReportFilter(), judged.context).findings.filter { $0.suppressed == nil }
            var news: [ConductFinding] = []
            for finding in findings where !state.told.contains(finding.fingerprint) {
                state.told.insert(finding.fingerprint)
                guard !isFirst else { continue }
                // An entry that is gone was judged before.
                let former = finding.requests.isEmpty ? finding.last.microseconds : .min
                let begin = judged.journal[finding.firstSeq]?.startedAt.microseconds ?? former
                if isAnew, begin <= state.latest { continue }
                news.append(finding)
            }
            state.latest = max(state.latest, state.judgement.latest)
            kept = state
            return news
        }
    }

    private func mostKept(_ judged: JudgedWorld) -> Int { 2 * judged.journal.count + Self.mostGone }
}

extension ConductFinding {
    /// The members of the event `finding`, after number, world and time.
    package var eventMembers: JSONObject {
        var object: JSONObject = ["rule": .string(rule)]
        if let instance { object.append("as", .string(instance)) }
        object.append("severity", .string(severity.rawValue))
        object.append("api", .string(api))
        object.append("method", .string(method))
        object.append("route", .string(route))
        object.append("fingerprint", .string(fingerprint))
        object.append("requests", .array(requests.map { .string($0) }))
        object.append("title", .string(title))
        return object
    }
}
