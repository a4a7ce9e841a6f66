package import CivilTime

/// The two anchors of a seed (control contract, section 5).
package struct Epoch: Sendable, Equatable {
    /// T0: the clock at the creation or reset of the world, floored to the second.
    package let t0: Instant
    /// D0: 00:00 UTC of that day.
    package let d0: Instant

    package init(start: Instant) {
        t0 = start.flooredToSecond
        d0 = start.flooredToDay
    }
}
