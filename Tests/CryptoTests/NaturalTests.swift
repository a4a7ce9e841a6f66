import TestSupport
import Testing

@testable import Crypto

@Suite struct NaturalTests {
    @Test func `bytes come back without leading zeros`() {
        #expect(Natural(bigEndian: [0, 0, 1, 2]).bigEndian == [1, 2])
        #expect(Natural(bigEndian: []).bigEndian == [])
        #expect(Natural(bigEndian: [0]).isZero)
        let long = Array(UInt8(1)...UInt8(23))
        #expect(Natural(bigEndian: long).bigEndian == long)
        #expect(Natural(bigEndian: [1] + [UInt8](repeating: 0, count: 8)).bitWidth == 65)
    }

    @Test func `carries and borrows run through all limbs`() {
        let ones = Natural(limbs: [.max, .max])
        let one = Natural(limbs: [1])
        #expect(ones + one == Natural(limbs: [0, 0, 1]))
        #expect(Natural(limbs: [0, 0, 1]) - one == ones)
        #expect(one - ones == Natural(limbs: []))
        #expect(ones * ones == Natural(limbs: [1, 0, .max - 1, .max]))
        #expect(Natural(limbs: [0, 1]).halved == Natural(limbs: [1 << 63]))
    }

    @Test func `division and multiplication undo each other`() {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let number = Natural(bigEndian: random.bytes(Int.random(in: 1...40, using: &random)))
            let divisor = UInt64.random(in: 1...UInt64.max, using: &random)
            let (quotient, remainder) = number.quotientAndRemainder(by: divisor)
            #expect(remainder < divisor, "seed \(seed)")
            #expect(quotient * Natural(limbs: [divisor]) + Natural(limbs: [remainder]) == number, "seed \(seed)")
        }
    }

    @Test func `inverses agree with a search`() {
        for modulus in stride(from: UInt64(3), to: 60, by: 2) {
            for value in 1..<modulus {
                let found = Natural(limbs: [value]).inverse(modulo: Natural(limbs: [modulus]))
                let searched = (1..<modulus).first { $0 * value % modulus == 1 }
                #expect(found == searched.map { Natural(limbs: [$0]) })
            }
        }
    }

    @Test func `there is no inverse of zero or for an even modulus`() {
        #expect(Natural(limbs: []).inverse(modulo: Natural(limbs: [7])) == nil)
        #expect(Natural(limbs: [3]).inverse(modulo: Natural(limbs: [8])) == nil)
    }

    @Test func `DER writes short and long lengths and keeps numbers positive`() {
        #expect(DER.integer([]) == [2, 1, 0])
        #expect(DER.integer([0, 0x7F]) == [2, 1, 0x7F])
        #expect(DER.integer([0x80]) == [2, 2, 0, 0x80])
        #expect(DER.integer([UInt8](repeating: 1, count: 127)).prefix(2) == [2, 127])
        #expect(DER.integer([UInt8](repeating: 1, count: 128)).prefix(3) == [2, 0x81, 128])
        #expect(DER.sequence([[UInt8](repeating: 1, count: 256)]).prefix(4) == [0x30, 0x82, 1, 0])
    }
}
