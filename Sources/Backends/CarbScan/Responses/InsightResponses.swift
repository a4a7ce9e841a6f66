import Backend
import CivilTime

/// Sums, trend and extremes of the last 30 days (section 7.16); whole numbers, rounded half away from zero.
struct Insights: ResponseModel {
    struct Span: ResponseModel {
        var total = 0
        var count = 0
        /// The divisor of the average: all days, including those without meals (D14).
        var days: Int

        static let shape = ResponseSchema<Self>(
            "InsightSpan",
            [
                .integer("totalCarbs") { $0.total },
                .integer("dailyAverage") { Insights.rounded($0.total, dividedBy: $0.days) },
                .integer("mealCount") { $0.count },
            ]
        )
    }

    struct Today: ResponseModel {
        var span: Span

        static let shape = ResponseSchema<Self>(
            "InsightToday",
            [.integer("totalCarbs") { $0.span.total }, .integer("mealCount") { $0.span.count }]
        )
    }

    struct Summary: ResponseModel {
        var insights: Insights

        static let shape = ResponseSchema<Self>(
            "InsightSummary",
            [
                .object("today") { Today(span: $0.insights.today) },
                .object("weekly") { $0.insights.week },
                .object("monthly") { $0.insights.month },
            ]
        )
    }

    struct Trends: ResponseModel {
        var insights: Insights

        static let shape = ResponseSchema<Self>(
            "InsightTrends",
            [
                .string("direction", oneOf: ["decreasing", "increasing", "stable", "down", "up"]) {
                    $0.insights.direction
                },
                .integer("percentageChange") { $0.insights.change },
                .string("comparison", oneOf: ["vs previous week"]) { _ in "vs previous week" },
            ]
        )
    }

    struct Extreme: ResponseModel {
        var meal: Meal

        static let shape = ResponseSchema<Self>(
            "InsightMeal",
            [
                .string("name") { $0.meal.name },
                .integer("carbs") { $0.meal.carbEstimate },
                .time("date") { $0.meal.createdAt },
            ]
        )
    }

    struct Highlights: ResponseModel {
        var insights: Insights

        static let shape = ResponseSchema<Self>(
            "InsightHighlights",
            [
                .nullableObject("highestCarbMeal") { $0.insights.highest.map { Extreme(meal: $0) } },
                .nullableObject("lowestCarbMeal") { $0.insights.lowest.map { Extreme(meal: $0) } },
            ]
        )
    }

    var today = Span(days: 1)
    var week = Span(days: 7)
    var month = Span(days: 30)
    var previousWeek = Span(days: 7)
    var highest: Meal?
    var lowest: Meal?
    var words = CarbScanSettings.TrendWords.document

    static let shape = ResponseSchema<Self>(
        "Insights",
        [
            .object("summary") { Summary(insights: $0) },
            .object("trends") { Trends(insights: $0) },
            .object("highlights") { Highlights(insights: $0) },
        ]
    )

    /// Counts meals by their time; later ones of today count, those after today do not.
    init(_ meals: [(meal: Meal, time: Instant)], at now: Instant, _ calendar: Calendar) {
        let day = calendar.day(of: now)
        let last = calendar.days(0...6, before: now)
        let previous = calendar.days(7...13, before: now)
        let all = calendar.days(0...29, before: now)
        var extremes: (highest: (meal: Meal, time: Instant), lowest: (meal: Meal, time: Instant))?
        for entry in meals {
            func add(_ span: inout Span, _ period: Period) {
                guard period.contains(entry.time) else { return }
                span.total = span.total.addingClamped(entry.meal.carbEstimate)
                span.count += 1
            }
            add(&today, day)
            add(&week, last)
            add(&previousWeek, previous)
            add(&month, all)
            guard all.contains(entry.time) else { continue }
            guard let present = extremes else {
                extremes = (entry, entry)
                continue
            }
            /// Orders meals by time, then by id.
            func isLater(than other: (meal: Meal, time: Instant)) -> Bool {
                (entry.time, entry.meal.number) > (other.time, other.meal.number)
            }
            let carbs = entry.meal.carbEstimate
            let high = present.highest.meal.carbEstimate
            let low = present.lowest.meal.carbEstimate
            if carbs > high || carbs == high && isLater(than: present.highest) { extremes?.highest = entry }
            if carbs < low || carbs == low && isLater(than: present.lowest) { extremes?.lowest = entry }
        }
        highest = extremes?.highest.meal
        lowest = extremes?.lowest.meal
    }

    /// The change from the week before, in whole per cent; 0 if there is nothing to compare with.
    var change: Int {
        previousWeek.total == 0
            ? 0
            : Self.rounded(
                week.total.subtractingClamped(previousWeek.total).multipliedClamped(by: 100),
                dividedBy: previousWeek.total
            )
    }

    var direction: String {
        switch (change.signum(), words) {
        case (-1, .document): "decreasing"
        case (1, .document): "increasing"
        case (-1, .client): "down"
        case (1, .client): "up"
        default: "stable"
        }
    }

    /// Rounds half away from zero; the divisor is above 0.
    static func rounded(_ number: Int, dividedBy divisor: Int) -> Int {
        // Both are doubled below.
        let most = Int.max / 4
        let (number, divisor) = (min(max(number, -most), most), min(max(divisor, 1), most))
        return number.signum() * ((2 * abs(number) + divisor) / (2 * divisor))
    }
}
