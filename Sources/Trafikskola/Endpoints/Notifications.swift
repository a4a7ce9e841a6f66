import CivilTime
import Emulation
import HTTPMessage
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
            .optionalCustom(
                "data",
                .object(JSONSchema.Object([], additionalProperties: .schema(Schemas.text))),
                isPresent: { $0.notification.data != nil }
            ) { view, writer in
                writer.json.beginObject()
                for datum in view.notification.data ?? [] {
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

extension ResponseSchema.Member {
    /// A date-time, or null.
    static func nullableTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .custom(name, .nullable(Schemas.time)) { value, writer in
            if let time = read(value) { writer.write(time) } else { writer.json.null() }
        }
    }

    /// A date-time, left out if it is nil.
    static func optionalTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .optionalCustom(name, Schemas.time, isPresent: { read($0) != nil }) { value, writer in
            if let time = read(value) { writer.write(time) }
        }
    }

    /// A day, left out if it is nil.
    static func optionalDay(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .optionalCustom(name, Schemas.day, isPresent: { read($0) != nil }) { value, writer in
            if let time = read(value) { writer.writeDay(time) }
        }
    }

    /// A whole number, left out if it is nil.
    static func optionalInteger(_ name: String, _ read: @escaping @Sendable (Value) -> Int?) -> Self {
        .optionalCustom(name, .integer(), isPresent: { read($0) != nil }) { value, writer in
            writer.json.integer(Int64(read(value) ?? 0))
        }
    }

    /// A number, left out if it is nil.
    static func optionalNumber(_ name: String, _ read: @escaping @Sendable (Value) -> Double?) -> Self {
        .optionalCustom(name, .number, isPresent: { read($0) != nil }) { value, writer in
            writer.json.double(read(value) ?? 0)
        }
    }

    /// An object of another shape, left out if it is nil.
    static func optionalObject<Inner: ResponseModel>(_ name: String, _ read: @escaping @Sendable (Value) -> Inner?)
        -> Self
    {
        .optionalCustom(name, Inner.shape.schema, isPresent: { read($0) != nil }) { value, writer in
            if let inner = read(value) { writer.write(inner) }
        }
    }
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

extension TrafikskolaAPI {
    /// Endpoints 20 and 21 (contract, section 7.5).
    static let notificationEndpoints: [Endpoint<TrafikskolaAPI>] = [
        Endpoint(
            .get,
            "/api/mobile/notifications",
            "The caller's notifications",
            standing: .beyondTheDocument,
            parameters: [
                query("since", Schemas.time, "Only later ones"),
                query("limit", .integer(minimum: 1, maximum: 100), "20 if absent"),
                query("unreadOnly", .boolean, "true: only unread ones"),
            ],
            bodyLimit: jsonLimit,
            answers: [data(NotificationList.self, "Newest first"), validationError] + bearerErrors,
            trait: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let (user, session) = try signedIn(&state, &call)
            let limit = try number("limit", call.query, from: 1, through: 100, default: 20)
            var since: Instant?
            if let text = call.query.last("since"), !text.isEmpty {
                // A plus sign that was not encoded has become a space.
                guard let instant = Instant(iso8601: text) ?? Instant(iso8601: text.replacingSpaceWithPlus) else {
                    throw .validation("since", "must be a timestamp")
                }
                since = instant
            }
            let unreadOnly = call.query.last("unreadOnly") == "true"
            let all = state.notifications.rows(in: user.id)
            let times = all.map { $0.createdAt.resolved(in: call.epoch) }
            let shown = all.indices
                .filter { place in
                    (since.map { times[place] > $0 } ?? true) && !(unreadOnly && all[place].readAt != nil)
                }
                .sorted { (times[$0], $0) > (times[$1], $1) }
                .prefix(limit).map { all[$0] }
            return ok(
                NotificationList(
                    notifications: shown,
                    unreadCount: all.count { $0.readAt == nil },
                    hasKick: shown.contains { row in
                        row.readAt == nil && row.notificationType == Notification.kick
                            && row.sessions?.contains(session.id) == true
                    }
                ),
                call
            )
        },
        Endpoint(
            .post,
            "/api/mobile/notifications",
            "Marks notifications as read",
            standing: .beyondTheDocument,
            body: .json(ReadMarks.self, example: ["notificationIds": ["ntf_1"]]),
            bodyLimit: jsonLimit,
            answers: [data(MarkedAsRead.self, "How many are newly read"), validationError] + bodyErrors + bearerErrors,
            trait: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            let ids = try read(ReadMarks.self, call).notificationIds
            var count = 0
            for id in ids {
                guard let row = state.notifications[id], row.userId == user.id, row.readAt == nil else { continue }
                state.notifications.update(id) { $0.readAt = .at(call.now) }
                count += 1
            }
            return ok(MarkedAsRead(count: count), call)
        },
    ]
}

extension String {
    fileprivate var replacingSpaceWithPlus: String { String(map { $0 == " " ? "+" : $0 }) }
}
