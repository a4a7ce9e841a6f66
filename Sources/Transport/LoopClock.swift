package import CivilTime

/// The times of a turn of the event loop, which its application may hold without holding the loop.
package final class LoopClock {
    package internal(set) var monotonic: Instant
    package internal(set) var wall: Instant

    init(monotonic: Instant, wall: Instant) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
