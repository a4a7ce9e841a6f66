import HTTPMessage

/// The endpoints of an API by their index, and what follows from them.
///
/// It is made with the first request for the API: a process serves five APIs, and most clients use one.
final class EndpointTable<API: EmulatedAPI>: Sendable {
    let endpoints: [Endpoint<API>]
    let routes: [RouteSummary]
    let router: Router
    let bodyLimits: [Int]
    let credentials: [CredentialPlace]
    let handleParameters: [String?]
    let preparations: [Preparation?]
    let slowPreparations: [Bool]
    let hasSlowPreparations: Bool
    let worksOnFewRows: [Bool]

    init() {
        let endpoints = API.endpoints
        self.endpoints = endpoints
        // Closures, since a key path of a generic type is put together anew at each use.
        routes = endpoints.map { RouteSummary($0) }
        router = Self.router(endpoints)
        bodyLimits = endpoints.map { $0.bodyLimit }
        credentials = endpoints.map { $0.credential }
        handleParameters = endpoints.map { $0.handleParameter }
        preparations = endpoints.map { $0.prepare }
        slowPreparations = endpoints.map { $0.preparesSlowly }
        hasSlowPreparations = slowPreparations.contains(true)
        worksOnFewRows = endpoints.map { $0.worksOnFewRows }
    }

    private static func router(_ endpoints: [Endpoint<API>]) -> Router {
        do {
            return try Router(
                endpoints.enumerated().map { index, endpoint in
                    Router.Row(method: endpoint.method, template: template(endpoint.template), index: index)
                }
            )
        } catch {
            preconditionFailure("\(API.identity.name): \(error)")
        }
    }

    private static func template(_ text: String) -> RouteTemplate {
        guard let template = RouteTemplate(text) else { preconditionFailure("not a route template: \(text)") }
        return template
    }
}
