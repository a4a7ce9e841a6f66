/// A natural number of any size, with just the arithmetic that an RSA key needs.
///
/// It is here so that both platforms make the same key from the same primes: Security.framework offers no arithmetic.
/// Nothing in it runs in constant time, which is right for numbers that are published (see `PrimeBank`) and for
/// nothing else.
struct Natural: Equatable, Sendable {
    /// Digits to the base 2^64, lowest first, without zeros at the high end.
    private(set) var limbs: [UInt64]

    init(limbs: [UInt64]) {
        self.limbs = limbs
        trim()
    }

    init(bigEndian bytes: [UInt8]) {
        var limbs = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
        for (place, byte) in bytes.reversed().enumerated() {
            limbs[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
        }
        self.init(limbs: limbs)
    }

    /// The bytes, highest first, without leading zeros; none for zero.
    var bigEndian: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(limbs.count * 8)
        for limb in limbs.reversed() {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: limb >> shift))
            }
        }
        return Array(bytes.drop { $0 == 0 })
    }

    var isZero: Bool { limbs.isEmpty }
    var isEven: Bool { (limbs.first ?? 0) & 1 == 0 }
    var isOne: Bool { limbs == [1] }

    var bitWidth: Int {
        guard let highest = limbs.last else { return 0 }
        return limbs.count * 64 - highest.leadingZeroBitCount
    }

    static func < (left: Natural, right: Natural) -> Bool {
        guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
        for place in left.limbs.indices.reversed() where left.limbs[place] != right.limbs[place] {
            return left.limbs[place] < right.limbs[place]
        }
        return false
    }

    static func + (left: Natural, right: Natural) -> Natural {
        let (long, short) =
            left.limbs.count >= right.limbs.count ? (left.limbs, right.limbs) : (right.limbs, left.limbs)
        var sum = long
        var carry: UInt64 = 0
        for place in sum.indices {
            let other = place < short.count ? short[place] : 0
            let (first, firstOverflow) = sum[place].addingReportingOverflow(other)
            let (second, secondOverflow) = first.addingReportingOverflow(carry)
            sum[place] = second
            carry = (firstOverflow ? 1 : 0) + (secondOverflow ? 1 : 0)
        }
        if carry != 0 { sum.append(carry) }
        return Natural(limbs: sum)
    }

    /// The difference; zero when the second is the greater.
    static func - (left: Natural, right: Natural) -> Natural {
        guard !(left < right) else { return Natural(limbs: []) }
        var difference = left.limbs
        var borrow: UInt64 = 0
        for place in difference.indices {
            let other = place < right.limbs.count ? right.limbs[place] : 0
            let (first, firstOverflow) = difference[place].subtractingReportingOverflow(other)
            let (second, secondOverflow) = first.subtractingReportingOverflow(borrow)
            difference[place] = second
            borrow = (firstOverflow ? 1 : 0) + (secondOverflow ? 1 : 0)
        }
        return Natural(limbs: difference)
    }

    static func * (left: Natural, right: Natural) -> Natural {
        var product = [UInt64](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (leftPlace, leftLimb) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (rightPlace, rightLimb) in right.limbs.enumerated() {
                let place = leftPlace + rightPlace
                let (high, low) = leftLimb.multipliedFullWidth(by: rightLimb)
                let (first, firstOverflow) = product[place].addingReportingOverflow(low)
                let (second, secondOverflow) = first.addingReportingOverflow(carry)
                product[place] = second
                // The high half of a product is at most 2^64 - 2, so both carries fit.
                carry = high &+ (firstOverflow ? 1 : 0) &+ (secondOverflow ? 1 : 0)
            }
            product[leftPlace + right.limbs.count] = carry
        }
        return Natural(limbs: product)
    }

    /// Quotient and remainder by a divisor above zero.
    func quotientAndRemainder(by divisor: UInt64) -> (quotient: Natural, remainder: UInt64) {
        var quotient = limbs
        var remainder: UInt64 = 0
        for place in limbs.indices.reversed() {
            (quotient[place], remainder) = divisor.dividingFullWidth((remainder, limbs[place]))
        }
        return (Natural(limbs: quotient), remainder)
    }

    /// Half of it, rounded down.
    var halved: Natural {
        var half = limbs
        var carry: UInt64 = 0
        for place in half.indices.reversed() {
            let limb = half[place]
            half[place] = limb >> 1 | carry << 63
            carry = limb & 1
        }
        return Natural(limbs: half)
    }

    /// The inverse for an odd modulus, by the binary extended Euclidean algorithm; nil when there is none.
    func inverse(modulo modulus: Natural) -> Natural? {
        guard !modulus.isEven, !isZero else { return nil }
        let one = Natural(limbs: [1])
        var left = self
        var right = modulus
        var leftFactor = one
        var rightFactor = Natural(limbs: [])
        func halve(_ number: inout Natural, _ factor: inout Natural) {
            while number.isEven {
                number = number.halved
                factor = (factor.isEven ? factor : factor + modulus).halved
            }
        }
        func subtract(_ second: Natural, from first: Natural) -> Natural {
            first < second ? first + modulus - second : first - second
        }
        while !left.isZero {
            halve(&left, &leftFactor)
            halve(&right, &rightFactor)
            if left < right {
                right = right - left
                rightFactor = subtract(leftFactor, from: rightFactor)
            } else {
                left = left - right
                leftFactor = subtract(rightFactor, from: leftFactor)
            }
        }
        return right.isOne ? rightFactor : nil
    }

    private mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }
}
