package import Backend
import CivilTime

/// A clock in its stored form.
package struct ClockRecord: Codable, Sendable, Equatable {
    var mode: String
    /// The time that it shows, or showed at `at`; nil for the machine's own time.
    var now: Instant?
    var rate: Double?
    /// The machine's time at `now`, for a clock that has run on since.
    var at: Instant?

    /// Creates a record of the clock's present time, from which a reader continues.
    package init(_ clock: WorldClock, at hostTime: HostTime) {
        mode = clock.mode.rawValue
        now = clock.mode == .real ? nil : clock.now(hostTime)
        rate = clock.mode == .offset ? clock.rate : nil
    }

    /// Creates a record of the clock as it was set; it runs on while the process is down.
    package init(running clock: WorldClock) {
        mode = clock.mode.rawValue
        now = clock.mode == .real ? nil : clock.base
        rate = clock.mode == .offset ? clock.rate : nil
        at = clock.mode == .offset ? clock.wallAnchor : nil
    }

    init(_ setting: WorldClock.Setting) {
        switch setting {
        case .real: mode = "real"
        case .offset(let start, let rate):
            mode = "offset"
            now = start
            self.rate = rate
        case .frozen(let instant):
            mode = "frozen"
            now = instant
        }
    }

    /// Returns the setting; nil, with the reported problems, if it is not valid.
    func setting(_ hostTime: HostTime, _ fault: (String, String) -> Void) -> WorldClock.Setting? {
        let range = WorldClock.earliest...WorldClock.latest
        if let now, !range.contains(now) {
            fault("now", "must be in the years 0000 to 9999")
            var others = self
            others.now = range.lowerBound
            _ = others.setting(hostTime, fault)
            return nil
        }
        switch mode {
        case "real":
            if now != nil || rate != nil { fault("mode", "a real clock has no now and no rate") }
            return .real
        case "frozen":
            if rate != nil { fault("rate", "a frozen clock has no rate") }
            return .frozen(now)
        case "offset":
            let isPaced = rate.map(WorldClock.rates.contains) ?? false
            if !isPaced { fault("rate", "an offset clock has now and a rate from 0.001 to 1000000") }
            if now == nil { fault("now", "missing: an offset clock has one") }
            guard let now, let rate, isPaced else { return nil }
            guard let at else { return .offset(now, rate: rate) }
            var clock = WorldClock(.offset(now, rate: rate), at: HostTime(wall: at, monotonic: at))
            let later = HostTime(wall: hostTime.wall, monotonic: max(hostTime.wall, at))
            let present = clock.now(later)
            clock.set(.frozen(present), at: later)
            return .offset(present, rate: rate)
        default:
            fault("mode", "must be one of real, offset, frozen")
            return nil
        }
    }
}
