import Backend
import CivilTime
import HTTPMessage
import JSON

/// Geofences (contract, section 10.8).
extension TrendyAPI {
    static let geofenceEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/geofences",
            "The caller's geofences, newest first",
            provenance: .beyondTheDocument,
            parameters: [Parameter("active", in: .query, .boolean, "true leaves out those that are off")],
            answers: [list(Geofence.self, "The geofences")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            let isFiltered = call.query.first("active") == "true"
            let rows = state.geofences.rows(in: user(call)).filter { !isFiltered || $0.isActive }
            return json(list: sorted(rows) { $0.createdAt.resolved(in: call.epoch) }.reversed(), state, call)
        },
        Endpoint(
            .post,
            "/api/v1/geofences",
            "Creates a geofence",
            provenance: .beyondTheDocument,
            parameters: [idempotencyKey],
            body: .json(
                NewGeofence.self,
                example: [
                    "id": "01942107-3a00-7000-8000-00000000abcd", "name": "Office", "latitude": 48.2082,
                    "longitude": 16.3738, "radius": 200, "is_active": true, "notify_on_entry": true,
                ]
            ),
            answers: [
                .json(Geofence.self, "The new geofence", status: .created),
                APIError.declared(.badRequest, "radius must be from 50 to 10000", "Out of range, or missing"),
                APIError.declared(
                    .badRequest,
                    "event_type_exit_id: event type not found",
                    "A linked type is unknown, or another user's"
                ),
                duplicate(geofenceNames, "The caller has a geofence of that name, or of that id"),
            ] + bodyErrors + protected,
            metadata: .backend,
            handle: once(createGeofence)
        ),
        Endpoint(
            .get,
            "/api/v1/geofences/{id}",
            "One geofence",
            provenance: .beyondTheDocument,
            parameters: [pathID("a geofence")],
            answers: [
                .json(Geofence.self, "The geofence"),
                APIError.declared(.notFound, "geofence not found", "Unknown, or another user's"),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(try geofence(state, call, isRead: true), state, call) },
        Endpoint(
            .put,
            "/api/v1/geofences/{id}",
            "Changes a geofence: absent and null members stay",
            provenance: .beyondTheDocument,
            parameters: [pathID("a geofence"), idempotencyKey],
            body: .json(GeofenceChange.self, example: ["radius": 300]),
            answers: [
                .json(Geofence.self, "The geofence after the change"),
                APIError.declared(.badRequest, "radius must be from 50 to 10000", "Out of range"),
                APIError.declared(
                    .badRequest,
                    "event_type_exit_id: event type not found",
                    "A linked type is unknown, or another user's"
                ),
                failure500("geofence not found", "Unknown, or another user's"),
                duplicate(geofenceNames, "Another geofence of the caller has that name"),
            ] + bodyErrors + protected,
            metadata: .backend,
            handle: once(changeGeofence)
        ),
        Endpoint(
            .delete,
            "/api/v1/geofences/{id}",
            "Deletes a geofence; events keep their other members",
            provenance: .beyondTheDocument,
            parameters: [pathID("a geofence")],
            answers: [deleted, failure500("geofence not found", "Unknown, or another user's")] + protected,
            metadata: .backend,
            handle: deleteGeofence
        ),
    ]

    private static let geofenceNames = "geofences_user_id_name_key"

    private static func geofence(_ state: TrendyState, _ call: Call, isRead: Bool) throws(APIError) -> Geofence {
        guard let row = state.geofence(call.parameters[0], of: user(call)) else {
            throw .missing("geofence", isRead: isRead)
        }
        return row
    }

    /// Checks the rules for a geofence that go beyond the types of its members.
    private static func check(_ row: Geofence, _ state: TrendyState) throws(APIError) {
        for (name, id) in [("event_type_entry_id", row.entryTypeId), ("event_type_exit_id", row.exitTypeId)] {
            if let id, state.eventType(id, of: row.userId) == nil { throw .badRequest("\(name): event type not found") }
        }
        let isTaken = state.geofences.rows(in: row.userId)
            .contains { $0.uuid != row.uuid && $0.name.utf8.elementsEqual(row.name.utf8) }
        if isTaken { throw .duplicate(geofenceNames) }
    }

    private static func createGeofence(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let new = try read(NewGeofence.self, call)
        let now = Timestamp.at(call.now)
        let row = Geofence(
            uuid: new.id,
            userId: user(call),
            name: new.change.name,
            latitude: new.change.latitude ?? 0,
            longitude: new.change.longitude ?? 0,
            radius: new.change.radius ?? 0,
            entryTypeId: new.change.entryTypeId,
            exitTypeId: new.change.exitTypeId,
            isActive: new.change.isActive ?? false,
            notifyOnEntry: new.change.notifyOnEntry ?? false,
            notifyOnExit: new.change.notifyOnExit ?? false,
            regionIdentifier: new.change.regionIdentifier,
            createdAt: now,
            updatedAt: now
        )
        if state.geofence(new.id, of: user(call)) != nil { throw .duplicate("geofences_pkey") }
        try check(row, state)
        state.geofences.insert(row)
        state.log(.create, .geofence(row), at: now)
        return json(row, state, call, status: .created)
    }

    private static func changeGeofence(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let change = try read(GeofenceChange.self, call)
        var row = try geofence(state, call, isRead: false)
        if !change.name.isEmpty { row.name = change.name }
        row.latitude = change.latitude ?? row.latitude
        row.longitude = change.longitude ?? row.longitude
        row.radius = change.radius ?? row.radius
        row.entryTypeId = change.entryTypeId ?? row.entryTypeId
        row.exitTypeId = change.exitTypeId ?? row.exitTypeId
        row.isActive = change.isActive ?? row.isActive
        row.notifyOnEntry = change.notifyOnEntry ?? row.notifyOnEntry
        row.notifyOnExit = change.notifyOnExit ?? row.notifyOnExit
        row.regionIdentifier = change.regionIdentifier ?? row.regionIdentifier
        try check(row, state)
        row.updatedAt = .at(call.now)
        state.geofences.insert(row)
        state.log(.update, .geofence(row), at: row.updatedAt)
        return json(row, state, call)
    }

    private static func deleteGeofence(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let row = try geofence(state, call, isRead: false)
        for event in state.events.rows(in: row.userId) where event.geofenceId == row.uuid {
            state.events.update(event.id) { $0.geofenceId = nil }
        }
        state.geofences.remove(row.id)
        state.log(.delete, .geofence(row), at: .at(call.now))
        return Response(status: .noContent)
    }
}
