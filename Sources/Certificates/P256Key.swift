import COpenSSL

/// A key on the curve P-256 as authorities keep it: PKCS #8 with both parts and nothing else.
///
/// libcrypto's reader tries every form that it knows, which takes milliseconds of each start.
struct P256Key {
    private let secret: ArraySlice<UInt8>
    private let point: ArraySlice<UInt8>

    /// Everything before the secret: the versions, `id-ecPublicKey` and `prime256v1` (RFC 5208, RFC 5915).
    private static let head: [UInt8] = [
        0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
        0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
    ]
    /// Everything between the secret and the point.
    private static let middle: [UInt8] = [0xA1, 0x44, 0x03, 0x42, 0x00]

    /// Reads the one form; nil for every other.
    init?(_ der: [UInt8]) {
        let secretEnd = Self.head.count + 32
        let pointStart = secretEnd + Self.middle.count
        guard der.count == pointStart + 65, der.starts(with: Self.head),
            der[secretEnd...].starts(with: Self.middle)
        else { return nil }
        secret = der[Self.head.count..<secretEnd]
        point = der[pointStart...]
    }

    /// Returns an `EVP_PKEY`; nil for what is no key of the curve.
    func made() -> OpaquePointer? {
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer { OSSL_PARAM_BLD_free(builder) }
        return secret.withUnsafeBufferPointer { secret in
            point.withUnsafeBufferPointer { point -> OpaquePointer? in
                guard let number = BN_bin2bn(secret.baseAddress, Int32(secret.count), nil) else { return nil }
                defer { BN_clear_free(number) }
                // The builder keeps pointers to names and contents until the parameters are made; all of them outlive it.
                guard OSSL_PARAM_BLD_push_utf8_string(builder, name("group"), name("prime256v1"), 0) == 1,
                    OSSL_PARAM_BLD_push_BN(builder, name("priv"), number) == 1,
                    OSSL_PARAM_BLD_push_octet_string(builder, name("pub"), point.baseAddress, point.count) == 1,
                    let parameters = OSSL_PARAM_BLD_to_param(builder)
                else { return nil }
                defer { OSSL_PARAM_free(parameters) }
                guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
                defer { EVP_PKEY_CTX_free(context) }
                var key: OpaquePointer?
                guard EVP_PKEY_fromdata_init(context) == 1,
                    EVP_PKEY_fromdata(context, &key, Int32(understudy_pkey_keypair), parameters) == 1
                else { return nil }
                return key
            }
        }
    }

    private func name(_ text: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
