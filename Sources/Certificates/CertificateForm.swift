import CivilTime
import Crypto

/// The contents of a certificate that is to be signed.
struct CertificateForm {
    /// The names and addresses of a server.
    struct Names: Hashable, Sendable {
        var names: [DNSName]
        var addresses: [IPAddress]
    }

    /// The permitted use of a key (RFC 5280, section 4.2.1.3), by its number.
    enum Usage: Int {
        case digitalSignature = 0
        case certificateSign = 5
        case revocationListSign = 6
    }

    /// The most characters of a common name (RFC 5280, appendix A.1).
    static let longestCommonName = 64

    var commonName: String?
    var notBefore: Instant
    var notAfter: Instant
    /// The authority's number of further authorities below it; nil for a server's certificate.
    var pathLength: UInt8?
    var usages: [Usage]
    /// The encoded identifiers of the extended usages.
    var extendedUsages: [[UInt8]] = []
    var alternatives: Names?
    var constraints: NameConstraints?
    var digest = PrivateKey.Digest.sha256

    /// The issuer of a certificate: who signs it, and with which key.
    struct Issuer {
        let subject: [UInt8]
        let keyID: [UInt8]
        let key: PrivateKey

        init(_ certificate: Certificate, _ key: PrivateKey) {
            subject = certificate.encodedSubject
            keyID = certificate.subjectKeyID ?? CertificateForm.keyID(of: key)
            self.key = key
        }
    }

    /// Returns the certificate of a key.
    ///
    /// - Parameters:
    ///   - key: The key that is certified.
    ///   - issuer: Nil where the key signs its own certificate.
    ///   - namesIssuerKey: False for a root, whose own id is enough.
    /// - Returns: The certificate.
    /// - Throws: The failure of the key or of memory.
    func signed(
        _ key: PrivateKey,
        by issuer: Issuer?,
        namesIssuerKey: Bool = true
    ) throws(CertificateError) -> Certificate {
        let own = Self.name(commonName)
        let algorithm = DER.sequence(
            digest == .sha1 ? ObjectIdentifier.ecdsaWithSHA1 : ObjectIdentifier.ecdsaWithSHA256
        )
        let content = DER.sequence(
            DER.tagged(0, DER.integer([2])),
            DER.integer(Self.serialNumber()),
            algorithm,
            issuer?.subject ?? own,
            DER.sequence(DER.time(notBefore), DER.time(notAfter)),
            own,
            key.publicKeyInfo,
            DER.tagged(
                3,
                extensions(key, issuerKeyID: namesIssuerKey ? issuer?.keyID ?? Self.keyID(of: key) : nil)
            )
        )
        let signature = try (issuer?.key ?? key).sign(content, digest)
        guard let made = Certificate(der: DER.sequence(content, algorithm, DER.bits(signature))) else {
            throw CertificateError(.notMade, "A certificate that was made can't be read.")
        }
        return made
    }

    private func extensions(_ key: PrivateKey, issuerKeyID: [UInt8]?) -> [UInt8] {
        var all: [[UInt8]] = []
        func add(_ identifier: [UInt8], isCritical: Bool = false, _ value: [UInt8]) {
            all.append(DER.sequence(identifier, isCritical ? DER.yes : [], DER.octets(value)))
        }
        let limits = pathLength.map { DER.sequence(DER.yes, DER.integer([$0])) } ?? DER.sequence()
        add(ObjectIdentifier.basicConstraints, isCritical: true, limits)
        add(ObjectIdentifier.keyUsage, isCritical: true, DER.flags(usages.map(\.rawValue)))
        if !extendedUsages.isEmpty {
            add(ObjectIdentifier.extendedKeyUsage, DER.element(0x30, extendedUsages.flatMap { $0 }))
        }
        add(ObjectIdentifier.subjectKeyID, DER.octets(Self.keyID(of: key)))
        if let issuerKeyID { add(ObjectIdentifier.authorityKeyID, DER.sequence(DER.element(0x80, issuerKeyID))) }
        if let alternatives {
            let names = alternatives.names.flatMap { DER.element(0x82, Array($0.text.utf8)) }
            let addresses = alternatives.addresses.flatMap { DER.element(0x87, $0.bytes) }
            add(ObjectIdentifier.subjectAlternativeName, DER.element(0x30, names + addresses))
        }
        if let constraints { add(ObjectIdentifier.nameConstraints, isCritical: true, constraints.encoded) }
        return DER.element(0x30, all.flatMap { $0 })
    }

    /// The id of a key: 20 bytes of a digest of it (RFC 7093, section 2).
    static func keyID(of key: PrivateKey) -> [UInt8] { Array(SHA256.digest(key.publicKeyInfo).prefix(20)) }

    private static func name(_ commonName: String?) -> [UInt8] {
        let organization = DER.set(DER.sequence(ObjectIdentifier.organization, DER.text("Understudy")))
        guard let commonName else { return DER.sequence(organization) }
        return DER.sequence(DER.set(DER.sequence(ObjectIdentifier.commonName, DER.text(commonName))), organization)
    }

    /// Returns sixteen bytes of the system's random source, of which the first is neither 0 nor negative.
    private static func serialNumber() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return [bytes[0] & 0x3F | 0x40] + bytes.dropFirst()
    }
}
