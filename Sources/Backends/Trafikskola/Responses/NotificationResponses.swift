import Backend
import JSON

/// A notification (contract, section 7.5).
struct NotificationResponse: ResponseModel {
    var notification: Notification

    static let shape = ResponseSchema<Self>(
        "Notification",
        [
            .string("id") { $0.notification.id },
            .string("title") { $0.notification.title },
            .string("body") { $0.notification.body },
            .string("notificationType") { $0.notification.notificationType },
            .optional(
                "data",
                .object(JSONSchema.Object([], additionalProperties: .schema(Schemas.text))),
                { $0.notification.data }
            ) { data, writer in
                writer.json.beginObject()
                for datum in data {
                    writer.json.name(datum.name)
                    writer.json.string(datum.value)
                }
                writer.json.endObject()
            },
            .time("sentAt") { $0.notification.createdAt },
            .nullableTime("readAt") { $0.notification.readAt },
            .time("createdAt") { $0.notification.createdAt },
        ]
    )
}

struct NotificationList: ResponseModel {
    var notifications: [Notification]
    var unreadCount: Int
    var hasKick: Bool

    static let shape = ResponseSchema<Self>(
        "NotificationList",
        [
            .array("notifications") { $0.notifications.map { NotificationResponse(notification: $0) } },
            .integer("unreadCount") { $0.unreadCount },
            .boolean("hasKick") { $0.hasKick },
        ]
    )
}

struct MarkedAsRead: ResponseModel {
    var count: Int

    static let shape = ResponseSchema<Self>("MarkedAsRead", [.integer("markedAsRead") { $0.count }])
}
