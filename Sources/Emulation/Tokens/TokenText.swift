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
