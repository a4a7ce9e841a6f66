package import CivilTime

/// The times of the shell's clocks at an event.
///
/// The core never reads a clock; it receives the time.
package struct HostTime: Sendable, Equatable {
    /// The machine's calendar clock, which may jump.
    package var wall: Instant
    /// A clock that only moves forward, of any origin.
    package var monotonic: Instant

    package init(wall: Instant, monotonic: Instant) {
        self.wall = wall
        self.monotonic = monotonic
    }
}
