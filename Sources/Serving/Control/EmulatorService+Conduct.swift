import Backend
import CivilTime
import ConductControl
import ConductKit
import Control
import Engine
import Journal
import Transport

/// The live judgement of a world (conduct contract, section 15).
struct LiveJudgement {
    enum State {
        case idle
        /// It begins after a pause.
        case due
        /// A worker judges; `isBehind` tells whether an exchange has ended since.
        case underWay(isBehind: Bool)
    }

    let watch: ConductWatch
    var state = State.idle
    /// The time that the last judgement took.
    var cost = Interval.zero
}

/// Judges the clients of a world while somebody listens to its events, and only then.
///
/// A worker judges; the loop takes copies and tells what was found.
extension EmulatorService {
    /// The time for which exchanges are collected, so that many of them are judged in one go.
    private static let judgingPause = Interval.milliseconds(100)
    /// The share of a worker's time that judging may take, as a divisor.
    private static let judgingShare: Int64 = 2

    /// Begins to judge a world for its first listener; what was there before is not told.
    func beginJudging(_ world: Int) {
        guard let rules, judging[world] == nil else { return }
        judging[world] = LiveJudgement(watch: ConductWatch(emulator, rules()))
        judge(world)
    }

    /// Notes that an exchange in a world has ended.
    package func judgeSoon(_ world: Int) {
        guard var live = judging[world] else { return }
        switch live.state {
        case .idle:
            live.state = .due
            let rest = Interval.microseconds(live.cost.microseconds.multipliedClamped(by: Self.judgingShare))
            server?.schedule(after: max(Self.judgingPause, rest)) { [weak self] in self?.judge(world) }
        case .due: return
        case .underWay: live.state = .underWay(isBehind: true)
        }
        judging[world] = live
    }

    /// Ends the judgement of worlds to which nobody listens any more.
    func endJudging() {
        guard !judging.isEmpty else { return }
        for world in judging.keys.sorted() where watchers.watching(world).isEmpty {
            guard let live = judging.removeValue(forKey: world) else { continue }
            // What it holds may be long.
            _ = lines?.chores.submit(mustRun: true, { _ = live.watch }, then: {})
        }
    }

    private func judge(_ world: Int) {
        guard let rules, let lines, var live = judging[world] else { return }
        guard let hosted = emulator.hosted(key: world) else {
            judging[world] = nil
            return
        }
        live.state = .underWay(isBehind: false)
        judging[world] = live
        let judgement = ConductJudgement(hosted, emulator, rules(), proxy: forwardProxy)
        let today = String(hostTime.wall.iso8601(.milliseconds).prefix(10))
        let began = preciseNow()
        _ = lines.searches.add(nil, .look, mustRun: true) { [watch = live.watch] _ in
            watch.news(judgement, today: today)
        } then: { [weak self] found in
            guard let self, var now = judging[world], now.watch === live.watch else { return }
            if let hosted = emulator.hosted(key: world) {
                for members in found { emulator.note(.finding, in: hosted, members) }
            }
            guard case .underWay(let isBehind) = now.state else { return }
            now.state = .idle
            now.cost = preciseNow() - began
            judging[world] = now
            if isBehind { judgeSoon(world) }
        }
    }
}
