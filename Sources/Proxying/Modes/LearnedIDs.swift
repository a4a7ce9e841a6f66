import Basics
import Recording

/// The pairs of emulated and real ids that a mode has learnt, which workers add to.
final class LearnedIDs: Sendable {
    private let state = Locked(IDCorrespondence())
    /// The number of pairs that are added at once, since the loop may be waiting for the table.
    private static let portion = 256

    var value: IDCorrespondence { state.withLock { $0 } }

    /// Learns from two responses to the same request, which are read before anybody has to wait.
    func learn(emulated: [UInt8], upstream: [UInt8]) {
        var pairs = IDCorrespondence().pairs(emulated: emulated, upstream: upstream)[...]
        while !pairs.isEmpty {
            let portion = pairs.prefix(Self.portion)
            state.withLock { $0.learn(portion) }
            pairs = pairs.dropFirst(portion.count)
        }
    }
}
