import Backend
import Basics
import Conditions
import HTTPMessage
import JSON
import OpenAPI
import Repeats
package import Worlds

/// The functions of an API that a folder declares, or that only has a name (own-API contract, section 4).
package final class CustomAPI: Sendable {
    package let definition: CustomAPIDefinition
    let errors: ErrorAnswers
    let router: CustomRouter
    /// Tells whether a route belongs to an operation of an OpenAPI document.
    let hasOperations: Bool
    /// The form of most refusals that the document declares.
    let sharedRefusal: SharedRefusal?

    init(_ definition: CustomAPIDefinition) {
        self.definition = definition
        errors = ErrorAnswers(definition)
        let operations = definition.routes.compactMap(\.operation)
        hasOperations = !operations.isEmpty
        sharedRefusal = SharedRefusal(of: operations)
        router = CustomRouter(
            definition.routes.map { route in
                do throws(PathTemplate.Defect) {
                    return (route.method, try PathTemplate(route.template))
                } catch {
                    preconditionFailure("\(route.place): not a path template: \(error.reason)")
                }
            },
            slashed: definition.slashes == .strict
                ? Set(definition.routes.indices.filter { definition.routes[$0].endsInSlash }) : nil
        )
    }

    /// The API as a world began with it, which may have been read again since (own-API contract, section 21).
    func home(_ world: World, _ index: Int) -> CustomAPI {
        // Almost every world has this one, and a look is quicker than a cast.
        let owner = world.parts[index].api.hooks.owner
        return owner === self ? self : (owner as? CustomAPI) ?? self
    }

    fileprivate func apiDefinition(portOffset: Int) -> APIDefinition<CustomAPIState> {
        let table = EndpointTable(
            definition.routes.map { route in
                var summary = route.judged(by: definition.signIn)
                if definition.slashes == .strict { summary.facts.endsInSlash = route.endsInSlash }
                return summary
            },
            definition.routes.map { route in
                EndpointTraits(
                    credential: route.credential,
                    bodyLimit: route.bodyLimit,
                    countsContent: route.upload?.countsContent ?? false
                )
            },
            router.forSuggestions,
            match: router.match
        )
        return APIDefinition(
            APIIdentity(
                name: definition.name,
                title: definition.title,
                version: definition.version,
                description: definition.description,
                portOffset: portOffset
            ),
            requests: RequestHandling(
                table,
                user: user,
                respond: { [self] in completed(respond(&$0, &$1, &$2, $3), to: $2) }
            ),
            settings: self.definition.allSettings,
            storedProperties: self.definition.parts,
            readSeed: { [definition] _ in definition.seed },
            bind: definition.signIn == nil ? nil : bind,
            refusal: { [self] status, detail, _, call in
                let response = errors.refusal(status, detail)
                return call.map { completed(response, to: $0) } ?? response
            },
            faultAnswer: { [self] in completed(answer(to: $0, $1, $2, $3), to: $3) },
            mintToken: mint,
            endTokens: endTokens,
            endCredential: endCredential
        ) {
            $0.acceptsTrailingSlash = true
            $0.dropsUnknownSettings = true
            $0.compresses = { $0.settings.compress == .on }
            $0.beginsCompressed = definition.seed.settings.compress == .on
            $0.reindex = { [definition] in definition.reindex(&$0) }
            $0.dropCaches = { state in
                for place in state.tables.indices { state.tables[place].dropCaches() }
                state.signIn.tokens.forget()
            }
            $0.secrets = secrets
            $0.ledger = ledger
        }
    }

    private func bind(_ state: inout CustomAPIState, _ core: WorldCore) { definition.signIn?.bind(&state, core: core) }

    fileprivate func hooks(_ source: APISource) -> APIHooks {
        var hooks = APIHooks()
        let document = CustomAPIDocument(definition: definition)
        let stubOperations = document.stubOperations
        let operations = Lazily { document.operations(stubOperations) }
        hooks.source = source
        hooks.owner = self
        hooks.document = document.json
        hooks.documentedOperations = { operations.value }
        hooks.stubOperations = stubOperations
        hooks.listedRoutes = listedRoutes
        hooks.preparesCalls = hasOperations
        hooks.preparation = preparation
        hooks.work = work
        hooks.settledWork = settledWork
        // Sign-in and resources come before recordings, operations after them (own-API contract, section 4).
        hooks.precedesRecordings = { [definition] in definition.routes[$0].source != .openapi }
        hooks.choosesStatus = choosesStatus
        hooks.hasTokens = definition.signIn != nil
        hooks.credentialReader = credentialReader
        hooks.inspect = inspect
        hooks.judge = judge
        hooks.schemaOfTable = schema
        hooks.issuesInRow = issues
        if definition.idempotency != nil { hooks.repeats = repeats }
        hooks.readOnlyTables = Set(CustomAPIDefinition.ownTables)
        hooks.declaredStates = definition.states.map { ($0.name, $0.values) }
        hooks.state = state
        hooks.setState = setState
        hooks.seedStubs = definition.stubs
        hooks.stubFiles = definition.files
        hooks.admitRecording = admitRecording
        hooks.admitStub = admitStub
        hooks.templateUser = templateUser
        return hooks
    }

    /// The routes of stubs that have a method and a path, and then those of the other sources.
    private func listedRoutes() -> [ListedRoute] {
        let stubs = definition.stubs.compactMap { stub -> ListedRoute? in
            guard let method = stub.spec.matcher.method, let path = stub.spec.path else { return nil }
            return ListedRoute(
                method: HTTPMethod(rawValue: method),
                template: path,
                summary: stub.spec.name ?? "A stub of \(stub.file)",
                standing: AnswerSource.stub.rawValue
            )
        }
        return stubs
            + definition.routes.map { route in
                ListedRoute(
                    method: route.method,
                    template: route.template,
                    summary: route.summary.summary,
                    standing: route.source.answers.rawValue
                )
            }
    }

    private func choosesStatus(_ match: RouteMatch) -> Bool {
        guard case .endpoint(let index, _) = match else { return false }
        return definition.routes[index].operation != nil
    }
}

extension AnyAPI {
    /// Creates the API that a folder declares.
    ///
    /// `portOffset` is the distance of its port from the hub's.
    package convenience init(_ definition: CustomAPIDefinition, portOffset: Int, source: APISource = .folder) {
        let own = CustomAPI(definition)
        self.init(
            own.apiDefinition(portOffset: portOffset),
            seed: definition.seed,
            scenarios: definition.scenarios,
            hooks: own.hooks(source)
        )
        // Files of a folder are read at the start, since their errors end the process.
        read(.endpoints)
    }

    /// Creates an API that only has a name: it has no routes, and the default errors.
    package convenience init(named name: String, portOffset: Int) {
        self.init(CustomAPIDefinition(name: name), portOffset: portOffset, source: .name)
    }

    /// The declaration of a custom API; nil for a built-in one.
    package var customAPIDefinition: CustomAPIDefinition? { (hooks.owner as? CustomAPI)?.definition }
}

extension CustomAPIDefinition {
    /// Rebuilds whatever is derived from the rows of the tables.
    func reindex(_ state: inout CustomAPIState) {
        for place in state.tables.indices { state.tables[place].reindex(tables[place]) }
    }
}
