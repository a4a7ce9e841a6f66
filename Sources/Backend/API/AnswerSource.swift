/// The source that answered a request (own-API contract, section 4).
package enum AnswerSource: String, Sendable, CaseIterable {
    case stub, auth, resource, recording, openapi
    /// An endpoint of a built-in API.
    case emulated
    /// A real backend.
    case upstream
}
