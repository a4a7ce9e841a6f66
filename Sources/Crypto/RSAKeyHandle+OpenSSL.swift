#if !canImport(CryptoKit)
import COpenSSL

/// A key as libcrypto holds it.
///
/// It may be used from many threads at once.
final class RSAKeyHandle: Sendable {
    private nonisolated(unsafe) let key: OpaquePointer

    /// A private key; nil when libcrypto refuses it.
    init?(_ components: RSAComponents) {
        let numbers: [(StaticString, Natural)] = [
            ("n", components.modulus),
            ("e", components.exponent),
            ("d", components.privateExponent),
            ("rsa-factor1", components.firstPrime),
            ("rsa-factor2", components.secondPrime),
            ("rsa-exponent1", components.firstExponent),
            ("rsa-exponent2", components.secondExponent),
            ("rsa-coefficient1", components.coefficient),
        ]
        guard let key = Self.makeKey(numbers.map { ($0, $1.bigEndian) }, Int32(understudy_pkey_keypair)) else {
            return nil
        }
        self.key = key
    }

    /// A public key, its numbers highest byte first; nil when libcrypto refuses it.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        let numbers: [(StaticString, [UInt8])] = [("n", modulus), ("e", exponent)]
        guard let key = Self.makeKey(numbers, Int32(understudy_pkey_public)) else { return nil }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The PKCS #1 v1.5 signature with SHA-256; nil only when memory is gone or the key is a public one.
    func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DigestSignInit_ex(context, nil, "SHA2-256", nil, nil, key, nil) == 1 else { return nil }
        var length = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { return nil }
        signature.removeLast(signature.count - length)
        return signature
    }

    /// Returns true if the signature is that of the message.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        // A refused signature leaves an entry in the thread's error queue.
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DigestVerifyInit_ex(context, nil, "SHA2-256", nil, nil, key, nil) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// A key of numbers under the names of OpenSSL's `core_names.h`.
    ///
    /// The builder keeps pointers to the names, which is why they are static.
    private static func makeKey(
        _ numbers: [(name: StaticString, bytes: [UInt8])],
        _ selection: Int32
    ) -> OpaquePointer? {
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        // The builder keeps pointers to the numbers too, until the parameters are made.
        var held: [OpaquePointer] = []
        defer {
            OSSL_PARAM_BLD_free(builder)
            held.forEach(BN_free)
            ERR_clear_error()
        }
        for (name, bytes) in numbers {
            guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return nil }
            held.append(number)
            let key = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
            guard OSSL_PARAM_BLD_push_BN(builder, key, number) == 1 else { return nil }
        }
        guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, selection, parameters) == 1
        else { return nil }
        return key
    }
}
#endif
