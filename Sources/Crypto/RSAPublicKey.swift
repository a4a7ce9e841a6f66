/// The public half of an RSA key, for verification and for a JWKS.
package struct RSAPublicKey: Sendable {
    /// The modulus, highest byte first, without leading zeros.
    package let modulus: [UInt8]
    /// The exponent, highest byte first, without leading zeros.
    package let exponent: [UInt8]
    private let handle: RSAKeyHandle

    /// A key from its two numbers, highest byte first.
    ///
    /// Nil unless the modulus has 1024 to 8192 bits and the exponent is odd, above 1 and below 2^64: verification with
    /// a longer one would take a hostile amount of time.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        let modulusNumber = Natural(bigEndian: modulus)
        let exponentNumber = Natural(bigEndian: exponent)
        guard (1_024...8_192).contains(modulusNumber.bitWidth), !modulusNumber.isEven,
            (2...64).contains(exponentNumber.bitWidth), !exponentNumber.isEven,
            let handle = RSAKeyHandle(modulus: modulusNumber.bigEndian, exponent: exponentNumber.bigEndian)
        else { return nil }
        self.modulus = modulusNumber.bigEndian
        self.exponent = exponentNumber.bigEndian
        self.handle = handle
    }

    /// Returns true if the bytes are an RS256 signature of the message by this key; any bytes may be given.
    package func verify(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        handle.verify(Array(signature), of: Array(message))
    }

    /// The key's name in a JWKS: its RFC 7638 thumbprint, in base64url.
    package var kid: String {
        let members =
            "{\"e\":\"\(Base64URL.encode(exponent))\",\"kty\":\"RSA\",\"n\":\"\(Base64URL.encode(modulus))\"}"
        return Base64URL.encode(SHA256.digest(members.utf8))
    }
}
