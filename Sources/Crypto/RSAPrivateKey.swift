import Basics

/// A 2048-bit RSA key made from two primes of the fixed bank.
///
/// **The bank is published and the keys are no secret**; see `PrimeBank` for why that is wanted here.
package struct RSAPrivateKey: Sendable {
    /// The key that a verifier needs.
    package let publicKey: RSAPublicKey
    private let handle: RSAKeyHandle

    /// The number of primes in the bank: places run from 0 to this less one.
    package static var primeCount: Int { PrimeBank.count }

    /// The key of two different places in the bank, in either order; nil for equal places or places outside it.
    package init?(primesAt places: (Int, Int)) {
        guard let first = PrimeBank.prime(at: places.0), let second = PrimeBank.prime(at: places.1),
            let components = RSAComponents(primes: first, second),
            let handle = RSAKeyHandle(components),
            let publicKey = RSAPublicKey(
                modulus: components.modulus.bigEndian,
                exponent: components.exponent.bigEndian
            )
        else { return nil }
        self.handle = handle
        self.publicKey = publicKey
    }

    /// One of the bank's 120 keys: equal seeds give equal keys on every machine.
    ///
    /// The first use takes under a millisecond; the key is cached.
    package init(seededBy seed: UInt64) {
        let count = UInt64(PrimeBank.count)
        // Spread first (the finaliser of SplitMix64), so that neighbouring seeds rarely share a key.
        var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        let first = mixed % count
        let second = (first + 1 + mixed / count % (count - 1)) % count
        self = Self.made.withLock { made in
            let place = min(first, second) * count + max(first, second)
            if let key = made[place] { return key }
            guard let key = RSAPrivateKey(primesAt: (Int(first), Int(second))) else {
                // Tests create a key from every pair, so only a crypto library without memory or without RSA fails
                // here.
                preconditionFailure("the crypto library refused a key of the fixed bank")
            }
            made[place] = key
            return key
        }
    }

    /// The cache of keys, since creating a key takes longer than every use of it.
    ///
    /// A key is a pure function of its places: whether it was remembered changes nothing but its cost.
    private static let made = Locked<[UInt64: RSAPrivateKey]>([:])

    /// The RS256 signature (RFC 8017 RSASSA-PKCS1-v1_5 with SHA-256), 256 bytes; the same for the same message.
    package func sign(_ message: some Collection<UInt8>) -> [UInt8] {
        guard let signature = handle.sign(Array(message)) else {
            preconditionFailure("the crypto library ran out of memory while signing")
        }
        return signature
    }
}
