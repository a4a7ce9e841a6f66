import TestSupport
import Testing

@testable import Crypto

@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives the digests of FIPS 180`(message: String, digest: String) {
        expectEqual(Hex.encode(SHA256.digest(message.utf8)), digest)
    }

    @Test func `SHA-256 of a million times the letter a is that of FIPS 180`() {
        let digest = SHA256.digest([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        expectEqual(Hex.encode(digest), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: [
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
    ])
    func `SHA-512 gives the digests of FIPS 180`(message: String, digest: String) {
        expectEqual(Hex.encode(SHA512.digest(message.utf8)), digest)
    }

    @Test func `bytes that do not lie together are digested alike`() {
        let bytes = Array("abc".utf8)
        expectEqual(SHA256.digest(bytes.lazy.map { $0 }), SHA256.digest(bytes))
        expectEqual(SHA512.digest(([0] + bytes)[1...]), SHA512.digest(bytes))
    }

    @Test func `hexadecimal text is written in lower case and read in both`() {
        expectEqual(Hex.encode([0x00, 0x9F, 0xFF]), "009fff")
        expectEqual(Hex.decode("009FfF"), [0x00, 0x9F, 0xFF])
        expectEqual(Hex.decode(""), [])
    }

    @Test(arguments: ["0", "0g", "00 ", "é0", "0x00"])
    func `text that is not hexadecimal is refused`(text: String) {
        expectNil(Hex.decode(text))
    }

    @Test func `byte strings are equal only when every byte is`() {
        let bytes: [UInt8] = [1, 2, 3]
        #expect(constantTimeEqual(bytes, [1, 2, 3]))
        #expect(constantTimeEqual([], []))
        #expect(!constantTimeEqual(bytes, [1, 2]))
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(!constantTimeEqual(bytes, other))
            }
        }
    }
}
