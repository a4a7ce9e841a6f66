import Crypto
package import JSON

/// What can be read from a token without any key.
package enum TokenText {
    /// The payload of a JWT, unverified; nil if it is not one.
    package static func payload(of token: String) -> JSONObject? {
        let options = JSONReader.Options(maxDepth: StateDepth.maximum)
        guard let parts = try? JWT.Parts(parsing: token),
            let json = try? JSONReader.read(parts.payloadBytes, options: options)
        else { return nil }
        return json.objectValue
    }

    /// The payload of anything built like a JWT, unverified: three parts, of which only the second has to decode.
    package static func loosePayload(of token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes))?.objectValue
    }

    /// The subject that a JWT claims, unverified: for the journal.
    package static func subject(of token: String) -> String? { payload(of: token)?["sub"]?.stringValue }

    /// The unverified issuer of a JWT, or of another token that names its world.
    ///
    /// Stand-in identity tokens claim Apple's issuer and name ours in a claim of its own.
    package static func issuer(of token: String) -> String? {
        guard let payload = payload(of: token) else {
            return WorldTag.world(of: token).map { WorldCore.issuerPrefix + $0 }
        }
        return payload["understudy"]?.stringValue ?? payload["iss"]?.stringValue
    }
}
