import Emulation
import JSON

/// What is written together: all of it, or nothing.
struct StoreBatch: Sendable {
    /// One world or snapshot.
    struct Item: Sendable {
        var kept: Emulator.Kept
        var changes: WorldChanges
    }

    var items: [Item] = []
    /// Worlds and snapshots that are gone.
    var gone: [Int] = []
    var counts: JSON
    /// Records of the credentials that were issued since the batch before.
    var issued: [UInt8] = []
}
