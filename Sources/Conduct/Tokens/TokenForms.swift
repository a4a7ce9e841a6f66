import Backend
package import ConductKit
import JSON

/// The forms of the tokens that the emulator issues.
package enum TokenForms {
    /// Recognises a token of one world by what it says of itself; `api` is the name of an API.
    package static func recognise(_ token: String, of api: String, world: String, _ rules: RuleRegistry)
        -> RecognisedCredential?
    {
        guard token.utf8.count <= longest else { return nil }
        if let payload = TokenText.payload(of: token) {
            let issuer = issuer(payload)
            return issuer == WorldCore.issuerPrefix + world ? recognise(payload, of: api, rules) : nil
        }
        // Refresh tokens that are no JWTs lead back to their world by a mark.
        if let mark = WorldTag.shortMark(in: token) {
            return mark == WorldTag.shortMark(of: world) ? RecognisedCredential(kind: .refresh) : nil
        }
        guard WorldTag.world(of: token) == world else { return nil }
        return halves(token)
    }

    /// Recognises a token of any world; `api` is the name of an API, or a host.
    package static func recognise(_ token: String, of api: String, _ rules: RuleRegistry) -> RecognisedCredential? {
        guard token.utf8.count <= longest else { return nil }
        guard let payload = TokenText.payload(of: token) else {
            return WorldTag.world(of: token) == nil ? nil : halves(token)
        }
        guard let issuer = issuer(payload), WorldCore.world(ofIssuer: issuer) != nil else { return nil }
        return recognise(payload, of: api, rules)
    }

    private static let longest = 16_384

    private static func issuer(_ payload: JSONObject) -> String? {
        payload["understudy"]?.stringValue ?? payload["iss"]?.stringValue
    }

    /// Recognises `secret|session`.
    private static func halves(_ token: String) -> RecognisedCredential? {
        guard let bar = token.firstIndex(of: "|") else { return nil }
        let session = token[token.index(after: bar)...]
        return session.isEmpty ? nil : RecognisedCredential(kind: .refresh, session: String(session))
    }

    private static func recognise(_ payload: JSONObject, of api: String, _ rules: RuleRegistry)
        -> RecognisedCredential?
    {
        let subject = payload["sub"]?.stringValue
        var found = RecognisedCredential(
            kind: .access,
            user: subject,
            issuedAt: payload["iat"]?.intValue,
            expiresAt: payload["exp"]?.intValue
        )
        if payload["iss"]?.stringValue == AppleIdentityProvider.issuer {
            found.kind = .identity
            return found
        }
        let id = payload["jti"]?.stringValue ?? ""
        if let place = CustomTokenIdentity(id) {
            found.kind = place.isRefresh ? .refresh : .access
            found.session = place.session
            return found
        }
        switch payload["type"]?.stringValue ?? payload["typ"]?.stringValue {
        case "refresh"?: found.kind = .refresh
        case "access"?: break
        default:
            let isAccess =
                payload["scope"] != nil || payload["session_id"] != nil || payload["aud"]?.stringValue == "convex"
            // The refresh tokens of some APIs say nothing of their kind. A token of a custom API whose `jti` was
            // ordered does not either, and may be an access token.
            let isUntyped = rules[api: api]?.isRefreshTokenID != nil || isHost(api) && rules.isRefreshTokenID(id)
            guard isAccess || isUntyped else { return nil }
            if !isAccess { found.kind = .refresh }
        }
        found.session = payload["sid"]?.stringValue ?? payload["session_id"]?.stringValue
        if let subject, let bar = subject.firstIndex(of: "|") {
            found.user = String(subject[..<bar])
            found.session = String(subject[subject.index(after: bar)...])
        }
        return found
    }

    private static func isHost(_ api: String) -> Bool { api.contains { $0 == "." || $0 == ":" } || api == "localhost" }
}

/// The place of a custom API's token in its session, as its `jti` has it: the session, `a` or `r`, and a number.
private struct CustomTokenIdentity {
    var session: String
    var isRefresh: Bool

    init?(_ id: String) {
        guard let dot = id.lastIndex(of: "."), id.hasPrefix("ses_") || id.hasPrefix(TokenOrder.offlineIDPrefix) else {
            return nil
        }
        let rest = id[id.index(after: dot)...]
        guard rest.count > 1, rest.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        switch rest.first {
        case "a"?: isRefresh = false
        case "r"?: isRefresh = true
        default: return nil
        }
        session = String(id[..<dot])
    }
}

extension RecognisedCredential {
    /// The credential as its API reads it.
    init(_ issued: IssuedCredential) {
        self.init(
            kind: issued.isRefresh ? .refresh : .access,
            session: issued.session,
            user: issued.user,
            issuedAt: issued.issuedAt,
            expiresAt: issued.expiresAt
        )
    }
}
