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

extension OpenAPIResponse.Status {
    /// Reads the name under which a response is declared; nil for what is no status.
    init?(_ name: String) {
        if name == "default" {
            self = .fallback
            return
        }
        let bytes = Array(name.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]) else { return nil }
        if bytes[1] | 0x20 == UInt8(ascii: "x"), bytes[2] | 0x20 == UInt8(ascii: "x") {
            self = .range(Int(bytes[0] - 0x30))
        } else if let code = Int(name) {
            self = .code(code)
        } else {
            return nil
        }
    }
}
