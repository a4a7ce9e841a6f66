package import CivilTime
package import JSON

/// An order for a token, made by the control API (control contract, section 12).
package struct TokenOrder: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case access, refresh
        case appleIdentity = "apple-identity"
    }

    package enum State: String, Sendable, CaseIterable {
        case valid, expired, revoked
        case badSignature = "bad-signature"
        case wrongAudience = "wrong-audience"
        case wrongIssuer = "wrong-issuer"
    }

    /// The e-mail address or the id of the user.
    package var user: String
    package var kind: Kind
    package var state: State
    /// The lifetime; the API's own if nil.
    package var life: Interval?
    /// Members that are set in the payload, or removed from it when null.
    package var claims: JSONObject
    /// Tells whether the token is made outside a running world (`understudy token`), which then can't have stored it.
    package var isOffline: Bool

    package init(
        user: String,
        kind: Kind,
        state: State = .valid,
        life: Interval? = nil,
        claims: JSONObject = JSONObject(),
        isOffline: Bool = false
    ) {
        self.user = user
        self.kind = kind
        self.state = state
        self.life = life
        self.claims = claims
        self.isOffline = isOffline
    }
}

extension TokenOrder {
    /// Tells whether the API refuses the token whatever it has stored: for its signature, or for a claim that no other
    /// claim of the order takes back.
    package var isNeverTaken: Bool {
        switch state {
        case .badSignature: true
        case .wrongAudience: claims["aud"] == nil
        case .wrongIssuer: claims["iss"] == nil
        case .valid, .expired, .revoked: false
        }
    }

    /// The end that the payload states: that of the claims, if they have one.
    package func statedEnd(_ end: Instant) -> Instant {
        claims["exp"]?.intValue.map { Instant(seconds: $0) } ?? end
    }

    /// Returns a number for the order at that moment: the same in every process, and different for another order.
    package func distinction(at now: Instant) -> UInt64 {
        "\(kind.rawValue) \(state.rawValue) \(now.microseconds) \(user)".fnv1a64
    }

    /// The possible states of an opaque token (control contract, section 12).
    private static let opaqueStates: [State] = [.valid, .expired, .revoked]

    /// Throws for a state that only a signed token can have; `name` is the kind of token in the message.
    package func checkOpaque(_ name: String) throws(Problem) {
        guard !Self.opaqueStates.contains(state) else { return }
        let names = Self.opaqueStates.map(\.rawValue).joined(separator: ", ")
        throw Problem(
            .invalidBody,
            "A \(name) is opaque: it has no signature, audience or issuer.",
            items: [Problem.Item(path: "$.state", reason: "must be one of \(names)")]
        )
    }
}

/// The token that the control API returns.
package struct MintedToken: Sendable, Equatable {
    package var token: String
    package var expiresAt: Instant?

    package init(token: String, expiresAt: Instant?) {
        self.token = token
        self.expiresAt = expiresAt
    }
}

/// The revocation of a user's credentials.
package struct TokenEnding: Sendable {
    package enum Scope: String, Sendable, CaseIterable { case access, refresh, all }
    package enum Manner: String, Sendable, CaseIterable { case expire, revoke }

    package var user: String
    package var scope: Scope
    package var manner: Manner
    /// The time at which it takes effect.
    package var at: Instant

    package init(user: String, scope: Scope, manner: Manner, at: Instant) {
        self.user = user
        self.scope = scope
        self.manner = manner
        self.at = at
    }
}
