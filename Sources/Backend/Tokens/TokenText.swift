import Crypto
package import JSON

/// The parts of a token that are readable without a key.
package enum TokenText {
    /// Returns the payload of a JWT, unverified; nil if it is not one.
    package static func payload(of token: String) -> JSONObject? {
        let options = JSONReader.Options(maxDepth: StateDepth.maximum)
        guard let parts = try? JWT.Parts(parsing: token),
            let json = try? JSONReader.read(parts.payloadBytes, options: options)
        else { return nil }
        return json.objectValue
    }

    /// The unverified payload of any text in the form of a JWT: three parts, of which only the second has to decode.
    package static func loosePayload(of token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes))?.objectValue
    }

    /// The subject that a JWT claims, unverified: for the journal.
    package static func subject(of token: String) -> String? { payload(of: token)?["sub"]?.stringValue }

    /// Returns the unverified issuer of a JWT, or of another token that names its world.
    ///
    /// Stand-in identity tokens claim Apple's issuer and name ours in a claim of its own.
    package static func issuer(of token: String) -> String? {
        guard let payload = payload(of: token) else {
            return WorldTag.world(of: token).map { WorldCore.issuerPrefix + $0 }
        }
        return payload["understudy"]?.stringValue ?? payload["iss"]?.stringValue
    }
}
