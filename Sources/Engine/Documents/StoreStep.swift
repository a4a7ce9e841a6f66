package import Worlds

/// A step that a store has to write; steps are in the order in which they happened.
package enum StoreStep: Sendable {
    /// A world or a snapshot branches off another at this point; both are named by their keys.
    case branch(from: Int, to: Int)
    /// The changes of a world or a snapshot.
    case changes(Emulator.Kept, WorldChanges)
}
