import Backend
import Basics
import ConductControl
package import ConductKit
import Control
import Engine
import ForwardProxy
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
        /// The numbers of requests for other hosts that were judged, by world, and by method and host.
        var toldHosts: [String: [String: Int]] = [:]
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
    func take(_ hosted: Emulator.HostedWorld, api: String?, _ emulator: Emulator, proxy: ForwardProxyState?) {
        let judgement = ConductJudgement(hosted, emulator, APICatalogue.rules, proxy: proxy)
        guard hosted.world.journal.count > 0 || judgement.hosts.count > 0 else { return }
        var filter = ReportFilter()
        filter.api = api
        let job = Job(judgement: judgement, filter: filter)
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
                let hosts = api == nil ? newHosts(judgement) : AskedHosts()
                guard news > 0 || hosts.count > 0 else { continue }
                var filter = job.filter
                filter.told = told
                let report = judgement.report(filter, today: today) { [failOn, baseline] context in
                    context.failOn = failOn
                    context.baseline = baseline
                    context.journal.entries = news
                    context.hosts = hosts
                }
                state.withLock { state in
                    state.told[judgement.world] = told.union(marks)
                    state.merger.add(report, world: judgement.world)
                }
            }
        }
    }

    /// The hosts that were asked for since the world was last judged: a restore keeps their list.
    private func newHosts(_ judgement: ConductJudgement) -> AskedHosts {
        func key(_ other: AskedHosts.Other) -> String { "\(other.method) \(other.text)" }
        let present = judgement.hosts
        var counts = Dictionary(present.others.map { (key($0), $0.count) }) { $1 }
        // All of them together, those included that are passed on by name.
        counts[""] = present.count
        let told = state.withLock { $0.toldHosts.updateValue(counts, forKey: judgement.world) } ?? [:]
        func news(_ count: Int, _ key: String) -> Int {
            let former = told[key] ?? 0
            // A smaller number belongs to a list that was begun anew.
            return former <= count ? count - former : count
        }
        var hosts = AskedHosts(count: news(present.count, ""))
        for var other in present.others {
            other.count = news(other.count, key(other))
            if other.count > 0 { hosts.others.append(other) }
        }
        return hosts
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
        let proxy = forwardProxy
        emulator.onJournalEnd = { [unowned emulator] hosted, api in
            gatherer.take(hosted, api: api.map { emulator.apis[$0].identity.name }, emulator, proxy: proxy)
        }
    }

    /// The report over all worlds, those that have ended included; for after the run.
    package func conduct(_ gatherer: ConductGatherer) -> JudgementReport {
        for name in emulator.worldNames {
            if let hosted = emulator[world: name] { gatherer.take(hosted, api: nil, emulator, proxy: forwardProxy) }
        }
        return gatherer.report()
    }
}
