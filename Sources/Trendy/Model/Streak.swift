import CivilTime

/// Days in a row, in whole days of UTC (contract, section 10.10).
struct Streak: Sendable, Equatable {
    var firstDay: Instant
    var lastDay: Instant
    var length: Int

    /// A streak is current if its last day began at most that long ago.
    private static let currentFor = Interval.hours(48)

    /// The first of the longest streaks, and the last one if it is current.
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
