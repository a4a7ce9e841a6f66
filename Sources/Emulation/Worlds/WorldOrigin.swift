import CivilTime

/// The state with which a fork began, or a world that was made from a snapshot (console contract, section 5).
///
/// It shares its rows with the world until they are written. A world that began with the seed has none.
struct WorldOrigin {
    /// Its number in the store, which no world and no snapshot has.
    let key: Int
    /// The world at its beginning, without its journal.
    private(set) var world: World
    /// The shell's clocks at that time.
    let takenAt: HostTime
    /// The APIs that were reset since, whose rows are compared with the seed.
    private(set) var resets: [String]

    init(key: Int, _ world: World, takenAt: HostTime, resets: [String] = []) {
        self.key = key
        self.world = world.withoutJournal
        self.takenAt = takenAt
        self.resets = resets
    }

    /// The states by the index of their API; nil for an API that began with the seed.
    var boxes: [AnyStateBox?] { world.parts.map { resets.contains($0.api.identity.name) ? nil : $0.box } }

    mutating func noteReset(of api: String) {
        if !resets.contains(api) { resets.append(api) }
    }

    /// Makes the next `takeChanges` return everything.
    mutating func untrack() { world.untrack() }

    /// Returns the changes since the last call; everything at the first.
    mutating func takeChanges(_ apis: [AnyAPI]) -> WorldChanges {
        world.takeChanges(apis, clock: ClockRecord(world.core.clock, at: takenAt))
    }
}
