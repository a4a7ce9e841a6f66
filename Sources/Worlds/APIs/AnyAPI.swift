package import Backend
package import CivilTime
package import HTTPMessage
package import JSON
import Synchronization

/// An API without the type of its state: what worlds, the engine and the control API need of it.
///
/// A world keeps the API with which its part began when the API's folder is read again. The functions that take a world
/// and the index of the API's part are those of that API.
package final class AnyAPI: Sendable {
    package let identity: APIIdentity
    package let hooks: APIHooks
    /// Tells whether the API came with the build, and is not one of the user's own.
    package let isBuiltIn: Bool
    /// Tells whether the seed came with the build.
    ///
    /// A built-in seed is read when it is first needed.
    package let isOfBuild: Bool
    package let acceptsTrailingSlash: Bool
    package let bodyReading: BodyReading
    package let faultsPrecedeRouting: Bool
    package let streamError: [UInt8]
    /// Its definition, as a `LoadedAPI`.
    private let loaded: any AnyObject & Sendable
    private let stateType: ObjectIdentifier
    /// Made by the first use, at which threads may come at the same time: all of them get the one that is kept.
    private let lazyEndpoints = AtomicLazyReference<ServedEndpoints>()
    private let makeEndpoints: @Sendable () -> ServedEndpoints
    private let lazyScenarios: Lazily<[Scenario]>
    private let lazyStateForm: Lazily<StateForm>
    private let isSeedRead: @Sendable () -> Bool
    private let readSeed: @Sendable () -> Void

    // MARK: Requests

    /// Returns the response to a request that the wire refuses, with the time for the error forms that include it.
    package let refusal: @Sendable (Status, _ detail: String, Instant?, Call?) -> Response
    package let faultAnswer: @Sendable (World, Int, InjectedStatus, Call) -> Response
    package let user: @Sendable (World, Int, _ credential: String) -> CallUser?
    /// Returns the fields of a request as the journal may show them.
    package let journalled: @Sendable (Fields) -> Fields

    // MARK: State

    /// Returns a fresh state of the seed for a world that began at that time.
    let makeState: @Sendable (WorldCore, Epoch) -> AnyStateBox
    /// Gives a part that was copied from another world the keys and the token issuer of its own world.
    let bind: @Sendable (inout World, Int) -> Void
    /// Computes the values that the state derives from the world's start.
    package let begin: @Sendable (AnyStateBox, Epoch) -> Void
    package let dropCaches: @Sendable (AnyStateBox) -> Void
    /// Returns the secrets in the rows of a world's part.
    package let secrets: @Sendable (World, Int) -> [String]
    /// Returns the secrets in the rows of the seed.
    package let seedSecrets: @Sendable () -> [String]

    // MARK: Settings

    package let settingFaults: @Sendable (JSON) -> [Problem.Item]
    package let readSettings: @Sendable (World, Int) -> JSON
    package let writeSettings: @Sendable (inout World, Int, JSON) -> [Problem.Item]
    /// Tells whether the content of responses is coded for clients that accept it.
    package let compresses: @Sendable (World, Int) -> Bool
    private let compressed: SettingUse
    /// Tells whether it may be so in some world.
    package var mayCompress: Bool { compressed.isNoted }

    // MARK: Tokens and codes

    package let mint: @Sendable (inout World, Int, TokenOrder) -> Result<MintedToken, Problem>
    package let endTokens: @Sendable (inout World, Int, TokenEnding) -> Bool
    package let endCredential: @Sendable (inout World, Int, _ credential: String, TokenEnding.Manner) -> Bool
    package let appleKeys: @Sendable (World, Int) -> JSON
    /// Returns the users of a world's part, what they hold, and what ends.
    package let ledger: @Sendable (World, Int) -> Ledger
    package let qrPayload: @Sendable (inout World, Int, QROrder) -> Result<QRPayload?, Problem>
    package let qrOffers: @Sendable (World, Int) -> [QROffer]

    /// Reads the seed of an API once; every world shares its rows until it writes them.
    ///
    /// Built-in files have been read by the tests, so they are read when they are first needed: a process serves five
    /// APIs, and most clients use one.
    package convenience init<State>(
        _ definition: APIDefinition<State>,
        seed files: SeedFiles,
        hooks: APIHooks = APIHooks()
    ) throws(SeedError) {
        let tree = SettingTree(definition.settings())
        guard files.isBuiltIn else {
            let seed = try definition.readSeed(files.held(to: definition))
            let scenarios = try Scenario.read(definition, files, tree)
            self.init(definition, tree, Lazily(seed), Lazily(scenarios), isOfBuild: false, hooks)
            return
        }
        self.init(
            definition,
            tree,
            Lazily { Self.sound { () throws(SeedError) in try definition.readSeed(files) } },
            Lazily { Self.sound { () throws(SeedError) in try Scenario.read(definition, files, tree) } },
            isOfBuild: true,
            hooks
        )
    }

    /// Creates an API whose seed and scenarios have been read.
    package convenience init<State>(
        _ definition: APIDefinition<State>,
        seed: State,
        scenarios: [Scenario],
        hooks: APIHooks
    ) {
        let tree = SettingTree(definition.settings())
        self.init(definition, tree, Lazily(seed), Lazily(scenarios), isOfBuild: false, hooks)
    }

    private init<State>(
        _ definition: APIDefinition<State>,
        _ tree: SettingTree<State>,
        _ seed: Lazily<State>,
        _ scenarios: Lazily<[Scenario]>,
        isOfBuild: Bool,
        _ hooks: APIHooks
    ) {
        let loaded = LoadedAPI(definition, tree)
        self.loaded = loaded
        self.hooks = hooks
        self.isOfBuild = isOfBuild
        isBuiltIn = hooks.source == .builtIn
        identity = definition.identity
        acceptsTrailingSlash = definition.acceptsTrailingSlash
        bodyReading = definition.bodyReading
        faultsPrecedeRouting = definition.faultsPrecedeRouting
        streamError = definition.streamError
        stateType = ObjectIdentifier(State.self)
        makeEndpoints = { ServedEndpoints(loaded.definition) }
        lazyScenarios = scenarios
        lazyStateForm = Lazily { StateForm(loaded.definition, tree, seed: { seed.value }) }
        isSeedRead = { seed.isMade }
        readSeed = { _ = seed.value }

        refusal = definition.refusal
        faultAnswer = { world, index, order, call in
            loaded.home(world, index).definition.faultAnswer(order, world.state(index, State.self), world.core, call)
        }
        user = { world, index, credential in
            let (state, now) = (world.state(index, State.self), world.core.now)
            return loaded.home(world, index).definition.requests.user(credential, state, now)
        }
        journalled = definition.journalled

        makeState = { core, epoch in
            var state = seed.value
            loaded.definition.selectSeed(&state, epoch.d0)
            loaded.definition.bind?(&state, core)
            return StateBox(state)
        }
        bind = { world, index in
            guard let bind = loaded.home(world, index).definition.bind else { return }
            world.with(index, State.self) { state, core in bind(&state, core) }
        }
        begin = { box, epoch in loaded.definition.begin(&box.typed(State.self).state, epoch) }
        dropCaches = { box in loaded.definition.dropCaches(&box.typed(State.self).state) }
        secrets = { world, index in loaded.home(world, index).definition.secrets(world.state(index, State.self)) }
        seedSecrets = { loaded.definition.secrets(seed.value) }

        let path = "$.\(definition.identity.name)"
        settingFaults = { tree.faults(in: $0, at: path) }
        readSettings = { world, index in loaded.home(world, index).tree.read(world.state(index, State.self)) }
        writeSettings = { world, index, settings in
            let tree = loaded.home(world, index).tree
            return world.with(index, State.self) { state, _ in tree.write(settings, to: &state, at: path) }
        }

        compresses = { world, index in
            loaded.home(world, index).definition.compresses(world.state(index, State.self))
        }
        compressed = tree.compressed
        if definition.beginsCompressed { compressed.note() }

        mint = { world, index, order in
            let (mintToken, epoch) = (loaded.home(world, index).definition.mintToken, world.parts[index].epoch)
            return world.with(index, State.self) { state, core in
                // Every run of the command line starts at the same state, so its ids and sessions need a salt of their
                // own.
                if order.isOffline { core.randomness.salt = order.distinction(at: core.now) }
                defer { core.randomness.salt = 0 }
                return Result { () throws(Problem) in try mintToken(order, &state, &core, epoch) }
            }
        }
        endTokens = { world, index, ending in
            let endTokens = loaded.home(world, index).definition.endTokens
            return world.with(index, State.self) { endTokens(ending, &$0, &$1) }
        }
        endCredential = { world, index, credential, manner in
            let endCredential = loaded.home(world, index).definition.endCredential
            return world.with(index, State.self) { endCredential(credential, manner, &$0, &$1) }
        }
        appleKeys = { world, index in loaded.home(world, index).definition.appleKeys(world.state(index, State.self)) }
        ledger = { world, index in
            let state = world.state(index, State.self)
            return loaded.home(world, index).definition.ledger(state, world.core.now, world.parts[index].epoch)
        }
        qrPayload = { world, index, order in
            let qrPayload = loaded.home(world, index).definition.qrPayload
            return world.with(index, State.self) { state, core in
                Result { () throws(Problem) in try qrPayload(order, &state, &core) }
            }
        }
        qrOffers = { world, index in loaded.home(world, index).definition.qrOffers(world.state(index, State.self)) }
    }

    private static func sound<Value>(_ read: () throws(SeedError) -> Value) -> Value {
        do throws(SeedError) {
            return try read()
        } catch {
            preconditionFailure("a seed of the build is unsound: \(error.items.map(\.text).joined(separator: "; "))")
        }
    }

    // MARK: Parts

    package var scenarios: [Scenario] { lazyScenarios.value }
    package var stateForm: StateForm { lazyStateForm.value }
    /// The endpoints, for an owner that keeps them: a look at the reference costs several hundred instructions.
    package var served: ServedEndpoints { lazyEndpoints.load() ?? lazyEndpoints.storeIfNil(makeEndpoints()) }

    /// The parts that nothing has needed yet; the first use of any member that shows one reads it.
    package var unread: APIParts {
        var parts: APIParts = []
        if lazyEndpoints.load() == nil { parts.insert(.endpoints) }
        if !lazyScenarios.isMade { parts.insert(.scenarios) }
        if !isSeedRead() { parts.insert(.seed) }
        return parts
    }

    /// Reads parts, on any thread.
    package func read(_ parts: APIParts) {
        if parts.contains(.endpoints) { _ = served }
        if parts.contains(.scenarios) { _ = scenarios }
        if parts.contains(.seed) { readSeed() }
    }

    /// Tells whether its state is of that type.
    func holds(_ type: Any.Type) -> Bool { ObjectIdentifier(type) == stateType }

    /// Returns the definition and the settings of the API with which a part of a world began.
    fileprivate static func loaded(_ world: World, _ index: Int) -> any AnyObject & Sendable {
        world.parts[index].api.loaded
    }
}

/// Reads an API with its seed.
package typealias APIReader = @Sendable () throws(SeedError) -> AnyAPI

// MARK: Endpoints

extension AnyAPI {
    /// The endpoints in the order of their declaration.
    package var routes: [RouteSummary] { served.table.routes }
    package var traits: [EndpointTraits] { served.table.traits }
    package var router: Router { served.table.router }
    package var hasSlowPreparations: Bool { served.table.hasSlowPreparations }

    package var listedRoutes: [ListedRoute] {
        if let listed = hooks.listedRoutes { return listed() }
        return routes.map { route in
            ListedRoute(
                method: route.method,
                template: route.template,
                summary: route.summary,
                standing: route.provenance.rawValue
            )
        }
    }

    /// Returns the endpoint that takes a request, or the reason why none does.
    package func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch { served.table.match(method, path) }

    /// Returns whether the API has an endpoint at this path, for any method.
    package func knows(_ path: Path) -> Bool {
        guard case .unknownPath = match(.get, path) else { return true }
        return false
    }

    /// Returns the response of an endpoint, which works on the state of a world in place.
    ///
    /// `known` are its endpoints, where the caller keeps them.
    package func answer(
        _ world: inout World,
        _ index: Int,
        _ call: inout Call,
        _ match: RouteMatch,
        by known: ServedEndpoints? = nil
    ) -> Response {
        let home = world.parts[index].api
        guard home === self else { return home.answer(&world, index, &call, home.match(call.method, call.path)) }
        let served = known ?? served
        guard !isBuiltIn, case .unknownPath = match else { return served.answer(&world, index, &call, match) }
        let entry = call.nearestEntry
        call.nearestEntry = nearest(to: call, in: world)
        defer { call.nearestEntry = entry }
        return served.answer(&world, index, &call, match)
    }

    /// Returns the approximate nanoseconds that a call takes beside what every call takes: those of a look at all rows
    /// of a large state.
    package func work(on match: RouteMatch, _ call: Call, _ world: World, _ index: Int) -> Int {
        if let work = hooks.work { return work(call, match, world, index) }
        guard case .endpoint(let place, _) = match, !traits[place].worksOnFewRows else { return 0 }
        return world.parts[index].box?.isLarge == true ? WorkBudget.endless : 0
    }
}

/// The endpoints of an API, without the type of its state.
///
/// It has no type parameter, so that a request reaches it without a look-up of a generic type.
package final class ServedEndpoints: Sendable {
    package let table: EndpointTable
    fileprivate let answer: @Sendable (inout World, Int, inout Call, RouteMatch) -> Response

    fileprivate init<State>(_ definition: APIDefinition<State>) {
        let made = definition.requests.make(definition.acceptsTrailingSlash)
        let respond = made.respond
        table = made.table
        answer = { world, index, call, match in
            world.with(index, State.self) { state, core in respond(&state, &core, &call, match) }
        }
    }
}

/// A definition with its settings.
private final class LoadedAPI<State: Sendable>: Sendable {
    let definition: APIDefinition<State>
    let tree: SettingTree<State>

    init(_ definition: APIDefinition<State>, _ tree: SettingTree<State>) {
        self.definition = definition
        self.tree = tree
    }

    /// Returns that of the API with which a part of a world began.
    func home(_ world: World, _ index: Int) -> LoadedAPI {
        // Almost every world has this one, and a look is quicker than a cast.
        let home = AnyAPI.loaded(world, index)
        return home === self ? self : (home as? LoadedAPI) ?? self
    }
}
