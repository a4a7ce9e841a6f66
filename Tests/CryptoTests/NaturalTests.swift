import TestSupport
import Testing

@testable import Crypto

@Suite struct NaturalTests {
    @Test func `bytes come back without leading zeros`() {
        expectEqual(Natural(bigEndian: [0, 0, 1, 2]).bigEndian, [1, 2])
        expectEqual(Natural(bigEndian: []).bigEndian, [])
        #expect(Natural(bigEndian: [0]).isZero)
        let long = Array(UInt8(1)...UInt8(23))
        expectEqual(Natural(bigEndian: long).bigEndian, long)
        expectEqual(Natural(bigEndian: [1] + [UInt8](repeating: 0, count: 8)).bitWidth, 65)
    }

    @Test func `carries and borrows run through all limbs`() {
        let ones = Natural(limbs: [.max, .max])
        let one = Natural(limbs: [1])
        expectEqual(ones + one, Natural(limbs: [0, 0, 1]))
        expectEqual(Natural(limbs: [0, 0, 1]) - one, ones)
        expectEqual(one - ones, Natural(limbs: []))
        expectEqual(ones * ones, Natural(limbs: [1, 0, .max - 1, .max]))
        expectEqual(Natural(limbs: [0, 1]).halved, Natural(limbs: [1 << 63]))
    }

    @Test func `division and multiplication undo each other`() {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let number = Natural(bigEndian: random.bytes(Int.random(in: 1...40, using: &random)))
            let divisor = UInt64.random(in: 1...UInt64.max, using: &random)
            let (quotient, remainder) = number.quotientAndRemainder(by: divisor)
            #expect(remainder < divisor, "seed \(seed)")
            expectEqual(quotient * Natural(limbs: [divisor]) + Natural(limbs: [remainder]), number, "seed \(seed)")
        }
    }

    @Test func `inverses agree with a search`() {
        for modulus in stride(from: UInt64(3), to: 60, by: 2) {
            for value in 1..<modulus {
                let found = Natural(limbs: [value]).inverse(modulo: Natural(limbs: [modulus]))
                let searched = (1..<modulus).first { $0 * value % modulus == 1 }
                expectEqual(found, searched.map { Natural(limbs: [$0]) })
            }
        }
    }

    @Test func `there is no inverse of zero or for an even modulus`() {
        expectNil(Natural(limbs: []).inverse(modulo: Natural(limbs: [7])))
        expectNil(Natural(limbs: [3]).inverse(modulo: Natural(limbs: [8])))
    }

    @Test func `DER writes short and long lengths and keeps numbers positive`() {
        expectEqual(KeyDER.integer([]), [2, 1, 0])
        expectEqual(KeyDER.integer([0, 0x7F]), [2, 1, 0x7F])
        expectEqual(KeyDER.integer([0x80]), [2, 2, 0, 0x80])
        expectEqual(KeyDER.integer([UInt8](repeating: 1, count: 127)).prefix(2), [2, 127])
        expectEqual(KeyDER.integer([UInt8](repeating: 1, count: 128)).prefix(3), [2, 0x81, 128])
        expectEqual(KeyDER.sequence([[UInt8](repeating: 1, count: 256)]).prefix(4), [0x30, 0x82, 1, 0])
    }
}
