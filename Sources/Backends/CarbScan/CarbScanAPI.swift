package import Backend
import HTTPMessage
import JSON

package typealias CarbScanEndpoint = Endpoint<CarbScanState, CarbScanAPI.EndpointMetadata>

/// CarbScan: carbohydrates estimated from food photos, with meals, sync, chat, insights and subscriptions.
package enum CarbScanAPI {
    /// The properties of an endpoint that only CarbScan uses.
    package struct EndpointMetadata: Sendable {
        /// The group of an endpoint, which determines the codes of its errors and the endpoints of the client's helper
        /// server.
        enum Group: Sendable { case other, auth, config, devices }

        var group = Group.other
        /// Tells whether a body of any size and form has the same response.
        var ignoresBody = false
    }

    package static let identity = APIIdentity(
        name: "carbscan",
        title: "CarbScan",
        version: "1.1",
        description: "Carbohydrates from food photos: analysis, meals, sync, chat, insights, subscriptions.",
        portOffset: 2
    )

    package static let definition = APIDefinition<CarbScanState>(
        identity,
        requests: RequestHandling(
            endpoints,
            unsupportedMediaCode: "UNSUPPORTED_MEDIA_TYPE",
            precheck: precheck,
            render: render,
            unknownPath: { _, _ in .notFound },
            otherMethod: otherMethod,
            user: { credential, state, _ in user(of: credential, state: state) }
        ),
        settings: CarbScanSettings.declarations,
        storedProperties: storedProperties,
        readSeed: readSeed,
        bind: bind,
        refusal: { status, detail, now, _ in refusal(status, detail: detail, now: now) },
        faultAnswer: { order, state, _, call in faultAnswer(order, state: state, call: call) },
        mintToken: mintToken,
        endTokens: endTokens,
        endCredential: endCredential
    ) {
        $0.compresses = { $0.settings.compress == .on }
        $0.acceptsTrailingSlash = true
        // Step 1 of section 2 is the route: faults come after it.
        $0.faultsPrecedeRouting = false
        $0.builtInSeed = { builtInSeed }
        $0.readScenario = ScenarioContent.reader(apply: apply)
        $0.begin = { $0.settle($1) }
        $0.reindex = { $0.reindex() }
        $0.dropCaches = { $0.tokens.forget() }
        $0.secrets = secrets
        $0.ledger = ledger
        $0.appleKeys = { $0.tokens.apple.keySet }
    }

    package static let endpoints: [CarbScanEndpoint] =
        withInjected(
            generalEndpoints + authEndpoints + deviceEndpoints + analysisEndpoints + mealEndpoints + chatEndpoints
                + insightEndpoints + subscriptionEndpoints + browserEndpoints
        )

    static let base = "/api/mobile/v1"
    /// The largest body that is read (section 2).
    static let bodyLimit = 20 * 1024 * 1024
    /// The largest decoded image (section 7.11).
    static let imageLimit = 10_485_760

    package static func bind(_ state: inout CarbScanState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("carbscan tokens \(state.tokenGeneration)"),
            issuer: core.issuer,
            identitySeed: core.seed ^ "carbscan apple".fnv1a64,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
    }

    // MARK: Reading requests

    /// Reads `limit` and `offset` (section 7.12); values above the maximum are clamped, and invalid ones refused.
    static func page(
        _ call: Call,
        usual: Int,
        atMost maximum: Int,
        hasOffset: Bool
    ) throws(APIError) -> (limit: Int, offset: Int) {
        var issues: [FieldIssue] = []
        let query = call.query
        func number(_ name: String, usual: Int, from least: Int) -> Int {
            guard let text = query.first(name) else { return usual }
            let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
            guard !text.isEmpty else {
                issues.note(name, .empty)
                return usual
            }
            guard !digits.isEmpty, text.utf8.count - digits.count <= 1, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
                issues.note(name, .wrongFormat("integer"))
                return usual
            }
            guard digits.count <= 9, let value = Int(text), value >= least else {
                issues.note(name, .outOfRange(.integer(nil)))
                return usual
            }
            return value
        }
        let limit = number("limit", usual: usual, from: 1)
        let offset = hasOffset ? number("offset", usual: 0, from: 0) : 0
        try issues.check()
        return (min(limit, maximum), offset)
    }
}
