package import CivilTime

/// A world's one clock (control contract, section 5): a pure function from the shell's time to the world's.
package struct WorldClock: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        /// The machine's own time.
        case real
        /// Started at a given instant, running at a rate.
        case offset
        /// Stands still until advanced.
        case frozen
    }

    /// The setting of a clock, at the start, by a flag or by a request.
    package enum Setting: Sendable, Equatable {
        case real
        case offset(Instant, rate: Double)
        /// Frozen at that instant, or at the present one.
        case frozen(Instant?)
    }

    /// The last second whose year has four digits.
    package static let latest = Instant(seconds: 253_402_300_799)
    /// 0000-01-01T00:00:00Z.
    package static let earliest = Instant(seconds: -62_167_219_200)
    /// The rates at which a clock may run.
    package static let rates = 0.001...1_000_000.0

    package private(set) var mode: Mode
    /// World seconds per real second while the clock runs; 1 unless mode is `offset`.
    package private(set) var rate: Double
    package private(set) var base: Instant
    private var anchor: Instant
    /// The machine's time at the anchor.
    package private(set) var wallAnchor: Instant

    package init(_ setting: Setting, at hostTime: HostTime) {
        mode = .real
        rate = 1
        base = hostTime.wall
        anchor = hostTime.monotonic
        wallAnchor = hostTime.wall
        set(setting, at: hostTime)
    }

    package func now(_ hostTime: HostTime) -> Instant {
        switch mode {
        case .real: return min(max(hostTime.wall, Self.earliest), Self.latest)
        case .frozen: return base
        case .offset:
            let elapsed = max(hostTime.monotonic - anchor, .zero)
            guard rate != 1 else { return min(base + elapsed, Self.latest) }
            let scaled = Double(elapsed.microseconds) * rate
            guard scaled < 9e18 else { return Self.latest }
            return min(base + Interval(microseconds: Int64(scaled)), Self.latest)
        }
    }

    /// The world seconds in a real second: 0 while frozen.
    package var speed: Double { mode == .frozen ? 0 : rate }

    package mutating func set(_ setting: Setting, at hostTime: HostTime) {
        let present = now(hostTime)
        anchor = hostTime.monotonic
        wallAnchor = hostTime.wall
        switch setting {
        case .real:
            mode = .real
            rate = 1
            base = hostTime.wall
        case .offset(let start, let rate):
            mode = .offset
            self.rate = min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
            base = min(max(start, Self.earliest), Self.latest)
        case .frozen(let instant):
            mode = .frozen
            rate = 1
            base = min(max(instant ?? present, Self.earliest), Self.latest)
        }
    }

    /// Moves the clock forward.
    ///
    /// A frozen clock stays frozen. A real one becomes an offset one, because it no longer shows the machine's time.
    package mutating func advance(by interval: Interval, at hostTime: HostTime) {
        let target = min(now(hostTime) + max(interval, .zero), Self.latest)
        switch mode {
        case .frozen: base = target
        case .real: set(.offset(target, rate: 1), at: hostTime)
        case .offset: set(.offset(target, rate: rate), at: hostTime)
        }
    }
}
