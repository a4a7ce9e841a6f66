import COpenSSL

/// A private key.
///
/// libcrypto overwrites it in memory when the last reference goes. It may be used from many threads at once.
package final class PrivateKey: Sendable {
    /// The digest of a signature.
    enum Digest: String, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA2-256"
    }

    package enum Kind: Hashable, Sendable {
        case ellipticCurve(bits: Int)
        case rsa(bits: Int)
        /// A kind that no server certificate of ours may have.
        case other(String)
    }

    /// The key of libcrypto, an `EVP_PKEY`, valid as long as this object: for `SSL_use_PrivateKey` and its like alone.
    package nonisolated(unsafe) let handle: OpaquePointer

    private init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { EVP_PKEY_free(handle) }

    /// Makes a key on the curve P-256.
    package static func makeP256() throws(CertificateError) -> PrivateKey { try made(understudy_make_p256_key()) }

    /// Makes an RSA key.
    static func makeRSA(bits: Int) throws(CertificateError) -> PrivateKey { try made(understudy_make_rsa_key(bits)) }

    private static func made(_ handle: OpaquePointer?) throws(CertificateError) -> PrivateKey {
        ERR_clear_error()
        guard let handle else { throw CertificateError(.notMade, "The system's random source gives no key.") }
        return PrivateKey(handle)
    }

    /// Reads a key in PKCS #8, SEC 1 or PKCS #1 form; nil for anything else.
    init?(der: [UInt8]) {
        defer { ERR_clear_error() }
        if let key = P256Key(der)?.made() {
            handle = key
            return
        }
        let read = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var place = buffer.baseAddress
            guard let key = d2i_AutoPrivateKey(nil, &place, buffer.count) else { return nil }
            guard place == buffer.baseAddress.map({ $0 + buffer.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        guard let read else { return nil }
        handle = read
    }

    /// The kind and the size.
    package var kind: Kind {
        let bits = Int(EVP_PKEY_get_bits(handle))
        switch EVP_PKEY_get_base_id(handle) {
        case EVP_PKEY_EC: return .ellipticCurve(bits: bits)
        case EVP_PKEY_RSA: return .rsa(bits: bits)
        default: return .other(EVP_PKEY_get0_type_name(handle).map { String(cString: $0) } ?? "unknown")
        }
    }

    /// The public key as a SubjectPublicKeyInfo (RFC 5280, section 4.1).
    package var publicKeyInfo: [UInt8] { encoded { i2d_PUBKEY(handle, $0) } }

    /// The key in PKCS #8 form, as a text.
    var pem: String {
        guard let form = EVP_PKEY2PKCS8(handle) else { return "" }
        defer { PKCS8_PRIV_KEY_INFO_free(form) }
        return PEM.write("PRIVATE KEY", encoded { i2d_PKCS8_PRIV_KEY_INFO(form, $0) })
    }

    /// Returns the signature of a message, in the form that certificates have.
    func sign(_ message: [UInt8], _ digest: Digest = .sha256) throws(CertificateError) -> [UInt8] {
        let failure = CertificateError(.notMade, "The key refuses to sign.")
        guard let context = EVP_MD_CTX_new() else { throw failure }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DigestSignInit_ex(context, nil, digest.rawValue, nil, nil, handle, nil) == 1 else { throw failure }
        var length = Int(EVP_PKEY_get_size(handle))
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { throw failure }
        return Array(signature.prefix(length))
    }
}

/// Returns what one of libcrypto's encoders writes: its length, then its bytes; empty if it fails.
func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    let length = Int(encode(nil))
    guard length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        var place = buffer.baseAddress
        count = encode(&place) == Int32(length) ? length : 0
    }
}
