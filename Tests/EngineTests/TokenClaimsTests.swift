import Backend
import JSON
import TestSupport
import Testing

/// Control contract, section 12: the claims that several APIs read alike.
@Suite struct TokenClaimsTests {
    private let whole: JSONObject = ["sub": "s", "jti": "i", "iat": 1, "exp": 2, "iss": "world"]

    private func claims(_ changes: JSONObject) -> TokenClaims? {
        TokenClaims(.object(whole.overridden(by: changes)), issuer: "world")
    }

    @Test func `the claims of a whole payload are read`() throws {
        let found = try #require(claims([:]))
        expectEqual(found.subject, "s")
        expectEqual(found.id, "i")
        expectEqual(found.issuedAt, 1)
        expectEqual(found.expiresAt, 2)
        #expect(!found.isRevoked)
        expectEqual(claims(["revoked": true])?.isRevoked, true)
        expectEqual(claims(["revoked": "true"])?.isRevoked, false)
        expectEqual(claims(["aud": "any"]), found)
    }

    @Test(arguments: ["sub", "jti", "iat", "exp", "iss"])
    func `none may lack or be of another type`(name: String) {
        expectNil(claims([name: .null]))
        expectNil(claims([name: []]))
    }

    @Test func `another issuer and the audience of bad orders are refused`() {
        expectNil(claims(["iss": "other"]))
        expectNil(claims(["aud": .string(TokenOrder.wrongAudience)]))
    }
}
