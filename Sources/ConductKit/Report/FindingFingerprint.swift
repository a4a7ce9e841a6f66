import Crypto

/// The name of a finding that is the same in every run (conduct contract, section 8).
package enum FindingFingerprint {
    /// The first 16 hexadecimal digits of SHA-256 over rule, API, method and route, joined by line feeds.
    package static func make(rule: String, api: String, method: String, route: String) -> String {
        let text = [rule, api, method, route].joined(separator: "\n")
        return String(Hex.encode(SHA256.digest(Array(text.utf8))).prefix(16))
    }
}
