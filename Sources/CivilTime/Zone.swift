/// A time zone of the IANA database.
///
/// Offsets are exact from 2015 on; earlier instants follow the rules of 2015. `ZoneTable` is made from the database by
/// `scripts/embed-zones`.
package struct Zone: Sendable, Equatable {
    /// The IANA name.
    package let name: String
    /// The starts of the rules, oldest first; the first rule applies to all earlier times.
    private let eras: [(from: Int64, rule: ZoneRule)]

    /// Universal time.
    package static let utc = Zone(name: "UTC", eras: [(.min, .utc)])

    /// The names that `init(named:)` accepts, sorted, `UTC` first.
    package static let names: [String] = {
        let all = zones.keys.sorted()
        return ["UTC"] + all.filter { $0 != "UTC" }
    }()

    private static let zones: [String: Zone] = {
        var found = ["UTC": utc]
        found.reserveCapacity(640)
        // By bytes: the text is ASCII, and to look for characters would take twenty times as long.
        for line in ZoneTable.text.utf8.split(separator: UInt8(ascii: "\n")) {
            // rule[@from rule…]=names
            let halves = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard halves.count == 2 else { continue }
            var eras: [(from: Int64, rule: ZoneRule)] = []
            for era in halves[0].split(separator: UInt8(ascii: "@")) {
                let parts = era.split(separator: UInt8(ascii: "|"), maxSplits: 1)
                guard let last = parts.last, let rule = ZoneRule(posix: Substring(last)) else { continue }
                eras.append((parts.count == 2 ? Int64(Substring(parts[0])) ?? .min : .min, rule))
            }
            guard !eras.isEmpty else { continue }
            for name in halves[1].split(separator: UInt8(ascii: " ")) {
                let name = String(Substring(name))
                found[name] = Zone(name: name, eras: eras)
            }
        }
        return found
    }()

    private init(name: String, eras: [(from: Int64, rule: ZoneRule)]) {
        self.name = name
        self.eras = eras
    }

    /// The zone of that name, spelled exactly; nil if there is none.
    package init?(named name: String) {
        guard let zone = Self.zones[name] else { return nil }
        self = zone
    }

    package static func == (left: Zone, right: Zone) -> Bool { left.name == right.name }

    /// Seconds east of UTC at an instant.
    package func offset(at instant: Instant) -> Int64 {
        let second = instant.seconds
        guard let era = eras.last(where: { $0.from <= second }) ?? eras.first else { return 0 }
        return era.rule.offset(at: second)
    }

    /// The day on which an instant falls here.
    package func date(of instant: Instant) -> CivilDate {
        Instant(seconds: instant.seconds.addingClamped(offset(at: instant))).civilDate
    }

    /// The first instant of a day here; the end of the gap when its midnight is skipped.
    package func start(of date: CivilDate) -> Instant {
        let plain = Instant(startOf: date)
        let around = [offset(at: plain - .days(1)), offset(at: plain), offset(at: plain + .days(1))]
        let candidates = around.map { plain - .seconds($0) }.sorted()
        return candidates.first { self.date(of: $0) == date } ?? plain - .seconds(around[1])
    }
}
