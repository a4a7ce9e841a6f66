package import Crypto
package import JSON

extension IssuedSecrets {
    /// Signs a JWT and notes it.
    package func signed(header: [UInt8], payload: JSONObject, key: JWT.Key) -> String {
        let token = JWT.signed(header: header, payload: JSON.object(payload).serialized(), key: key)
        note(token: token)
        return token
    }
}
