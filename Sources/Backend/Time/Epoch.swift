public import CivilTime

/// The two anchors of a seed (control contract, section 5).
public struct Epoch: Sendable, Equatable {
    /// T0: the clock at the creation or reset of the world, floored to the second.
    public let t0: Instant
    /// D0: 00:00 UTC of that day.
    public let d0: Instant

    /// The anchors of a world that began then.
    public init(start: Instant) {
        t0 = start.flooredToSecond
        d0 = start.flooredToDay
    }
}
