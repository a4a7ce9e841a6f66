import CivilTime
import Emulation
import HTTPMessage
import JSON

/// Property definitions (contract section 10.7).
extension TrendyAPI {
    static let propertyEndpoints: [Endpoint<TrendyAPI>] = [
        Endpoint(
            .get,
            "/api/v1/event-types/{id}/properties",
            "The property definitions of a type, by display_order, then age",
            standing: .beyondTheDocument,
            parameters: [pathID("an event type")],
            bodyLimit: bodyLimit,
            answers: [
                list(PropertyDefinition.self, "The definitions"),
                failure500("event type not found", "Unknown, or another user's"),
            ] + protected,
            trait: .backend
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
            standing: .beyondTheDocument,
            parameters: [pathID("an event type"), idempotencyKey],
            body: body(
                "NewPropertyDefinition",
                [member("id", uuid), member("event_type_id", uuid, required: true)]
                    + propertyMembers(areRequired: true),
                example: [
                    "event_type_id": "0193e354-b640-7000-8000-000000000001", "key": "pace", "label": "Pace",
                    "property_type": "duration",
                ]
            ),
            bodyLimit: bodyLimit,
            answers: [
                .json(PropertyDefinition.self, "The new definition", status: .created),
                failure500("event type not found", "The type of the path is unknown, or another user's"),
                failure500(needsOptions.message, "A select without options"),
                duplicate(propertyKeys, "The type has a definition of that key, or the caller one of that id"),
            ] + bodyErrors + protected,
            trait: .backend,
            handle: once(createDefinition)
        ),
        Endpoint(
            .get,
            "/api/v1/property-definitions/{id}",
            "One property definition",
            standing: .beyondTheDocument,
            parameters: [pathID("a property definition")],
            bodyLimit: bodyLimit,
            answers: [
                .json(PropertyDefinition.self, "The definition"),
                APIError.declared(.notFound, "property definition not found", "Unknown, or another user's"),
            ] + protected,
            trait: .backend
        ) { state, _, call throws(APIError) in json(try definition(state, call, isRead: true), state, call) },
        Endpoint(
            .put,
            "/api/v1/property-definitions/{id}",
            "Changes a property definition: absent and null members stay",
            standing: .beyondTheDocument,
            parameters: [pathID("a property definition"), idempotencyKey],
            body: body(
                "PropertyDefinitionChange",
                propertyMembers(areRequired: false),
                example: ["label": "Distance in km"]
            ),
            bodyLimit: bodyLimit,
            answers: [
                .json(PropertyDefinition.self, "The definition after the change"),
                failure500("property definition not found", "Unknown, or another user's"),
                failure500(needsOptions.message, "A select without options"),
                duplicate(propertyKeys, "The type has another definition of that key"),
            ] + bodyErrors + protected,
            trait: .backend,
            handle: once(changeDefinition)
        ),
        Endpoint(
            .delete,
            "/api/v1/property-definitions/{id}",
            "Deletes a property definition",
            standing: .beyondTheDocument,
            parameters: [pathID("a property definition")],
            bodyLimit: bodyLimit,
            answers: [deleted, failure500("property definition not found", "Unknown, or another user's")] + protected,
            trait: .backend
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

    private static func propertyMembers(areRequired: Bool) -> [JSONSchema.Property] {
        [
            member("key", .string(minLength: areRequired ? 1 : nil), required: areRequired),
            member("label", .string(minLength: areRequired ? 1 : nil), required: areRequired),
            member(
                "property_type",
                .string(enumeration: PropertyDefinition.Kind.allCases.map(\.rawValue)),
                required: areRequired
            ),
            member("options", .array(.string())),
            member("default_value", .any),
            member("display_order", .integer()),
        ]
    }

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

    private static func kind(_ text: String) throws(APIError) -> PropertyDefinition.Kind {
        guard let kind = PropertyDefinition.Kind(rawValue: text) else {
            let names = PropertyDefinition.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("property_type must be one of \(names)")
        }
        return kind
    }

    /// What must hold of a definition beside its members' types.
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
        let body = try Body(call)
        let id = try body.id("id").value
        _ = try body.required("event_type_id")
        let now = Timestamp.at(call.now)
        var row = PropertyDefinition(
            uuid: id ?? "",
            eventTypeId: "",
            userId: user(call),
            key: try body.required("key"),
            label: try body.required("label"),
            kind: try kind(try body.required("property_type")),
            options: try body.texts("options").value,
            defaultValue: body.any("default_value").value,
            displayOrder: try body.integer("display_order").value ?? 0,
            createdAt: now,
            updatedAt: now
        )
        // The path wins over the body.
        row.eventTypeId = try eventType(state, call, isRead: false).uuid
        if let id, state.propertyDefinition(id, of: user(call)) != nil {
            throw .duplicate("property_definitions_pkey")
        }
        try check(row, state)
        if id == nil {
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
        let body = try Body(call)
        let key = try body.text("key")
        let label = try body.text("label")
        let sentKind = try body.text("property_type").value
        let newKind: PropertyDefinition.Kind? = if let sentKind { try kind(sentKind) } else { nil }
        let options = try body.texts("options")
        let order = try body.integer("display_order")
        var row = try definition(state, call, isRead: false)
        if let text = key.value, !text.isEmpty { row.key = text }
        if let text = label.value, !text.isEmpty { row.label = text }
        if let newKind { row.kind = newKind }
        options.keepUnlessSent(&row.options)
        body.any("default_value").keepUnlessSent(&row.defaultValue)
        order.keepUnlessSent(&row.displayOrder)
        try check(row, state)
        row.updatedAt = .at(call.now)
        state.propertyDefinitions.insert(row)
        state.log(.update, .propertyDefinition(row), at: row.updatedAt)
        return json(row, state, call)
    }
}
