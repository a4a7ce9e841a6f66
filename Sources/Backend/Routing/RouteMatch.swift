package import HTTPMessage

/// The result of matching a request with an API's routes.
package enum RouteMatch: Sendable {
    /// The endpoint's index in the API's table, and the values of its template's parameters.
    case endpoint(Int, parameters: [String])
    /// The path is known and the method is not; the methods of the path are in order of declaration.
    case otherMethod([HTTPMethod])
    case unknownPath

    /// Matches a request with the rows of a router; HEAD goes wherever GET does.
    package init(_ router: Router, _ method: HTTPMethod, _ path: Path, acceptsTrailingSlash: Bool) {
        guard acceptsTrailingSlash || !path.hasTrailingSlash else {
            self = .unknownPath
            return
        }
        switch router.route(method, path) {
        case .found(let row, let parameters): self = .endpoint(row.index, parameters: parameters)
        case .methodNotAllowed(let methods):
            // HEAD works wherever GET does; the connection omits the content.
            if method == .head, methods.contains(.get), case .found(let row, let parameters) = router.route(.get, path)
            {
                self = .endpoint(row.index, parameters: parameters)
            } else {
                self = .otherMethod(methods)
            }
        case .notFound: self = .unknownPath
        }
    }
}
