import Backend
import Crypto
import TestSupport
import Testing

@Suite struct HMACKeysTests {
    @Test func `a key that is found again is that of its secret, however many there were`() {
        let keys = HMACKeys()
        for round in 0..<3 {
            for number in 0..<20 {
                let secret = Array("secret \(number)".utf8)
                let code = keys.key(secret).authenticationCode(for: Array("text".utf8))
                expectEqual(
                    code,
                    HMACKey(secret: secret).authenticationCode(for: Array("text".utf8)),
                    "\(round) \(number)"
                )
            }
        }
        #expect(keys.key([]).isValid(HMACKey(secret: []).authenticationCode(for: []), for: []))
    }
}
