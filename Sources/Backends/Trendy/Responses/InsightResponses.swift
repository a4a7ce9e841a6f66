import Backend
import JSON

extension Insight: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Insight",
        [
            .string("id") { $0.uuid },
            .string("user_id") { $0.userId },
            .choice("insight_type") { $0.kind },
            .choice("category") { $0.category },
            .string("title") { $0.title },
            .string("description") { $0.description },
            .optionalString("event_type_a_id") { $0.eventTypeAId },
            .optionalString("event_type_b_id") { $0.eventTypeBId },
            .optionalString("property_key") { $0.propertyKey },
            .number("metric_value") { $0.metricValue },
            .optionalNumber("p_value") { $0.pValue },
            .integer("sample_size") { $0.sampleSize },
            .choice("confidence") { $0.confidence },
            .choice("direction") { $0.direction },
            .optionalJSON("metadata", .object(JSONSchema.Object())) { $0.metadata },
            .time("computed_at") { $0.computedAt },
            .time("valid_until") { $0.validUntil },
            .time("created_at") { $0.createdAt },
        ]
    )
}

/// All insights of a user (section 10.10).
struct InsightsResponse: ResponseModel {
    var insights: [Insight]
    var weeks: [WeekResponse]
    var totalDays: Int

    func computedAt() -> Timestamp { insights.first?.computedAt ?? TimeText.never }

    private func only(_ kind: Insight.Kind) -> [Insight] { insights.filter { $0.kind == kind } }

    static let shape = ResponseSchema<Self>(
        "Insights",
        [
            .array("correlations") { $0.only(.correlation) },
            .array("patterns") { $0.only(.pattern) },
            .array("streaks") { $0.only(.streak) },
            .array("weekly_summary") { $0.weeks },
            .time("computed_at") { $0.computedAt() },
            .boolean("data_sufficient") { !$0.insights.isEmpty },
            .integer("total_days") { $0.insights.isEmpty ? 0 : $0.totalDays },
        ]
    )
}

struct CorrelationsResponse: ResponseModel {
    var all: InsightsResponse

    static let shape = ResponseSchema<Self>(
        "Correlations",
        [
            .time("computed_at") { $0.all.computedAt() },
            .array("correlations") { view in view.all.insights.filter { $0.kind == .correlation } },
        ]
    )
}

/// Consecutive days with events (section 10.10).
struct StreakResponse: ResponseModel {
    enum Kind: String, CaseIterable, Sendable { case current, longest }

    var userId: String
    var type: EventType
    var kind: Kind
    var streak: Streak
    var now: Timestamp

    static let shape = ResponseSchema<Self>(
        "Streak",
        [
            .string("id") { UUIDText.derived(from: "streak \($0.kind.rawValue) \($0.type.id)") },
            .string("user_id") { $0.userId },
            .string("event_type_id") { $0.type.uuid },
            .choice("streak_type") { $0.kind },
            .time("start_date") { .at($0.streak.firstDay) },
            .optionalTime("end_date") { $0.kind == .longest ? .at($0.streak.lastDay) : nil },
            .integer("length") { $0.streak.length },
            .boolean("is_active") { $0.kind == .current },
            .time("created_at") { $0.type.createdAt },
            .time("updated_at") { $0.now },
        ]
    )
}

struct StreaksResponse: ResponseModel {
    var streaks: [StreakResponse]

    static let shape = ResponseSchema<Self>("Streaks", [.array("streaks") { $0.streaks }])
}

/// The comparison of this week with the last one, for a type (section 10.10).
struct WeekResponse: ResponseModel {
    enum Direction: String, CaseIterable, Sendable { case up, down, same }

    var type: EventType
    var thisWeek: Int
    var lastWeek: Int

    var changePercent: Double { lastWeek == 0 ? 100 : Double(thisWeek - lastWeek) / Double(lastWeek) * 100 }

    var direction: Direction {
        if changePercent > 5 { return .up }
        return changePercent < -5 ? .down : .same
    }

    static let shape = ResponseSchema<Self>(
        "WeeklySummary",
        [
            .string("event_type_id") { $0.type.uuid },
            .string("event_type_name") { $0.type.name },
            .string("event_type_color") { $0.type.color },
            .string("event_type_icon") { $0.type.icon },
            .integer("this_week_count") { $0.thisWeek },
            .integer("last_week_count") { $0.lastWeek },
            .number("change_percent") { $0.changePercent },
            .choice("direction") { $0.direction },
        ]
    )
}

struct WeeksResponse: ResponseModel {
    var weeks: [WeekResponse]

    static let shape = ResponseSchema<Self>("WeeklySummaries", [.array("weekly_summary") { $0.weeks }])
}

/// The frequency of events over time (section 10.11).
struct TrendResponse: ResponseModel {
    struct Point: ResponseModel {
        var date: Timestamp
        var count: Int

        static let shape = ResponseSchema<Self>(
            "TrendPoint",
            [.time("date") { $0.date }, .integer("count") { $0.count }]
        )
    }

    enum Trend: String, CaseIterable, Sendable { case increasing, decreasing, stable }

    var eventTypeID: String
    var period: String
    var data: [Point]

    var average: Double {
        data.isEmpty ? 0 : Double(data.reduce(0) { $0 + $1.count }) / Double(data.count)
    }

    /// The direction of the least-squares line through the buckets.
    var trend: Trend {
        guard data.count > 1 else { return .stable }
        let count = Double(data.count)
        var sums = (x: 0.0, y: 0.0, xy: 0.0, xx: 0.0)
        for (place, point) in data.enumerated() {
            let (x, y) = (Double(place), Double(point.count))
            sums = (sums.x + x, sums.y + y, sums.xy + x * y, sums.xx + x * x)
        }
        let slope = (count * sums.xy - sums.x * sums.y) / (count * sums.xx - sums.x * sums.x)
        if slope.magnitude <= 0.1 { return .stable }
        return slope > 0 ? .increasing : .decreasing
    }

    static let shape = ResponseSchema<Self>(
        "Trend",
        [
            .string("event_type_id") { $0.eventTypeID },
            .string("period") { $0.period },
            .array("data") { $0.data },
            .number("average") { $0.average },
            .choice("trend") { $0.trend },
        ]
    )
}

struct SummaryResponse: ResponseModel {
    var total: Int
    var counts: [(type: String, count: Int)]
    var recent: [Event]

    static let shape = ResponseSchema<Self>(
        "AnalyticsSummary",
        [
            .integer("total_events") { $0.total },
            .custom(
                "event_type_counts",
                .object(JSONSchema.Object(additionalProperties: .schema(.integer(minimum: 0))))
            ) { value, writer in
                writer.json.beginObject()
                for (type, count) in value.counts {
                    writer.json.name(type)
                    writer.json.integer(Int64(count))
                }
                writer.json.endObject()
            },
            .array("recent_events") { $0.recent },
        ]
    )
}
