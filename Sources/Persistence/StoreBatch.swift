package import Emulation
package import JSON

/// Changes that are written together: all of them, or none.
package struct StoreBatch: Sendable {
    /// In the order in which they happened.
    package var steps: [StoreStep] = []
    /// Worlds and snapshots that are gone in the end.
    package var gone: [Int] = []
    package var counts: JSON
    /// Records of the credentials that were issued since the batch before.
    package var issued: [UInt8] = []
    /// Tells that an answer waits for the batch, or may have to.
    package var isAwaited = true
    /// Tells that the batch has to be on disk when it is written.
    package var isSynced = true

    /// This batch, which was not written, and the next one after it.
    func followed(by next: StoreBatch) -> StoreBatch {
        StoreBatch(
            steps: steps + next.steps,
            gone: Set(gone).union(next.gone).sorted(),
            counts: next.counts,
            issued: issued + next.issued
        )
    }
}
