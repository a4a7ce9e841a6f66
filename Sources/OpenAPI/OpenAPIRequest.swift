package import HTTPMessage

/// The parts of a request that an operation looks at.
package struct OpenAPIRequest: Sendable {
    /// The values of the template's parameters, in its order, decoded.
    package var pathValues: [String]
    /// The query as it was sent, without its question mark.
    package var query: String?
    package var fields: Fields
    package var body: [UInt8]

    package init(pathValues: [String] = [], query: String? = nil, fields: Fields = Fields(), body: [UInt8] = []) {
        self.pathValues = pathValues
        self.query = query
        self.fields = fields
        self.body = body
    }
}

/// Something in a request or a response that breaks the operation.
package struct OpenAPIViolation: Hashable, Sendable {
    /// `$.name` in a body, `?limit`, `X-Tenant`, `{petId}`, `Cookie: session`, or `response.…`.
    package let path: String
    package let reason: String

    /// The reason for a name that was sent several times.
    package static let firstCounts = "is ignored but for its first value"

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// The result of holding a request against its operation.
package struct OpenAPIRequestResult: Hashable, Sendable {
    /// The reason for which a request is refused where validation is enforced.
    package enum Verdict: Sendable, Hashable {
        case fits
        case violates
        /// The body is not the JSON, or the form, that its media type says.
        case unreadable
        /// The body has a media type that the operation does not take.
        case foreignMediaType
    }

    package let verdict: Verdict
    /// Everything that does not fit, 100 at most.
    package let violations: [OpenAPIViolation]
    /// The credentials that the request lacks, whatever the verdict on the rest of it.
    package let missing: [OpenAPIViolation]
}
