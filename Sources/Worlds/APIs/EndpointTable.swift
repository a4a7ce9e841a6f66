import Backend
import HTTPMessage

/// The endpoints of an API by their index, and what follows from them.
///
/// It is made with the first request for the API: a process serves five APIs, and most clients use one. It has no type
/// parameter, so that a request reaches it without a look-up of a generic type; `handlers` knows the API.
final class EndpointTable: Sendable {
    let handlers: any RequestHandling
    let routes: [RouteSummary]
    let router: Router
    let bodyLimits: [Int]
    let credentials: [CredentialPlace]
    let handleParameters: [String?]
    let preparations: [Preparation?]
    let slowPreparations: [Bool]
    let hasSlowPreparations: Bool
    let worksOnFewRows: [Bool]

    init<API: EmulatedAPI>(_ api: API.Type) {
        let endpoints = API.endpoints
        handlers = EndpointHandlers(endpoints)
        // Closures, since a key path of a generic type is put together anew at each use.
        routes = endpoints.map { RouteSummary($0) }
        router = Self.router(routes, of: API.identity.name)
        bodyLimits = endpoints.map { $0.bodyLimit }
        credentials = endpoints.map { $0.credential }
        handleParameters = endpoints.map { $0.handleParameter }
        preparations = endpoints.map { $0.prepare }
        slowPreparations = endpoints.map { $0.preparesSlowly }
        hasSlowPreparations = slowPreparations.contains(true)
        worksOnFewRows = endpoints.map { $0.worksOnFewRows }
    }

    private static func router(_ routes: [RouteSummary], of name: String) -> Router {
        do {
            return try Router(
                routes.enumerated().map { index, route in
                    Router.Row(method: route.method, template: template(route.template), index: index)
                }
            )
        } catch {
            preconditionFailure("\(name): \(error)")
        }
    }

    private static func template(_ text: String) -> RouteTemplate {
        guard let template = RouteTemplate(text) else { preconditionFailure("not a route template: \(text)") }
        return template
    }
}
