import Backend
import CivilTime
import Conditions
import Worlds

/// A seed that the store has as a layer of its own.
struct StoredSeed {
    /// Its number among the store's steps, which no world and no snapshot has.
    let key: Int
    private let apis: [AnyAPI]
    private let days: [Instant]
    private let stubs: StubRegistry.Stamp?

    /// Creates the seed of a world that has just begun.
    init(key: Int, of world: World) {
        self.key = key
        apis = world.parts.map(\.api)
        days = world.parts.map(\.epoch.d0)
        stubs = world.stubs.stamp
    }

    /// Tells whether a world that has just begun has the same rows and stubs.
    func isSeed(of world: World) -> Bool {
        stubs === world.stubs.stamp && has(world.parts.map(\.api)) && days == world.parts.map(\.epoch.d0)
    }

    /// Tells whether it is made of these APIs, as their files were read.
    func has(_ others: [AnyAPI]) -> Bool { apis.elementsEqual(others) { $0 === $1 } }
}
