import Backend
import JSON

extension EventType: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "EventType",
        [
            .string("id") { $0.uuid },
            .string("user_id") { $0.userId },
            .string("name") { $0.name },
            .string("color") { $0.color },
            .string("icon") { $0.icon },
            .time("created_at") { $0.createdAt },
            .time("updated_at") { $0.updatedAt },
        ]
    )
}

extension Event: ResponseModel {
    static let shape = ResponseSchema<Self>("CreatedEvent", members { $0 })

    /// The members of an event (section 10.6), for shapes that hold one.
    static func members<Outer>(_ read: @escaping @Sendable (Outer) -> Event) -> [ResponseSchema<Outer>.Member] {
        [
            .string("id") { read($0).uuid },
            .string("user_id") { read($0).userId },
            .string("event_type_id") { read($0).eventTypeId },
            .time("timestamp") { read($0).timestamp },
            .optionalString("notes") { read($0).notes },
            .boolean("is_all_day") { read($0).isAllDay },
            .optionalTime("end_date") { read($0).endDate },
            .choice("source_type") { read($0).source },
            .optionalString("external_id") { read($0).externalId },
            .optionalString("original_title") { read($0).originalTitle },
            .optionalString("geofence_id") { read($0).geofenceId },
            .optionalNumber("location_latitude") { read($0).latitude },
            .optionalNumber("location_longitude") { read($0).longitude },
            .optionalString("location_name") { read($0).locationName },
            .optionalString("healthkit_sample_id") { read($0).sampleId },
            .optionalString("healthkit_category") { read($0).category },
            .optionalJSON("properties", propertiesSchema) { read($0).properties.map { .object($0) } },
            .time("created_at") { read($0).createdAt },
            .time("updated_at") { read($0).updatedAt },
        ]
    }

    static let propertiesSchema = JSONSchema.object(
        JSONSchema.Object(
            additionalProperties: .schema(
                .object(
                    JSONSchema.Object([
                        JSONSchema.Property("type", .string()),
                        JSONSchema.Property("value", .any),
                    ])
                )
            )
        )
    )
}

/// An event with its type (list, one, export).
struct EventResponse: ResponseModel {
    var event: Event
    var type: EventType?

    static let shape = ResponseSchema<Self>(
        "Event",
        Event.members { $0.event } + [
            .optionalObject("event_type") { $0.type }
        ]
    )
}

extension PropertyDefinition: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "PropertyDefinition",
        [
            .string("id") { $0.uuid },
            .string("event_type_id") { $0.eventTypeId },
            .string("user_id") { $0.userId },
            .string("key") { $0.key },
            .string("label") { $0.label },
            .choice("property_type") { $0.kind },
            .optionalJSON("options", .array(.string())) { row in
                guard let options = row.options, !options.isEmpty else { return nil }
                return .array(options.map { .string($0) })
            },
            .optionalJSON("default_value") { $0.defaultValue },
            .integer("display_order") { $0.displayOrder },
            .time("created_at") { $0.createdAt },
            .time("updated_at") { $0.updatedAt },
        ]
    )
}

extension Geofence: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Geofence",
        [
            .string("id") { $0.uuid },
            .string("user_id") { $0.userId },
            .string("name") { $0.name },
            .number("latitude") { $0.latitude },
            .number("longitude") { $0.longitude },
            .number("radius") { $0.radius },
            .optionalString("event_type_entry_id") { $0.entryTypeId },
            .optionalString("event_type_exit_id") { $0.exitTypeId },
            .boolean("is_active") { $0.isActive },
            .boolean("notify_on_entry") { $0.notifyOnEntry },
            .boolean("notify_on_exit") { $0.notifyOnExit },
            .optionalString("ios_region_identifier") { $0.regionIdentifier },
            .time("created_at") { $0.createdAt },
            .time("updated_at") { $0.updatedAt },
        ]
    )
}

/// An answer to a batch (section 10.6).
struct BatchResponse: ResponseModel {
    struct Fault: ResponseModel {
        var index: Int
        var message: String

        static let shape = ResponseSchema<Self>(
            "BatchError",
            [.integer("index") { $0.index }, .string("message") { $0.message }]
        )
    }

    var created: [Event]
    var errors: [Fault]
    var total: Int

    static let shape = ResponseSchema<Self>(
        "BatchResult",
        [
            .array("created") { $0.created },
            .optionalCustom("errors", .array(Fault.shape.schema), isPresent: { !$0.errors.isEmpty }) { value, writer in
                writer.write(value.errors)
            },
            .integer("total") { $0.total },
            .integer("success") { $0.created.count },
            .integer("failed") { $0.errors.count },
        ]
    )
}
