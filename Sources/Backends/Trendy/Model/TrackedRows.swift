import Backend
import CivilTime
import JSON

/// A kind of event (contract, section 10.5).
struct EventType: Row, Codable {
    var uuid: String
    var userId: String
    var name: String
    var color: String
    var icon: String
    var createdAt: Timestamp
    var updatedAt: Timestamp

    // The owner is part of the key, so rows of other users are as unknown as missing ones.
    var id: String { OwnedKey.text(userId, uuid) }
    var group: String { userId }

    private enum CodingKeys: String, CodingKey {
        case uuid = "id"
        case userId, name, color, icon, createdAt, updatedAt
    }
}

/// An event (contract, section 10.6).
struct Event: Row, Codable {
    enum Source: String, Codable, CaseIterable, Sendable { case manual, imported, geofence, healthkit }

    var uuid: String
    var userId: String
    var eventTypeId: String
    var timestamp: Timestamp
    var notes: String?
    var isAllDay: Bool
    var endDate: Timestamp?
    var source: Source
    var externalId: String?
    var originalTitle: String?
    var geofenceId: String?
    var latitude: Double?
    var longitude: Double?
    var locationName: String?
    var sampleId: String?
    var category: String?
    /// Objects of `type` and `value` by name; nil if there are none.
    var properties: JSONObject?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var id: String { OwnedKey.text(userId, uuid) }
    var group: String { userId }
}

/// A property that events of a type can have (contract, section 10.7).
struct PropertyDefinition: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case text, number, boolean, date, select, duration, url, email
    }

    var uuid: String
    var eventTypeId: String
    var userId: String
    var key: String
    var label: String
    var kind: Kind
    var options: [String]?
    var defaultValue: JSON?
    var displayOrder: Int
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var id: String { OwnedKey.text(userId, uuid) }
    var group: String { OwnedKey.text(userId, eventTypeId) }

    private enum CodingKeys: String, CodingKey {
        case uuid = "id"
        case eventTypeId, userId, key, label
        case kind = "propertyType"
        case options, defaultValue, displayOrder, createdAt, updatedAt
    }
}

/// A watched place (contract, section 10.8).
struct Geofence: Row, Codable {
    var uuid: String
    var userId: String
    var name: String
    var latitude: Double
    var longitude: Double
    var radius: Double
    var entryTypeId: String?
    var exitTypeId: String?
    var isActive: Bool
    var notifyOnEntry: Bool
    var notifyOnExit: Bool
    var regionIdentifier: String?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var id: String { OwnedKey.text(userId, uuid) }
    var group: String { userId }

    private enum CodingKeys: String, CodingKey {
        case uuid = "id"
        case userId, name, latitude, longitude, radius, entryTypeId, exitTypeId, isActive, notifyOnEntry, notifyOnExit
        case regionIdentifier, createdAt, updatedAt
    }
}

/// The key of a row that only its owner can find.
enum OwnedKey {
    static func text(_ user: String, _ uuid: String) -> String { user + "/" + uuid }
}

/// An entry of the change log (contract, section 10.3).
struct Change: Row, Codable {
    enum Operation: String, Codable, CaseIterable, Sendable { case create, update, delete }

    enum Kind: String, Codable, CaseIterable, Sendable {
        case event
        case eventType = "event_type"
        case geofence
        case propertyDefinition = "property_definition"
    }

    /// The position in the one sequence of the world.
    var number: Int64
    var userId: String
    var kind: Kind
    var operation: Operation
    var entityId: String
    /// The entity at that time: one of these, or none for a deletion.
    var event: Event?
    var eventType: EventType?
    var geofence: Geofence?
    var propertyDefinition: PropertyDefinition?
    var createdAt: Timestamp

    var id: String { String(number) }
    var group: String { userId }
}

/// A finding in the events (contract, section 10.10).
struct Insight: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable { case correlation, pattern, streak, summary }

    enum Category: String, Codable, CaseIterable, Sendable {
        case crossEvent = "cross_event"
        case property
        case timeOfDay = "time_of_day"
        case dayOfWeek = "day_of_week"
        case weekly, streak
    }

    enum Confidence: String, Codable, CaseIterable, Sendable { case high, medium, low }
    enum Direction: String, Codable, CaseIterable, Sendable { case positive, negative, neutral }

    var uuid: String
    var userId: String
    var kind: Kind
    var category: Category
    var title: String
    var description: String
    var eventTypeAId: String?
    var eventTypeBId: String?
    var propertyKey: String?
    var metricValue: Double
    var pValue: Double?
    var sampleSize: Int
    var confidence: Confidence
    var direction: Direction
    var metadata: JSON?
    var computedAt: Timestamp
    var validUntil: Timestamp
    var createdAt: Timestamp

    var id: String { OwnedKey.text(userId, uuid) }
    var group: String { userId }

    private enum CodingKeys: String, CodingKey {
        case uuid = "id"
        case userId
        case kind = "insightType"
        case category, title, description, eventTypeAId, eventTypeBId, propertyKey, metricValue, pValue, sampleSize
        case confidence, direction, metadata, computedAt, validUntil, createdAt
    }
}
