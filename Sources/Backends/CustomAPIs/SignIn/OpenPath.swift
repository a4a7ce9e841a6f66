import Conditions
import HTTPMessage

/// A path that asks for no token, for all methods or for one: `/v1/health`, `GET /v1/products/**` (own-API contract,
/// section 15).
package struct OpenPath: Sendable {
    let method: HTTPMethod?
    let pattern: PathPattern

    /// Reads an entry; what stands before the first blank is a method if a path follows.
    init(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]
        guard parts.count == 2, let method = known.first(where: { $0.rawValue == parts[0] }) else {
            method = nil
            pattern = PathPattern(text)
            return
        }
        self.method = method
        pattern = PathPattern(String(parts[1]))
    }

    /// Tells whether a request asks for no token; HEAD is taken as GET is, and nil stands for any method.
    func takes(_ method: HTTPMethod?, _ segments: [String]) -> Bool {
        guard self.method == nil || self.method == method || self.method == .get && method == .head else {
            return false
        }
        return pattern.matches(segments)
    }
}
