import HTTPMessage

/// The fate of a request whose path differs from a route's by the slash at its end (wire contract, section 6).
package enum Slashes: String, CaseIterable, Sendable {
    /// The route takes both forms.
    case either
    /// No route takes the other form.
    case strict
    /// The client is led to the form that was declared.
    case redirect
}
