package import CivilTime
package import HTTPMessage
package import JSON

/// The names of an API.
///
/// A class, since every request looks at the name, and a copy of a structure would count references for each text.
package final class APIIdentity: Sendable {
    /// Lower case, as in addresses and settings.
    package let name: String
    package let title: String
    /// The version its own document gives itself.
    package let version: String
    package let description: String
    /// The API's default port counted from the hub's.
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
    /// Whether `/path/` is taken as `/path`.
    static var acceptsTrailingSlash: Bool { get }

    /// The name and the text of each file of the seed that comes with the build.
    static var builtInSeed: [(name: String, text: String)] { get }

    /// The rows of a table of that seed, an array of their type, as `readSeed` reads them from its file; nil for a table
    /// whose file is to be read.
    static func builtInRows(of table: String) -> (any Sendable)?

    /// Reads the seed world. Rows keep their anchored times, so one reading serves every world of every start.
    static func readSeed(_ files: SeedFiles) throws(SeedError) -> State

    /// Makes a state of the seed a particular world's own: keys and streams from the world's seed. Must not touch rows.
    static func bind(_ state: inout State, core: WorldCore)

    /// What comes before the route is looked at, for unknown paths and methods too: an answer that ends the matter, such as
    /// that to a preflight, or nil. `call.route` already names the route that would take the request.
    static func preflight(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response?

    /// Every stored property of the state, and how it is kept outside of the process (control contract, section 4).
    static var storedProperties: [StatePart<State>] { get }

    /// Lets go of what is only remembered to save time, since its world is not in use for a while.
    static func dropCaches(_ state: inout State)

    /// Makes anew what is derived from the tables: indexes and caches.
    static func reindex(_ state: inout State)

    /// Settles what the rows leave to the world's start, as the first use would: done ahead for a large world.
    static func begin(_ state: inout State, epoch: Epoch)

    /// What stands before every endpoint, in the API's own order: rate limits, credentials, switches.
    static func precheck(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: Endpoint<Self>
    ) throws(APIError)

    /// The API's error form.
    static func render(_ failure: APIError, state: State, call: Call) -> Response

    /// What a request gets that no route takes.
    static func unknownPath(state: State, call: Call) -> APIError

    /// What a known path answers to another method. `allowed` is in the order of declaration.
    static func otherMethod(state: State, call: Call, allowed: [HTTPMethod]) throws(APIError) -> Response

    /// What a request gets that the wire refuses, or whose path is malformed.
    static func refusal(_ status: Status, detail: String) -> Response

    /// The same for an API whose error form tells the time.
    static func refusal(_ status: Status, detail: String, now: Instant?) -> Response

    /// How bodies are read, for a worker that reads long ones beforehand.
    static var bodyReading: BodyReading { get }

    /// Who a bearer credential belongs to, whether or not it still works.
    static func user(of credential: String, state: State) -> CallUser?

    /// Makes a token for the control API (control contract, section 12).
    static func mintToken(
        _ order: TokenOrder,
        state: inout State,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken

    /// Ends what a user holds (control contract, section 12); false if there is no such user.
    static func endTokens(_ order: TokenEnding, state: inout State, core: inout WorldCore) -> Bool

    /// Makes a scenario's change of rows and answers which rows it changed, as `table/id`.
    static func apply(_ change: Change, to state: inout State, core: inout WorldCore, epoch: Epoch) -> [String]

    /// Takes back what a change did beside changing rows, such as a spent rate limit, when its scenario goes off.
    static func undo(_ change: Change, in state: inout State, core: inout WorldCore)

    /// Whether faults act on requests that no route takes as well; false where the API's order of checks has the route
    /// first.
    static var faultsPrecedeRouting: Bool { get }

    /// The answer of an injected status, in the API's own error form (control contract, section 8).
    ///
    /// `call.route` names the endpoint, which has not run. `order.code` and `order.message` take the place of the API's
    /// own; `Retry-After` is added by the engine.
    static func faultAnswer(_ order: InjectedStatus, state: State, call: Call) -> Response

    /// What a stream of server-sent events says when a fault makes it fail: a whole event.
    static var streamError: [UInt8] { get }

    /// Ends one credential, of whatever kind, as of now; false if it is not one that can be ended.
    static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout State,
        core: inout WorldCore
    ) -> Bool

    /// The payload of a QR code (control contract, section 12), which may mint a token; nil if the API has no QR codes.
    static func qrPayload(
        _ order: QROrder,
        state: inout State,
        core: inout WorldCore
    ) throws(Problem) -> JSON?

    /// The codes that the page of all codes shows.
    static func qrOffers(state: State) -> [QROffer]

    /// The request's fields as the journal may show them, for APIs whose secrets lie in fields of their own.
    static func journalled(_ fields: Fields) -> Fields

    /// The secrets in the rows of a state that no form tells to be ours, such as those of a seed or of an imported world.
    static func secrets(in state: State) -> [String]

    /// The public keys that the API's own tokens and stand-in identity tokens are verified with, as JWKS members.
    static func appleKeys(state: State) -> JSON
}

extension EmulatedAPI {
    package static var bodyReading: BodyReading { BodyReading() }

    /// Reads every file.
    package static func builtInRows(of table: String) -> (any Sendable)? { nil }

    /// Most error forms have no time in them.
    package static func refusal(_ status: Status, detail: String, now: Instant?) -> Response {
        refusal(status, detail: detail)
    }

    /// The rows of most APIs leave nothing to the world's start.
    package static func begin(_ state: inout State, epoch: Epoch) {}

    /// Most APIs have nothing to do before the route is known.
    package static func preflight(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response? { nil }

    /// Most APIs have tokens of a form of ours alone.
    package static func secrets(in state: State) -> [String] { [] }

    /// Most APIs remember nothing.
    package static func dropCaches(_ state: inout State) {}

    /// Most changes are of rows alone, and those stay.
    package static func undo(_ change: Change, in state: inout State, core: inout WorldCore) {}

    package static var faultsPrecedeRouting: Bool { true }

    /// The API's form for a failure of that status, with the code and the text of the order.
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

    /// An API that can't tell credentials apart ends all that their user holds.
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

    /// The usual 405 and OPTIONS answers: 204 with `Allow`, or a failure with `Allow`.
    package static func allowField(_ allowed: [HTTPMethod]) -> Fields {
        var fields = Fields()
        fields.append(.allow, allowed.map(\.rawValue).joined(separator: ", "))
        return fields
    }
}
