package import Backend
import CivilTime

package typealias TrafikskolaEndpoint = Endpoint<TrafikskolaState, TrafikskolaAPI.EndpointMetadata>

/// Trafikskola: a driving school's app with per-device sessions, refresh rotation, configuration, profile and bookings.
package enum TrafikskolaAPI {
    /// The properties of an endpoint that only Trafikskola uses.
    package struct EndpointMetadata: Sendable {
        enum Audience: Sendable { case anyone, students, staff }

        /// Tells whether strict mode requires the app's secret (section 2.3).
        var needsSecret = true
        var audience = Audience.anyone
        /// The failure that a setting may cause before anything is checked.
        var disturbance: Disturbance?
    }

    /// The endpoints that settings can make fail.
    enum Disturbance: Sendable { case config, refresh, quickLogin }

    package static let identity = APIIdentity(
        name: "trafikskola",
        title: "Trafikskola",
        version: "1.0",
        description:
            "A driving school: sessions per device, refresh rotation, configuration, profile, bookings, lessons.",
        portOffset: 4
    )

    package static let definition = APIDefinition<TrafikskolaState>(
        identity,
        requests: RequestHandling(
            endpoints,
            unsupportedMediaCode: "UNSUPPORTED_MEDIA_TYPE",
            precheck: precheck,
            render: render,
            unknownPath: unknownPath,
            otherMethod: otherMethod,
            user: { credential, state, _ in user(of: credential, state: state) }
        ),
        settings: TrafikskolaSettings.declarations,
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
        $0.builtInSeed = { builtInSeed }
        $0.readScenario = ScenarioContent.reader(apply: apply, undo: undo)
        $0.reindex = { $0.reindex() }
        $0.dropCaches = { $0.tokens.forget() }
        $0.qrPayload = qrPayload
        $0.qrOffers = qrOffers
        $0.journalled = journalled
        $0.secrets = secrets
        $0.ledger = ledger
    }

    package static let endpoints: [TrafikskolaEndpoint] =
        authEndpoints + loginEndpoints + configurationEndpoints + pictureEndpoints + profileEndpoints
        + translationEndpoints + deviceEndpoints + notificationEndpoints + bookingEndpoints + invoiceEndpoints
        + readinessEndpoints + courseEndpoints + quizEndpoints + practiceEndpoints + syncEndpoints + adminEndpoints
        + websiteEndpoints

    /// The largest multipart body (section 2.2).
    static let multipartLimit = 20 * 1_048_576
    /// The largest uploaded picture (decision 15).
    static let avatarLimit = 5_242_880
    static let secretPrefix = "sk_trafikskola_"
    static let rateWindow = Interval.seconds(2)

    package static func bind(_ state: inout TrafikskolaState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("trafikskola tokens"),
            issuer: core.issuer,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
    }
}
