import CivilTime

/// Consecutive days with events, in whole days of UTC (contract, section 10.10).
struct Streak: Sendable, Equatable {
    var firstDay: Instant
    var lastDay: Instant
    var length: Int

    /// The largest age of the last day's beginning for a streak to be current.
    private static let currentFor = Interval.hours(48)

    /// The first of the longest streaks, and the last streak if it is current.
    static func of(_ times: [Instant], at now: Instant) -> (current: Streak?, longest: Streak?) {
        var streaks: [Streak] = []
        for day in Set(times.map(\.flooredToDay)).sorted() {
            if let last = streaks.last, day - last.lastDay == .days(1) {
                streaks[streaks.count - 1].lastDay = day
                streaks[streaks.count - 1].length += 1
            } else {
                streaks.append(Streak(firstDay: day, lastDay: day, length: 1))
            }
        }
        var longest = streaks.first
        for streak in streaks where streak.length > (longest?.length ?? 0) { longest = streak }
        let current = streaks.last.flatMap { now - $0.lastDay <= currentFor ? $0 : nil }
        return (current, longest)
    }
}
