import COpenSSL
package import CivilTime
import Crypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An X.509 certificate.
///
/// Unchecked: libcrypto's object is only read after its making, and caches what it finds under a lock of its own.
package final class Certificate: @unchecked Sendable {
    /// The encoded form.
    package let der: [UInt8]
    /// The certificate of libcrypto, an `X509`, valid as long as this object: for `SSL_use_certificate` and its like.
    package let handle: OpaquePointer
    package let notBefore: Instant
    package let notAfter: Instant

    /// Reads a certificate; nil for anything else, or for bytes behind it.
    package init?(der: [UInt8]) {
        defer { ERR_clear_error() }
        let read = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var place = buffer.baseAddress
            guard let certificate = d2i_X509(nil, &place, buffer.count) else { return nil }
            guard place == buffer.baseAddress.map({ $0 + buffer.count }) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let read else { return nil }
        guard let begins = Self.instant(X509_get0_notBefore(read)), let ends = Self.instant(X509_get0_notAfter(read))
        else {
            X509_free(read)
            return nil
        }
        self.der = der
        handle = read
        notBefore = begins
        notAfter = ends
    }

    deinit { X509_free(handle) }

    /// The SHA-256 of the encoded form.
    package var fingerprint: [UInt8] { SHA256.digest(der) }

    /// The text of RFC 7468.
    package var pem: String { PEM.write("CERTIFICATE", der) }

    /// The subject in the order of the certificate, such as `CN=localhost, O=Understudy`.
    package var subject: String {
        guard let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        X509_NAME_print_ex(bio, X509_get_subject_name(handle), 0, UInt(understudy_name_flags))
        var content: UnsafeMutablePointer<CChar>?
        let count = understudy_bio_content(bio, &content)
        let bytes = UnsafeRawBufferPointer(start: content, count: max(count, 0))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The subject, encoded.
    var encodedSubject: [UInt8] { encoded { i2d_X509_NAME(X509_get_subject_name(handle), $0) } }

    /// The serial number, encoded.
    var serialNumber: [UInt8] { encoded { i2d_ASN1_INTEGER(X509_get0_serialNumber(handle), $0) } }

    /// The id of the subject's key that the certificate states.
    var subjectKeyID: [UInt8]? { X509_get0_subject_key_id(handle).map(Self.bytes) }

    /// The SHA-1 by which OCSP names an issuer (RFC 6960, section 4.1.1).
    var nameAndKeyHashes: (name: [UInt8], key: [UInt8]) {
        var (name, key) = ([UInt8](repeating: 0, count: 20), [UInt8](repeating: 0, count: 20))
        var count: UInt32 = 20
        X509_NAME_digest(X509_get_subject_name(handle), EVP_sha1(), &name, &count)
        X509_pubkey_digest(handle, EVP_sha1(), &key, &count)
        return (name, key)
    }

    /// The content of the name constraints; nil without any.
    var encodedNameConstraints: [UInt8]? {
        let place = X509_get_ext_by_NID(handle, NID_name_constraints, -1)
        guard place >= 0, let found = X509_get_ext(handle, place) else { return nil }
        return X509_EXTENSION_get_data(found).map(Self.bytes)
    }

    /// Tells whether it is the certificate of that key.
    func belongs(to key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(handle, key.handle) == 1
    }

    /// Tells whether its signature is one that libraries refuse with ordinary settings, as with SHA-1; a root's own
    /// signature is not looked at.
    var isWeaklySigned: Bool {
        var bits: Int32 = 0
        guard X509_get_signature_info(handle, nil, nil, &bits, nil) == 1, !isIssued(by: self) else { return false }
        return bits < 112
    }

    /// Tells whether the other certificate's subject and key have signed this one.
    func isIssued(by other: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard X509_check_issued(other.handle, handle) == X509_V_OK, let key = X509_get0_pubkey(other.handle) else {
            return false
        }
        return X509_verify(handle, key) == 1
    }

    /// Tells whether a client that asks for this name or numeric address accepts the certificate's names.
    package func covers(_ host: String) -> Bool {
        defer { ERR_clear_error() }
        guard IPAddress(host) == nil else { return X509_check_ip_asc(handle, host, 0) == 1 }
        return X509_check_host(handle, host, host.utf8.count, UInt32(understudy_never_subject), nil) == 1
    }

    private static func bytes(_ text: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text))))
    }

    private static func bytes(_ text: UnsafeMutablePointer<ASN1_STRING>) -> [UInt8] { bytes(UnsafePointer(text)) }

    private static func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Instant? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1,
            let date = CivilDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        else { return nil }
        let seconds = Int64(parts.tm_hour) * 3_600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return Instant(startOf: date) + .seconds(seconds)
    }
}
