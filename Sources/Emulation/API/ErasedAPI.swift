package import CivilTime
package import HTTPMessage
package import JSON

/// An API without its types: what worlds, the engine and the control API need of it.
///
/// `TypedAPI` is its one conformer. A class protocol serves as an abstract base class, because the compiler checks that
/// all of it is implemented and that it is Sendable, and calls cost the same.
package protocol ErasedAPI: AnyObject, Sendable {
    var identity: APIIdentity { get }
    /// The endpoints in the order of their declaration.
    var routes: [RouteSummary] { get }
    /// Tells whether the seed came with the build. A built-in seed is read when it is first needed.
    var isOfBuild: Bool { get }

    // MARK: Endpoints, by their index

    /// True once the endpoints have been declared, which the first use of any of these members does.
    var hasReadEndpoints: Bool { get }

    var router: Router { get }
    var acceptsTrailingSlash: Bool { get }
    var bodyLimits: [Int] { get }
    var credentials: [CredentialPlace] { get }
    var handleParameters: [String?] { get }
    var preparations: [Preparation?] { get }
    var slowPreparations: [Bool] { get }
    var hasSlowPreparations: Bool { get }
    var worksOnFewRows: [Bool] { get }
    var bodyReading: BodyReading { get }

    // MARK: Requests

    /// Returns the endpoint that takes a request, or the reason why none does.
    func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch
    /// Returns the response of an endpoint, which works on the state of a world in place.
    func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response
    /// Returns the response of an endpoint that works on a state in a box of its own.
    func answerAside(_ box: AnyStateBox, _ core: inout WorldCore, _ call: inout Call, _ match: RouteMatch) -> Response
    func refusal(_ status: Status, _ detail: String) -> Response
    /// Returns a refusal with the time, for the error forms that include it.
    func timedRefusal(_ status: Status, _ detail: String, _ now: Instant) -> Response
    func user(_ world: World, _ index: Int, _ credential: String) -> CallUser?
    /// Returns the fields of a request as the journal may show them.
    func journalled(_ fields: Fields) -> Fields

    // MARK: Faults

    var faultsPrecedeRouting: Bool { get }
    var streamError: [UInt8] { get }
    func faultAnswer(_ world: World, _ index: Int, _ order: InjectedStatus, _ call: Call) -> Response

    // MARK: State

    /// Returns a fresh state of the seed for a world.
    func makeState(_ core: WorldCore) -> AnyStateBox
    /// Gives a part that was copied from another world the keys and the token issuer of its own world.
    func bind(_ world: inout World, _ index: Int)
    /// Computes the values that the state derives from the world's start.
    func begin(_ box: AnyStateBox, _ epoch: Epoch)
    /// Drops the caches of a state.
    func dropCaches(_ box: AnyStateBox)
    var stateForm: StateForm { get }
    /// Tells whether its state is of that type.
    func holds(_ type: Any.Type) -> Bool
    /// Returns the secrets in the rows of a world's part.
    func secrets(_ world: World, _ index: Int) -> [String]
    /// Returns the secrets in the rows of the seed.
    func seedSecrets() -> [String]

    // MARK: Settings and scenarios

    var scenarios: [Scenario] { get }
    /// Tells whether the scenarios have been read, which takes milliseconds.
    var hasReadScenarios: Bool { get }
    func settingFaults(_ settings: JSON) -> [Problem.Item]
    func readSettings(_ world: World, _ index: Int) -> JSON
    func writeSettings(_ world: inout World, _ index: Int, _ settings: JSON) -> [Problem.Item]

    // MARK: Tokens and codes

    func mint(_ world: inout World, _ index: Int, _ order: TokenOrder) -> Result<MintedToken, Problem>
    func endTokens(_ world: inout World, _ index: Int, _ ending: TokenEnding) -> Bool
    func endCredential(_ world: inout World, _ index: Int, _ credential: String, _ manner: TokenEnding.Manner) -> Bool
    func appleKeys(_ world: World, _ index: Int) -> JSON
    func qrPayload(_ world: inout World, _ index: Int, _ order: QROrder) -> Result<JSON?, Problem>
    func qrOffers(_ world: World, _ index: Int) -> [QROffer]
}

package typealias AnyAPI = any ErasedAPI

extension ErasedAPI {
    /// Returns whether the API has an endpoint at this path, for any method.
    package func knows(_ path: Path) -> Bool {
        guard case .unknownPath = match(.get, path) else { return true }
        return false
    }
}
