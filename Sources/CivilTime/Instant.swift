/// A point in time: whole microseconds since 1970-01-01T00:00:00Z.
///
/// Microseconds are what the finest of the emulated stores keeps; every printed form cuts (floors) from here.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
    public var microseconds: Int64

    /// The instant that many microseconds after 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The instant that many whole seconds after 1970; the nearest representable one when it does not fit.
    public init(seconds: Int64) {
        self.microseconds = seconds.multipliedClamped(by: 1_000_000)
    }

    /// 1970-01-01T00:00:00Z.
    public static let epoch = Instant(microseconds: 0)

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { microseconds.flooredQuotient(1_000_000) }

    /// Whole milliseconds since 1970, rounded down.
    public var milliseconds: Int64 { microseconds.flooredQuotient(1_000) }

    /// The same instant without its fraction of a second.
    public var flooredToSecond: Instant { Instant(seconds: seconds) }

    /// 00:00:00 UTC of the same day.
    public var flooredToDay: Instant { Instant(seconds: seconds.flooredQuotient(86_400).multipliedClamped(by: 86_400)) }

    /// Earlier on the time line.
    public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    /// The instant moved by an interval; stays at the ends of the representable range.
    public static func + (left: Instant, right: Interval) -> Instant {
        Instant(microseconds: left.microseconds.addingClamped(right.microseconds))
    }

    /// The instant moved back by an interval; stays at the ends of the representable range.
    public static func - (left: Instant, right: Interval) -> Instant {
        Instant(microseconds: left.microseconds.addingClamped(right.negated.microseconds))
    }

    /// Returns the time from the right instant to the left one.
    public static func - (left: Instant, right: Instant) -> Interval {
        Interval(microseconds: left.microseconds.subtractingClamped(right.microseconds))
    }
}
