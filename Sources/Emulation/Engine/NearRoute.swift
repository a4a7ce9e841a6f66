package import HTTPMessage
import TextSearch

/// A route that a request may have been meant for.
package struct NearRoute: Sendable {
    package let method: HTTPMessage.HTTPMethod
    package let template: String
    /// The difference, in words.
    package let differs: String
    /// The id of the stub; nil for a route and for an entry of a recording.
    package let stub: String?

    package init(method: HTTPMessage.HTTPMethod, template: String, differs: String, stub: String? = nil) {
        self.stub = stub
        self.method = method
        self.template = template
        self.differs = differs
    }
}

extension NearRoute {
    /// The path that a request probably meant, with its method where only that is another; nil where no route is like
    /// it.
    package static func hint(_ api: AnyAPI, _ path: String, _ method: String) -> String? {
        let sent = HTTPMessage.HTTPMethod(rawValue: method)
        guard let near = api.nearestRoutes(to: path, method: sent, count: 1).first,
            !near.differs.contains("segment ")
        else { return nil }
        return near.method == sent || (sent == .head && near.method == .get)
            ? near.template : "\(near.method.rawValue) \(near.template)"
    }
}

extension ErasedAPI {
    /// Returns the routes nearest to a request that none took, nearest first.
    package func nearestRoutes(to path: String, method: HTTPMessage.HTTPMethod, count: Int) -> [NearRoute] {
        guard let path = Path(raw: path) else { return [] }
        return router.nearest(to: path, method: method, count: count).map { near in
            var differences = near.differences.map(\.description)
            if path.hasTrailingSlash, !acceptsTrailingSlash { differences.append("the path ends in a slash") }
            return NearRoute(
                method: near.row.method,
                template: routes[near.row.index].template,
                differs: differences.joined(separator: "; ")
            )
        }
    }
}
