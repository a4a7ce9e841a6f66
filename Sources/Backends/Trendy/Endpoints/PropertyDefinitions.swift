import Backend
import CivilTime
import HTTPMessage
import JSON

/// Property definitions (contract, section 10.7).
extension TrendyAPI {
    static let propertyEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/event-types/{id}/properties",
            "The property definitions of a type, by display_order, then age",
            provenance: .beyondTheDocument,
            parameters: [pathID("an event type")],
            answers: [
                list(PropertyDefinition.self, "The definitions"),
                failure500("event type not found", "Unknown, or another user's"),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            let type = try eventType(state, call, isRead: false)
            let rows = sorted(state.propertyDefinitions.rows(in: type.id)) { $0.createdAt.resolved(in: call.epoch) }
            let ordered = rows.indices.sorted { (rows[$0].displayOrder, $0) < (rows[$1].displayOrder, $1) }
            return json(list: ordered.map { rows[$0] }, state, call)
        },
        Endpoint(
            .post,
            "/api/v1/event-types/{id}/properties",
            "Creates a property definition",
            provenance: .beyondTheDocument,
            parameters: [pathID("an event type"), idempotencyKey],
            body: .json(
                NewPropertyDefinition.self,
                example: [
                    "event_type_id": "0193e354-b640-7000-8000-000000000001", "key": "pace", "label": "Pace",
                    "property_type": "duration",
                ]
            ),
            answers: [
                .json(PropertyDefinition.self, "The new definition", status: .created),
                failure500("event type not found", "The type of the path is unknown, or another user's"),
                failure500(needsOptions.message, "A select without options"),
                duplicate(propertyKeys, "The type has a definition of that key, or the caller one of that id"),
            ] + bodyErrors + protected,
            metadata: .backend,
            handle: once(createDefinition)
        ),
        Endpoint(
            .get,
            "/api/v1/property-definitions/{id}",
            "One property definition",
            provenance: .beyondTheDocument,
            parameters: [pathID("a property definition")],
            answers: [
                .json(PropertyDefinition.self, "The definition"),
                APIError.declared(.notFound, "property definition not found", "Unknown, or another user's"),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(try definition(state, call, isRead: true), state, call) },
        Endpoint(
            .put,
            "/api/v1/property-definitions/{id}",
            "Changes a property definition: absent and null members stay",
            provenance: .beyondTheDocument,
            parameters: [pathID("a property definition"), idempotencyKey],
            body: .json(PropertyDefinitionChange.self, example: ["label": "Distance in km"]),
            answers: [
                .json(PropertyDefinition.self, "The definition after the change"),
                failure500("property definition not found", "Unknown, or another user's"),
                failure500(needsOptions.message, "A select without options"),
                duplicate(propertyKeys, "The type has another definition of that key"),
            ] + bodyErrors + protected,
            metadata: .backend,
            handle: once(changeDefinition)
        ),
        Endpoint(
            .delete,
            "/api/v1/property-definitions/{id}",
            "Deletes a property definition",
            provenance: .beyondTheDocument,
            parameters: [pathID("a property definition")],
            answers: [deleted, failure500("property definition not found", "Unknown, or another user's")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            let row = try definition(state, call, isRead: false)
            state.propertyDefinitions.remove(row.id)
            state.log(.delete, .propertyDefinition(row), at: .at(call.now))
            return Response(status: .noContent)
        },
    ]

    private static let propertyKeys = "property_definitions_event_type_id_key_key"
    private static let needsOptions = APIError.plain(
        .internalServerError,
        "select property type requires options"
    )

    private static func definition(
        _ state: TrendyState,
        _ call: Call,
        isRead: Bool
    ) throws(APIError) -> PropertyDefinition {
        guard let row = state.propertyDefinition(call.parameters[0], of: user(call)) else {
            throw .missing("property definition", isRead: isRead)
        }
        return row
    }

    /// Checks the rules for a definition that go beyond the types of its members.
    private static func check(_ row: PropertyDefinition, _ state: TrendyState) throws(APIError) {
        if row.kind == .select, row.options?.isEmpty ?? true { throw needsOptions }
        let isTaken = state.propertyDefinitions.rows(in: row.group)
            .contains { $0.uuid != row.uuid && $0.key.utf8.elementsEqual(row.key.utf8) }
        if isTaken { throw .duplicate(propertyKeys) }
    }

    private static func createDefinition(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let new = try read(NewPropertyDefinition.self, call)
        let now = Timestamp.at(call.now)
        var row = PropertyDefinition(
            uuid: new.id ?? "",
            eventTypeId: "",
            userId: user(call),
            key: new.key,
            label: new.label,
            kind: new.kind,
            options: new.change.options,
            defaultValue: new.change.defaultValue,
            displayOrder: new.change.displayOrder ?? 0,
            createdAt: now,
            updatedAt: now
        )
        // The path takes precedence over the body.
        row.eventTypeId = try eventType(state, call, isRead: false).uuid
        if let id = new.id, state.propertyDefinition(id, of: user(call)) != nil {
            throw .duplicate("property_definitions_pkey")
        }
        try check(row, state)
        if new.id == nil {
            row.uuid = TrendyState.orderedID(.propertyDefinition, at: call.now, &core) {
                state.propertyDefinition($0, of: user(call)) != nil
            }
        }
        state.propertyDefinitions.insert(row)
        state.log(.create, .propertyDefinition(row), at: now)
        return json(row, state, call, status: .created)
    }

    private static func changeDefinition(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let change = try read(PropertyDefinitionChange.self, call)
        var row = try definition(state, call, isRead: false)
        if !change.key.isEmpty { row.key = change.key }
        if !change.label.isEmpty { row.label = change.label }
        row.kind = change.kind ?? row.kind
        row.options = change.options ?? row.options
        row.defaultValue = change.defaultValue ?? row.defaultValue
        row.displayOrder = change.displayOrder ?? row.displayOrder
        try check(row, state)
        row.updatedAt = .at(call.now)
        state.propertyDefinitions.insert(row)
        state.log(.update, .propertyDefinition(row), at: row.updatedAt)
        return json(row, state, call)
    }
}
