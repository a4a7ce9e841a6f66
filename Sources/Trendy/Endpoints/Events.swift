import CivilTime
import Emulation
import HTTPMessage
import JSON

/// Events that are there (contract section 10.6).
extension TrendyAPI {
    static let eventEndpoints: [Endpoint<TrendyAPI>] =
        [
            Endpoint(
                .get,
                "/api/v1/events",
                "The caller's events, newest first",
                standing: .beyondTheDocument,
                parameters: [
                    Parameter("limit", in: .query, .integer(), "1 to 1000, 50 if it is not sent; 100 otherwise"),
                    Parameter("offset", in: .query, .integer(), "How many to leave out"),
                ],
                bodyLimit: bodyLimit,
                answers: [list(EventView.self, "The events with their types")] + protected,
                trait: .backend
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
                standing: .beyondTheDocument,
                parameters: [
                    Parameter("start_date", in: .query, date, "The first instant; counts together with end_date"),
                    Parameter("end_date", in: .query, date, "The last instant"),
                    Parameter("event_type_ids", in: .query, .string(), "Ids with commas between them"),
                ],
                bodyLimit: bodyLimit,
                answers: [
                    list(EventView.self, "The events with their types"),
                    APIError.declared(
                        .badRequest,
                        "start_date must be an RFC 3339 date with time and zone",
                        "A bad date, or the range is reversed"
                    ),
                ] + protected,
                trait: .backend
            ) { state, _, call throws(APIError) in try export(state, call) },
        ] + eventCreationEndpoints + [
            Endpoint(
                .get,
                "/api/v1/events/{id}",
                "One event",
                standing: .beyondTheDocument,
                parameters: [pathID("an event")],
                bodyLimit: bodyLimit,
                answers: [
                    .json(EventView.self, "The event with its type"),
                    APIError.declared(.notFound, "event not found", "Unknown, or another user's"),
                ] + protected,
                trait: .backend
            ) { state, _, call throws(APIError) in
                json(view(try event(state, call, isRead: true), state), state, call)
            },
            Endpoint(
                .put,
                "/api/v1/events/{id}",
                "Changes an event: absent members stay, null clears some",
                standing: .beyondTheDocument,
                parameters: [pathID("an event"), idempotencyKey],
                body: body("EventChange", eventMembers(areRequired: false), example: ["notes": .null]),
                bodyLimit: bodyLimit,
                answers: [
                    .json(Event.self, "The event after the change"),
                    failure500("event not found", "Unknown, or another user's"),
                    failure500("event type not found", "The new type is unknown"),
                    duplicate(eventSlots, "Another event stands there"),
                ] + bodyErrors + protected,
                trait: .backend,
                handle: once(changeEvent)
            ),
            Endpoint(
                .delete,
                "/api/v1/events/{id}",
                "Deletes an event",
                standing: .beyondTheDocument,
                parameters: [pathID("an event")],
                bodyLimit: bodyLimit,
                answers: [deleted, failure500("event not found", "Unknown, or another user's")] + protected,
                trait: .backend
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

    /// The caller's events by time, newest first; of two at one time the later one comes first.
    static func newestFirst(_ state: TrendyState, _ call: Call) -> [Event] {
        sorted(state.events.rows(in: user(call))) { $0.timestamp.resolved(in: call.epoch) }.reversed()
    }

    static func view(_ event: Event, _ state: TrendyState) -> EventView {
        EventView(event: event, type: state.eventType(event.eventTypeId, of: event.userId))
    }

    static func views(_ events: [Event], _ state: TrendyState) -> [EventView] { events.map { view($0, state) } }

    private static func event(_ state: TrendyState, _ call: Call, isRead: Bool) throws(APIError) -> Event {
        guard let event = state.event(call.parameters[0], of: user(call)) else {
            throw .missing("event", isRead: isRead)
        }
        return event
    }

    /// The two dates of a query; each must be one if it is sent, and they must not be reversed.
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
        let change = try EventChange(try Body(call))
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

/// What a PUT may change of an event: absent keeps; null clears the six members that can be without a value.
private struct EventChange {
    private let type: Sent<String>
    private let timestamp: Sent<Timestamp>
    private let notes: Sent<String>
    private let isAllDay: Sent<Bool>
    private let endDate: Sent<Timestamp>
    private let source: Sent<String>
    private let externalId: Sent<String>
    private let originalTitle: Sent<String>
    private let geofenceId: Sent<String>
    private let latitude: Sent<Double>
    private let longitude: Sent<Double>
    private let locationName: Sent<String>
    private let sampleId: Sent<String>
    private let category: Sent<String>
    private let properties: Sent<JSONObject>

    init(_ body: Body) throws(APIError) {
        type = try body.text("event_type_id")
        timestamp = try body.time("timestamp")
        notes = try body.text("notes")
        isAllDay = try body.boolean("is_all_day")
        endDate = try body.time("end_date")
        source = try body.text("source_type")
        externalId = try body.text("external_id")
        originalTitle = try body.text("original_title")
        geofenceId = try body.id("geofence_id")
        latitude = try body.number("location_latitude")
        longitude = try body.number("location_longitude")
        locationName = try body.text("location_name")
        sampleId = try body.text("healthkit_sample_id")
        category = try body.text("healthkit_category")
        properties = try body.properties()
    }

    func apply(to event: inout Event, _ state: TrendyState) throws(APIError) {
        if let id = type.value, !id.isEmpty {
            guard let found = state.eventType(id, of: event.userId) else { throw .missing("event type", isRead: false) }
            event.eventTypeId = found.uuid
        }
        if let text = source.value, !text.isEmpty {
            guard let known = Event.Source(rawValue: text) else {
                throw .badRequest("invalid source type")
            }
            event.source = known
        }
        timestamp.keepUnlessSent(&event.timestamp)
        isAllDay.keepUnlessSent(&event.isAllDay)
        notes.apply(to: &event.notes)
        endDate.apply(to: &event.endDate)
        externalId.apply(to: &event.externalId)
        originalTitle.apply(to: &event.originalTitle)
        geofenceId.apply(to: &event.geofenceId)
        locationName.apply(to: &event.locationName)
        latitude.keepUnlessSent(&event.latitude)
        longitude.keepUnlessSent(&event.longitude)
        sampleId.keepUnlessSent(&event.sampleId)
        category.keepUnlessSent(&event.category)
        if let sent = properties.value { event.properties = sent.isEmpty ? nil : sent }
    }
}
