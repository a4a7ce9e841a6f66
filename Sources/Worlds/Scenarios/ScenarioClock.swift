package import CivilTime

/// A moment that a scenario moves the clock to, just before the start of a day or a month (UTC).
///
/// Written `nextDay-PT30S` or `nextMonth-PT30S`.
package struct ScenarioClock: Sendable, Equatable {
    enum Boundary: String, CaseIterable, Sendable { case nextDay, nextMonth }

    package static let form = "must be nextDay or nextMonth, with a duration to stay before it: nextDay-PT30S"

    let boundary: Boundary
    /// The interval before that start.
    let before: Interval

    package init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let boundary = Boundary(rawValue: parts[0]) else { return nil }
        self.boundary = boundary
        guard parts.count == 2 else {
            before = .zero
            return
        }
        guard parts[1].hasPrefix("P"), let length = try? Interval(iso8601Duration: parts[1]),
            (.zero..<Interval.days(1)).contains(length)
        else { return nil }
        before = length
    }

    /// Returns the interval from now to the next such moment.
    ///
    /// It takes the one after if the next start is nearer than `before`.
    package func distance(from now: Instant) -> Interval {
        let distance = boundary(after: now) - before - now
        return distance >= .zero ? distance : boundary(after: now + before) - before - now
    }

    private func boundary(after now: Instant) -> Instant {
        switch boundary {
        case .nextDay: return now.flooredToDay + .days(1)
        case .nextMonth:
            let date = now.civilDate
            let next = CivilDate(
                year: date.month == 12 ? date.year + 1 : date.year,
                month: date.month % 12 + 1,
                day: 1
            )
            return next.map { Instant(startOf: $0) } ?? now
        }
    }
}
