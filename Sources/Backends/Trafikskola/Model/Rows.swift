import Backend
import CivilTime

/// A person by id and name, as responses show an instructor.
struct Person: Codable, Sendable, Equatable {
    var id: String
    var name: String
    var phone: String?
}

/// An account (contract, sections 6 and 10).
struct User: Row, Codable {
    enum Role: String, Codable, CaseIterable, Sendable { case student, teacher, admin }

    struct Progress: Codable, Sendable {
        var lessonsCompleted: Int
        var totalLessons: Int
        var examStatus: String
    }

    /// The numbers of names that have been issued to uploaded pictures in one second.
    struct AvatarNames: Codable, Sendable {
        var second: Int64
        var jpg = 0
        var png = 0

        /// The number of the next name with that extension.
        mutating func next(_ fileExtension: String) -> Int {
            if fileExtension == "png" {
                png = png.addingClamped(1)
                return png
            }
            jpg = jpg.addingClamped(1)
            return jpg
        }
    }

    var id: String
    /// The e-mail in lower case.
    var email: String
    var firstName: String
    var lastName: String
    var role: Role
    var password: String
    var phone: String?
    var address: String?
    /// The name of the stored picture; its URL is made for each caller.
    var avatarFile: String?
    var avatarNames: AvatarNames?
    var personalNumber: String?
    /// The date as the document writes it, without milliseconds.
    var enrolledAt: String?
    var licenseType: String?
    var instructor: Person?
    var progress: Progress?

    var name: String { "\(firstName) \(lastName)" }
    var isStaff: Bool { role != .student }
}

/// The description that a device sends of itself (section 2.6).
struct DeviceInfo: Codable, Sendable, Equatable {
    var deviceId: String?
    var platform: String?
    var deviceName: String?
    var deviceModel: String?
    var osVersion: String?
    var appVersion: String?
    var pushToken: String?
}

/// A login (section 3.1).
struct Session: Row, Codable {
    enum EndReason: String, Codable, CaseIterable, Sendable {
        case logout
        case deviceRevoked = "device_revoked"
        case admin, reuse
    }

    var id: String
    var userId: String
    var device: DeviceInfo
    var ipAddress: String?
    var createdAt: Moment
    var lastActiveAt: Moment
    /// The newest refresh token; nil for a session that has only an access token.
    var refreshId: String?
    /// The end of the access token, for a session without a refresh token.
    var accessEnd: Moment?
    var endedAt: Moment?
    var endReason: EndReason?
    /// Tells whether rows of its oldest rotated refresh tokens have been removed.
    var hasDroppedTokens: Bool?

    var group: String { userId }
}

/// A refresh token, without the token itself (section 3.1).
struct RefreshToken: Row, Codable {
    enum Revoker: String, Codable, CaseIterable, Sendable {
        case rotation
        /// Used in the single-use variant, which does not rotate tokens.
        case use
        case logout, device, admin, reuse
    }

    /// The result of a rotation, so that it can be repeated within the grace period.
    struct Successor: Codable, Sendable {
        var accessId: String
        var refreshId: String
        var issuedAt: Moment
        var accessExpiresAt: Moment
        var refreshExpiresAt: Moment
    }

    /// The `jti`.
    var id: String
    var userId: String
    /// SHA-256 in hex.
    var tokenHash: String
    var sessionId: String
    var deviceId: String?
    var issuedAt: Moment
    var expiresAt: Moment
    var revokedAt: Moment?
    var revokedBy: Revoker?
    var lastUsedAt: Moment?
    var successor: Successor?

    var group: String { sessionId }
}

/// An issued access token, kept until it expires so that it can be ended earlier.
struct AccessToken: Row, Codable {
    /// The `jti`.
    var id: String
    var userId: String
    /// Its session; nil in worlds that were stored before it was kept.
    var sessionId: String?
    var expiresAt: Moment
    var endedAt: Moment?

    var group: String { userId }
}

/// The `jti` of a token that was made outside a running world and has been used in it.
struct OfflineToken: Row, Codable {
    var id: String
}

/// A user whose sessions the theft scenario has already ended.
struct TheftMark: Row, Codable {
    /// The user's id.
    var id: String
}

/// A device that a user has registered (endpoints 18 and 19).
struct Device: Row, Codable {
    var id: String
    var userId: String
    var info: DeviceInfo
    var isRegistered: Bool
    var registeredAt: Moment
    var lastActiveAt: Moment

    var group: String { userId }

    static func key(_ userId: String, _ deviceId: String) -> String { "\(userId)|\(deviceId)" }
}

/// A one-time code (endpoints 14 and 15).
struct OneTimeCode: Row, Codable {
    var id: String
    var userId: String
    var code: String
    var createdAt: Moment
    var expiresAt: Moment
    var wrongTries = 0
    var isUsed = false
    var isSuperseded = false

    var group: String { userId }
}

/// A token of a QR code (section 8.3).
struct QuickLoginToken: Row, Codable {
    /// The token itself.
    var id: String
    var userId: String
    var expiresAt: Timestamp
    var usedAt: Moment?

    var group: String { userId }
}

/// An uploaded or seeded profile picture.
struct Avatar: Row, Codable {
    /// The file name.
    var id: String
    var contentType: String
    var data: Blob
}

/// One of the school's pictures (section 5.4).
struct Picture: Row, Codable {
    /// The file name.
    var id: String
    var data: Blob
}

/// The texts of one language (section 5.5).
struct Translation: Row, Codable {
    struct Section: Codable, Sendable {
        struct Entry: Codable, Sendable {
            var key: String
            var text: String
        }

        var name: String
        var entries: [Entry]
    }

    /// `sv` or `en`.
    var id: String
    var version: String
    var sections: [Section]
}
