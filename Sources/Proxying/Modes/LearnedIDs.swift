import Basics
import Recording

/// The pairs of emulated and real ids that a mode has learnt, which workers add to.
final class LearnedIDs: Sendable {
    private let state = Locked(IDCorrespondence())
    /// Locked while a worker learns: one after the other, so that none is lost.
    private let turn = Locked<Void>(())

    var value: IDCorrespondence { state.withLock { $0 } }

    /// Learns from two responses to the same request, on a worker.
    func learn(emulated: [UInt8], upstream: [UInt8]) {
        turn.withLock { _ in
            var known = value
            known.learn(emulated: emulated, upstream: upstream)
            state.withLock { $0 = known }
        }
    }
}
