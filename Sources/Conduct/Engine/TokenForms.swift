import Emulation
import JSON

/// The forms of the tokens that the built-in APIs issue.
package enum TokenForms {
    /// Recognises a token by what it says of itself.
    package static func recognise(_ token: String) -> RecognisedCredential? {
        guard token.utf8.count <= 16_384, let payload = TokenText.payload(of: token) else { return nil }
        let issuer = payload["understudy"]?.stringValue ?? payload["iss"]?.stringValue
        guard let issuer, WorldCore.world(ofIssuer: issuer) != nil else { return nil }
        let subject = payload["sub"]?.stringValue
        var found = RecognisedCredential(
            kind: .access,
            user: subject,
            issuedAt: payload["iat"]?.intValue,
            expiresAt: payload["exp"]?.intValue
        )
        if payload["iss"]?.stringValue == AppleStandIn.issuer {
            found.kind = .identity
            return found
        }
        switch payload["type"]?.stringValue ?? payload["typ"]?.stringValue {
        case "refresh"?: found.kind = .refresh
        case "access"?: break
        default:
            let isAccess =
                payload["scope"] != nil || payload["session_id"] != nil || payload["aud"]?.stringValue == "convex"
            if !isAccess { found.kind = .refresh }
        }
        found.session = payload["sid"]?.stringValue ?? payload["session_id"]?.stringValue
        if let subject, let bar = subject.firstIndex(of: "|") {
            found.user = String(subject[..<bar])
            found.session = String(subject[subject.index(after: bar)...])
        }
        return found
    }
}
