#if !canImport(CryptoKit)
import COpenSSL

/// A public key on the curve P-256, for ES256 (RFC 7518 section 3.4).
package struct ECPublicKey: Sendable {
    private let key: Handle

    /// Owns libcrypto's key; it may be used from many threads at once.
    private final class Handle: Sendable {
        nonisolated(unsafe) let key: OpaquePointer

        init(_ key: OpaquePointer) { self.key = key }

        deinit { EVP_PKEY_free(key) }
    }

    /// The key of a point's coordinates, 32 bytes each, highest byte first; nil if that is no point of the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32, let key = Self.makeKey([4] + x + y) else { return nil }
        self.key = Handle(key)
    }

    /// Returns true if 64 bytes, r and s, are the signature of a message with SHA-256.
    package func verify(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard signature.count == 64, let context = EVP_MD_CTX_new() else { return false }
        // A refused signature leaves an entry in the thread's error queue.
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let encoded = KeyDER.sequence([
            KeyDER.integer(Array(signature.prefix(32))), KeyDER.integer(Array(signature.suffix(32))),
        ])
        let bytes = Array(message)
        guard EVP_DigestVerifyInit_ex(context, nil, "SHA2-256", nil, nil, key.key, nil) == 1 else { return false }
        return EVP_DigestVerify(context, encoded, encoded.count, bytes, bytes.count) == 1
    }

    private static func makeKey(_ point: [UInt8]) -> OpaquePointer? {
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer {
            OSSL_PARAM_BLD_free(builder)
            ERR_clear_error()
        }
        return point.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            // The builder keeps pointers to names and contents until the parameters are made; all of them outlive it.
            guard OSSL_PARAM_BLD_push_utf8_string(builder, name("group"), name("prime256v1"), 0) == 1,
                OSSL_PARAM_BLD_push_octet_string(builder, name("pub"), buffer.baseAddress, buffer.count) == 1,
                let parameters = OSSL_PARAM_BLD_to_param(builder)
            else { return nil }
            defer { OSSL_PARAM_free(parameters) }
            guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
            defer { EVP_PKEY_CTX_free(context) }
            var key: OpaquePointer?
            guard EVP_PKEY_fromdata_init(context) == 1,
                EVP_PKEY_fromdata(context, &key, Int32(understudy_pkey_public), parameters) == 1
            else { return nil }
            return key
        }
    }

    private static func name(_ text: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
#endif
