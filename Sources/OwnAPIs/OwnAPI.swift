package import Backend
import Basics
import Conditions
package import HTTPMessage
import JSON
import OpenAPI
package import Worlds

/// An API that a folder declares, or that only has a name (own-API contract, section 4).
package final class OwnAPI: ErasedAPI {
    package let definition: OwnDefinition
    package let identity: APIIdentity
    package let router: Router
    private let ownRouter: OwnRouter
    let tree: SettingTree<OwnState>
    let errors: ErrorAnswers
    package let stateForm: StateForm

    package let isOfBuild = false
    package let source: APISource
    /// Files of a folder are read at the start, since their errors end the process.
    package let unread: APIParts = []
    package let acceptsTrailingSlash = true
    package let routes: [RouteSummary]
    package let bodyLimits: [Int]
    package let credentials: [CredentialPlace]
    package let handleParameters: [String?]
    package let preparations: [Preparation?]
    package let slowPreparations: [Bool]
    package let hasSlowPreparations = false
    package let preparesCalls: Bool
    package let bodyReading = BodyReading()
    package let stubOperations: [StubOperation]
    /// The operations of the document, once they were asked for.
    let known = Locked<[DocumentedOperation]?>(nil)

    /// Creates the API of a definition.
    ///
    /// `portOffset` is the distance of its port from the hub's.
    package init(_ definition: OwnDefinition, portOffset: Int, source: APISource = .folder) {
        self.definition = definition
        errors = ErrorAnswers(definition)
        self.source = source
        identity = APIIdentity(
            name: definition.name,
            title: definition.title,
            version: definition.version,
            description: definition.description,
            portOffset: portOffset
        )
        routes = definition.routes.map { $0.judged(by: definition.signIn) }
        ownRouter = Self.router(definition)
        router = ownRouter.forSuggestions
        bodyLimits = definition.routes.map(\.bodyLimit)
        credentials = definition.routes.map(\.credential)
        handleParameters = definition.routes.map { _ in nil }
        preparations = definition.routes.map { _ in nil }
        preparesCalls = definition.routes.contains { $0.operation != nil }
        slowPreparations = definition.routes.map { _ in false }
        stubOperations = OwnDocument(definition: definition).stubOperations
        let tree = SettingTree(definition.allSettings)
        self.tree = tree
        stateForm = StateForm(
            definition.parts,
            tree,
            seed: { definition.seed },
            dropsUnknownSettings: true,
            reindex: { definition.reindex(&$0) },
            bind: { definition.signIn?.bind(&$0, core: $1) }
        )
    }

    /// Creates an API that only has a name: it has no routes, and the default errors.
    package convenience init(named name: String, portOffset: Int) {
        self.init(OwnDefinition(name: name), portOffset: portOffset, source: .name)
    }

    private static func router(_ definition: OwnDefinition) -> OwnRouter {
        OwnRouter(
            definition.routes.map { route in
                do throws(PathTemplate.Defect) {
                    return (route.method, try PathTemplate(route.template))
                } catch {
                    preconditionFailure("\(route.place): not a path template: \(error.reason)")
                }
            }
        )
    }

    /// The routes of stubs that have a method and a path, and then those of the other sources.
    package var listedRoutes: [ListedRoute] {
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

    package func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch { ownRouter.match(method, path) }

    package func choosesStatus(_ match: RouteMatch) -> Bool {
        guard case .endpoint(let index, _) = match else { return false }
        return definition.routes[index].operation != nil
    }
}

extension OwnDefinition {
    /// Rebuilds whatever is derived from the rows of the tables.
    func reindex(_ state: inout OwnState) {
        for place in state.tables.indices { state.tables[place].reindex(tables[place]) }
    }
}
