package import CivilTime
package import HTTPMessage

/// A wait in a timeline (control contract, section 5).
///
/// It ends when real time has passed (unless only the world's clock counts) or when the world's clock has moved that
/// far. Setting a clock back is no movement, and does not revert earlier ones.
package struct Wait: Sendable {
    /// The time at which it began, on the loop's clock.
    let began: Instant
    private let waiting: Waiting
    /// The time at which real time alone ends it.
    private let realEnd: Instant
    /// The reading of the world's clock that ends it.
    private var worldEnd: Instant
    private var clock: ClockReading
    /// The time at which `clock` was read, on the loop's own clock.
    private var clockRead: Instant

    /// Begins a wait.
    ///
    /// - Parameters:
    ///   - length: The length of the wait.
    ///   - waiting: The clocks that can end it.
    ///   - now: The loop's monotonic time.
    ///   - clock: The world's clock at that moment.
    ///   - surplus: The time by which the world's clock exceeded the wait before it, which counts for this one: a clock
    ///     that is advanced by a minute ends all the waits of that minute.
    package init(
        _ length: Interval,
        _ waiting: Waiting,
        now: Instant,
        clock: ClockReading,
        surplus: Interval = .zero
    ) {
        began = now
        self.waiting = waiting
        self.clock = clock
        realEnd = now + length
        worldEnd = clock.now + length - surplus
        clockRead = now
    }

    /// The reading of the world's clock that ends it.
    package var worldReading: Instant { worldEnd }

    /// The present end on the loop's clock; nil while only a change of the world's clock can end it.
    package var end: Instant? {
        switch waiting {
        case .either: worldEndInRealTime.map { min($0, realEnd) } ?? realEnd
        case .world: worldEndInRealTime
        }
    }

    /// Returns the time by which the world's clock exceeds the end that it caused; zero when real time ended the wait.
    package func surplus(at now: Instant) -> Interval {
        if waiting == .either, now >= realEnd { return .zero }
        return max(clock.now + Self.scaled(now - clockRead, by: clock.rate) - worldEnd, .zero)
    }

    /// Adjusts to a world's clock that was set, advanced, frozen or released.
    package mutating func clockChanged(to reading: ClockReading, now: Instant) {
        let expected = clock.now + Self.scaled(now - clockRead, by: clock.rate)
        if reading.now < expected { worldEnd = worldEnd - (expected - reading.now) }
        clock = reading
        clockRead = now
    }

    private var worldEndInRealTime: Instant? {
        let left = worldEnd - clock.now
        guard left > .zero else { return clockRead }
        guard clock.rate > 0 else { return nil }
        guard clock.rate != 1 else { return clockRead + left }
        return clockRead + Self.scaled(left, by: 1 / clock.rate)
    }

    /// Returns a scaled interval, rounded up so that nothing ends early, and clamped to the representable range.
    private static func scaled(_ length: Interval, by factor: Double) -> Interval {
        guard factor != 1 else { return length }
        let product = (Double(length.microseconds) * factor).rounded(.up)
        guard product.isFinite, product < 9e18 else { return Interval(microseconds: .max) }
        return Interval(microseconds: Int64(max(product, -9e18)))
    }
}
