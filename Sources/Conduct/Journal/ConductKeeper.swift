import CivilTime
package import Emulation
import Locking

/// The judgement of one world's journal, kept between reports so that each exchange is judged once (conduct contract,
/// section 16).
///
/// Exchanges are judged in the order of their begins. One that began after another that is still under way is judged
/// on a copy, and for good when the other has ended.
package final class ConductKeeper: Sendable {
    private struct State: Sendable {
        var engine: ConductEngine
        var settings: ConductSettings
        var clearings: Int
        /// The number up to which the journal was read.
        var read: UInt64 = 0
        /// The lowest number that was judged.
        var oldest: UInt64?
        var newest: UInt64?
        /// The begin of the last exchange that was judged for good.
        var last: (begin: Int64, seq: UInt64) = (.min, 0)
        /// Those that were read and not judged for good.
        var waiting: [UInt64] = []
        var judged = 0
    }

    private let knowledge: [APIKnowledge]
    private let world: String
    private let state: Locked<State?>

    package init(world: String, knowledge: [APIKnowledge]) {
        self.world = world
        self.knowledge = knowledge
        state = Locked(nil)
    }

    /// The report over a copy of the journal.
    package func report(
        _ journal: Journal,
        _ settings: ConductSettings,
        epochs: [UInt64] = [],
        filter: ReportFilter = ReportFilter(),
        today: String = "",
        change: @Sendable (inout ReportContext) -> Void = { _ in }
    ) -> ConductReport {
        state.withLock { kept in
            var state = refreshed(kept, journal, settings)
            // A copy of the engine would make it copy what it is about to change.
            kept = nil
            let present = judge(&state, journal, epochs)
            kept = state
            let range = journal.range
            var context = ReportContext(
                world: world,
                journal: ConductReport.JournalRange(
                    from: range?.lowerBound,
                    to: range?.upperBound,
                    entries: journal.count,
                    isComplete: journal.dropped == 0
                )
            )
            context.today = today
            change(&context)
            return present.report(filter, context)
        }
    }

    /// The state to go on from: a fresh one if the journal was cleared, entries fell out of it, or settings changed.
    private func refreshed(_ state: State?, _ journal: Journal, _ settings: ConductSettings) -> State {
        if let state, state.settings == settings, state.clearings == journal.clearings,
            state.oldest.map({ oldest in journal.range.map { $0.lowerBound <= oldest } ?? false }) ?? true,
            (journal.range?.upperBound ?? 0) >= (state.newest ?? 0)
        {
            return state
        }
        let world = world
        let engine = ConductEngine(settings: settings, knowledge: knowledge) { _, token in
            TokenForms.recognise(token, world: world)
        }
        return State(engine: engine, settings: settings, clearings: journal.clearings)
    }

    /// Judges what is new for good, and returns the engine with what may still change.
    private func judge(_ state: inout State, _ journal: Journal, _ epochs: [UInt64]) -> ConductEngine {
        var ready: [(begin: Int64, seq: UInt64)] = []
        var waiting: [UInt64] = []
        var barrier = Int64.max
        func look(_ entry: JournalEntry) {
            let begin = entry.startedAt.microseconds
            if entry.outcome == nil || entry.outcome == .held || entry.endedAt == nil {
                barrier = min(barrier, begin)
                waiting.append(entry.seq)
            } else {
                ready.append((begin, entry.seq))
            }
        }
        for seq in state.waiting { if let entry = journal[seq] { look(entry) } }
        journal.forEachPlaceOldestFirst(after: state.read) { place in
            if let entry = place.entry { look(entry) }
            return true
        }
        ready.sort { $0 < $1 }
        if let first = ready.first, first < state.last {
            // Something began before what was judged: all is judged anew.
            var fresh = refreshed(nil, journal, state.settings)
            let present = judge(&fresh, journal, epochs)
            state = fresh
            return present
        }
        var tail: [UInt64] = []
        for (begin, seq) in ready {
            guard begin < barrier else {
                tail.append(seq)
                continue
            }
            take(seq, journal, epochs, &state.engine)
            state.last = (begin, seq)
            state.oldest = min(state.oldest ?? seq, seq)
            state.newest = max(state.newest ?? seq, seq)
        }
        state.read = max(state.read, journal.lastSeq)
        state.waiting = (waiting + tail).sorted()
        guard !tail.isEmpty else { return state.engine }
        var present = state.engine
        for seq in tail { take(seq, journal, epochs, &present) }
        return present
    }

    private func take(_ seq: UInt64, _ journal: Journal, _ epochs: [UInt64], _ engine: inout ConductEngine) {
        guard let entry = journal[seq] else { return }
        let epoch = epochs.count { $0 < seq }
        guard let exchange = ConductExchange(entry, epoch: epoch) else { return }
        engine.take(exchange)
    }
}

extension TokenForms {
    /// Recognises a token of one world.
    package static func recognise(_ token: String, world: String) -> RecognisedCredential? {
        guard TokenText.issuer(of: token) == WorldCore.issuerPrefix + world else { return nil }
        return recognise(token)
    }
}
