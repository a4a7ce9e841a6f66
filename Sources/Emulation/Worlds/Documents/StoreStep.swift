/// What a store has to write, in the order in which it happened.
package enum StoreStep: Sendable {
    /// A world or a snapshot is from now on what another is at this point; both are named by their keys.
    case branch(from: Int, to: Int)
    /// What has changed in a world or a snapshot.
    case changes(Emulator.Kept, WorldChanges)
}
