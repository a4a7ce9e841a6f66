package import JSON

/// A response that an operation declares.
package struct OpenAPIResponse: Sendable {
    /// The statuses that it stands for.
    package enum Status: Sendable, Hashable {
        case code(Int)
        /// `2XX`, by its first digit.
        case range(Int)
        case fallback
    }

    /// A header field of the response.
    package struct Header: Sendable {
        package let name: String
        package let isRequired: Bool
        package let schema: Schema?
        package let example: JSON?
        package let explode: Bool
        package let isJSON: Bool
    }

    package let status: Status
    package let summary: String
    package let headers: [Header]
    package let content: [OpenAPIContent]
}

/// The body that an operation takes.
package struct OpenAPIRequestBody: Sendable {
    package let isRequired: Bool
    package let content: [OpenAPIContent]
}
