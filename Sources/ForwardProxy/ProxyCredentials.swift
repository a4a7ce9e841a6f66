import Crypto

/// The value of `Proxy-Authorization`: `Basic` of `WORLD:TOKEN` (proxy contract, section 4).
package struct ProxyCredentials: Equatable, Sendable {
    /// The name of a world; empty for none.
    package let world: String
    package let token: String

    /// Reads a value; nil for another scheme, and for what is no user and password.
    package init?(_ value: String) {
        let parts = value.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(String(parts[1])) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard Array(text.utf8) == bytes, let colon = text.firstIndex(of: ":") else { return nil }
        world = String(text[..<colon])
        token = String(text[text.index(after: colon)...])
    }

    /// Tells whether the password is the token, where one is set.
    package func has(token: String?) -> Bool {
        guard let token else { return true }
        return constantTimeEqual(Array(self.token.utf8), Array(token.utf8))
    }
}
