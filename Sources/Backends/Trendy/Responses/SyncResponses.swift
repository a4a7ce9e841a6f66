import Backend
import JSON

extension Change: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Change",
        [
            .integer64("id") { $0.number },
            .choice("entity_type") { $0.kind },
            .choice("operation") { $0.operation },
            .string("entity_id") { $0.entityId },
            .string("user_id") { $0.userId },
            .custom("data", .nullable(.object(JSONSchema.Object()))) { change, writer in
                if let event = change.event {
                    writer.write(event)
                } else if let type = change.eventType {
                    writer.write(type)
                } else if let geofence = change.geofence {
                    writer.write(geofence)
                } else if let definition = change.propertyDefinition {
                    writer.write(definition)
                } else {
                    writer.json.null()
                }
            },
            .optionalTime("deleted_at") { $0.operation == .delete ? $0.createdAt : nil },
            .time("created_at") { $0.createdAt },
        ]
    )
}

/// A page of the change feed (section 10.3).
struct ChangePage: ResponseModel {
    var changes: [Change]
    var nextCursor: Int64
    var hasMore: Bool

    static let shape = ResponseSchema<Self>(
        "ChangePage",
        [
            .array("changes") { $0.changes },
            .integer64("next_cursor") { $0.nextCursor },
            .boolean("has_more") { $0.hasMore },
        ]
    )
}

struct CursorResponse: ResponseModel {
    var cursor: Int64

    static let shape = ResponseSchema<Self>("Cursor", [.integer64("cursor") { $0.cursor }])
}

/// The state of an account before a sync (section 10.4).
struct SyncStatusResponse: ResponseModel {
    enum Status: String, CaseIterable, Sendable {
        case allSynced = "all_synced"
        case pendingChanges = "pending_changes"
        case resyncRecommended = "resync_recommended"
    }

    struct Counts: ResponseModel {
        var events: Int
        var eventTypes: Int

        static let shape = ResponseSchema<Self>(
            "SyncCounts",
            [.integer("events") { $0.events }, .integer("event_types") { $0.eventTypes }]
        )
    }

    struct Health: ResponseModel {
        var lastSync: Timestamp?
        var count: Int

        static let shape = ResponseSchema<Self>(
            "SyncHealth",
            [.optionalTime("last_sync") { $0.lastSync }, .integer("count") { $0.count }]
        )
    }

    var lastEvent: Timestamp?
    var lastEventType: Timestamp?
    var counts: Counts
    var health: Health
    var latestCursor: Int64
    var status: Status
    var recommendations: [String]

    static let shape = ResponseSchema<Self>(
        "SyncStatus",
        [
            .optionalTime("last_event") { $0.lastEvent },
            .optionalTime("last_event_type") { $0.lastEventType },
            .object("counts") { $0.counts },
            .object("healthkit") { $0.health },
            .integer64("latest_cursor") { $0.latestCursor },
            .choice("status") { $0.status },
            .optionalJSON("recommendations", .array(.string())) { view in
                view.recommendations.isEmpty ? nil : .array(view.recommendations.map { .string($0) })
            },
        ]
    )
}
