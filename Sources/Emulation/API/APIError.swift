package import HTTPMessage

/// An endpoint's refusal, before it takes the API's own error form.
package struct APIError: Error, Sendable {
    package var status: Status
    /// The API's code for it, where the API has codes; else empty.
    package var code: String
    package var message: String
    /// Path of a field and what is wrong with it, where the API lists fields.
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
