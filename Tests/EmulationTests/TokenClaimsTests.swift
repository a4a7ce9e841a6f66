import Emulation
import JSON
import Testing

/// Control contract, section 12: the claims that several APIs read alike.
@Suite struct TokenClaimsTests {
    private let whole: JSONObject = ["sub": "s", "jti": "i", "iat": 1, "exp": 2, "iss": "world"]

    private func claims(_ changes: JSONObject) -> TokenClaims? {
        TokenClaims(.object(whole.overridden(by: changes)), issuer: "world")
    }

    @Test func `the claims of a whole payload are read`() throws {
        let found = try #require(claims([:]))
        #expect(found.subject == "s" && found.id == "i" && found.issuedAt == 1 && found.expiresAt == 2)
        #expect(!found.isRevoked)
        #expect(claims(["revoked": true])?.isRevoked == true)
        #expect(claims(["revoked": "true"])?.isRevoked == false)
        #expect(claims(["aud": "any"]) == found)
    }

    @Test(arguments: ["sub", "jti", "iat", "exp", "iss"])
    func `none may lack or be of another type`(name: String) {
        #expect(claims([name: .null]) == nil)
        #expect(claims([name: []]) == nil)
    }

    @Test func `another issuer and the audience of bad orders are refused`() {
        #expect(claims(["iss": "other"]) == nil)
        #expect(claims(["aud": .string(TokenOrder.wrongAudience)]) == nil)
    }
}
