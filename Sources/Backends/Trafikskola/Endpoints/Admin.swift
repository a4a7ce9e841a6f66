import Backend
import Basics
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    private static let staff = EndpointMetadata(audience: .staff)
    private static let staffErrors = [forbiddenError] + bearerErrors

    /// Endpoints 45 to 49 (contract, section 4).
    static let adminEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/admin/app-dashboard/sessions",
            "All sessions",
            provenance: .beyondTheDocument,
            parameters: [
                query("search", Schemas.text, "Part of a name, an e-mail, a device or a session's id"),
                query("status", .string(enumeration: ["active", "expired"]), "Only those"),
                query("platform", Schemas.text, "Only that platform"),
                query("page", .integer(minimum: 1), "From 1"),
                query("limit", .integer(minimum: 1, maximum: 100), "Sessions in a page; 25 if absent"),
            ],
            answers: [data(ListedSessions.self, "Last active first"), validationError] + staffErrors,
            metadata: staff,
            handle: listSessions
        ),
        Endpoint(
            .delete,
            "/api/admin/app-dashboard/sessions",
            "Ends a session and announces it by push",
            provenance: .beyondTheDocument,
            body: .json(SessionTermination.self, example: ["sessionId": "ses_1"]),
            answers: [data(TerminatedSession.self, "Ended"), validationError, missing] + bodyErrors + staffErrors,
            metadata: staff
        ) { state, core, call throws(APIError) in
            let id = try read(SessionTermination.self, call).sessionId
            guard let session = state.sessions[id] else { throw .notFound }
            let user = state.users[session.userId]
            if session.endedAt == nil {
                state.endSession(id, .admin, now: call.now)
                core.outbox.post(
                    push(
                        to: user?.email ?? session.userId,
                        token: session.device.pushToken,
                        title: "Session terminated",
                        body: "You have been signed out by the school.",
                        data: [("notificationType", "session_terminated"), ("action", "force_logout")],
                        at: call.now
                    )
                )
            }
            return ok(TerminatedSession(session: session, user: user), call)
        },
        Endpoint(
            .get,
            "/api/admin/app-dashboard/devices",
            "All devices",
            provenance: .beyondTheDocument,
            answers: [data(ListedDevices.self, "Last active first")] + staffErrors,
            metadata: staff
        ) { state, _, call throws(APIError) in
            let devices = state.devices.rows.enumerated()
                .map { place, device in
                    let isActive = state.liveSessions(of: device.userId, now: call.now)
                        .contains { $0.device.deviceId == device.info.deviceId }
                    return (place, ListedDevice(device: device, user: state.users[device.userId], isActive: isActive))
                }
                .filter { $1.device.isRegistered || $1.isActive }
                .sorted { ($0.1.device.lastActiveAt, $0.0) > ($1.1.device.lastActiveAt, $1.0) }
            return ok(ListedDevices(devices: devices.map(\.1)), call)
        },
        Endpoint(
            .patch,
            "/api/admin/app-dashboard/devices",
            "Switches a device off: its sessions end",
            provenance: .beyondTheDocument,
            body: .json(DeviceSwitch.self, example: ["deviceId": "device-1", "isActive": false]),
            answers: [plainSuccess("Done; true changes nothing"), validationError, missing] + bodyErrors + staffErrors,
            metadata: staff
        ) { state, _, call throws(APIError) in
            let order = try read(DeviceSwitch.self, call)
            let deviceId = order.deviceId
            // The list shows both ids: the device's own, and the row's.
            let owners = state.devices.rows.filter { $0.info.deviceId == deviceId || $0.id == deviceId }
            let sessions = state.sessions.rows.filter { session in
                session.device.deviceId == deviceId
                    || owners.contains { $0.userId == session.userId && $0.info.deviceId == session.device.deviceId }
            }
            guard !owners.isEmpty || !sessions.isEmpty else { throw .notFound }
            if !order.isActive {
                for session in sessions { state.endSession(session.id, .admin, now: call.now) }
            }
            return success()
        },
        Endpoint(
            .post,
            "/api/admin/app-dashboard/push",
            "Sends a notification",
            provenance: .beyondTheDocument,
            body: .json(
                PushOrder.self,
                example: ["title": "Hej", "body": "Skolan är stängd på fredag.", "targetType": "all"]
            ),
            answers: [data(PushReport.self, "How many were reached"), validationError] + bodyErrors + staffErrors,
            metadata: staff,
            handle: sendPush
        ),
    ]

    static func push(
        to address: String,
        token: String?,
        title: String,
        body: String,
        data: [(String, String)],
        at now: Instant
    ) -> Outbox.Message {
        var message = Outbox.Message(to: address, kind: .push, api: identity.name, token: token, at: now)
        message.title = title
        message.body = body
        message.data = JSONObject(data.map { JSONObject.Member(name: $0.0, value: .string($0.1)) })
        return message
    }

    private static func listSessions(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = call.query
        let page = try number("page", query, from: 1, through: 1_000_000, default: 1)
        let limit = try number("limit", query, from: 1, through: 100, default: 25)
        let status = query.last("status").flatMap { $0.isEmpty ? nil : $0 }
        if let status, status != "active", status != "expired" {
            throw .validation("status", "must be one of active, expired")
        }
        let platform = query.last("platform").flatMap { $0.isEmpty ? nil : $0 }
        let search = query.last("search")?.trimmed.lowercased() ?? ""
        let found = state.sessions.rows.enumerated().filter { _, session in
            if let status, (status == "active") != state.isLive(session, now: call.now) { return false }
            if let platform, session.device.platform != platform { return false }
            guard !search.isEmpty else { return true }
            let user = state.users[session.userId]
            let texts = [session.id, session.device.deviceId, session.device.deviceName, user?.name, user?.email]
            return texts.contains { $0?.lowercased().contains(search) ?? false }
        }
        .sorted { ($0.element.lastActiveAt, $0.offset) > ($1.element.lastActiveAt, $1.offset) }
        let shown = found.dropFirst((page - 1) * limit).prefix(limit).map { _, session in
            ListedSession(
                session: session,
                user: state.users[session.userId],
                expiresAt: state.end(of: session),
                isActive: state.isLive(session, now: call.now)
            )
        }
        return ok(ListedSessions(sessions: Array(shown), total: found.count, page: page, limit: limit), call)
    }

    /// A whole number of the query.
    static func number(
        _ name: String,
        _ query: QueryItems,
        from least: Int,
        through most: Int,
        default value: Int
    ) throws(APIError) -> Int {
        guard let text = query.last(name), !text.isEmpty else { return value }
        guard let number = Int(text), (least...most).contains(number),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .validation(name, "must be a whole number from \(least) to \(most)") }
        return number
    }

    private static func sendPush(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let order = try read(PushOrder.self, call)
        let users: [User] =
            switch order.target {
            case "user": state.user(order.targetId ?? "").map { [$0] } ?? []
            case "device": owners(state) { $0.info.deviceId == order.targetId }
            case "platform": owners(state) { $0.info.platform == order.platform }
            default: state.users.rows
            }
        let type = order.data?.first { $0.name == "notificationType" }?.value ?? "admin_broadcast"
        let others = (order.data ?? []).filter { $0.name != "notificationType" }.map { ($0.name, $0.value) }
        for user in users {
            notify(user, order.title, order.text, type, order.data, &state, &core, now: call.now)
            let token = state.devices.rows(in: user.id).last { $0.isRegistered && $0.info.pushToken != nil }?
                .info.pushToken
            core.outbox.post(
                push(
                    to: user.email,
                    token: token,
                    title: order.title,
                    body: order.text,
                    data: [("notificationType", type)] + others,
                    at: call.now
                )
            )
        }
        return ok(PushReport(sent: users.count, failed: users.isEmpty && order.isNamed ? 1 : 0), call)
    }

    /// The users who have a registered device that fits.
    private static func owners(_ state: TrafikskolaState, _ fits: (Device) -> Bool) -> [User] {
        state.users.rows.filter { user in
            state.devices.rows(in: user.id).contains { $0.isRegistered && fits($0) }
                || state.sessions.rows(in: user.id).contains { session in
                    session.endedAt == nil
                        && fits(
                            Device(
                                id: "",
                                userId: user.id,
                                info: session.device,
                                isRegistered: false,
                                registeredAt: session.createdAt,
                                lastActiveAt: session.lastActiveAt
                            )
                        )
                }
        }
    }

    /// Stores a notification for a user.
    static func notify(
        _ user: User,
        _ title: String,
        _ text: String,
        _ type: String,
        _ data: [Notification.Datum]?,
        sessions: [String]? = nil,
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        now: Instant
    ) {
        let id = TrafikskolaState.newID("ntf", &core) { state.notifications.contains($0) }
        state.notifications.insert(
            Notification(
                id: id,
                userId: user.id,
                title: title,
                body: text,
                notificationType: type,
                data: data,
                sessions: sessions,
                createdAt: .at(now)
            )
        )
    }
}
