package import Backend
import Basics
import Conditions
package import HTTPMessage

extension NearRoute {
    /// The path that a request probably meant, with its method where only that is another; nil where no route is like
    /// it, and where it is a route's own, so that something else was missing, such as an entry of a recording.
    package static func hint(_ api: AnyAPI, _ path: String, _ method: String) -> String? {
        let sent = HTTPMessage.HTTPMethod(rawValue: method)
        guard let near = api.nearestRoutes(to: path, method: sent, count: 1).first,
            !near.differs.isEmpty, !near.differs.contains("segment ")
        else { return nil }
        return near.method == sent || (sent == .head && near.method == .get)
            ? near.template : "\(near.method.rawValue) \(near.template)"
    }
}

extension AnyAPI {
    /// Returns what a request that nobody takes may have been meant for: the nearest of the stubs, the entries of a
    /// recording, and the routes.
    func nearest(to call: Call, in world: World) -> NearRoute? {
        var stub: StubRegistry.NearStub?
        if world.stubs.has(identity.name) {
            stub = world.stubs.nearestInPlace(to: MatchSubject(call, api: identity.name, user: call.user))
        }
        let route = nearestRoutes(to: call.path.text, method: call.method, count: 1).first
        // A stub that is far away says less than any route.
        let near = [stub?.isNear == true ? stub?.route : nil, call.nearestEntry, route].compactMap { $0 }
        let nearest = near.min { $0.distance < $1.distance } ?? stub?.route
        return call.path.segments.isEmpty && nearest?.template != "/" ? nil : nearest
    }

    /// Returns the routes nearest to a request that none took, nearest first.
    package func nearestRoutes(to path: String, method: HTTPMessage.HTTPMethod, count: Int) -> [NearRoute] {
        guard let path = Path(raw: path) else { return [] }
        return router.nearest(to: path, method: method, count: count).compactMap { near in
            // No route is like / but one at /.
            if path.segments.isEmpty, !near.row.template.segments.isEmpty { return nil }
            var differences = near.differences.map(\.description)
            let endsInSlash = routes[near.row.index].facts.endsInSlash ?? (acceptsTrailingSlash ? nil : false)
            if let endsInSlash, endsInSlash != path.hasTrailingSlash, !path.segments.isEmpty {
                differences.append(endsInSlash ? "the path lacks the slash at its end" : "the path ends in a slash")
            }
            let isMethod = near.row.method == method || (method == .head && near.row.method == .get)
            let parts = near.row.template.segments
            var known = near.row.template.text
            if parts.count == path.segments.count {
                // Parameters are like whatever stands in their places.
                let filled = zip(parts, path.segments).map { part, segment in
                    if case .literal(let text) = part { text } else { segment }
                }
                known = filled.map { "/" + $0 }.joined()
            }
            return NearRoute(
                method: near.row.method,
                template: routes[near.row.index].template,
                differs: differences.joined(separator: "; "),
                distance: NearRoute.distance(known, path.segments.map { "/" + $0 }.joined())
                    + (isMethod ? 0 : NearRoute.otherMethod)
            )
        }
    }
}
