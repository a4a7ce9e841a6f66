package import HTTPMessage

/// The endpoints of an API by their index, and what follows from them.
///
/// It is made with the first request for the API: a process serves five APIs, and most clients use one.
package final class EndpointTable: Sendable {
    package let routes: [RouteSummary]
    package let traits: [EndpointTraits]
    /// The routes in a form for suggestions.
    package let router: Router
    package let hasSlowPreparations: Bool
    /// Returns the endpoint that takes a request, or the reason why none does.
    package let match: @Sendable (HTTPMethod, Path) -> RouteMatch

    /// Creates the table of endpoints that an API finds in its own way.
    package init(
        _ routes: [RouteSummary],
        _ traits: [EndpointTraits],
        _ router: Router,
        match: @escaping @Sendable (HTTPMethod, Path) -> RouteMatch
    ) {
        self.routes = routes
        self.traits = traits
        self.router = router
        hasSlowPreparations = traits.contains { $0.preparesSlowly }
        self.match = match
    }

    convenience init(_ routes: [RouteSummary], _ traits: [EndpointTraits], acceptsTrailingSlash: Bool) {
        let router = Self.router(routes)
        self.init(routes, traits, router) {
            RouteMatch(router, $0, $1, acceptsTrailingSlash: acceptsTrailingSlash)
        }
    }

    private static func router(_ routes: [RouteSummary]) -> Router {
        do {
            return try Router(
                routes.enumerated().map { index, route in
                    Router.Row(method: route.method, template: template(route.template), index: index)
                }
            )
        } catch {
            preconditionFailure("the endpoints conflict: \(error)")
        }
    }

    private static func template(_ text: String) -> RouteTemplate {
        guard let template = RouteTemplate(text) else { preconditionFailure("not a route template: \(text)") }
        return template
    }
}
