import Backend
import CivilTime
import HTTPMessage
import JSON

/// Reading, changing and deleting events (contract, section 10.6).
extension TrendyAPI {
    static let eventEndpoints: [TrendyEndpoint] =
        [
            Endpoint(
                .get,
                "/api/v1/events",
                "The caller's events, newest first",
                provenance: .beyondTheDocument,
                parameters: [
                    Parameter("limit", in: .query, .integer(), "1 to 1000, 50 if it is not sent; 100 otherwise"),
                    Parameter("offset", in: .query, .integer(), "How many to leave out"),
                ],
                answers: [list(EventResponse.self, "The events with their types")] + protected,
                metadata: .backend
            ) { state, _, call throws(APIError) in
                let limit = call.query.first("limit").map { Int($0) ?? 0 } ?? usualEventLimit
                let offset = max(0, call.query.first("offset").flatMap { Int($0) } ?? 0)
                let events = newestFirst(state, call)
                let page = events.dropFirst(offset).prefix(eventLimits.contains(limit) ? limit : otherEventLimit)
                return json(list: views(Array(page), state), state, call)
            },
            Endpoint(
                .get,
                "/api/v1/events/export",
                "The caller's events of a time and of types, newest first",
                provenance: .beyondTheDocument,
                parameters: [
                    Parameter("start_date", in: .query, date, "The first instant; counts together with end_date"),
                    Parameter("end_date", in: .query, date, "The last instant"),
                    Parameter("event_type_ids", in: .query, .string(), "Ids with commas between them"),
                ],
                answers: [
                    list(EventResponse.self, "The events with their types"),
                    APIError.declared(
                        .badRequest,
                        "start_date must be an RFC 3339 date with time and zone",
                        "A bad date, or the range is reversed"
                    ),
                ] + protected,
                metadata: .backend
            ) { state, _, call throws(APIError) in try export(state, call) },
        ] + eventCreationEndpoints + [
            Endpoint(
                .get,
                "/api/v1/events/{id}",
                "One event",
                provenance: .beyondTheDocument,
                parameters: [pathID("an event")],
                answers: [
                    .json(EventResponse.self, "The event with its type"),
                    APIError.declared(.notFound, "event not found", "Unknown, or another user's"),
                ] + protected,
                metadata: .backend
            ) { state, _, call throws(APIError) in
                json(view(try event(state, call, isRead: true), state), state, call)
            },
            Endpoint(
                .put,
                "/api/v1/events/{id}",
                "Changes an event: absent members stay, null clears some",
                provenance: .beyondTheDocument,
                parameters: [pathID("an event"), idempotencyKey],
                body: .json(EventChange.self, example: ["notes": .null]),
                answers: [
                    .json(Event.self, "The event after the change"),
                    failure500("event not found", "Unknown, or another user's"),
                    failure500("event type not found", "The new type is unknown"),
                    duplicate(eventSlots, "Another event stands there"),
                ] + bodyErrors + protected,
                metadata: .backend,
                handle: once(changeEvent)
            ),
            Endpoint(
                .delete,
                "/api/v1/events/{id}",
                "Deletes an event",
                provenance: .beyondTheDocument,
                parameters: [pathID("an event")],
                answers: [deleted, failure500("event not found", "Unknown, or another user's")] + protected,
                metadata: .backend
            ) { state, _, call throws(APIError) in
                let row = try event(state, call, isRead: false)
                state.events.remove(row.id)
                state.log(.delete, .event(row), at: .at(call.now))
                return Response(status: .noContent)
            },
        ]

    private static let eventLimits = 1...1_000
    private static let usualEventLimit = 50
    private static let otherEventLimit = 100

    /// The caller's events by time, newest first; of two at the same time the one inserted later comes first.
    static func newestFirst(_ state: TrendyState, _ call: Call) -> [Event] {
        sorted(state.events.rows(in: user(call))) { $0.timestamp.resolved(in: call.epoch) }.reversed()
    }

    static func view(_ event: Event, _ state: TrendyState) -> EventResponse {
        EventResponse(event: event, type: state.eventType(event.eventTypeId, of: event.userId))
    }

    static func views(_ events: [Event], _ state: TrendyState) -> [EventResponse] { events.map { view($0, state) } }

    private static func event(_ state: TrendyState, _ call: Call, isRead: Bool) throws(APIError) -> Event {
        guard let event = state.event(call.parameters[0], of: user(call)) else {
            throw .missing("event", isRead: isRead)
        }
        return event
    }

    /// The two dates of a query; each must be valid if it is sent, and they must be in order.
    static func dateRange(_ call: Call) throws(APIError) -> (start: Instant?, end: Instant?) {
        func read(_ name: String) throws(APIError) -> Instant? {
            guard let text = call.query.first(name), !text.isEmpty else { return nil }
            guard let instant = Instant(iso8601: text) else {
                throw .badRequest("\(name) must be an RFC 3339 date with time and zone")
            }
            return instant
        }
        let range = (start: try read("start_date"), end: try read("end_date"))
        if let start = range.start, let end = range.end, end < start {
            throw .badRequest("start_date must not be after end_date")
        }
        return range
    }

    private static func export(_ state: TrendyState, _ call: Call) throws(APIError) -> Response {
        var events = newestFirst(state, call)
        if case (let start?, let end?) = try dateRange(call) {
            events = events.filter { (start...end).contains($0.timestamp.resolved(in: call.epoch)) }
        }
        let wanted = (call.query.first("event_type_ids") ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " }.lowercased() }
        if !wanted.isEmpty { events = events.filter { wanted.contains($0.eventTypeId) } }
        return json(list: views(events, state), state, call)
    }

    private static func changeEvent(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let change = try read(EventChange.self, call)
        let former = try event(state, call, isRead: false)
        var event = former
        try change.apply(to: &event, state)
        let index = EventIndex(state, of: event.userId, near: [event.timestamp], hasSamples: false, in: call.epoch)
        guard !index.isTaken(event) else { throw .duplicate(eventSlots) }
        event.updatedAt = .at(call.now)
        state.events.insert(event)
        state.log(.update, .event(event), at: event.updatedAt)
        return json(event, state, call)
    }
}
