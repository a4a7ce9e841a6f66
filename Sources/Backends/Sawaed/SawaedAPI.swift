package import Backend

package typealias SawaedEndpoint = Endpoint<SawaedState, SawaedAPI.EndpointMetadata>

/// Sawaed: a youth-opportunities service with e-mail codes, onboarding, a profile, an AI assessment and events.
package enum SawaedAPI {
    /// The properties of an endpoint that only Sawaed uses.
    package struct EndpointMetadata: Sendable {
        /// The part of the service that a route belongs to, which determines its precheck and its error form.
        enum Area: Sendable { case auth, v1, chatSend, chatStatus, storage, documents }

        /// A limiter whose attempts count before validation (section 10).
        enum Bucket: Sendable { case basics, register, cancel }

        /// The response to an invalid body (section 2.2).
        enum BodyFailure: Sendable {
            /// The generic codes of `/v1`.
            case generic
            /// 400 with the route's own failure code.
            case own
            /// 401 `invalid_credentials`.
            case credentials
        }

        var area: Area
        /// The route's code of section 2.6, for 500 and for the auth routes' 400.
        var failure: String
        var bucket: Bucket?
        var bodyFailure = BodyFailure.generic
        /// The code of a conflict that a fault injects.
        var conflict = "conflict"
        /// Tells whether an expired token is 401 whatever `expiredToken` says.
        var isAlways401 = false
    }

    package static let identity = APIIdentity(
        name: "sawaed",
        title: "Sawaed Mobile API",
        version: "1.0.0",
        description:
            "Youth opportunities: sign-in by code, onboarding, profile, AI assessment, learning paths, events.",
        portOffset: 1
    )

    package static let definition = APIDefinition<SawaedState>(
        identity,
        requests: RequestHandling(
            endpoints,
            precheck: precheck,
            render: render,
            unknownPath: { _, _ in .notFound },
            otherMethod: otherMethod,
            user: { credential, state, _ in user(of: credential, state: state) }
        ),
        settings: SawaedSettings.declarations,
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
        $0.bodyReading = BodyReading(isMended: true, allowsBOM: true)
        $0.builtInSeed = { builtInSeed }
        $0.readScenario = ScenarioContent.reader(apply: apply)
        $0.reindex = { $0.reindex() }
        $0.dropCaches = { $0.tokens.forget() }
        $0.secrets = secrets
        $0.ledger = ledger
        $0.appleKeys = { $0.tokens.apple.keySet }
    }

    package static let endpoints: [SawaedEndpoint] =
        authEndpoints + onboardingEndpoints + locationEndpoints + profileEndpoints + listEndpoints + aiEndpoints
        + chatEndpoints + eventEndpoints + documentEndpoints + aliasEndpoints + optionalEndpoints + storageEndpoints

    /// The general limit of `control.md`: these routes have no smaller one that answers 413.
    static let bodyLimit = 20 * 1024 * 1024
    /// The longest body that is read, in UTF-16 code units (section 2.2).
    static let bodyUnits = 262_144
    /// The largest picture (section 6.7).
    static let uploadLimit = 5 * 1024 * 1024

    package static func bind(_ state: inout SawaedState, core: WorldCore) {
        state.tokens = TokenIssuer(
            seed: core.seed,
            issuer: core.issuer,
            secret: core.secret("sawaed offline tokens"),
            keys: state.tokens.keys,
            issued: core.issued
        )
    }
}
