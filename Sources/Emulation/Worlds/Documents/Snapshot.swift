package import CivilTime

/// A world as it once was (control contract, section 4).
///
/// It shares everything with the world until either is written.
package struct Snapshot {
    /// Never used for another world or snapshot.
    package let key: Int
    package let name: String
    package internal(set) var world: World
    /// The shell's clocks when it was taken.
    let takenAt: HostTime
    /// The world's clock when it was taken.
    package let createdAt: Instant

    /// The world with its clock going on from where it stood.
    func resumed(at hostTime: HostTime) -> World {
        var copy = world
        copy.withCore { $0.clock.resume(from: takenAt, at: hostTime) }
        copy.tick(to: hostTime)
        return copy
    }
}

extension WorldClock {
    /// Goes on now from what it showed then, as it was set.
    mutating func resume(from then: HostTime, at hostTime: HostTime) {
        guard mode == .offset else { return }
        set(.offset(now(then), rate: rate), at: hostTime)
    }
}
