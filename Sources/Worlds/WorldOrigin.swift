package import Backend

/// The state with which a world began: by its making, as a fork or from a snapshot, or by its last reset (console
/// contract, section 5).
///
/// It shares its rows with the world until they are written. Without a store a world that began with the seed has none:
/// its parts know their seed. With one it needs its own, because the next process may have other seeds.
package struct WorldOrigin {
    /// Its number in the store, which no world and no snapshot has.
    package let key: Int
    /// The world at its beginning, without its journal.
    package private(set) var world: World
    /// The APIs that began with the seed, or were reset since: the credentials in their rows are good in the world.
    package private(set) var seeded: [String]

    package init(key: Int, _ world: World, seeded: [String]) {
        self.key = key
        self.world = world.withoutJournal
        self.seeded = seeded
    }

    /// Creates the beginning of a world without a journal, whose changes were taken.
    package init(key: Int, taken world: World, seeded: [String]) {
        self.key = key
        self.world = world
        self.seeded = seeded
    }

    /// Returns an API's part if its rows come from another world, whose credentials are not good in this one.
    package func foreignState(_ index: Int) -> AnyStateBox? {
        seeded.contains(world.parts[index].name) ? nil : world.parts[index].box
    }

    /// Notes that one API of the world was reset.
    package mutating func takePart(_ index: Int, of world: World) {
        self.world.takePart(index, of: world)
        let name = world.parts[index].name
        if !seeded.contains(name) { seeded.append(name) }
    }

    /// Makes the next `takeChanges` return everything.
    package mutating func untrack() { world.untrack() }

    /// Returns the changes since the last call; everything at the first.
    package mutating func takeChanges(_ apis: [AnyAPI]) -> WorldChanges {
        world.takeChanges(apis, clock: ClockRecord(running: world.core.clock))
    }
}
