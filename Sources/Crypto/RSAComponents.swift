/// The numbers of a private key (RFC 8017 section 3.2), computed from two primes.
struct RSAComponents: Sendable {
    /// The public exponent of every key: the usual 2^16 + 1.
    static let publicExponent: UInt64 = 65_537

    let modulus: Natural
    let privateExponent: Natural
    let firstPrime: Natural
    let secondPrime: Natural
    let firstExponent: Natural
    let secondExponent: Natural
    let coefficient: Natural

    var exponent: Natural { Natural(limbs: [Self.publicExponent]) }

    /// A key of two different primes in either order; nil when they cannot make one.
    init?(primes first: Natural, _ second: Natural) {
        guard first != second else { return nil }
        let (greater, lesser) = first < second ? (second, first) : (first, second)
        let one = Natural(limbs: [1])
        guard let privateExponent = Self.inverseOfExponent(modulo: (greater - one) * (lesser - one)),
            let firstExponent = Self.inverseOfExponent(modulo: greater - one),
            let secondExponent = Self.inverseOfExponent(modulo: lesser - one),
            let coefficient = lesser.inverse(modulo: greater)
        else { return nil }
        modulus = greater * lesser
        firstPrime = greater
        secondPrime = lesser
        self.privateExponent = privateExponent
        self.firstExponent = firstExponent
        self.secondExponent = secondExponent
        self.coefficient = coefficient
    }

    /// `e^-1 mod m`, from the small side: `(1 + k m) / e` where `k` is `-m^-1 mod e`.
    private static func inverseOfExponent(modulo modulus: Natural) -> Natural? {
        let remainder = modulus.quotientAndRemainder(by: publicExponent).remainder
        guard remainder != 0 else { return nil }
        // 65537 is prime: the inverse is the power e - 2.
        var inverse: UInt64 = 1
        var base = remainder
        var power = publicExponent - 2
        while power > 0 {
            if power & 1 == 1 { inverse = inverse * base % publicExponent }
            base = base * base % publicExponent
            power >>= 1
        }
        let factor = publicExponent - inverse
        let (quotient, rest) = (modulus * Natural(limbs: [factor]) + Natural(limbs: [1]))
            .quotientAndRemainder(by: publicExponent)
        return rest == 0 ? quotient : nil
    }
}
