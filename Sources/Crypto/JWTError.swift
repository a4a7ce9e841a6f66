/// An error in a text that should be a signed JWT in compact form (RFC 7515 section 7.1).
package enum JWTError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of the three parts.
    package enum Part: String, Sendable, Hashable {
        case header
        case payload
        case signature
    }

    case notThreeParts
    case empty(Part)
    case notBase64URL(Part)

    /// One sentence for people.
    package var description: String {
        switch self {
        case .notThreeParts: "The token does not have exactly three parts separated by dots."
        case .empty(let part): "The token's \(part.rawValue) is empty."
        case .notBase64URL(let part): "The token's \(part.rawValue) is not canonical base64url without padding."
        }
    }
}
