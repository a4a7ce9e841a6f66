package import HTTPMessage

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
}
