import HTTPMessage

/// The parts of a request's head on which effects below the semantics of HTTP depend.
extension MatchSubject {
    /// Tells whether the client wants the connection to end with the response.
    var asksClose: Bool { fields.listElements(.connection).contains("close") }

    /// Tells whether the client waits for `100 Continue` before it sends its content (RFC 9110, section 10.1.1).
    var awaitsContinue: Bool {
        announcesContent && version != .http10 && fields.listElements(.expect).contains("100-continue")
    }

    /// Tells whether content follows the head.
    var announcesContent: Bool {
        fields.contains(.transferEncoding) || (fields[.contentLength].flatMap { Int($0) } ?? 0) > 0
    }
}
