import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// Endpoints 20 and 21 (contract, section 7.5).
    static let notificationEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/notifications",
            "The caller's notifications",
            provenance: .beyondTheDocument,
            parameters: [
                query("since", Schemas.time, "Only later ones"),
                query("limit", .integer(minimum: 1, maximum: 100), "20 if absent"),
                query("unreadOnly", .boolean, "true: only unread ones"),
            ],
            answers: [data(NotificationList.self, "Newest first"), validationError] + bearerErrors,
            metadata: EndpointMetadata()
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
            provenance: .beyondTheDocument,
            body: .json(ReadMarks.self, example: ["notificationIds": ["ntf_1"]]),
            answers: [data(MarkedAsRead.self, "How many are newly read"), validationError] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata()
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
