package import Engine
package import JSON

/// Changes that are written together: all of them, or none.
package struct StoreBatch: Sendable {
    /// The steps in the order in which they happened.
    package var steps: [StoreStep] = []
    /// The worlds and snapshots that are gone in the end.
    package var gone: [Int] = []
    package var counts: JSON
    /// The records of the credentials that were issued since the batch before.
    package var issued: [UInt8] = []
    /// Tells whether a response waits for the batch, or may have to.
    package var isAwaited = true
    /// Tells whether the batch has to be on disk once it is written.
    package var isSynced = true

    /// Returns this batch, which was not written, merged with the next one.
    func followed(by next: StoreBatch) -> StoreBatch {
        StoreBatch(
            steps: steps + next.steps,
            gone: Set(gone).union(next.gone).sorted(),
            counts: next.counts,
            issued: issued + next.issued
        )
    }
}
