import Basics
package import HTTPMessage

/// The web pages that may call the emulated APIs of a world from a browser (control contract, section 18; Fetch, CORS
/// protocol).
///
/// They are allowed besides those of an API's own contract. For an origin that is listed here, this list wins.
package struct CrossOrigin: Sendable, Equatable, Codable {
    /// `https://app.example`, or `*` for every page.
    package var origins: [String]

    package init(origins: [String] = []) { self.origins = origins }

    /// Returns whether a text is an origin (RFC 6454) or `*`.
    package static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        guard let end = text.firstRange(of: "://"), end.lowerBound > text.startIndex else { return false }
        let scheme = text[..<end.lowerBound]
        return scheme.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            && ForwardedOrigin.isAuthority(String(text[end.upperBound...]))
    }

    /// Returns the origin of a request if it is allowed.
    private func allowed(_ fields: Fields) -> String? {
        guard !origins.isEmpty, let origin = fields[.origin] else { return nil }
        return origins.contains { $0 == "*" || $0 == origin } ? origin : nil
    }

    /// Returns the response to a preflight request of an allowed page; nil for everything else.
    package func preflight(_ request: HTTPRequest) -> Response? {
        guard !origins.isEmpty, request.head.method == .options else { return nil }
        let sent = request.head.fields
        guard let origin = allowed(sent), let method = sent[Self.requestMethod] else { return nil }
        var fields = Fields()
        fields.append(Self.allowOrigin, origin)
        fields.append(Self.allowCredentials, "true")
        fields.append(Self.allowMethods, method)
        if let headers = sent[Self.requestHeaders] { fields.append(Self.allowHeaders, headers) }
        fields.append(Self.maxAge, "600")
        return Response(status: .noContent, fields: fields)
    }

    /// Lets an allowed page read a response.
    package func open(_ response: inout Response, to request: HTTPRequest) {
        guard !origins.isEmpty, let origin = allowed(request.head.fields) else { return }
        for name in [Self.allowOrigin, Self.allowCredentials, Self.exposeHeaders] { response.fields.remove(name) }
        response.fields.append(Self.allowOrigin, origin)
        response.fields.append(Self.allowCredentials, "true")
        var names: [String] = []
        for pair in response.fields.pairs where !Self.isPlain(pair.name) && !names.contains(pair.name) {
            names.append(pair.name)
        }
        if !names.isEmpty { response.fields.append(Self.exposeHeaders, names.joined(separator: ", ")) }
        // The API's own contract may have added it already.
        if !response.fields.values(.vary).contains(where: { $0.lowercased() == "origin" }) {
            response.fields.append(.vary, "Origin")
        }
    }

    /// Returns whether a field need not be exposed: pages may always read it, or it belongs to this exchange alone.
    private static func isPlain(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasPrefix("access-control-")
            || [
                "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified",
                "vary",
            ]
            .contains(lower)
    }

    private static let requestMethod: FieldName = "Access-Control-Request-Method"
    private static let requestHeaders: FieldName = "Access-Control-Request-Headers"
    private static let allowOrigin: FieldName = "Access-Control-Allow-Origin"
    private static let allowCredentials: FieldName = "Access-Control-Allow-Credentials"
    private static let allowMethods: FieldName = "Access-Control-Allow-Methods"
    private static let allowHeaders: FieldName = "Access-Control-Allow-Headers"
    private static let exposeHeaders: FieldName = "Access-Control-Expose-Headers"
    private static let maxAge: FieldName = "Access-Control-Max-Age"
}
