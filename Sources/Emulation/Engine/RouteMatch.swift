package import HTTPMessage

/// What an API's routes say of a request.
package enum RouteMatch: Sendable {
    /// The endpoint's place in the API's table, and the values of its template's parameters.
    case endpoint(Int, parameters: [String])
    /// The path is known, the method is not; the methods it has, in order of declaration.
    case otherMethod([HTTPMethod])
    case unknownPath

    init(_ router: Router, _ method: HTTPMethod, _ path: Path, acceptsTrailingSlash: Bool) {
        guard acceptsTrailingSlash || !path.hasTrailingSlash else {
            self = .unknownPath
            return
        }
        switch router.route(method, path) {
        case .found(let row, let parameters): self = .endpoint(row.index, parameters: parameters)
        case .methodNotAllowed(let methods):
            // HEAD works wherever GET does; the connection leaves the content out.
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
