import Backend
import Basics
import ConductControl
package import ConductKit
import Control
import Engine
import Journal
import Transport
import Worlds

/// The judgement of all worlds of a run (conduct contract, section 12, `exec`).
///
/// A world is judged when its journal ends, on a thread of its own: the loop waits for nothing.
package final class ConductGatherer: Sendable {
    private struct Job: Sendable {
        var judgement: ConductJudgement
        var filter: ReportFilter
    }

    private struct State: Sendable {
        var waiting: [Job] = []
        var isWorking = false
        var merger = ConductMerger()
        /// The exchanges that were judged, by world: a restored journal has many of them again.
        var told: [String: Set<ExchangeMark>] = [:]
    }

    private let failOn: ConductFailure?
    private let baseline: [ConductSettings.BaselineEntry]
    private let today: String
    private let state = Locked(State())
    /// Held by the thread that judges, so that the end can wait for it.
    private let turn = Locked(false)

    package init(failOn: ConductFailure?, baseline: [ConductSettings.BaselineEntry], today: String) {
        self.failOn = failOn
        self.baseline = baseline
        self.today = today
    }

    /// Judges a world, or one API in it, before its journal ends.
    func take(_ hosted: Emulator.HostedWorld, api: String?, _ emulator: Emulator) {
        guard hosted.world.journal.count > 0 else { return }
        var filter = ReportFilter()
        filter.api = api
        let job = Job(judgement: ConductJudgement(hosted, emulator, APICatalogue.rules), filter: filter)
        let starts = state.withLock { state in
            state.waiting.append(job)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard starts else { return }
        if SystemThread.start({ self.work() }) == nil { work() }
    }

    private func work() {
        turn.withLock { _ in
            while let job = next() {
                let (judgement, api) = (job.judgement, job.filter.api)
                let told = state.withLock { $0.told[judgement.world] } ?? []
                let marks = judgement.marks(api: api)
                let news = marks.subtracting(told).count
                guard news > 0 else { continue }
                var filter = job.filter
                filter.told = told
                let report = judgement.report(filter, today: today) { [failOn, baseline] context in
                    context.failOn = failOn
                    context.baseline = baseline
                    context.journal.entries = news
                }
                state.withLock { state in
                    state.told[judgement.world] = told.union(marks)
                    state.merger.add(report, world: judgement.world)
                }
            }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// The report over everything, when nothing more can come.
    func report() -> JudgementReport {
        work()
        return state.withLock { $0.merger.report }
    }
}

extension RunningEmulator {
    /// Gathers the conduct of every world from now on.
    package func gatherConduct(_ gatherer: ConductGatherer) {
        emulator.onJournalEnd = { [unowned emulator] hosted, api in
            gatherer.take(hosted, api: api.map { emulator.apis[$0].identity.name }, emulator)
        }
    }

    /// The report over all worlds, those that have ended included; for after the run.
    package func conduct(_ gatherer: ConductGatherer) -> JudgementReport {
        for name in emulator.worldNames {
            if let hosted = emulator[world: name] { gatherer.take(hosted, api: nil, emulator) }
        }
        return gatherer.report()
    }
}
