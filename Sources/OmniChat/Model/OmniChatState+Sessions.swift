import CivilTime
import Emulation
import JSON

extension OmniChatState {
    /// What an identifier is for: each kind has a stream of its own, so that one more of one shifts none of another.
    enum IDPurpose: String, Sendable {
        case access, refresh, identity, user, conversation, message, attachment, file, uploadForm, transaction
    }

    /// A fresh identifier of 21 characters (contract, section 2.4).
    ///
    /// None that its table has already, which only an imported world could lead to.
    static func newID(_ purpose: IDPurpose, _ core: inout WorldCore, isTaken: (String) -> Bool) -> String {
        core.randomness.unused("omnichat.\(purpose.rawValue)") { stream in
            stream.text(length: 21, from: idAlphabet)
        } isTaken: {
            isTaken($0)
        }
    }

    private static let idAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8)

    /// Signs a new access token and remembers that it was handed out.
    mutating func issueAccess(
        for user: User,
        life: Interval = TokenIssuer.accessLife,
        claims: JSONObject = JSONObject(),
        now: Instant,
        core: inout WorldCore
    ) -> String {
        let id = Self.newID(.access, &core) { issuedAccess.contains($0) }
        // Now and then, so that the cost for each token stays the same when a frozen clock lets none expire.
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
