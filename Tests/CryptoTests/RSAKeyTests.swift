import TestSupport
import Testing

@testable import Crypto

@Suite struct RSAKeyTests {
    @Test func `the bank's primes have 1024 bits, the two highest set, and suit the exponent`() throws {
        expectEqual(PrimeBank.count, 16)
        for index in 0..<PrimeBank.count {
            let prime = try #require(PrimeBank.prime(at: index))
            expectEqual(prime.bitWidth, 1_024)
            #expect(try #require(prime.bigEndian.first) >= 0xC0)
            #expect(!prime.isEven)
            let below = prime - Natural(limbs: [1])
            #expect(below.quotientAndRemainder(by: RSAComponents.publicExponent).remainder != 0)
        }
        expectNil(PrimeBank.prime(at: -1))
        expectNil(PrimeBank.prime(at: 16))
    }

    @Test func `every pair of primes makes a key of 2048 bits that signs and verifies`() throws {
        var moduli: Set<[UInt8]> = []
        let message = Array("any message".utf8)
        for first in 0..<RSAPrivateKey.primeCount {
            for second in 0..<first {
                let key = try #require(RSAPrivateKey(primesAt: (first, second)))
                expectEqual(key.publicKey.modulus.count, 256)
                #expect(try #require(key.publicKey.modulus.first) >= 0x80)
                #expect(key.publicKey.verify(key.sign(message), of: message))
                moduli.insert(key.publicKey.modulus)
            }
        }
        expectEqual(moduli.count, 120)
    }

    @Test func `the numbers of a key fit together`() throws {
        let first = try #require(PrimeBank.prime(at: 3))
        let second = try #require(PrimeBank.prime(at: 9))
        let key = try #require(RSAComponents(primes: first, second))
        let one = Natural(limbs: [1])
        #expect(key.secondPrime < key.firstPrime)
        expectEqual(key.modulus, first * second)
        for (exponent, order) in [
            (key.privateExponent, (first - one) * (second - one)),
            (key.firstExponent, key.firstPrime - one),
            (key.secondExponent, key.secondPrime - one),
        ] {
            #expect(exponent < order)
            // e d - 1 is k times the order, and k is below e.
            let product = exponent * key.exponent - one
            #expect((1..<RSAComponents.publicExponent).contains { order * Natural(limbs: [$0]) == product })
        }
        expectEqual(key.secondPrime.inverse(modulo: key.firstPrime), key.coefficient)
    }

    @Test func `places outside the bank and equal places make no key`() {
        expectNil(RSAPrivateKey(primesAt: (0, 0)))
        expectNil(RSAPrivateKey(primesAt: (0, 16)))
        expectNil(RSAPrivateKey(primesAt: (-1, 0)))
    }

    @Test func `the order of the two places does not matter`() throws {
        let key = try #require(RSAPrivateKey(primesAt: (2, 5)))
        let other = try #require(RSAPrivateKey(primesAt: (5, 2)))
        expectEqual(key.publicKey.modulus, other.publicKey.modulus)
        expectEqual(key.sign([1]), other.sign([1]))
    }

    @Test func `a seed always makes the same key and other seeds make others`() {
        expectEqual(RSAPrivateKey(seededBy: 1).publicKey.kid, RSAPrivateKey(seededBy: 1).publicKey.kid)
        let names = Set((0..<64).map { RSAPrivateKey(seededBy: $0).publicKey.kid })
        #expect(names.count > 30)
        _ = RSAPrivateKey(seededBy: .max)
    }

    @Test func `a seed's key and signature are the same on every machine`() {
        let key = RSAPrivateKey(seededBy: 20_261_120)
        expectEqual(key.publicKey.kid, "HgJYUyOJf7H1tBJDn6wY58rcgosiNUYAbcJWQoC60Kg")
        expectEqual(
            Hex.encode(SHA256.digest(key.sign(Array("understudy".utf8)))),
            "8ac511b832dbcdd6ef330bcc5f5931560f56d5fc96e2f4014155dd2638b003e2"
        )
    }

    @Test func `a signature stands for one message and one key`() throws {
        let key = try #require(RSAPrivateKey(primesAt: (0, 1)))
        let other = try #require(RSAPrivateKey(primesAt: (0, 2)))
        let message = Array("message".utf8)
        let signature = key.sign(message)
        expectEqual(signature, key.sign(message))
        #expect(key.publicKey.verify(signature, of: message))
        #expect(!key.publicKey.verify(signature, of: Array("massage".utf8)))
        #expect(!other.publicKey.verify(signature, of: message))
        #expect(!key.publicKey.verify([], of: message))
        #expect(!key.publicKey.verify(Array(signature.dropLast()), of: message))
        #expect(!key.publicKey.verify(signature + [0], of: message))
        #expect(!key.publicKey.verify([UInt8](repeating: 0xFF, count: 256), of: message))
        for index in stride(from: 0, to: 256, by: 5) {
            var flipped = signature
            flipped[index] ^= 0x10
            #expect(!key.publicKey.verify(flipped, of: message))
        }
    }

    @Test func `keys are used by many tasks at once`() async throws {
        let key = try #require(RSAPrivateKey(primesAt: (4, 6)))
        let expected = key.sign([1, 2, 3])
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { key.sign([1, 2, 3]) == expected && key.publicKey.verify(expected, of: [1, 2, 3]) }
            }
            for await right in group { #expect(right) }
        }
    }

    @Test func `public keys that nobody should verify with are refused`() {
        func modulus(_ count: Int) -> [UInt8] { [0x80] + [UInt8](repeating: 1, count: count - 1) }
        #expect(RSAPublicKey(modulus: modulus(128), exponent: [3]) != nil)
        expectNil(RSAPublicKey(modulus: modulus(127), exponent: [3]))
        #expect(RSAPublicKey(modulus: modulus(1_024), exponent: [3]) != nil)
        expectNil(RSAPublicKey(modulus: modulus(1_025), exponent: [3]))
        expectNil(RSAPublicKey(modulus: modulus(256).dropLast() + [2], exponent: [3]))
        for exponent: [UInt8] in [[], [0], [1], [4], [UInt8](repeating: 1, count: 9)] {
            expectNil(RSAPublicKey(modulus: modulus(256), exponent: exponent))
        }
    }

    @Test func `the name of a key is the thumbprint of RFC 7638 section 3_1`() throws {
        let modulus = try #require(
            Base64URL.decode(
                """
                0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWK\
                RXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMic\
                AtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3\
                XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
                """
            )
        )
        let key = try #require(RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]))
        expectEqual(key.kid, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}
