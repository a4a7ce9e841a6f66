import Backend
import CivilTime
import JSON

/// Up to 500 new events (contract, section 10.6); mistakes in one of them are reported in the result.
struct EventBatch: RequestModel {
    var events: [JSON] = []

    static let counts = 1...500

    static let shape = RequestSchema<Self>(
        "EventBatch",
        [.required("events", events) { $0.events = $1 }]
    )

    private static let events = RequestValue<[JSON]>.array(of: .any, counts: counts).documented(
        as: .array(EventDraft.shape.schema, minItems: counts.lowerBound, maxItems: counts.upperBound)
    )
}

/// The change of an event by a PUT: absent members keep their values; null clears the six optional ones.
struct EventChange: RequestModel {
    private var type: String?
    private var timestamp: Timestamp?
    private var notes = Presence<String>.absent
    private var isAllDay: Bool?
    private var endDate = Presence<Timestamp>.absent
    private var source: String?
    private var externalId = Presence<String>.absent
    private var originalTitle = Presence<String>.absent
    private var geofenceId = Presence<String>.absent
    private var latitude: Double?
    private var longitude: Double?
    private var locationName = Presence<String>.absent
    private var sampleId: String?
    private var category: String?
    private var properties: JSONObject?

    init() {}

    static let shape = RequestSchema<Self>(
        "EventChange",
        [
            .optional("event_type_id", .anyID) { $0.type = $1 },
            .optional("timestamp", .time) { $0.timestamp = $1 },
            .nullable("notes", .string()) { $0.notes = Presence($1) },
            .optional("is_all_day", .boolean) { $0.isAllDay = $1 },
            .nullable("end_date", .time) { $0.endDate = Presence($1) },
            .optional("source_type", .source) { $0.source = $1 },
            .nullable("external_id", .string()) { $0.externalId = Presence($1) },
            .nullable("original_title", .string()) { $0.originalTitle = Presence($1) },
            .nullable("geofence_id", .uuid) { $0.geofenceId = Presence($1) },
            .optional("location_latitude", .number()) { $0.latitude = $1 },
            .optional("location_longitude", .number()) { $0.longitude = $1 },
            .nullable("location_name", .string()) { $0.locationName = Presence($1) },
            .optional("healthkit_sample_id", .string()) { $0.sampleId = $1 },
            .optional("healthkit_category", .string()) { $0.category = $1 },
            .optional("properties", .properties) { $0.properties = $1 },
        ]
    )

    func apply(to event: inout Event, _ state: TrendyState) throws(APIError) {
        if let id = type, !id.isEmpty {
            guard let found = state.eventType(id, of: event.userId) else { throw .missing("event type", isRead: false) }
            event.eventTypeId = found.uuid
        }
        if let text = source, !text.isEmpty {
            guard let known = Event.Source(rawValue: text) else {
                throw .badRequest("invalid source type")
            }
            event.source = known
        }
        event.timestamp = timestamp ?? event.timestamp
        event.isAllDay = isAllDay ?? event.isAllDay
        notes.merge(into: &event.notes)
        endDate.merge(into: &event.endDate)
        externalId.merge(into: &event.externalId)
        originalTitle.merge(into: &event.originalTitle)
        geofenceId.merge(into: &event.geofenceId)
        locationName.merge(into: &event.locationName)
        event.latitude = latitude ?? event.latitude
        event.longitude = longitude ?? event.longitude
        event.sampleId = sampleId ?? event.sampleId
        event.category = category ?? event.category
        if let sent = properties { event.properties = sent.isEmpty ? nil : sent }
    }
}
