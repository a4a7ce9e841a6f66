package import HTTPMessage
import JSON

/// The failure of an endpoint, before it is rendered in the API's own error form.
package struct APIError: Error, Sendable {
    package var status: Status
    /// The API's error code; empty for an API without codes.
    package var code: String
    package var message: String
    /// The path of each rejected field with its reason, for APIs that list fields.
    package var details: [(field: String, reason: String)]
    /// Fields that go with this refusal, such as `Allow` or `Retry-After`.
    package var fields: Fields

    package init(
        _ status: Status,
        code: String = "",
        _ message: String,
        details: [(field: String, reason: String)] = [],
        fields: Fields = Fields()
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.fields = fields
    }

    /// The refusal of content in a coding: no endpoint decodes it (RFC 9110, section 15.5.16).
    package static func coded(_ coding: String) -> APIError {
        APIError(.unsupportedMediaType, codedReason(coding))
    }

    /// The words of such a refusal.
    package static func codedReason(_ coding: String) -> String {
        "Content-Encoding \(coding.cut) is not supported: send the content without it"
    }

    /// The codings that endpoints of built-in APIs take.
    package static let codings = "identity"
}

/// The refusal of content whose coding can't be taken off.
package struct CodingRefusal: Sendable {
    package let status: Status
    package let reason: String
    package let fields: Fields

    /// Creates the refusal of content; nil for one that is plain, or over the limit (wire contract, section 3).
    package init?(_ coded: CodedContent?) {
        guard let coded else { return nil }
        let name = coded.name.cut
        switch coded.outcome {
        case .decoded, .tooLong: return nil
        case .unknown:
            status = .unsupportedMediaType
            reason =
                "Content-Encoding \(name) is not supported: send the content in gzip, in deflate or without a coding"
            fields = ["Accept-Encoding": CodingName.list]
            return
        case .broken: reason = "Content-Encoding is \(name), but the content is not valid \(name)"
        case .incomplete: reason = "Content-Encoding is \(name), but the content ends before the end of its \(name)"
        }
        status = .badRequest
        fields = Fields()
    }
}
