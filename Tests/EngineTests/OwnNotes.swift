import Backend
import CivilTime
import Conditions
import Crypto
import HTTPMessage
import JSON
import Worlds

/// The notes as an API of the user's own: with states, a folder of files, stubs of files and a check before stubs.
///
/// Everything else is that of the notes.
final class OwnNotes: ErasedAPI {
    /// What its folder declares.
    struct Folder: Sendable {
        var states: [(name: String, values: [String])] = []
        var files: [String: [UInt8]] = [:]
        /// The text of the stub files with their names.
        var stubs: [(file: String, text: String)] = []
        /// The token that every request has to carry; nil where none is asked for.
        var token: String?
    }

    private let notes: AnyAPI
    private let folder: Folder
    let seedStubs: [SeedStub]
    let problems: [Problem.Item]

    init(_ folder: Folder = Folder()) throws {
        notes = try TypedAPI(NotesAPI.self, seed: NotesAPI.seedFiles())
        self.folder = folder
        let context = StubContext(
            api: notes.identity.name,
            states: folder.states,
            hasFiles: true,
            file: { folder.files[$0] }
        )
        var stubs: [SeedStub] = []
        var problems: [Problem.Item] = []
        for file in folder.stubs {
            let found = SeedStub.read(try JSONReader.read(text: file.text), file: file.file, context)
            stubs += found.stubs
            problems += found.problems
        }
        seedStubs = stubs
        self.problems = problems
    }

    // MARK: Stubs and states

    var isBuiltIn: Bool { false }
    var declaredStates: [(name: String, values: [String])] { folder.states }
    var hasStubFiles: Bool { true }
    func stubFile(_ path: String) -> [UInt8]? { folder.files[path] }

    func admitStub(_ world: inout World, _ index: Int, _ call: inout Call, isOpen: Bool) -> Response? {
        guard let token = folder.token, !isOpen, call.bearerToken != token else { return nil }
        return Response(status: .unauthorized, body: .bytes(Array("no token".utf8)))
    }

    func templateUser(_ world: World, _ index: Int, _ call: Call) -> JSON? {
        call.bearerToken.map { ["role": .string($0)] }
    }

    /// States are kept with the counters of the world, so that they belong to it.
    func state(named name: String, _ world: World, _ index: Int) -> String? {
        guard let state = folder.states.first(where: { $0.name == name }) else { return nil }
        let place = world.core.counters.last("notes.state.\(name)")
        return state.values[Int(place)]
    }

    func setState(named name: String, to value: String, _ world: inout World, _ index: Int) {
        guard let state = folder.states.first(where: { $0.name == name }),
            let place = state.values.firstIndex(of: value)
        else { return }
        world.withCore { core in
            while core.counters.last("notes.state.\(name)") % UInt64(state.values.count) != UInt64(place) {
                _ = core.counters.next("notes.state.\(name)")
            }
        }
    }

    // MARK: The notes

    var identity: APIIdentity { notes.identity }
    var routes: [RouteSummary] { notes.routes }
    var isOfBuild: Bool { false }
    var unread: APIParts { notes.unread }
    var router: Router { notes.router }
    var acceptsTrailingSlash: Bool { notes.acceptsTrailingSlash }
    var bodyLimits: [Int] { notes.bodyLimits }
    var credentials: [CredentialPlace] { notes.credentials }
    var handleParameters: [String?] { notes.handleParameters }
    var preparations: [Preparation?] { notes.preparations }
    var slowPreparations: [Bool] { notes.slowPreparations }
    var hasSlowPreparations: Bool { notes.hasSlowPreparations }
    var bodyReading: BodyReading { notes.bodyReading }
    var faultsPrecedeRouting: Bool { notes.faultsPrecedeRouting }
    var streamError: [UInt8] { notes.streamError }
    var stateForm: StateForm { notes.stateForm }
    var scenarios: [Scenario] { notes.scenarios }

    func read(_ parts: APIParts) { notes.read(parts) }
    func match(_ method: HTTPMessage.HTTPMethod, _ path: Path) -> RouteMatch { notes.match(method, path) }
    func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response {
        notes.answer(&world, index, &call, match)
    }
    func work(on match: RouteMatch, _ call: Call, _ world: World, _ index: Int) -> Int {
        notes.work(on: match, call, world, index)
    }
    func refusal(_ status: Status, _ detail: String) -> Response { notes.refusal(status, detail) }
    func timedRefusal(_ status: Status, _ detail: String, _ now: Instant) -> Response {
        notes.timedRefusal(status, detail, now)
    }
    func user(_ world: World, _ index: Int, _ credential: String) -> CallUser? { notes.user(world, index, credential) }
    func credentialReader(_ world: World, _ index: Int) -> CredentialReader? { notes.credentialReader(world, index) }
    func journalled(_ fields: Fields) -> Fields { notes.journalled(fields) }
    func faultAnswer(_ world: World, _ index: Int, _ order: InjectedStatus, _ call: Call) -> Response {
        notes.faultAnswer(world, index, order, call)
    }
    func makeState(_ core: WorldCore, _ epoch: Epoch) -> AnyStateBox { notes.makeState(core, epoch) }
    func bind(_ world: inout World, _ index: Int) { notes.bind(&world, index) }
    func begin(_ box: AnyStateBox, _ epoch: Epoch) { notes.begin(box, epoch) }
    func dropCaches(_ box: AnyStateBox) { notes.dropCaches(box) }
    func holds(_ type: Any.Type) -> Bool { notes.holds(type) }
    func secrets(_ world: World, _ index: Int) -> [String] { notes.secrets(world, index) }
    func seedSecrets() -> [String] { notes.seedSecrets() }
    func settingFaults(_ settings: JSON) -> [Problem.Item] { notes.settingFaults(settings) }
    func readSettings(_ world: World, _ index: Int) -> JSON { notes.readSettings(world, index) }
    func writeSettings(_ world: inout World, _ index: Int, _ settings: JSON) -> [Problem.Item] {
        notes.writeSettings(&world, index, settings)
    }
    func mint(_ world: inout World, _ index: Int, _ order: TokenOrder) -> Result<MintedToken, Problem> {
        notes.mint(&world, index, order)
    }
    func endTokens(_ world: inout World, _ index: Int, _ ending: TokenEnding) -> Bool {
        notes.endTokens(&world, index, ending)
    }
    func endCredential(_ world: inout World, _ index: Int, _ credential: String, _ manner: TokenEnding.Manner) -> Bool {
        notes.endCredential(&world, index, credential, manner)
    }
    func appleKeys(_ world: World, _ index: Int) -> JSON { notes.appleKeys(world, index) }
    func qrPayload(_ world: inout World, _ index: Int, _ order: QROrder) -> Result<QRPayload?, Problem> {
        notes.qrPayload(&world, index, order)
    }
    func qrOffers(_ world: World, _ index: Int) -> [QROffer] { notes.qrOffers(world, index) }
}
