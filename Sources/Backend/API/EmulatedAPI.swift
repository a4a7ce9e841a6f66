package import CivilTime
package import HTTPMessage
package import JSON

/// The names of an API.
///
/// A class, because every request reads the name, and a copy of a structure would count references for each text.
package final class APIIdentity: Sendable {
    /// The name in lower case, as in addresses and settings.
    package let name: String
    package let title: String
    /// The version that the API's own document states.
    package let version: String
    package let description: String
    /// The offset of the API's default port from the hub's.
    package let portOffset: Int

    package init(name: String, title: String, version: String, description: String, portOffset: Int) {
        self.name = name
        self.title = title
        self.version = version
        self.description = description
        self.portOffset = portOffset
    }
}

/// An emulated backend: a state, and pure functions over it.
///
/// Everything the engine needs of an API is here.
package protocol EmulatedAPI: Sendable {
    associatedtype State: Sendable
    associatedtype EndpointMetadata: Sendable
    /// A change of rows that a scenario can make.
    associatedtype Change: Decodable & Sendable

    static var identity: APIIdentity { get }
    static var endpoints: [Endpoint<Self>] { get }
    static var settings: [SettingDeclaration<State>] { get }
    /// Tells whether `/path/` counts as `/path`.
    static var acceptsTrailingSlash: Bool { get }

    /// The name and the text of each file of the seed that comes with the build.
    static var builtInSeed: [(name: String, text: String)] { get }

    /// Reads the seed world. Rows keep their anchored times, so that the seed is read once for all worlds and starts.
    static func readSeed(_ files: SeedFiles) throws(SeedError) -> State

    /// Binds a state of the seed to a world: derives keys and random streams from the world's seed. Must not touch
    /// rows.
    static func bind(_ state: inout State, core: WorldCore)

    /// Selects the rows of the seed that a world has by the time at which it began.
    static func selectSeed(_ state: inout State, epoch: Epoch)

    /// Runs before the route is examined, for unknown paths and methods too. Returns a response that ends the request,
    /// such as that to a preflight, or nil. `call.route` already names the route that would take the request.
    static func preflight(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response?

    /// Every stored property of the state, with its form outside of the process (control contract, section 4).
    static var storedProperties: [StatePart<State>] { get }

    /// Drops caches, because the world is not going to be used for a while.
    static func dropCaches(_ state: inout State)

    /// Rebuilds whatever is derived from the tables: indexes and caches.
    static func reindex(_ state: inout State)

    /// Computes the values that rows derive from the world's start. The first use would do it; a large world has it
    /// done ahead.
    static func begin(_ state: inout State, epoch: Epoch)

    /// Runs before every endpoint: rate limits, credentials and switches, in the API's own order.
    static func precheck(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: Endpoint<Self>
    ) throws(APIError)

    /// Renders a failure in the API's error form.
    static func render(_ failure: APIError, state: State, call: Call) -> Response

    /// Returns the failure for a request that no route takes.
    static func unknownPath(state: State, call: Call) -> APIError

    /// Returns the response of a known path to another method. `allowed` is in the order of declaration.
    static func otherMethod(state: State, call: Call, allowed: [HTTPMethod]) throws(APIError) -> Response

    /// Returns the response to a request that the wire refuses or whose path is malformed.
    static func refusal(_ status: Status, detail: String) -> Response

    /// The API's error code for content that it can't read.
    static var unsupportedMediaCode: String { get }

    /// Returns the same for an API whose error form includes the time.
    static func refusal(_ status: Status, detail: String, now: Instant?) -> Response

    /// The way in which bodies are read. A worker reads long ones in the same way beforehand.
    static var bodyReading: BodyReading { get }

    /// Returns the user that a bearer credential belongs to, valid or expired.
    static func user(of credential: String, state: State) -> CallUser?

    /// Makes a token for the control API (control contract, section 12).
    static func mintToken(
        _ order: TokenOrder,
        state: inout State,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken

    /// Revokes the credentials of a user (control contract, section 12). Returns false if there is no such user.
    static func endTokens(_ order: TokenEnding, state: inout State, core: inout WorldCore) -> Bool

    /// Makes a scenario's change of rows and returns the rows that it changed, as `table/id`.
    static func apply(_ change: Change, to state: inout State, core: inout WorldCore, epoch: Epoch) -> [String]

    /// Reverts what a change did besides changing rows, such as spending a rate limit, when its scenario is switched
    /// off.
    static func undo(_ change: Change, in state: inout State, core: inout WorldCore)

    /// Tells whether faults act on requests that no route takes as well. False where the API's order of checks puts the
    /// route first.
    static var faultsPrecedeRouting: Bool { get }

    /// Returns the response of an injected status, in the API's own error form (control contract, section 8).
    ///
    /// `call.route` names the endpoint, which has not run. `order.code` and `order.message` replace the API's own. The
    /// engine adds `Retry-After`.
    static func faultAnswer(_ order: InjectedStatus, state: State, call: Call) -> Response

    /// The event that a stream of server-sent events sends when a fault makes it fail, with its blank line.
    static var streamError: [UInt8] { get }

    /// Revokes one credential of any kind as of now. Returns false for a credential that can't be revoked.
    static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout State,
        core: inout WorldCore
    ) -> Bool

    /// Returns the payload of a QR code (control contract, section 12), for which it may mint a token; nil if the API
    /// has no QR codes.
    static func qrPayload(
        _ order: QROrder,
        state: inout State,
        core: inout WorldCore
    ) throws(Problem) -> QRPayload?

    /// The codes on the page of all QR codes.
    static func qrOffers(state: State) -> [QROffer]

    /// Returns the request's fields as the journal may show them, for APIs with secrets in fields of their own.
    static func journalled(_ fields: Fields) -> Fields

    /// Returns the secrets in the rows of a state that can't be recognised as ours by their form, such as those of a
    /// seed or of an imported world.
    static func secrets(in state: State) -> [String]

    /// Returns the users, what they hold now, and what ends on the world's clock.
    static func ledger(of state: State, now: Instant, epoch: Epoch) -> Ledger

    /// Returns the public keys that verify the API's own tokens and its stand-in identity tokens, as JWKS members.
    static func appleKeys(state: State) -> JSON
}

extension EmulatedAPI {
    package static var bodyReading: BodyReading { BodyReading() }

    package static var unsupportedMediaCode: String { "unsupported_media_type" }

    /// Most error forms do not include the time.
    package static func refusal(_ status: Status, detail: String, now: Instant?) -> Response {
        refusal(status, detail: detail)
    }

    /// The rows of most APIs derive nothing from the world's start.
    package static func begin(_ state: inout State, epoch: Epoch) {}

    /// Most seeds are the same at all times.
    package static func selectSeed(_ state: inout State, epoch: Epoch) {}

    /// Most APIs have nothing to do before the route is known.
    package static func preflight(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response? { nil }

    /// Most APIs have only tokens of our own form.
    package static func secrets(in state: State) -> [String] { [] }

    /// Returns an empty ledger: for an API without users.
    package static func ledger(of state: State, now: Instant, epoch: Epoch) -> Ledger { Ledger() }

    /// Most APIs have no caches.
    package static func dropCaches(_ state: inout State) {}

    /// Most changes are of rows alone, and those stay changed.
    package static func undo(_ change: Change, in state: inout State, core: inout WorldCore) {}

    package static var faultsPrecedeRouting: Bool { true }

    /// Renders the failure of that status, with the code and the text of the order.
    package static func faultAnswer(_ order: InjectedStatus, state: State, call: Call) -> Response {
        render(
            APIError(order.status, code: order.code ?? "", order.message ?? order.status.reasonPhrase),
            state: state,
            call: call
        )
    }

    package static var streamError: [UInt8] {
        Array("event: error\ndata: {\"error\":\"Internal server error\"}\n\n".utf8)
    }

    /// Revokes all credentials of the user, for APIs that can't tell them apart.
    package static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout State,
        core: inout WorldCore
    ) -> Bool {
        guard let user = user(of: credential, state: state) else { return false }
        return endTokens(
            TokenEnding(user: user.id, scope: .all, manner: manner, at: core.now),
            state: &state,
            core: &core
        )
    }

    /// The field of the usual 405 and OPTIONS responses: 204 with `Allow`, or a failure with `Allow`.
    package static func allowField(_ allowed: [HTTPMethod]) -> Fields {
        var fields = Fields()
        fields.append(.allow, allowed.map(\.rawValue).joined(separator: ", "))
        return fields
    }
}
