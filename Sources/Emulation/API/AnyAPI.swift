package import CivilTime
package import HTTPMessage
package import JSON

/// An API with its types erased: what a world and the control API need of it.
package final class AnyAPI: Sendable {
    package let identity: APIIdentity
    package let routes: [RouteSummary]
    private let lazyScenarios: Lazily<[Scenario]>
    package var scenarios: [Scenario] { lazyScenarios.value }
    /// Tells that the scenarios have been read, which takes milliseconds.
    package var hasReadScenarios: Bool { lazyScenarios.isMade }
    package let settingFaults: @Sendable (JSON) -> [Problem.Item]
    let router: Router
    let acceptsTrailingSlash: Bool
    /// A fresh state of the seed for a world.
    let makeState: @Sendable (WorldCore) -> AnyStateBox
    /// Gives a part that was copied from another world the keys and the issuer of its own.
    let bind: @Sendable (inout World, Int) -> Void
    /// Lets go of what a state only remembers to save time.
    let dropCaches: @Sendable (AnyStateBox) -> Void
    /// The secrets in the rows of a world's part.
    let secrets: @Sendable (World, Int) -> [String]
    /// Whether the seed is one that came with the build, which is read when it is first needed.
    package let isOfBuild: Bool
    /// The secrets in the rows of the seed.
    package let seedSecrets: @Sendable () -> [String]
    let answer: @Sendable (inout World, Int, inout Call, RouteMatch) -> Response
    /// What the endpoint makes of a state in a box of its own.
    let answerAside: @Sendable (AnyStateBox, inout WorldCore, inout Call, RouteMatch) -> Response?
    /// Settles what the state leaves to the world's start.
    let begin: @Sendable (AnyStateBox, Epoch) -> Void
    let bodyLimits: [Int]
    let credentials: [CredentialPlace]
    let handleParameters: [String?]
    let preparations: [Preparation?]
    let bodyReading: BodyReading
    let slowPreparations: [Bool]
    let hasSlowPreparations: Bool
    package let refusal: @Sendable (Status, String) -> Response
    /// With the time, for the error forms that tell it.
    package let timedRefusal: @Sendable (Status, String, Instant) -> Response
    func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch {
        RouteMatch(router, method, path, acceptsTrailingSlash: acceptsTrailingSlash)
    }

    /// Whether it has an endpoint at this path, with whatever method.
    package func knows(_ path: Path) -> Bool {
        guard case .unknownPath = match(.get, path) else { return true }
        return false
    }

    private let lazyStateForm: Lazily<StateForm>
    package var stateForm: StateForm { lazyStateForm.value }
    /// Whether its state is of that type.
    let holds: @Sendable (Any.Type) -> Bool
    let user: @Sendable (World, Int, String) -> CallUser?
    package let readSettings: @Sendable (World, Int) -> JSON
    package let writeSettings: @Sendable (inout World, Int, JSON) -> [Problem.Item]
    package let mint: @Sendable (inout World, Int, TokenOrder) -> Result<MintedToken, Problem>
    package let endTokens: @Sendable (inout World, Int, TokenEnding) -> Bool
    package let appleKeys: @Sendable (World, Int) -> JSON
    let faultsPrecedeRouting: Bool
    let faultAnswer: @Sendable (World, Int, InjectedStatus, Call) -> Response
    let streamError: [UInt8]
    let endCredential: @Sendable (inout World, Int, String, TokenEnding.Manner) -> Bool
    package let qrPayload: @Sendable (inout World, Int, QROrder) -> Result<JSON?, Problem>
    package let qrOffers: @Sendable (World, Int) -> [QROffer]
    let journalled: @Sendable (Fields) -> Fields

    /// Reads the seed once; every world shares its rows until it writes them.
    ///
    /// Files that came with the build have been read by its tests, so they are read when they are first needed: a process
    /// serves five APIs, and most clients use one.
    package convenience init<API: EmulatedAPI>(_ api: API.Type, seed files: SeedFiles) throws(SeedError) {
        let tree = SettingTree(API.settings)
        guard files.isBuiltIn else {
            let seed = try API.readSeed(files.held(to: api))
            let scenarios = try Scenario.read(api, files, tree)
            self.init(api, tree, Lazily(seed), Lazily(scenarios), isOfBuild: false)
            return
        }
        self.init(
            api,
            tree,
            Lazily { Self.sound { () throws(SeedError) in try API.readSeed(files) } },
            Lazily { Self.sound { () throws(SeedError) in try Scenario.read(api, files, tree) } },
            isOfBuild: true
        )
    }

    private static func sound<Value>(_ read: () throws(SeedError) -> Value) -> Value {
        do throws(SeedError) {
            return try read()
        } catch {
            preconditionFailure("a seed of the build is unsound: \(error.items.map(\.text).joined(separator: "; "))")
        }
    }

    private init<API: EmulatedAPI>(
        _ api: API.Type,
        _ tree: SettingTree<API.State>,
        _ seed: Lazily<API.State>,
        _ scenarios: Lazily<[Scenario]>,
        isOfBuild: Bool
    ) {
        let endpoints = API.endpoints
        identity = API.identity
        self.isOfBuild = isOfBuild
        routes = endpoints.map { RouteSummary($0) }
        lazyScenarios = scenarios
        holds = { $0 == API.State.self }
        settingFaults = { tree.faults(in: $0, at: "$.\(API.identity.name)") }
        do {
            router = try Router(
                endpoints.enumerated().map { place, endpoint in
                    Router.Row(
                        method: endpoint.method,
                        template: Self.template(endpoint.template),
                        index: place
                    )
                }
            )
        } catch {
            preconditionFailure("\(API.identity.name): \(error)")
        }
        acceptsTrailingSlash = API.acceptsTrailingSlash
        bodyLimits = endpoints.map(\.bodyLimit)
        credentials = endpoints.map(\.credential)
        handleParameters = endpoints.map(\.handleParameter)
        preparations = endpoints.map(\.prepare)
        bodyReading = API.bodyReading
        slowPreparations = endpoints.map(\.preparesSlowly)
        hasSlowPreparations = slowPreparations.contains(true)
        lazyStateForm = Lazily { StateForm(api, tree, seed: seed.value) }
        makeState = { core in
            var state = seed.value
            API.bind(&state, core: core)
            return StateBox(state)
        }
        secrets = { world, index in API.secrets(in: world.state(index, API.State.self)) }
        seedSecrets = { API.secrets(in: seed.value) }
        bind = { world, index in
            world.with(index, API.State.self) { state, core in API.bind(&state, core: core) }
        }
        dropCaches = { box in
            if let box = box as? StateBox<API.State> { API.dropCaches(&box.state) }
        }
        refusal = { API.refusal($0, detail: $1) }
        timedRefusal = { API.refusal($0, detail: $1, now: $2) }
        answer = { world, index, call, match in
            world.with(index, API.State.self) { state, core in
                Self.run(API.self, endpoints, &state, &core, &call, match)
            }
        }
        answerAside = { box, core, call, match in
            guard let box = box as? StateBox<API.State> else { return nil }
            return Self.run(API.self, endpoints, &box.state, &core, &call, match)
        }
        begin = { box, epoch in
            if let box = box as? StateBox<API.State> { API.begin(&box.state, epoch: epoch) }
        }
        user = { world, index, credential in API.user(of: credential, state: world.state(index, API.State.self)) }
        readSettings = { world, index in tree.read(world.state(index, API.State.self)) }
        writeSettings = { world, index, json in
            world.with(index, API.State.self) { state, _ in tree.write(json, to: &state, at: "$.\(API.identity.name)") }
        }
        mint = { world, index, order in
            let epoch = world.parts[index].epoch
            return world.with(index, API.State.self) { state, core in
                // Every run of the command line is a first one: what it makes must not share ids or sessions.
                if order.isOffline { core.randomness.salt = order.distinction(at: core.now) }
                defer { core.randomness.salt = 0 }
                do throws(Problem) {
                    return .success(try API.mintToken(order, state: &state, core: &core, epoch: epoch))
                } catch {
                    return .failure(error)
                }
            }
        }
        endTokens = { world, index, ending in
            world.with(index, API.State.self) { state, core in API.endTokens(ending, state: &state, core: &core) }
        }
        faultsPrecedeRouting = API.faultsPrecedeRouting
        streamError = API.streamError
        faultAnswer = { world, index, order, call in
            API.faultAnswer(order, state: world.state(index, API.State.self), call: call)
        }
        endCredential = { world, index, credential, manner in
            world.with(index, API.State.self) { state, core in
                API.endCredential(credential, manner, state: &state, core: &core)
            }
        }
        appleKeys = { world, index in API.appleKeys(state: world.state(index, API.State.self)) }
        qrPayload = { world, index, order in
            world.with(index, API.State.self) { state, core in
                do throws(Problem) {
                    return .success(try API.qrPayload(order, state: &state, core: &core))
                } catch {
                    return .failure(error)
                }
            }
        }
        qrOffers = { world, index in API.qrOffers(state: world.state(index, API.State.self)) }
        journalled = { API.journalled($0) }
    }

    private static func template(_ text: String) -> RouteTemplate {
        guard let template = RouteTemplate(text) else { preconditionFailure("not a route template: \(text)") }
        return template
    }

    private static func run<API: EmulatedAPI>(
        _ api: API.Type,
        _ endpoints: [Endpoint<API>],
        _ state: inout API.State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ match: RouteMatch
    ) -> Response {
        var response: Response
        work: do throws(APIError) {
            if case .endpoint(let place, let parameters) = match {
                call.route = endpoints[place].template
                call.parameters = parameters
            }
            if let answer = try API.preflight(&state, &core, &call) {
                response = answer
                break work
            }
            switch match {
            case .unknownPath: throw API.unknownPath(state: state, call: call)
            case .otherMethod(let allowed):
                response = try API.otherMethod(state: state, call: call, allowed: allowed)
            case .endpoint(let place, _):
                let endpoint = endpoints[place]
                try API.precheck(&state, &core, &call, endpoint)
                guard !call.isTrial else {
                    call.isLetIn = true
                    response = Response(status: .ok)
                    break work
                }
                if call.prepared == nil, let prepare = endpoint.prepare { call.prepared = prepare(call.request) }
                response = try endpoint.handle(&state, &core, &call)
            }
        } catch {
            response = API.render(error, state: state, call: call)
        }
        response.fields.append(contentsOf: call.answerFields)
        if call.user == nil, let credential = call.bearerToken { call.user = API.user(of: credential, state: state) }
        return response
    }
}

extension Call {
    /// What follows `Bearer ` in the Authorization field, the scheme in any case; nil if there is none.
    package var bearerToken: String? {
        guard let value = fields[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
