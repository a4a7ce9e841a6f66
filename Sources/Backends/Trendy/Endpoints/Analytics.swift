import Backend
import CivilTime
import HTTPMessage
import JSON

/// Counts over time (contract, section 10.11); the app declares other shapes and never calls these.
extension TrendyAPI {
    static let analyticsEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/analytics/summary",
            "How many events of each type, and the last ten",
            provenance: .beyondTheDocument,
            answers: [.json(SummaryResponse.self, "The summary")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            let events = newestFirst(state, call)
            var counts: [String: Int] = [:]
            for event in events { counts[event.eventTypeId, default: 0] += 1 }
            let sortedCounts = counts.sorted { $0.key < $1.key }.map { (type: $0.key, count: $0.value) }
            let summary = SummaryResponse(total: events.count, counts: sortedCounts, recent: Array(events.prefix(10)))
            return json(summary, state, call)
        },
        Endpoint(
            .get,
            "/api/v1/analytics/trends",
            "How often each type happened over time",
            provenance: .beyondTheDocument,
            parameters: trendParameters,
            answers: [list(TrendResponse.self, "A trend for each type with events in the range"), badDates] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            let range = try TrendRange(call)
            let events = state.events.rows(in: user(call))
            let trends = eventTypes(state, call).compactMap { type -> TrendResponse? in
                let view = range.trend(of: type.uuid, events, call)
                return view.data.contains { $0.count > 0 } ? view : nil
            }
            return json(list: trends, state, call)
        },
        Endpoint(
            .get,
            "/api/v1/analytics/event-type/{id}",
            "How often one type happened over time",
            provenance: .beyondTheDocument,
            parameters: [pathID("an event type")] + trendParameters,
            answers: [
                .json(TrendResponse.self, "The trend"),
                badDates,
                APIError.declared(.notFound, "event type not found", "Unknown, or another user's"),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            let range = try TrendRange(call)
            let type = try eventType(state, call, isRead: true)
            return json(range.trend(of: type.uuid, state.events.rows(in: user(call)), call), state, call)
        },
    ]

    private static let trendParameters = [
        Parameter(
            "period",
            in: .query,
            .string(),
            "week, month (if it is not sent) or year; year has buckets of 7 days"
        ),
        Parameter("start_date", in: .query, date, "30 days before the end if it is not sent"),
        Parameter("end_date", in: .query, date, "Now if it is not sent"),
    ]

    private static let badDates = APIError.declared(
        .badRequest,
        "start_date must be an RFC 3339 date with time and zone",
        "A bad date, or a reversed or far too long range"
    )
}

/// The period of a trend, in buckets.
private struct TrendRange {
    /// The largest number of buckets: ten years of days.
    private static let mostBuckets: Int64 = 3_660

    let period: String
    let start: Instant
    let bucket: Interval
    let count: Int

    init(_ call: Call) throws(APIError) {
        let sent = call.query.first("period") ?? ""
        period = sent.isEmpty ? "month" : sent
        bucket = .days(period == "year" ? 7 : 1)
        let dates = try TrendyAPI.dateRange(call)
        let end = dates.end ?? call.now
        start = dates.start ?? end - .days(30)
        guard start <= end else { throw .badRequest("start_date must not be after end_date") }
        // The last bucket may extend beyond the end.
        let whole = (end - start).microseconds / bucket.microseconds
        let needed = whole + ((end - start).microseconds % bucket.microseconds == 0 ? 0 : 1)
        guard needed <= Self.mostBuckets else { throw .badRequest("the range is longer than ten years of buckets") }
        count = Int(needed)
    }

    func trend(of type: String, _ events: [Event], _ call: Call) -> TrendResponse {
        var counts = Array(repeating: 0, count: count)
        for event in events where event.eventTypeId == type {
            let offset = event.timestamp.resolved(in: call.epoch) - start
            guard offset >= .zero else { continue }
            let place = offset.microseconds / bucket.microseconds
            if place < Int64(count) { counts[Int(place)] += 1 }
        }
        let data = counts.enumerated().map { place, count in
            let time = start + Interval(microseconds: bucket.microseconds * Int64(place))
            return TrendResponse.Point(date: .at(time), count: count)
        }
        return TrendResponse(eventTypeID: type, period: period, data: data)
    }
}
