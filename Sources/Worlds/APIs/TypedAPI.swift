package import Backend
package import HTTPMessage
import Synchronization

/// An API with its seed, type-erased.
package final class TypedAPI<API: EmulatedAPI>: ErasedAPI {
    package let identity: APIIdentity
    package let isOfBuild: Bool
    package let acceptsTrailingSlash: Bool
    package let bodyReading: BodyReading
    package let faultsPrecedeRouting: Bool
    package let streamError: [UInt8]
    let tree: SettingTree<API.State>
    let seed: Lazily<API.State>
    /// Made by the first use, at which threads may come at the same time: all of them get the one that is kept.
    private let lazyTable = AtomicLazyReference<EndpointTable>()
    private let lazyScenarios: Lazily<[Scenario]>
    private let lazyStateForm: Lazily<StateForm>

    package var scenarios: [Scenario] { lazyScenarios.value }
    package var stateForm: StateForm { lazyStateForm.value }

    /// Reads the seed once; every world shares its rows until it writes them.
    ///
    /// Built-in files have been read by the tests, so they are read when they are first needed: a process serves five
    /// APIs, and most clients use one.
    package convenience init(_ api: API.Type = API.self, seed files: SeedFiles) throws(SeedError) {
        let tree = SettingTree(API.settings)
        guard files.isBuiltIn else {
            let seed = try API.readSeed(files.held(to: api))
            let scenarios = try Scenario.read(api, files, tree)
            self.init(tree, Lazily(seed), Lazily(scenarios), isOfBuild: false)
            return
        }
        self.init(
            tree,
            Lazily { Self.sound { () throws(SeedError) in try API.readSeed(files) } },
            Lazily { Self.sound { () throws(SeedError) in try Scenario.read(api, files, tree) } },
            isOfBuild: true
        )
    }

    private init(
        _ tree: SettingTree<API.State>,
        _ seed: Lazily<API.State>,
        _ scenarios: Lazily<[Scenario]>,
        isOfBuild: Bool
    ) {
        self.tree = tree
        self.seed = seed
        self.isOfBuild = isOfBuild
        identity = API.identity
        acceptsTrailingSlash = API.acceptsTrailingSlash
        bodyReading = API.bodyReading
        faultsPrecedeRouting = API.faultsPrecedeRouting
        streamError = API.streamError
        lazyScenarios = scenarios
        lazyStateForm = Lazily { StateForm(API.self, tree, seed: seed.value) }
    }

    package var unread: APIParts {
        var parts: APIParts = []
        if lazyTable.load() == nil { parts.insert(.endpoints) }
        if !lazyScenarios.isMade { parts.insert(.scenarios) }
        if !seed.isMade { parts.insert(.seed) }
        return parts
    }

    package func read(_ parts: APIParts) {
        if parts.contains(.endpoints) { _ = table }
        if parts.contains(.scenarios) { _ = scenarios }
        if parts.contains(.seed) { _ = seed.value }
    }

    // MARK: Endpoints

    var table: EndpointTable { lazyTable.load() ?? lazyTable.storeIfNil(EndpointTable(API.self)) }

    package var routes: [RouteSummary] { table.routes }
    package var router: Router { table.router }
    package var bodyLimits: [Int] { table.bodyLimits }
    package var credentials: [CredentialPlace] { table.credentials }
    package var handleParameters: [String?] { table.handleParameters }
    package var preparations: [Preparation?] { table.preparations }
    package var slowPreparations: [Bool] { table.slowPreparations }
    package var hasSlowPreparations: Bool { table.hasSlowPreparations }

    /// Returns what a look at all rows of a large state takes.
    package func work(on match: RouteMatch, _ call: Call, _ world: World, _ index: Int) -> Int {
        guard case .endpoint(let place, _) = match, !table.worksOnFewRows[place] else { return 0 }
        return world.parts[index].box?.isLarge == true ? WorkBudget.endless : 0
    }

    private static func sound<Value>(_ read: () throws(SeedError) -> Value) -> Value {
        do throws(SeedError) {
            return try read()
        } catch {
            preconditionFailure("a built-in seed is invalid: \(error.items.map(\.text).joined(separator: "; "))")
        }
    }
}

extension EmulatedAPI {
    /// Reads a seed and returns the API with it, type-erased.
    package static func erased(seed files: SeedFiles) throws(SeedError) -> AnyAPI {
        try TypedAPI<Self>(seed: files)
    }
}

// MARK: State

extension TypedAPI {
    package func makeState(_ core: WorldCore, _ epoch: Epoch) -> AnyStateBox {
        var state = seed.value
        API.selectSeed(&state, epoch: epoch)
        API.bind(&state, core: core)
        return StateBox(state)
    }

    package func bind(_ world: inout World, _ index: Int) {
        world.with(index, API.State.self) { state, core in API.bind(&state, core: core) }
    }

    package func begin(_ box: AnyStateBox, _ epoch: Epoch) {
        API.begin(&box.typed(API.State.self).state, epoch: epoch)
    }

    package func dropCaches(_ box: AnyStateBox) { API.dropCaches(&box.typed(API.State.self).state) }

    package func holds(_ type: Any.Type) -> Bool { type == API.State.self }

    package func secrets(_ world: World, _ index: Int) -> [String] {
        API.secrets(in: world.state(index, API.State.self))
    }

    package func seedSecrets() -> [String] { API.secrets(in: seed.value) }
}
