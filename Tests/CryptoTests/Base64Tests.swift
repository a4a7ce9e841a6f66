import Crypto
import TestSupport
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 section 10 hold in both directions`(plain: String, encoded: String) {
        let bytes = Array(plain.utf8)
        expectEqual(Base64.encode(bytes), encoded)
        expectEqual(Base64.decode(encoded), bytes)
        expectEqual(Base64URL.encode(bytes, padded: true), encoded)
        expectEqual(Base64URL.decode(encoded, padded: true), bytes)
        let bare = encoded.filter { $0 != "=" }
        expectEqual(Base64URL.encode(bytes), bare)
        expectEqual(Base64URL.decode(bare), bytes)
    }

    @Test func `the two alphabets differ in their last two characters`() {
        expectEqual(Base64.encode([0xFB, 0xFF]), "+/8=")
        expectEqual(Base64URL.encode([0xFB, 0xFF]), "-_8")
        expectNil(Base64.decode("-_8="))
        expectNil(Base64URL.decode("+/8"))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z", "=", "==", "====", "Zm8==", "Zm9v=", "Zm9v====", "Zg==Zg==", "Z=g=", " Zg==",
        "Zg==\n",
        "Zm9v\r\nYmFy", "Zm 9v", "Zm9é", "Zg\u{0}=",
    ])
    func `base 64 with wrong padding, white space or other characters is refused`(text: String) {
        expectNil(Base64.decode(text))
    }

    @Test(arguments: ["Zg==", "Zm8=", "Z", "Zm9vY", "=", "Zm9v\n", " Zm9v", "Zm9v ", "Zm+v", "Zm/v"])
    func `base64url with padding that was not asked for is refused`(text: String) {
        expectNil(Base64URL.decode(text))
    }

    @Test func `bits that carry nothing must be zero`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let twos = alphabet.count { Base64URL.decode("A\($0)") != nil }
        let threes = alphabet.count { Base64URL.decode("AA\($0)") != nil }
        expectEqual(twos, 4)
        expectEqual(threes, 16)
    }

    @Test func `every length and every byte comes back`() {
        for count in 0..<260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            expectEqual(Base64.decode(Base64.encode(bytes)), bytes)
            expectEqual(Base64URL.decode(Base64URL.encode(bytes)), bytes)
        }
    }

    @Test func `what decodes is written again as it was read`() {
        let seed: UInt64 = 20_261_120
        var random = SeededGenerator(seed: seed)
        let pool = Array("ABCabc019-_+/=".utf8)
        var decoded = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pool[Int.random(in: 0..<pool.count, using: &random)]
            }
            if let bytes = Base64.decode(text) {
                expectEqual(Array(Base64.encode(bytes).utf8), text, "seed \(seed)")
            }
            if let bytes = Base64URL.decode(text) {
                decoded += 1
                expectEqual(Array(Base64URL.encode(bytes).utf8), text, "seed \(seed)")
            }
        }
        #expect(decoded > 1_000)
    }
}
