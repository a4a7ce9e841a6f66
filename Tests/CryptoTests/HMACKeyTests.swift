import Crypto
import TestSupport
import Testing

@Suite struct HMACKeyTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let data: [UInt8]
        let code: String
    }

    /// RFC 4231 sections 4.2 to 4.8.
    static let vectors: [Vector] = [
        Vector(
            key: [UInt8](repeating: 0x0B, count: 20),
            data: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Vector(
            key: Array("Jefe".utf8),
            data: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 20),
            data: [UInt8](repeating: 0xDD, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Vector(
            key: Array(1...25),
            data: [UInt8](repeating: 0xCD, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        Vector(
            key: [UInt8](repeating: 0x0C, count: 20),
            data: Array("Test With Truncation".utf8),
            code: "a3b6167473100ee06e0c796c2955552b"
        ),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            data: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. The key needs "
                    + "to be hashed before being used by the HMAC algorithm.").utf8
            ),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: vectors)
    func `HMAC with SHA-256 gives the codes of RFC 4231`(vector: Vector) {
        let code = HMACKey(secret: vector.key).authenticationCode(for: vector.data)
        expectEqual(code.count, 32)
        #expect(Hex.encode(code).hasPrefix(vector.code))
    }

    @Test func `a key can be used many times, and by many tasks at once`() async {
        let key = HMACKey(secret: Array("Jefe".utf8))
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<500).count { _ in
                        Hex.encode(key.authenticationCode(for: "what do ya want for nothing?".utf8)) == expected
                    }
                }
            }
            for await right in group { expectEqual(right, 500) }
        }
    }

    @Test func `a secret of 64 bytes is used as it is and one of 65 by its digest`() {
        let long = [UInt8](repeating: 7, count: 65)
        let message: [UInt8] = [1, 2, 3]
        expectEqual(
            HMACKey(secret: long).authenticationCode(for: message),
            HMACKey(secret: SHA256.digest(long)).authenticationCode(for: message)
        )
        let exact = Array(long.dropLast())
        #expect(
            HMACKey(secret: exact).authenticationCode(for: message)
                != HMACKey(secret: SHA256.digest(exact)).authenticationCode(for: message)
        )
    }

    @Test func `an empty secret and an empty message are allowed`() {
        // The value that every implementation gives for them.
        expectEqual(
            Hex.encode(HMACKey(secret: []).authenticationCode(for: [])),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        )
    }

    @Test func `only the whole code is valid`() {
        let key = HMACKey(secret: [1])
        let code = key.authenticationCode(for: [2])
        #expect(key.isValid(code, for: [2]))
        #expect(!key.isValid(code, for: [3]))
        #expect(!key.isValid(Array(code.dropLast()), for: [2]))
        #expect(!key.isValid(code + [0], for: [2]))
        #expect(!key.isValid([], for: [2]))
    }
}
