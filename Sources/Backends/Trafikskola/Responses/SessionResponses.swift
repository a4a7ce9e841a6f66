import Backend
import CivilTime
import JSON

/// The user of a login: exactly these four members, all strings (contract, section 4).
struct SignedInUser: ResponseModel {
    var user: User

    static let shape = ResponseSchema<Self>(
        "SignedInUser",
        [
            .string("id") { $0.user.id }, .string("email") { $0.user.email },
            .string("firstName") { $0.user.firstName }, .string("lastName") { $0.user.lastName },
        ]
    )
}

/// The response to all four logins.
struct Login: ResponseModel {
    var issued: TrafikskolaState.Issued
    var user: User

    static let shape = ResponseSchema<Self>(
        "Login",
        [
            .string("accessToken") { $0.issued.accessToken },
            .string("refreshToken") { $0.issued.refreshToken ?? "" },
            .integer("expiresIn") { $0.issued.expiresIn },
            .object("user") { SignedInUser(user: $0.user) },
        ]
    )
}

/// The response to a refresh (section 3.3).
struct Refreshed: ResponseModel {
    var issued: TrafikskolaState.Issued

    static let shape = ResponseSchema<Self>(
        "Refreshed",
        [
            .string("accessToken") { $0.issued.accessToken },
            .optionalString("refreshToken") { $0.issued.refreshToken },
            .integer("expiresIn") { $0.issued.expiresIn },
        ]
    )
}

struct CodeSent: ResponseModel {
    var otpId: String

    static let shape = ResponseSchema<Self>(
        "CodeSent",
        [
            .string("message") { _ in "A code has been sent to your email address" },
            .integer("expiresIn") { _ in 300 },
            .string("otpId") { $0.otpId },
        ]
    )
}

struct DeviceRegistered: ResponseModel {
    var deviceId: String

    static let shape = ResponseSchema<Self>(
        "DeviceRegistered",
        [.boolean("registered") { _ in true }, .string("deviceId") { $0.deviceId }]
    )
}

/// A live session in the user's own list (endpoint 50).
struct OwnSession: ResponseModel {
    var session: Session
    var isCurrent: Bool
    var expiresAt: Instant

    static let shape = ResponseSchema<Self>(
        "OwnSession",
        [
            .string("id") { $0.session.id },
            .nullableString("deviceId") { $0.session.device.deviceId },
            .nullableString("platform") { $0.session.device.platform },
            .nullableString("deviceName") { $0.session.device.deviceName },
            .nullableString("deviceModel") { $0.session.device.deviceModel },
            .nullableString("osVersion") { $0.session.device.osVersion },
            .nullableString("appVersion") { $0.session.device.appVersion },
            .boolean("isCurrent") { $0.isCurrent },
            .time("registeredAt") { .at($0.session.createdAt.instant) },
            .time("lastActiveAt") { .at($0.session.lastActiveAt.instant) },
            .time("expiresAt") { .at($0.expiresAt) },
        ]
    )
}

struct OwnSessions: ResponseModel {
    var sessions: [OwnSession]

    static let shape = ResponseSchema<Self>(
        "OwnSessions",
        [.array("devices") { $0.sessions }, .integer("total") { $0.sessions.count }]
    )
}

/// A session as the dashboard lists it (endpoint 45).
struct ListedSession: ResponseModel {
    var session: Session
    var user: User?
    var expiresAt: Instant
    var isActive: Bool

    static let shape = ResponseSchema<Self>(
        "ListedSession",
        [
            .string("id") { $0.session.id },
            .string("userId") { $0.session.userId },
            .string("userName") { $0.user?.name ?? "" },
            .string("userEmail") { $0.user?.email ?? "" },
            .nullableString("deviceId") { $0.session.device.deviceId },
            .nullableString("platform") { $0.session.device.platform },
            .nullableString("ipAddress") { $0.session.ipAddress },
            .time("createdAt") { .at($0.session.createdAt.instant) },
            .time("lastActiveAt") { .at($0.session.lastActiveAt.instant) },
            .time("expiresAt") { .at($0.expiresAt) },
            .boolean("isActive") { $0.isActive },
        ]
    )
}

struct ListedSessions: ResponseModel {
    var sessions: [ListedSession]
    var total: Int
    var page: Int
    var limit: Int

    static let shape = ResponseSchema<Self>(
        "ListedSessions",
        [
            .array("sessions") { $0.sessions },
            .integer("total") { $0.total },
            .integer("page") { $0.page },
            .integer("limit") { $0.limit },
            .integer("totalPages") { ($0.total + $0.limit - 1) / $0.limit },
        ]
    )
}

struct TerminatedSession: ResponseModel {
    var session: Session
    var user: User?

    static let shape = ResponseSchema<Self>(
        "TerminatedSession",
        [
            .string("sessionId") { $0.session.id },
            .string("userId") { $0.session.userId },
            .string("userName") { $0.user?.name ?? "" },
        ]
    )
}

/// A device as the dashboard lists it (endpoint 47).
struct ListedDevice: ResponseModel {
    var device: Device
    var user: User?
    var isActive: Bool

    static let shape = ResponseSchema<Self>(
        "ListedDevice",
        [
            .string("id") { $0.device.id },
            .string("userId") { $0.device.userId },
            .string("userName") { $0.user?.name ?? "" },
            .nullableString("deviceId") { $0.device.info.deviceId },
            .nullableString("platform") { $0.device.info.platform },
            .nullableString("deviceName") { $0.device.info.deviceName },
            .nullableString("deviceModel") { $0.device.info.deviceModel },
            .nullableString("osVersion") { $0.device.info.osVersion },
            .nullableString("appVersion") { $0.device.info.appVersion },
            .nullableString("pushToken") { $0.device.info.pushToken },
            .boolean("isActive") { $0.isActive },
            .time("lastActiveAt") { .at($0.device.lastActiveAt.instant) },
            .time("registeredAt") { .at($0.device.registeredAt.instant) },
        ]
    )
}

struct ListedDevices: ResponseModel {
    var devices: [ListedDevice]

    static let shape = ResponseSchema<Self>(
        "ListedDevices",
        [.array("devices") { $0.devices }, .integer("total") { $0.devices.count }]
    )
}

struct PushReport: ResponseModel {
    var sent: Int
    var failed: Int

    static let shape = ResponseSchema<Self>(
        "PushReport",
        [.integer("sent") { $0.sent }, .integer("failed") { $0.failed }]
    )
}
