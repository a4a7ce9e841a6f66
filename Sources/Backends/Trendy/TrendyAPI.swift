package import Backend
import CivilTime

package typealias TrendyEndpoint = Endpoint<TrendyState, TrendyAPI.EndpointMetadata>

/// Trendy: onboarding status, sign-in by Supabase Auth, events with their types and places, insights.
package enum TrendyAPI {
    /// The properties of an endpoint that only Trendy uses.
    package struct EndpointMetadata: Sendable {
        /// The server of an endpoint; each has rules and error forms of its own.
        enum Server: Sendable { case backend, auth, tables }

        var server: Server

        static let backend = EndpointMetadata(server: .backend)
        static let auth = EndpointMetadata(server: .auth)
        static let tables = EndpointMetadata(server: .tables)
    }

    package static let identity = APIIdentity(
        name: "trendy",
        title: "Trendy",
        version: "1.0",
        description: "Event tracking: onboarding status, Supabase sign-in, events, geofences, insights.",
        portOffset: 5
    )

    package static let definition = APIDefinition<TrendyState>(
        identity,
        requests: RequestHandling(
            endpoints,
            preflight: preflight,
            precheck: precheck,
            render: render,
            unknownPath: unknownPath,
            otherMethod: otherMethod,
            user: { credential, state, _ in user(of: credential, state: state) }
        ),
        settings: TrendySettings.declarations,
        storedProperties: storedProperties,
        readSeed: readSeed,
        bind: bind,
        refusal: { status, detail, _, _ in refusal(status, detail: detail) },
        faultAnswer: { order, state, _, call in faultAnswer(order, state: state, call: call) },
        mintToken: mintToken,
        endTokens: endTokens,
        endCredential: endCredential
    ) {
        $0.compresses = { $0.settings.compress == .on }
        $0.bodyReading = BodyReading(depth: bodyDepth)
        $0.builtInSeed = { builtInSeed }
        $0.readScenario = ScenarioContent.reader(apply: apply, undo: undo)
        $0.selectSeed = selectSeed
        $0.reindex = { $0.reindex() }
        $0.dropCaches = { $0.tokens.forget() }
        $0.secrets = secrets
        $0.ledger = ledger
        $0.appleKeys = { $0.tokens.apple.keySet }
    }

    package static let endpoints: [TrendyEndpoint] =
        onboardingEndpoints + signInEndpoints + sessionEndpoints + healthEndpoints + backendAuthEndpoints
        + syncEndpoints + eventEndpoints + eventTypeEndpoints + propertyEndpoints + geofenceEndpoints
        + insightEndpoints + analyticsEndpoints + profileEndpoints

    package static func bind(_ state: inout TrendyState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("trendy tokens"),
            issuer: core.issuer,
            keySeed: core.seed ^ "trendy keys".fnv1a64,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
    }

    static func selectSeed(_ state: inout TrendyState, day: Instant) {
        guard !state.variants.isEmpty else { return }
        let variant = state.variants[day.civilDate.weekday.rawValue - 1]
        state.events = variant.events
        state.changes = variant.changes
        state.lastChange = variant.lastChange
        state.variants = []
    }
}
