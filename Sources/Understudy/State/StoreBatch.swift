import Emulation
import JSON

/// What is written together: all of it, or nothing.
struct StoreBatch: Sendable {
    /// In the order in which it happened.
    var steps: [StoreStep] = []
    /// Worlds and snapshots that are gone in the end.
    var gone: [Int] = []
    var counts: JSON
    /// Records of the credentials that were issued since the batch before.
    var issued: [UInt8] = []
    /// Whether it has to be on disk when it is written; one that no answer waits for need not.
    var isSynced = true

    /// What comes after this one, where this one was not written.
    func followed(by next: StoreBatch) -> StoreBatch {
        StoreBatch(
            steps: steps + next.steps,
            gone: Set(gone).union(next.gone).sorted(),
            counts: next.counts,
            issued: issued + next.issued
        )
    }
}
