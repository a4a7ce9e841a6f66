package import CivilTime

/// What the shell's clocks showed when something arrived.
///
/// The core never reads a clock; it is told.
package struct HostTime: Sendable, Equatable {
    /// The machine's calendar clock; may jump.
    package var wall: Instant
    /// A clock that only moves forward, of any origin.
    package var monotonic: Instant

    package init(wall: Instant, monotonic: Instant) {
        self.wall = wall
        self.monotonic = monotonic
    }
}
