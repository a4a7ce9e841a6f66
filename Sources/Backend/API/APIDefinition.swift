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
/// It is a value for built-in and custom APIs alike, and everything that the engine needs of an API's state is in it.
/// Functions that most APIs leave at their default are variables; `init` takes the others.
package struct APIDefinition<State: Sendable>: Sendable {
    package let identity: APIIdentity
    /// The endpoints and the response to each request.
    package let requests: RequestHandling<State>
    package let settings: @Sendable () -> [SettingDeclaration<State>]
    /// Every stored property of the state, with its form outside of the process (control contract, section 4).
    package let storedProperties: @Sendable () -> [StatePart<State>]
    package let readSeed: @Sendable (SeedFiles) throws(SeedError) -> State
    package let bind: (@Sendable (inout State, WorldCore) -> Void)?
    package let refusal: @Sendable (Status, _ detail: String, Instant?, Call?) -> Response
    package let faultAnswer: @Sendable (InjectedStatus, State, WorldCore, Call) -> Response
    package let mintToken: @Sendable (TokenOrder, inout State, inout WorldCore, Epoch) throws(Problem) -> MintedToken
    package let endTokens: @Sendable (TokenEnding, inout State, inout WorldCore) -> Bool
    package let endCredential: @Sendable (String, TokenEnding.Manner, inout State, inout WorldCore) -> Bool

    /// Tells whether `/path/` counts as `/path`.
    package var acceptsTrailingSlash = false
    /// The way in which bodies are read.
    ///
    /// A worker reads long ones in the same way beforehand.
    package var bodyReading = BodyReading()
    /// Tells whether faults act on requests that no route takes as well.
    ///
    /// False where the API's order of checks puts the route first.
    package var faultsPrecedeRouting = true
    /// The event that a stream of server-sent events sends when a fault makes it fail, with its blank line.
    package var streamError = Array("event: error\ndata: {\"error\":\"Internal server error\"}\n\n".utf8)
    /// Tells whether a store may have settings, or values of settings, that are no longer declared.
    package var dropsUnknownSettings = false
    /// Tells whether content is coded for clients that accept it: the setting `compress`.
    package var compresses: @Sendable (State) -> Bool = { _ in false }
    /// Tells whether that is so in a new world.
    package var beginsCompressed = false
    /// The name and the text of each file of the seed that comes with the build.
    package var builtInSeed: @Sendable () -> [(name: String, text: String)] = { [] }
    /// Reads a scenario file.
    package var readScenario = ScenarioContent<State>.readerWithoutChanges
    /// Selects the rows of the seed that a world has by the day on which it began (D0).
    ///
    /// Nothing else of a world changes the seed's rows, so worlds of one day can share them in a store.
    package var selectSeed: @Sendable (inout State, Instant) -> Void = { _, _ in }
    /// Computes the values that rows derive from the world's start.
    ///
    /// The first use would do it; a large world has it done ahead.
    package var begin: @Sendable (inout State, Epoch) -> Void = { _, _ in }
    /// Rebuilds whatever is derived from the tables: indexes and caches.
    package var reindex: @Sendable (inout State) -> Void = { _ in }
    /// Drops caches, because the world is not going to be used for a while.
    package var dropCaches: @Sendable (inout State) -> Void = { _ in }
    /// Returns the payload of a QR code (control contract, section 12), for which it may mint a token; nil if the API
    /// has no QR codes.
    package var qrPayload: @Sendable (QROrder, inout State, inout WorldCore) throws(Problem) -> QRPayload? = {
        (_, _, _) throws(Problem) in nil
    }
    /// The codes on the page of all QR codes.
    package var qrOffers: @Sendable (State) -> [QROffer] = { _ in [] }
    /// Returns the request's fields as the journal may show them, for APIs with secrets in fields of their own.
    package var journalled: @Sendable (Fields) -> Fields = { $0 }
    /// Returns the secrets in the rows of a state that can't be recognised as ours by their form, such as those of a
    /// seed or of an imported world.
    package var secrets: @Sendable (State) -> [String] = { _ in [] }
    /// Returns the users, what they hold now, and what ends on the world's clock.
    package var ledger: @Sendable (State, _ now: Instant, Epoch) -> Ledger = { _, _, _ in Ledger() }
    /// Returns the public keys that verify the API's own tokens and its stand-in identity tokens, as JWKS members.
    package var appleKeys: @Sendable (State) -> JSON = { _ in ["keys": []] }

    /// Creates a definition of the functions that every API has.
    ///
    /// - Parameters:
    ///   - identity: The names.
    ///   - requests: The endpoints and the response to each request.
    ///   - settings: The settings, made with the API's first use.
    ///   - storedProperties: The parts of the state, made when they are first needed.
    ///   - readSeed: Reads the seed world. Rows keep their anchored times, so that the seed is read once for all worlds
    ///     and starts.
    ///   - bind: Binds a state of the seed to a world: derives keys and random streams from the world's seed. Must not
    ///     touch rows. Nil for a state that has neither.
    ///   - refusal: Returns the response to a request that the wire refuses or whose path is malformed, with the time
    ///     for an error form that includes it, and with the call where its path could be read.
    ///   - faultAnswer: Returns the response of an injected status, in the API's own error form (control contract,
    ///     section 8). `call.route` names the endpoint, which has not run. `order.code` and `order.message` replace the
    ///     API's own. The engine adds `Retry-After`.
    ///   - mintToken: Makes a token for the control API (control contract, section 12).
    ///   - endTokens: Revokes the credentials of a user (control contract, section 12). Returns false if there is no
    ///     such user.
    ///   - endCredential: Revokes one credential of any kind as of now. Returns false for a credential that can't be
    ///     revoked.
    ///   - adapt: Sets the variables that do not have their default.
    package init(
        _ identity: APIIdentity,
        requests: RequestHandling<State>,
        settings: @autoclosure @escaping @Sendable () -> [SettingDeclaration<State>],
        storedProperties: @autoclosure @escaping @Sendable () -> [StatePart<State>],
        readSeed: @escaping @Sendable (SeedFiles) throws(SeedError) -> State,
        bind: (@Sendable (inout State, WorldCore) -> Void)?,
        refusal: @escaping @Sendable (Status, String, Instant?, Call?) -> Response,
        faultAnswer: @escaping @Sendable (InjectedStatus, State, WorldCore, Call) -> Response,
        mintToken: @escaping @Sendable (TokenOrder, inout State, inout WorldCore, Epoch) throws(Problem) -> MintedToken,
        endTokens: @escaping @Sendable (TokenEnding, inout State, inout WorldCore) -> Bool,
        endCredential: @escaping @Sendable (String, TokenEnding.Manner, inout State, inout WorldCore) -> Bool,
        _ adapt: (inout APIDefinition) -> Void = { _ in }
    ) {
        self.identity = identity
        self.requests = requests
        self.settings = settings
        self.storedProperties = storedProperties
        self.readSeed = readSeed
        self.bind = bind
        self.refusal = refusal
        self.faultAnswer = faultAnswer
        self.mintToken = mintToken
        self.endTokens = endTokens
        self.endCredential = endCredential
        adapt(&self)
    }
}
