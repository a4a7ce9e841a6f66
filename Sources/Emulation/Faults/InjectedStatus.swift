package import HTTPMessage

/// A status that is injected; each API gives it its own error form.
package struct InjectedStatus: Sendable, Equatable {
    package var status: Status
    /// Seconds, for the `Retry-After` field (and wherever the API's own form has it).
    package var retryAfter: Int?
    /// Takes the place of the API's own code, where it has codes.
    package var code: String?
    /// Takes the place of the API's own text.
    package var message: String?

    package init(_ status: Status, retryAfter: Int? = nil, code: String? = nil, message: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        self.code = code
        self.message = message
    }
}
