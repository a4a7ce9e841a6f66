import CivilTime
import Emulation
import JSON

/// An event as a client asks for it (contract section 10.6), before it is known whether it can be stored.
struct EventDraft: Sendable {
    /// In lower case; nil if the server is to make one.
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
    /// Fields that are missing or malformed, with the code of what is wrong.
    var faults: [(field: String, reason: String)] = []

    /// Reads a body; throws what can't be read at all.
    init(_ body: Body) throws(APIError) {
        if let text = try body.text("id").value, !text.isEmpty { id = text.lowercased() }
        readType(try body.text("event_type_id").value ?? "")
        readTimestamp(body.any("timestamp").value)
        readAllDay(body.any("is_all_day").value)
        readEnd(body.any("end_date").value)
        notes = try body.text("notes").value
        if let text = try body.text("source_type").value, !text.isEmpty { source = Event.Source(rawValue: text) }
        externalId = try body.text("external_id").value
        originalTitle = try body.text("original_title").value
        geofenceId = try body.id("geofence_id").value
        latitude = try body.number("location_latitude").value
        longitude = try body.number("location_longitude").value
        locationName = try body.text("location_name").value
        sampleId = try body.text("healthkit_sample_id").value
        category = try body.text("healthkit_category").value
        if let sent = try body.properties().value, !sent.isEmpty { properties = sent }
    }

    private mutating func readType(_ text: String) {
        guard !text.isEmpty else { return faults.append(("event_type_id", "required")) }
        eventTypeId = text.lowercased()
    }

    private mutating func readTimestamp(_ json: JSON?) {
        guard let json, json != "" else { return faults.append(("timestamp", "required")) }
        guard let time = json.stringValue.flatMap(TimeText.read) else {
            return faults.append(("timestamp", "invalid_format"))
        }
        timestamp = time
    }

    /// A boolean, or one as a text: the only place where that is taken.
    private mutating func readAllDay(_ json: JSON?) {
        switch json {
        case nil: break
        case .bool(let flag)?: isAllDay = flag
        case .string(let text)? where ["true", "false"].contains(text.lowercased()):
            isAllDay = text.lowercased() == "true"
        default: faults.append(("is_all_day", "invalid_type"))
        }
    }

    private mutating func readEnd(_ json: JSON?) {
        guard let json else { return }
        guard let time = json.stringValue.flatMap(TimeText.read) else {
            return faults.append(("end_date", "invalid_format"))
        }
        endDate = time
    }

    /// What is wrong with the id: not of version 7, or too far in the future.
    func idProblem(at now: Instant) -> ProblemDetails.Kind? {
        guard let id else { return nil }
        guard let canonical = UUIDText.canonical(id), let made = UUIDText.embeddedMilliseconds(canonical) else {
            return .invalidUUID
        }
        return made - now.milliseconds > 60_000 ? .futureTimestamp : nil
    }

    /// The event, new or in the place of one.
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
