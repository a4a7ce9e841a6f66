/// A length of time in whole microseconds; may be negative.
public struct Interval: Hashable, Comparable, Sendable {
    /// The length in microseconds.
    public var microseconds: Int64

    /// A length in microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// No time at all.
    public static let zero = Interval(microseconds: 0)

    /// A length in microseconds.
    public static func microseconds(_ count: Int64) -> Interval { Interval(microseconds: count) }

    /// A length in milliseconds; clamped when it does not fit.
    public static func milliseconds(_ count: Int64) -> Interval {
        Interval(microseconds: count.multipliedClamped(by: 1_000))
    }

    /// A length in seconds; clamped when it does not fit.
    public static func seconds(_ count: Int64) -> Interval {
        Interval(microseconds: count.multipliedClamped(by: 1_000_000))
    }

    /// A length in minutes; clamped when it does not fit.
    public static func minutes(_ count: Int64) -> Interval { .seconds(count.multipliedClamped(by: 60)) }

    /// A length in hours; clamped when it does not fit.
    public static func hours(_ count: Int64) -> Interval { .seconds(count.multipliedClamped(by: 3_600)) }

    /// A length in days of 86,400 seconds; clamped when it does not fit.
    public static func days(_ count: Int64) -> Interval { .seconds(count.multipliedClamped(by: 86_400)) }

    /// Whole milliseconds, rounded down.
    public var wholeMilliseconds: Int64 { microseconds.flooredQuotient(1_000) }

    /// Whole seconds, rounded down.
    public var wholeSeconds: Int64 { microseconds.flooredQuotient(1_000_000) }

    /// The same length in the other direction.
    public var negated: Interval { Interval(microseconds: Int64(0).subtractingClamped(microseconds)) }

    /// Shorter, in the signed sense.
    public static func < (left: Interval, right: Interval) -> Bool { left.microseconds < right.microseconds }

    /// The sum; clamped when it does not fit.
    public static func + (left: Interval, right: Interval) -> Interval {
        Interval(microseconds: left.microseconds.addingClamped(right.microseconds))
    }

    /// The difference; clamped when it does not fit.
    public static func - (left: Interval, right: Interval) -> Interval {
        Interval(microseconds: left.microseconds.subtractingClamped(right.microseconds))
    }
}
