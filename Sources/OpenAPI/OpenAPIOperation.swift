package import HTTPMessage
import JSON

/// An operation of a document.
package struct OpenAPIOperation: Sendable {
    /// The requirement of the operation's security, or of the document's.
    package enum Security: Sendable, Hashable {
        /// It is absent or empty, or one of its alternatives is `{}`.
        case open
        /// A credential is needed.
        case needed
    }

    /// The place in the document's order.
    package let index: Int
    package let method: HTTPMethod
    /// The whole path, the base path included.
    package let template: PathTemplate
    /// The path as the document has it.
    package let path: String
    package let operationID: String?
    package let summary: String
    package let details: String
    package let tags: [String]
    package let isDeprecated: Bool
    package let security: Security
    /// The credentials of which a request needs those of one alternative; none where nothing is asked for, or where
    /// the API signs in by itself.
    let credentials: [[OpenAPICredential]]
    /// Those of the path item that the operation does not replace, then its own.
    package let parameters: [OpenAPIParameter]
    package let body: OpenAPIRequestBody?
    /// In the order of the document.
    package let responses: [OpenAPIResponse]
    let place: OperationPlace

    /// The operation in words: its id, else method and path.
    package var words: String { operationID ?? "\(method.rawValue) \(template.text)" }

    /// The file and the path of the operation, for findings.
    struct OperationPlace: Sendable {
        let source: Int
        let path: [JSONPathElement]
    }
}
