package import HTTPMessage

/// The fate of a request whose path differs from a route's by the slash at its end (wire contract, section 6).
package enum Slashes: String, CaseIterable, Sendable {
    /// The route takes both forms.
    case either
    /// No route takes the other form.
    case strict
    /// The client is led to the form that was declared.
    case redirect
}

extension Call {
    /// Leads a client to its path with a slash at its end, or without one.
    package func redirect(toSlash hasSlash: Bool) -> Response {
        let path = Path(segments: path.segments, hasTrailingSlash: hasSlash).text
        let query = request.head.rawQuery.map { "?" + $0 } ?? ""
        let isRead = method == .get || method == .head
        return Response(status: Status(isRead ? 301 : 307), fields: [.location: origin + path + query])
    }
}
