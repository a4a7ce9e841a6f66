import JSON
import Secrets

extension Pseudonyms {
    /// Notes the claims of the JWTs in JSON whose values stand elsewhere in it, so that their pseudonyms keep them.
    ///
    /// A token that has a pseudonym already keeps that.
    func noteClaims(of json: [UInt8]) {
        for (token, claims) in TokenClaims.shared(in: json) {
            let kept = claims.members.compactMap { claim -> JSONObject.Member? in
                guard let text = claim.value.stringValue else { return claim }
                guard !isKnown(text) else { return nil }
                return JSONObject.Member(name: claim.name, value: .string(Redactor(self).text(text)))
            }
            if !kept.isEmpty { keep(JSONObject(kept), of: token) }
        }
    }
}
