import Backend
import CivilTime
import JSON

/// An event in a request (contract, section 10.6), before it is checked whether it can be stored.
struct EventDraft: RequestModel {
    /// The id in lower case; nil if the server is to create one.
    var id: String?
    var eventTypeId = ""
    var timestamp = Timestamp.sinceT0(.zero)
    var notes: String?
    var isAllDay = false
    var endDate: Timestamp?
    var source: Event.Source? = .manual
    var externalId: String?
    var originalTitle: String?
    var geofenceId: String?
    var latitude: Double?
    var longitude: Double?
    var locationName: String?
    var sampleId: String?
    var category: String?
    var properties: JSONObject?
    /// Fields that are missing or malformed, with the code of the mistake.
    var faults: [(field: String, reason: String)] = []

    /// Reads a body; throws if it is unreadable as a whole.
    static func read(_ object: JSONObject) throws(APIError) -> EventDraft {
        var (draft, issues) = EventDraft.read(object, telling: .all)
        for issue in issues {
            guard let code = code(of: issue) else { throw .badRequest(issue.message) }
            draft.faults.append((issue.field, code))
        }
        return draft
    }

    /// The code of an issue that is reported together with others; nil for one that is reported alone.
    private static func code(of issue: FieldIssue) -> String? {
        switch (issue.field, issue.kind) {
        case ("event_type_id", .missing), ("event_type_id", .empty): "required"
        case ("timestamp", .missing), ("timestamp", .empty): "required"
        case ("timestamp", _), ("end_date", _): "invalid_format"
        case ("is_all_day", _): "invalid_type"
        default: nil
        }
    }

    /// The problem with the id, if any: not of version 7, or too far in the future.
    func idProblem(at now: Instant) -> ProblemDetails.Kind? {
        guard let id else { return nil }
        guard let canonical = UUIDText.canonical(id), let made = UUIDText.embeddedMilliseconds(canonical) else {
            return .invalidUUID
        }
        return made - now.milliseconds > 60_000 ? .futureTimestamp : nil
    }

    /// The event, new or as a replacement for a stored one.
    func event(uuid: String, user: String, source: Event.Source, createdAt: Timestamp, now: Timestamp) -> Event {
        Event(
            uuid: uuid,
            userId: user,
            eventTypeId: eventTypeId,
            timestamp: timestamp,
            notes: notes,
            isAllDay: isAllDay,
            endDate: endDate,
            source: source,
            externalId: externalId,
            originalTitle: originalTitle,
            geofenceId: geofenceId,
            latitude: latitude,
            longitude: longitude,
            locationName: locationName,
            sampleId: sampleId,
            category: category,
            properties: properties,
            createdAt: createdAt,
            updatedAt: now
        )
    }
}

extension EventDraft {
    static let shape = RequestSchema<Self>(
        "NewEvent",
        [
            .optional("id", .anyID) { $0.id = $1.isEmpty ? nil : $1.lowercased() },
            .required("event_type_id", .filledID) { $0.eventTypeId = $1.lowercased() },
            .required("timestamp", filledTime) { $0.timestamp = $1 },
            .optional("is_all_day", laxBoolean) { $0.isAllDay = $1 },
            .optional("end_date", .time) { $0.endDate = $1 },
            .optional("notes", .string()) { $0.notes = $1 },
            .optional("source_type", .source) { if !$1.isEmpty { $0.source = Event.Source(rawValue: $1) } },
            .optional("external_id", .string()) { $0.externalId = $1 },
            .optional("original_title", .string()) { $0.originalTitle = $1 },
            .optional("geofence_id", .uuid) { $0.geofenceId = $1 },
            .optional("location_latitude", .number()) { $0.latitude = $1 },
            .optional("location_longitude", .number()) { $0.longitude = $1 },
            .optional("location_name", .string()) { $0.locationName = $1 },
            .optional("healthkit_sample_id", .string()) { $0.sampleId = $1 },
            .optional("healthkit_category", .string()) { $0.category = $1 },
            .optional("properties", .properties) { $0.properties = $1.isEmpty ? nil : $1 },
        ]
    )

    /// A time that counts as missing if it is empty.
    private static let filledTime = RequestValue<String>.filled.format("date-time", reading: TimeText.read)

    /// A boolean, which may also be a text; only this member accepts that.
    private static let laxBoolean = RequestValue<Bool>(
        .oneOf([.boolean, .string(pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$")])
    ) { json, issues in
        switch json {
        case .bool(let flag): return flag
        case .string(let text) where ["true", "false"].contains(text.lowercased()): return text.lowercased() == "true"
        default:
            issues.note(.wrongType(.boolean), json)
            return nil
        }
    }
}
