package import Backend
package import CivilTime
package import Conditions
package import HTTPMessage
package import JSON

/// An API without its types: what worlds, the engine and the control API need of it.
///
/// `TypedAPI` is its one conformer. A class protocol serves as an abstract base class, because the compiler checks that
/// all of it is implemented and that it is Sendable, and calls cost the same.
package protocol ErasedAPI: AnyObject, Sendable {
    var identity: APIIdentity { get }
    /// Returns the OpenAPI document that the API has of its own; nil where it follows from the endpoints.
    func document(servers: [String]) -> JSON?
    /// The endpoints in the order of their declaration.
    var routes: [RouteSummary] { get }
    /// Tells whether the seed came with the build. A built-in seed is read when it is first needed.
    var isOfBuild: Bool { get }
    var source: APISource { get }

    /// The routes as a listing shows them: those of stubs are among those of an own API.
    var listedRoutes: [ListedRoute] { get }
    /// The operations of the API's OpenAPI document in its order.
    var documentedOperations: [DocumentedOperation] { get }
    /// The stubs of the API's files that are operations of its document of their own.
    var stubOperations: [StubOperation] { get }

    /// The parts that nothing has needed yet; the first use of any member that shows one reads it.
    var unread: APIParts { get }
    /// Reads parts, on any thread.
    func read(_ parts: APIParts)

    // MARK: Endpoints, by their index

    var router: Router { get }
    var acceptsTrailingSlash: Bool { get }
    var bodyLimits: [Int] { get }
    var credentials: [CredentialPlace] { get }
    var handleParameters: [String?] { get }
    var preparations: [Preparation?] { get }
    var slowPreparations: [Bool] { get }
    var hasSlowPreparations: Bool { get }
    /// Tells whether `preparation` has something to say of calls, those without content included.
    var preparesCalls: Bool { get }
    /// Prepares a call that comes to a world; nil if there is nothing to prepare.
    func preparation(of call: Call, _ match: RouteMatch, _ world: World, _ index: Int) -> CallPreparation?
    /// Returns the approximate nanoseconds that a call takes beside what every call takes.
    func work(on match: RouteMatch, _ call: Call, _ world: World, _ index: Int) -> Int
    var bodyReading: BodyReading { get }

    // MARK: Requests

    /// Returns the endpoint that takes a request, or the reason why none does.
    func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch
    /// Returns whether an endpoint answers its requests even where a recording of the API's folder has them.
    func precedesRecordings(_ endpoint: Int) -> Bool
    /// Returns the response of an endpoint, which works on the state of a world in place.
    func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response
    func refusal(_ status: Status, _ detail: String) -> Response
    /// Returns a refusal with the time, for the error forms that include it.
    func timedRefusal(_ status: Status, _ detail: String, _ now: Instant) -> Response
    func user(_ world: World, _ index: Int, _ credential: String) -> CallUser?
    /// Returns a reader of the credentials that say nothing of themselves to others; nil where all can be read.
    func credentialReader(_ world: World, _ index: Int) -> CredentialReader?
    /// Returns the fields of a request as the journal may show them.
    func journalled(_ fields: Fields) -> Fields

    // MARK: Faults

    /// Tells whether the endpoint itself follows the preference `code`, by its OpenAPI document (own-API contract,
    /// section 16).
    func choosesStatus(_ match: RouteMatch) -> Bool
    var faultsPrecedeRouting: Bool { get }
    var streamError: [UInt8] { get }
    func faultAnswer(_ world: World, _ index: Int, _ order: InjectedStatus, _ call: Call) -> Response

    // MARK: State

    /// Returns a fresh state of the seed for a world that began at that time.
    func makeState(_ core: WorldCore, _ epoch: Epoch) -> AnyStateBox
    /// Gives a part that was copied from another world the keys and the token issuer of its own world.
    func bind(_ world: inout World, _ index: Int)
    /// Computes the values that the state derives from the world's start.
    func begin(_ box: AnyStateBox, _ epoch: Epoch)
    /// Drops the caches of a state.
    func dropCaches(_ box: AnyStateBox)
    var stateForm: StateForm { get }
    /// The member that names a row of a table.
    func key(ofTable name: String, _ world: World, _ index: Int) -> String
    /// Returns the JSON Schema of a row of a table where files declare one.
    func schema(ofTable name: String, _ world: World, _ index: Int) -> JSON?
    /// Returns what is wrong with a row of a table, beside its form.
    func issues(inRow row: JSON, ofTable name: String, _ world: World, _ index: Int) -> [JSONIssue]
    /// Tells whether the rows of a table can't be written one by one.
    func isReadOnly(table name: String) -> Bool
    /// Tells whether its state is of that type.
    func holds(_ type: Any.Type) -> Bool
    /// Returns the secrets in the rows of a world's part.
    func secrets(_ world: World, _ index: Int) -> [String]
    /// Returns the secrets in the rows of the seed.
    func seedSecrets() -> [String]

    // MARK: Settings and scenarios

    var scenarios: [Scenario] { get }
    func settingFaults(_ settings: JSON) -> [Problem.Item]
    func readSettings(_ world: World, _ index: Int) -> JSON
    func writeSettings(_ world: inout World, _ index: Int, _ settings: JSON) -> [Problem.Item]

    // MARK: Stubs and states (own-API contract, sections 4, 7 and 10)

    /// Tells whether the API came with the build, and is not one of the user's own.
    var isBuiltIn: Bool { get }
    /// The named states of the API with their values, the first of which they begin with.
    var declaredStates: [(name: String, values: [String])] { get }
    /// The stubs of the API's files in their order; a reset brings them back.
    var seedStubs: [SeedStub] { get }
    /// Tells whether the API has a folder with contents for stubs.
    var hasStubFiles: Bool { get }
    /// Returns the content of a file below `files/`; nil for one that is not there.
    func stubFile(_ path: String) -> [UInt8]?
    /// Returns the refusal of a request that a recording is about to answer: because it is not valid.
    func admitRecording(_ world: inout World, _ index: Int, _ call: inout Call) -> Response?
    /// Returns the refusal of a request that a stub is about to answer: for its token, or because it is not valid.
    func admitStub(_ world: inout World, _ index: Int, _ call: inout Call, isOpen: Bool) -> Response?
    /// Notes on a call what a response that no route of its own gave breaks of the API's document.
    func inspect(_ response: Response, _ world: World, _ index: Int, _ call: inout Call)
    /// Returns what holds a request and the answer of a real backend against the API's document; nil where nothing does.
    func judge(of call: Call, _ world: World, _ index: Int) -> ExchangeJudge?
    /// Returns the row of the signed-in user as placeholders see it.
    func templateUser(_ world: World, _ index: Int, _ call: Call) -> JSON?
    /// Returns the value of a named state.
    func state(named name: String, _ world: World, _ index: Int) -> String?
    /// Sets a named state.
    func setState(named name: String, to value: String, _ world: inout World, _ index: Int)

    // MARK: Tokens and codes

    func mint(_ world: inout World, _ index: Int, _ order: TokenOrder) -> Result<MintedToken, Problem>
    func endTokens(_ world: inout World, _ index: Int, _ ending: TokenEnding) -> Bool
    func endCredential(_ world: inout World, _ index: Int, _ credential: String, _ manner: TokenEnding.Manner) -> Bool
    func appleKeys(_ world: World, _ index: Int) -> JSON
    /// Returns the users of a world's part, what they hold, and what ends.
    func ledger(_ world: World, _ index: Int) -> Ledger
    func qrPayload(_ world: inout World, _ index: Int, _ order: QROrder) -> Result<QRPayload?, Problem>
    func qrOffers(_ world: World, _ index: Int) -> [QROffer]
}

package typealias AnyAPI = any ErasedAPI

/// Reads an API with its seed.
package typealias APIReader = @Sendable () throws(SeedError) -> AnyAPI

/// The declaration of an API (own-API contract, section 1).
package enum APISource: String, CaseIterable, Sendable {
    /// A target of the build.
    case builtIn = "built-in"
    /// A folder of the user's.
    case folder
    /// No more than its name.
    case name
}

/// Holds an exchange with a real backend against the API's document, on any thread.
///
/// `content` is that of the request, decoded, and nil where it is not known; `answer` is nil where there is none that
/// can be judged.
package typealias ExchangeJudge =
    @Sendable (
        _ content: [UInt8]?, _ answer: (status: Int, fields: Fields, content: [UInt8])?
    ) -> [(path: String, reason: String)]

/// A route as a listing shows it.
package struct ListedRoute: Sendable {
    package let method: HTTPMethod
    package let template: String
    package let summary: String
    /// The standing of a built-in API's endpoint; the source that answers a route of an own API.
    package let standing: String

    package init(method: HTTPMethod, template: String, summary: String, standing: String) {
        self.method = method
        self.template = template
        self.summary = summary
        self.standing = standing
    }
}

extension ErasedAPI {
    package var listedRoutes: [ListedRoute] {
        routes.map { route in
            ListedRoute(
                method: route.method,
                template: route.template,
                summary: route.summary,
                standing: route.provenance.rawValue
            )
        }
    }

    package func document(servers: [String]) -> JSON? { nil }

    package func choosesStatus(_ match: RouteMatch) -> Bool { false }

    /// Returns an empty ledger: for an API without users.
    package func ledger(_ world: World, _ index: Int) -> Ledger { Ledger() }
    package func key(ofTable name: String, _ world: World, _ index: Int) -> String {
        stateForm.tables.first { $0.name == name }?.key ?? "id"
    }
    package func schema(ofTable name: String, _ world: World, _ index: Int) -> JSON? { nil }
    package func issues(inRow row: JSON, ofTable name: String, _ world: World, _ index: Int) -> [JSONIssue] { [] }
    package func isReadOnly(table name: String) -> Bool { false }

    package var source: APISource { .builtIn }
    package func precedesRecordings(_ endpoint: Int) -> Bool { true }
    package var isBuiltIn: Bool { source == .builtIn }
    package var preparesCalls: Bool { false }
    package func preparation(
        of call: Call,
        _ match: RouteMatch,
        _ world: World,
        _ index: Int
    ) -> CallPreparation? { nil }

    package var declaredStates: [(name: String, values: [String])] { [] }
    package var seedStubs: [SeedStub] { [] }
    package var hasStubFiles: Bool { false }

    /// Returns nil: a built-in API has no folder.
    package func stubFile(_ path: String) -> [UInt8]? { nil }

    /// Returns nil: nothing of a built-in API stands before a stub.
    package func admitStub(_ world: inout World, _ index: Int, _ call: inout Call, isOpen: Bool) -> Response? { nil }

    /// Returns nil: a built-in API holds no request against a document.
    package func admitRecording(_ world: inout World, _ index: Int, _ call: inout Call) -> Response? { nil }

    package func inspect(_ response: Response, _ world: World, _ index: Int, _ call: inout Call) {}

    /// Returns nil: a built-in API holds nothing against a document.
    package func judge(of call: Call, _ world: World, _ index: Int) -> ExchangeJudge? { nil }

    /// Returns what is known of the user of a built-in API: the id and the e-mail address.
    package func templateUser(_ world: World, _ index: Int, _ call: Call) -> JSON? {
        call.user.map { user in
            var row: JSONObject = ["id": .string(user.id)]
            if let email = user.email { row.append("email", .string(email)) }
            return .object(row)
        }
    }

    /// Returns nil: a built-in API declares no states.
    package func state(named name: String, _ world: World, _ index: Int) -> String? { nil }

    package func setState(named name: String, to value: String, _ world: inout World, _ index: Int) {}

    /// Returns whether the API has an endpoint at this path, for any method.
    package func knows(_ path: Path) -> Bool {
        guard case .unknownPath = match(.get, path) else { return true }
        return false
    }
}
