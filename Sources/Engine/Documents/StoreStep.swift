package import Worlds

/// A step that a store has to write; steps are in the order in which they happened.
package enum StoreStep: Sendable {
    /// A seed, which worlds branch off by that key; `live` are the keys of all seeds that later steps may name.
    ///
    /// The store keeps equal seeds once, also those of other processes.
    case seed(key: Int, WorldChanges, live: [Int])
    /// A world or a snapshot branches off another, or off a seed, at this point; both are named by their keys.
    case branch(from: Int, to: Int)
    /// The changes of a world or a snapshot.
    case changes(Emulator.Kept, WorldChanges)
}
