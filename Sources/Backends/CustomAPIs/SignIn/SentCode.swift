import Backend
package import CivilTime

/// The one-time code that was sent last to someone (own-API contract, section 15).
package struct SentCode: Row, Codable, Sendable, Equatable {
    /// The identifier in lower case.
    package let id: String
    package let code: String
    package let expiresAt: Instant

    package init(id: String, code: String, expiresAt: Instant) {
        self.id = id
        self.code = code
        self.expiresAt = expiresAt
    }

    /// The numbers in a stored code.
    static let ranges: StoredRanges = ["expiresAt": .date]
    /// The code while all are the same.
    static let fixed = "123456"
    /// The number of codes that are kept; the oldest are dropped first.
    static let most = 10_000
}
