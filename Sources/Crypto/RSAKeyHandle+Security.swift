#if canImport(CryptoKit)
import CoreFoundation
import Security

/// A key as Security.framework holds it.
///
/// It may be used from many threads at once.
final class RSAKeyHandle: Sendable {
    private nonisolated(unsafe) let key: SecKey

    /// A private key; nil when the framework refuses it.
    init?(_ components: RSAComponents) {
        let numbers = [
            Natural(limbs: []), components.modulus, components.exponent, components.privateExponent,
            components.firstPrime, components.secondPrime, components.firstExponent, components.secondExponent,
            components.coefficient,
        ]
        let encoded = KeyDER.sequence(numbers.map { KeyDER.integer($0.bigEndian) })
        guard let key = Self.makeKey(encoded, kSecAttrKeyClassPrivate) else { return nil }
        self.key = key
    }

    /// A public key, its numbers highest byte first; nil when the framework refuses it.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        let encoded = KeyDER.sequence([KeyDER.integer(modulus), KeyDER.integer(exponent)])
        guard let key = Self.makeKey(encoded, kSecAttrKeyClassPublic) else { return nil }
        self.key = key
    }

    /// The PKCS #1 v1.5 signature with SHA-256; nil only when memory is gone or the key is a public one.
    func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let data = CFDataCreate(nil, message, message.count),
            let signature = SecKeyCreateSignature(key, .rsaSignatureMessagePKCS1v15SHA256, data, nil)
        else { return nil }
        return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(signature), count: CFDataGetLength(signature)))
    }

    /// Returns true if the signature is that of the message.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let data = CFDataCreate(nil, message, message.count),
            let code = CFDataCreate(nil, signature, signature.count)
        else { return false }
        return SecKeyVerifySignature(key, .rsaSignatureMessagePKCS1v15SHA256, data, code, nil)
    }

    /// The framework reads the PKCS #1 structures of RFC 8017 appendix A.1.
    private static func makeKey(_ encoded: [UInt8], _ keyClass: CFString) -> SecKey? {
        var keyCallbacks = kCFTypeDictionaryKeyCallBacks
        var valueCallbacks = kCFTypeDictionaryValueCallBacks
        guard let data = CFDataCreate(nil, encoded, encoded.count),
            let attributes = CFDictionaryCreateMutable(nil, 2, &keyCallbacks, &valueCallbacks)
        else { return nil }
        for (name, value) in [(kSecAttrKeyType, kSecAttrKeyTypeRSA), (kSecAttrKeyClass, keyClass)] {
            CFDictionarySetValue(
                attributes,
                Unmanaged.passUnretained(name).toOpaque(),
                Unmanaged.passUnretained(value).toOpaque()
            )
        }
        return SecKeyCreateWithData(data, attributes, nil)
    }
}
#endif
