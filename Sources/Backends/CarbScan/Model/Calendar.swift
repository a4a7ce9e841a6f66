import CivilTime

/// Days and months of the world's time zone (D17).
struct Calendar: Sendable {
    let zone: Zone

    /// The day that contains an instant.
    func day(of instant: Instant) -> Period {
        let date = zone.date(of: instant)
        return Period(start: start(ofDay: date.daysSinceEpoch), end: start(ofDay: date.daysSinceEpoch + 1))
    }

    /// The month that contains an instant.
    func month(of instant: Instant) -> Period {
        let date = zone.date(of: instant)
        let first = date.daysSinceEpoch - Int64(date.day - 1)
        let length = CivilDate.daysInMonth(date.month, ofYear: date.year)
        return Period(start: start(ofDay: first), end: start(ofDay: first + Int64(length)))
    }

    /// Days `first` to `last`, counted back from the one that contains an instant.
    func days(_ range: ClosedRange<Int64>, before instant: Instant) -> Period {
        let today = zone.date(of: instant).daysSinceEpoch
        return Period(
            start: start(ofDay: today - range.upperBound),
            end: start(ofDay: today - range.lowerBound + 1)
        )
    }

    private func start(ofDay day: Int64) -> Instant { zone.start(of: CivilDate(daysSinceEpoch: day)) }
}

/// A half-open stretch of time.
struct Period: Sendable, Equatable {
    var start: Instant
    var end: Instant

    func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }
}
