package import Backend
package import CivilTime

/// A world at an earlier moment (control contract, section 4).
///
/// It shares everything with the world until either is written.
package struct Snapshot {
    /// The snapshot's number, which no other world or snapshot ever has.
    package let key: Int
    package let name: String
    package var world: World
    /// The shell's clocks when it was taken.
    package let takenAt: HostTime
    /// The world's clock when it was taken.
    package let createdAt: Instant

    package init(key: Int, name: String, world: World, takenAt: HostTime, createdAt: Instant) {
        self.key = key
        self.name = name
        self.world = world
        self.takenAt = takenAt
        self.createdAt = createdAt
    }

    /// Returns the world with its clock continuing from the snapshot.
    package func resumed(at hostTime: HostTime) -> World {
        var copy = world
        copy.withCore { $0.clock.resume(from: takenAt, at: hostTime) }
        copy.tick(to: hostTime)
        return copy
    }
}

extension WorldClock {
    /// Continues now from the time that it showed then, with its setting.
    package mutating func resume(from then: HostTime, at hostTime: HostTime) {
        guard mode == .offset else { return }
        set(.offset(now(then), rate: rate), at: hostTime)
    }
}
