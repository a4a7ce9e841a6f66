import Backend
import CivilTime
import Crypto
import JSON
import TestSupport
import Testing

/// Control contract, section 12: the tokens of a stand-in for Apple.
@Suite struct IdentityTokenTests {
    private let apple = AppleIdentityProvider(seed: 1, world: "https://understudy.invalid/@main")
    private let now = Instant(seconds: 1_735_732_800)

    private func minted(_ state: TokenOrder.State = .valid, claims: JSONObject = JSONObject()) -> IdentityToken {
        let order = TokenOrder(user: "a", kind: .appleIdentity, state: state, claims: claims)
        let token = apple.mint(order, subject: "s", email: "a@b.test", audience: "app", now: now).token
        return IdentityToken(token, payload: TokenText.payload(of: token))
    }

    private func signed(header: JSON) -> IdentityToken {
        let payload: JSONObject = [
            "iss": .string(AppleIdentityProvider.issuer), "aud": "app", "exp": .integer(now.seconds + 60), "sub": "s",
        ]
        let body = JSON.object(payload).serialized()
        let token = JWT.signed(header: header.serialized(), payload: body, key: .rs256(apple.key))
        return IdentityToken(token, payload: payload)
    }

    private func isValid(_ token: IdentityToken, after seconds: Double = 0, needsKeyID: Bool = true) -> Bool {
        token.isValid(for: apple, at: Double(now.seconds) + seconds, needsKeyID: needsKeyID) {
            $0?.stringValue == "app"
        }
    }

    @Test func `a token of the stand-in is valid until its time is over`() {
        let token = minted()
        expectEqual(token.subject, "s")
        expectEqual(token.email, "a@b.test")
        #expect(isValid(token) && isValid(token, after: 86_399) && !isValid(token, after: 86_400))
    }

    @Test(arguments: TokenOrder.State.allCases.filter { $0 != .valid })
    func `a token that was ordered as bad is refused`(state: TokenOrder.State) {
        #expect(!isValid(minted(state)))
    }

    @Test func `the header names the algorithm, and the key unless the API does without`() {
        #expect(isValid(signed(header: ["alg": "RS256", "kid": .string(apple.key.publicKey.kid)])))
        for header: JSON in [["alg": "RS256"], ["alg": "RS256", "kid": "other"]] {
            #expect(!isValid(signed(header: header)) && isValid(signed(header: header), needsKeyID: false))
        }
        #expect(!isValid(signed(header: ["alg": "RS512", "kid": .string(apple.key.publicKey.kid)]), needsKeyID: false))
    }

    @Test func `a token of another world is refused`() {
        #expect(!isValid(minted(claims: ["understudy": "https://understudy.invalid/@other"])))
        #expect(isValid(minted(claims: ["understudy": .null])))
    }

    @Test func `strict mode verifies every text, lenient mode the tokens of a stand-in`() {
        let text = IdentityToken("any text", payload: nil)
        #expect(text.needsVerification(in: .strict) && !text.needsVerification(in: .lenient))
        #expect(minted().needsVerification(in: .lenient))
        #expect(!minted(claims: ["understudy": .null]).needsVerification(in: .lenient))
        #expect(!isValid(text))
    }
}
