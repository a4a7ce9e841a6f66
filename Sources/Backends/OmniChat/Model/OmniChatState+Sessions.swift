import Backend
import CivilTime
import JSON

extension OmniChatState {
    /// The purpose of an identifier.
    ///
    /// Each has a random stream of its own, so that one more identifier of one kind shifts none of another.
    enum IDPurpose: String, Sendable {
        case access, refresh, identity, user, conversation, message, attachment, file, uploadForm, transaction
    }

    /// A new identifier of 21 characters (contract, section 2.4).
    ///
    /// It skips ids that the table has already, which happens only in an imported world.
    static func newID(_ purpose: IDPurpose, _ core: inout WorldCore, isTaken: (String) -> Bool) -> String {
        core.randomness.unused("omnichat.\(purpose.rawValue)") { stream in
            stream.text(length: 21, from: idAlphabet)
        } isTaken: {
            isTaken($0)
        }
    }

    private static let idAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8)

    /// Signs a new access token and stores that it was issued.
    mutating func issueAccess(
        for user: User,
        life: Interval = TokenIssuer.accessLife,
        claims: JSONObject = JSONObject(),
        now: Instant,
        core: inout WorldCore
    ) -> String {
        let id = Self.newID(.access, &core) { issuedAccess.contains($0) }
        // Done from time to time, so that the cost of each token is constant even if a frozen clock lets none expire.
        let count = issuedAccess.count(in: user.id)
        if count > 0, count.isMultiple(of: 256) {
            for row in issuedAccess.rows(in: user.id) where row.expiresAt <= now && row.endedAt == nil {
                issuedAccess.remove(row.id)
            }
        }
        issuedAccess.insert(IssuedAccess(id: id, userId: user.id, expiresAt: now.flooredToSecond + life))
        return tokens.signer.signed(tokens.accessPayload(user: user, id: id, now: now, life: life), claims: claims)
    }

    /// Signs a new refresh token and stores its session.
    mutating func issueRefresh(
        for user: User,
        life: Interval = TokenIssuer.refreshLife,
        claims: JSONObject = JSONObject(),
        now: Instant,
        core: inout WorldCore
    ) -> String {
        let id = Self.newID(.refresh, &core) { refreshSessions.contains($0) }
        core.issued.note(id)
        refreshSessions.insert(RefreshSession(id: id, userId: user.id, expiresAt: now.flooredToSecond + life))
        return tokens.signer.signed(tokens.refreshPayload(user: user, id: id, now: now, life: life), claims: claims)
    }

    /// The user behind an access token that works now, or the 401 of section 2.7.
    mutating func authenticate(_ token: String, now: Instant) throws(APIError) -> CallUser {
        guard settings.accessTokens == .checked, let claims = tokens.verify(token), claims.isAccess, !claims.isRevoked,
            now.seconds < claims.expiresAt,
            issuedAccess.read(id: claims.id, { $0.endedAt.map { now >= $0 } ?? false }) != true
        else { throw .unauthorized("Invalid or expired token") }
        guard settings.accounts == .present,
            let user = users.read(id: claims.subject, { CallUser(id: $0.id, email: $0.email) })
        else { throw .unauthorized("User not found") }
        return user
    }
}
