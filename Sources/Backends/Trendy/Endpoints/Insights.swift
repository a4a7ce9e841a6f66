import Backend
import CivilTime
import HTTPMessage
import JSON

/// Findings in the events (contract, section 10.10).
extension TrendyAPI {
    static let insightEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/insights",
            "All insights; they are made anew when they are older than 6 hours",
            provenance: .beyondTheDocument,
            answers: [.json(InsightsResponse.self, "The insights")] + protected,
            metadata: .backend
        ) { state, core, call throws(APIError) in json(insights(&state, &core, call), state, call) },
        Endpoint(
            .get,
            "/api/v1/insights/correlations",
            "What goes together",
            provenance: .beyondTheDocument,
            answers: [.json(CorrelationsResponse.self, "The correlations")] + protected,
            metadata: .backend
        ) { state, core, call throws(APIError) in
            json(CorrelationsResponse(all: insights(&state, &core, call)), state, call)
        },
        Endpoint(
            .get,
            "/api/v1/insights/streaks",
            "Days in a row, longest first",
            provenance: .beyondTheDocument,
            answers: [.json(StreaksResponse.self, "The streaks")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(StreaksResponse(streaks: streaks(state, call)), state, call) },
        Endpoint(
            .get,
            "/api/v1/insights/weekly-summary",
            "This week against the last one, busiest first",
            provenance: .beyondTheDocument,
            answers: [.json(WeeksResponse.self, "The types with events in either week")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(WeeksResponse(weeks: weeks(state, call)), state, call) },
        Endpoint(
            .post,
            "/api/v1/insights/refresh",
            "Makes the insights anew",
            provenance: .beyondTheDocument,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "Done",
                    .json(
                        name: "Refreshed",
                        schema: .object(
                            JSONSchema.Object([
                                JSONSchema.Property("message", .string()), JSONSchema.Property("status", .string()),
                            ])
                        ),
                        contentType: "application/json"
                    ),
                    example: ["message": "insights refreshed", "status": "success"]
                )
            ] + protected,
            metadata: .backend
        ) { state, core, call throws(APIError) in
            compute(&state, &core, call)
            return json(["message": "insights refreshed", "status": "success"])
        },
    ]

    private static let insightLife = Interval.hours(6)
    /// The shortest streak that counts as an insight.
    private static let shortestStreak = 2

    // MARK: Insights

    private static func insights(_ state: inout TrendyState, _ core: inout WorldCore, _ call: Call) -> InsightsResponse
    {
        let stored = state.insights.rows(in: user(call))
        let isValid = stored.contains { call.now < $0.validUntil.resolved(in: call.epoch) }
        if !isValid { compute(&state, &core, call) }
        let days = Set(
            state.events.rows(in: user(call)).map { $0.timestamp.resolved(in: call.epoch).flooredToDay }
        )
        return InsightsResponse(
            insights: state.insights.rows(in: user(call)),
            weeks: weeks(state, call),
            totalDays: days.count
        )
    }

    /// Computes streaks; correlations and patterns come from the seed, and stay as long as there are events.
    private static func compute(_ state: inout TrendyState, _ core: inout WorldCore, _ call: Call) {
        let user = user(call)
        let (now, end) = (Timestamp.at(call.now), Timestamp.at(call.now + insightLife))
        let events = state.events.rows(in: user)
        for row in state.insights.rows(in: user) {
            guard row.kind != .streak, !events.isEmpty else {
                state.insights.remove(row.id)
                continue
            }
            state.insights.update(row.id) { row in
                row.computedAt = now
                row.validUntil = end
            }
        }
        for type in eventTypes(state, call) {
            let times = times(of: type, events, call)
            guard let current = Streak.of(times, at: call.now).current, current.length >= shortestStreak else {
                continue
            }
            let insight = Insight(
                uuid: TrendyState.newID(.insight, &core) { state.insights.contains(OwnedKey.text(user, $0)) },
                userId: user,
                kind: .streak,
                category: .streak,
                title: "\(type.name) streak",
                description: "\(type.name) on \(current.length) days in a row",
                eventTypeAId: type.uuid,
                metricValue: Double(current.length),
                sampleSize: current.length,
                confidence: .high,
                direction: .positive,
                computedAt: now,
                validUntil: end,
                createdAt: now
            )
            state.insights.insert(insight)
        }
    }

    private static func times(of type: EventType, _ events: [Event], _ call: Call) -> [Instant] {
        events.compactMap { $0.eventTypeId == type.uuid ? $0.timestamp.resolved(in: call.epoch) : nil }
    }

    // MARK: Streaks

    private static func streaks(_ state: TrendyState, _ call: Call) -> [StreakResponse] {
        let events = state.events.rows(in: user(call))
        var found: [StreakResponse] = []
        for type in eventTypes(state, call) {
            let (current, longest) = Streak.of(times(of: type, events, call), at: call.now)
            for (kind, streak) in [(StreakResponse.Kind.current, current), (.longest, longest)] {
                guard let streak else { continue }
                found.append(
                    StreakResponse(userId: user(call), type: type, kind: kind, streak: streak, now: .at(call.now))
                )
            }
        }
        return found.indices
            .sorted { (-found[$0].streak.length, $0) < (-found[$1].streak.length, $1) }
            .map { found[$0] }
    }

    // MARK: Weeks

    /// The start of the week: Sunday, 00:00 UTC.
    static func weekStart(_ now: Instant) -> Instant {
        let day = now.flooredToDay
        return day - .days(Int64(day.civilDate.weekday.rawValue % 7))
    }

    private static func weeks(_ state: TrendyState, _ call: Call) -> [WeekResponse] {
        let start = weekStart(call.now)
        let (former, end) = (start - .days(7), start + .days(7))
        let events = state.events.rows(in: user(call))
        let weeks = eventTypes(state, call).compactMap { type -> WeekResponse? in
            let times = times(of: type, events, call)
            let week = WeekResponse(
                type: type,
                thisWeek: times.count { $0 >= start && $0 < end },
                lastWeek: times.count { $0 >= former && $0 < start }
            )
            return week.thisWeek == 0 && week.lastWeek == 0 ? nil : week
        }
        return weeks.indices
            .sorted { (-weeks[$0].thisWeek, $0) < (-weeks[$1].thisWeek, $1) }
            .map { weeks[$0] }
    }
}
