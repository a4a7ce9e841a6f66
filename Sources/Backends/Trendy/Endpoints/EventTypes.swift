import Backend
import CivilTime
import HTTPMessage
import JSON

/// Event types (contract, section 10.5).
extension TrendyAPI {
    static let eventTypeEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/event-types",
            "The caller's event types, oldest first",
            provenance: .beyondTheDocument,
            answers: [list(EventType.self, "The types")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(list: eventTypes(state, call), state, call) },
        Endpoint(
            .post,
            "/api/v1/event-types",
            "Creates an event type",
            provenance: .beyondTheDocument,
            parameters: [idempotencyKey],
            body: .json(
                NewEventType.self,
                example: ["name": "Swim", "color": "#007AFF", "icon": "figure.pool.swim"]
            ),
            answers: [
                .json(EventType.self, "The new type", status: .created),
                duplicate(typeNames, "The caller has a type of that name, or of that id"),
            ] + bodyErrors + protected,
            metadata: .backend,
            handle: once(createEventType)
        ),
        Endpoint(
            .get,
            "/api/v1/event-types/{id}",
            "One event type",
            provenance: .beyondTheDocument,
            parameters: [pathID("an event type")],
            answers: [
                .json(EventType.self, "The type"),
                APIError.declared(.notFound, "event type not found", "Unknown, or another user's"),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(try eventType(state, call, isRead: true), state, call) },
        Endpoint(
            .put,
            "/api/v1/event-types/{id}",
            "Changes an event type: absent, null and empty members stay",
            provenance: .beyondTheDocument,
            parameters: [pathID("an event type"), idempotencyKey],
            body: .json(EventTypeChange.self, example: ["color": "#34C759"]),
            answers: [
                .json(EventType.self, "The type after the change"),
                failure500("event type not found", "Unknown, or another user's"),
                duplicate(typeNames, "Another type of the caller has that name"),
            ] + bodyErrors + protected,
            metadata: .backend,
            handle: once(changeEventType)
        ),
        Endpoint(
            .delete,
            "/api/v1/event-types/{id}",
            "Deletes an event type with its events and property definitions",
            provenance: .beyondTheDocument,
            parameters: [pathID("an event type")],
            answers: [deleted, failure500("event type not found", "Unknown, or another user's")] + protected,
            metadata: .backend,
            handle: deleteEventType
        ),
    ]

    private static let typeNames = "event_types_user_id_name_key"

    /// The caller's types, oldest first, ties by insertion.
    static func eventTypes(_ state: TrendyState, _ call: Call) -> [EventType] {
        sorted(state.eventTypes.rows(in: user(call))) { $0.createdAt.resolved(in: call.epoch) }
    }

    /// Rows in ascending order of a time; equal ones keep their order.
    static func sorted<Element>(_ rows: [Element], by time: (Element) -> Instant) -> [Element] {
        let times = rows.map(time)
        // The usual case: the clock has only moved forward.
        if zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) { return rows }
        return rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { rows[$0] }
    }

    /// The type that the path names.
    static func eventType(_ state: TrendyState, _ call: Call, isRead: Bool) throws(APIError) -> EventType {
        guard let type = state.eventType(call.parameters[0], of: user(call)) else {
            throw .missing("event type", isRead: isRead)
        }
        return type
    }

    private static func isNameTaken(_ name: String, except id: String?, _ state: TrendyState, _ call: Call) -> Bool {
        state.eventTypes.rows(in: user(call)).contains { $0.uuid != id && $0.name.utf8.elementsEqual(name.utf8) }
    }

    private static func createEventType(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let new = try read(NewEventType.self, call)
        if let id = new.id, state.eventType(id, of: user(call)) != nil { throw .duplicate("event_types_pkey") }
        guard !isNameTaken(new.name, except: nil, state, call) else { throw .duplicate(typeNames) }
        let now = Timestamp.at(call.now)
        let type = EventType(
            uuid: new.id
                ?? TrendyState.orderedID(.eventType, at: call.now, &core) { state.eventType($0, of: user(call)) != nil },
            userId: user(call),
            name: new.name,
            color: new.color,
            icon: new.icon,
            createdAt: now,
            updatedAt: now
        )
        state.eventTypes.insert(type)
        state.log(.create, .eventType(type), at: now)
        return json(type, state, call, status: .created)
    }

    private static func changeEventType(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let change = try read(EventTypeChange.self, call)
        var type = try eventType(state, call, isRead: false)
        if !change.name.isEmpty { type.name = change.name }
        if !change.color.isEmpty { type.color = change.color }
        if !change.icon.isEmpty { type.icon = change.icon }
        guard !isNameTaken(type.name, except: type.uuid, state, call) else { throw .duplicate(typeNames) }
        type.updatedAt = .at(call.now)
        state.eventTypes.insert(type)
        state.log(.update, .eventType(type), at: type.updatedAt)
        return json(type, state, call)
    }

    /// Deletes a type together with its events and definitions, which do not enter the change log.
    private static func deleteEventType(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let type = try eventType(state, call, isRead: false)
        for event in state.events.rows(in: type.userId) where event.eventTypeId == type.uuid {
            state.events.remove(event.id)
        }
        for definition in state.propertyDefinitions.rows(in: type.id) {
            state.propertyDefinitions.remove(definition.id)
        }
        for fence in state.geofences.rows(in: type.userId)
        where fence.entryTypeId == type.uuid || fence.exitTypeId == type.uuid {
            state.geofences.update(fence.id) { row in
                if row.entryTypeId == type.uuid { row.entryTypeId = nil }
                if row.exitTypeId == type.uuid { row.exitTypeId = nil }
            }
        }
        state.eventTypes.remove(type.id)
        state.log(.delete, .eventType(type), at: .at(call.now))
        return Response(status: .noContent)
    }
}
