import Crypto
import TestSupport
import Testing

@Suite struct JWTTests {
    /// RFC 7515 appendix A.1.
    static let firstExample =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let firstSecret =
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"

    @Test func `the HS256 example of RFC 7515 A_1 verifies and is made again`() throws {
        let key = HMACKey(secret: try #require(Base64URL.decode(Self.firstSecret)))
        let parts = try JWT.Parts(parsing: Self.firstExample)
        expectEqual(String(decoding: parts.headerBytes, as: UTF8.self), "{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}")
        #expect(JWT.verifyHS256(parts, key: key))
        #expect(!JWT.verifyHS256(parts, key: HMACKey(secret: [1])))
        expectEqual(
            JWT.signed(header: parts.headerBytes, payload: parts.payloadBytes, key: .hs256(key)),
            Self.firstExample
        )
    }

    @Test func `the RS256 example of RFC 7515 A_2 verifies`() throws {
        let modulus = try #require(
            Base64URL.decode(
                """
                ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4Ql\
                L-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUs\
                LA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoud\
                F8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
                """
            )
        )
        let key = try #require(RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]))
        let parts = try JWT.Parts(
            parsing:
                """
                eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9\
                pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Q\
                c_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARN\
                PvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6I\
                eYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
                """
        )
        #expect(JWT.verifyRS256(parts, key: key))
        let other = RSAPrivateKey(seededBy: 1).publicKey
        #expect(!JWT.verifyRS256(parts, key: other))
    }

    @Test func `a token signed with RS256 verifies with that key only`() throws {
        let key = RSAPrivateKey(seededBy: 5)
        let token = JWT.signed(header: Array("{\"alg\":\"RS256\"}".utf8), payload: Array("{}".utf8), key: .rs256(key))
        let parts = try JWT.Parts(parsing: token)
        expectEqual(parts.payloadBytes, Array("{}".utf8))
        #expect(JWT.verifyRS256(parts, key: key.publicKey))
        // The classic confusion: a public modulus is no HMAC secret.
        #expect(!JWT.verifyHS256(parts, key: HMACKey(secret: key.publicKey.modulus)))
    }

    @Test(arguments: [
        ("", JWTError.notThreeParts), ("a", .notThreeParts), ("e30.e30", .notThreeParts),
        ("e30.e30.e30.", .notThreeParts),
        ("e30.e30.e30.e30.e30", .notThreeParts), ("..", .empty(.header)), (".e30.", .empty(.header)),
        ("e30..", .empty(.payload)), ("e3.e30.", .notBase64URL(.header)), ("e30.e30=.", .notBase64URL(.payload)),
        ("e30. e30.", .notBase64URL(.payload)), ("e30.e30.A", .notBase64URL(.signature)),
        ("e30.e30.AB", .notBase64URL(.signature)), ("é.e30.", .notBase64URL(.header)),
        ("Bearer e30.e30.", .notBase64URL(.header)),
    ])
    func `a text that is not a token in compact form is refused`(text: String, error: JWTError) {
        #expect(throws: error) { try JWT.Parts(parsing: text) }
        #expect(!error.description.isEmpty)
    }

    @Test func `an empty signature parses and verifies with nothing`() throws {
        let parts = try JWT.Parts(parsing: "e30.e30.")
        #expect(parts.signature.isEmpty)
        expectEqual(String(decoding: parts.signingInput, as: UTF8.self), "e30.e30")
        #expect(!JWT.verifyHS256(parts, key: HMACKey(secret: [])))
        #expect(!JWT.verifyRS256(parts, key: RSAPrivateKey(seededBy: 0).publicKey))
    }

    @Test func `a token cut short anywhere is refused`() throws {
        let key = HMACKey(secret: try #require(Base64URL.decode(Self.firstSecret)))
        let bytes = Array(Self.firstExample.utf8)
        for length in 0..<bytes.count {
            guard let parts = try? JWT.Parts(parsing: bytes[..<length]) else { continue }
            #expect(!JWT.verifyHS256(parts, key: key), "cut to \(length)")
        }
    }

    @Test func `a token with any bit changed is refused`() throws {
        let key = HMACKey(secret: try #require(Base64URL.decode(Self.firstSecret)))
        let bytes = Array(Self.firstExample.utf8)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                guard let parts = try? JWT.Parts(parsing: changed) else { continue }
                #expect(!JWT.verifyHS256(parts, key: key), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func `any bytes parse or are refused`() {
        let seed: UInt64 = 7_519
        var random = SeededGenerator(seed: seed)
        let key = HMACKey(secret: [1])
        let rsa = RSAPrivateKey(seededBy: 0).publicKey
        let pool = Array("e30AQ...".utf8)
        var parsed = 0
        for round in 0..<20_000 {
            let length = Int.random(in: 0...24, using: &random)
            let bytes =
                round.isMultiple(of: 2)
                ? random.bytes(length) : (0..<length).map { _ in pool[Int.random(in: 0..<pool.count, using: &random)] }
            guard let parts = try? JWT.Parts(parsing: bytes) else { continue }
            parsed += 1
            #expect(!JWT.verifyHS256(parts, key: key), "seed \(seed)")
            #expect(!JWT.verifyRS256(parts, key: rsa), "seed \(seed)")
        }
        #expect(parsed > 10, "seed \(seed)")
    }

    @Test func `what is signed parses back to the same bytes`() throws {
        let seed: UInt64 = 42
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let key = HMACKey(secret: random.bytes(Int.random(in: 0...100, using: &random)))
            let header = random.bytes(Int.random(in: 1...40, using: &random))
            let payload = random.bytes(Int.random(in: 1...300, using: &random))
            let parts = try JWT.Parts(parsing: JWT.signed(header: header, payload: payload, key: .hs256(key)))
            expectEqual(parts.headerBytes, header, "seed \(seed)")
            expectEqual(parts.payloadBytes, payload, "seed \(seed)")
            #expect(JWT.verifyHS256(parts, key: key), "seed \(seed)")
        }
    }
}
