package import HTTPMessage

/// A status that is injected; each API gives it its own error form.
package struct InjectedStatus: Sendable, Equatable {
    package var status: Status
    /// The wait in the `Retry-After` field, and in the API's own form if that has it.
    package var retryAfter: RetryAfter?
    /// Replaces the API's own code, where it has codes.
    package var code: String?
    /// Replaces the API's own text.
    package var message: String?

    package init(_ status: Status, retryAfter: RetryAfter? = nil, code: String? = nil, message: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        self.code = code
        self.message = message
    }
}
