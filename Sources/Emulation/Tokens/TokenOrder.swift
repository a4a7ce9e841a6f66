package import CivilTime
package import JSON

/// A token asked of the control API (control contract, section 12).
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

    /// An e-mail or an id.
    package var user: String
    package var kind: Kind
    package var state: State
    /// How long it lasts; the API's own life if nil.
    package var life: Interval?
    /// Members that are set in (or, when null, taken out of) the payload.
    package var claims: JSONObject
    /// Whether the token is made outside a running world (`understudy token`), which then can't have stored it.
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
    /// A number for the order at that moment: the same in every process, another one for another order.
    func distinction(at now: Instant) -> UInt64 {
        "\(kind.rawValue) \(state.rawValue) \(now.microseconds) \(user)".fnv1a64
    }

    /// What an opaque token can be (control contract, section 12).
    private static let opaqueStates: [State] = [.valid, .expired, .revoked]

    /// Refuses a state that only a signed token can have; `name` says what was asked for.
    package func checkOpaque(_ name: String) throws(Problem) {
        guard !Self.opaqueStates.contains(state) else { return }
        let names = Self.opaqueStates.map(\.rawValue).joined(separator: ", ")
        throw Problem(
            .invalidBody,
            "A \(name) is an opaque text: it has no signature, audience or issuer.",
            items: [Problem.Item(path: "$.state", reason: "must be one of \(names)")]
        )
    }
}

/// What the control API hands out.
package struct MintedToken: Sendable, Equatable {
    package var token: String
    package var expiresAt: Instant?

    package init(token: String, expiresAt: Instant?) {
        self.token = token
        self.expiresAt = expiresAt
    }
}

/// The end of what a user holds.
package struct TokenEnding: Sendable {
    package enum Scope: String, Sendable, CaseIterable { case access, refresh, all }
    package enum Manner: String, Sendable, CaseIterable { case expire, revoke }

    package var user: String
    package var scope: Scope
    package var manner: Manner
    /// When it takes effect.
    package var at: Instant

    package init(user: String, scope: Scope, manner: Manner, at: Instant) {
        self.user = user
        self.scope = scope
        self.manner = manner
        self.at = at
    }
}
