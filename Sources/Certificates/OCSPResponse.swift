import CivilTime

/// An answer of a certificate's issuer about its revocation (RFC 6960, section 4.2).
enum OCSPResponse {
    /// The time for which an answer holds.
    static let lifetime = Interval.days(7)

    /// Returns an answer, to be stapled, which says that a certificate was revoked an hour ago because its key is known to
    /// others.
    static func revoked(_ leaf: Certificate, by authority: Authority, now: Instant) throws(CertificateError) -> [UInt8]
    {
        let (name, key) = authority.issuer.nameAndKeyHashes
        let (since, until) = ((now - .hours(1)).flooredToSecond, (now + lifetime).flooredToSecond)
        let reason = DER.tagged(0, DER.enumerated(1))
        let about = DER.sequence(
            DER.sequence(ObjectIdentifier.sha1, DER.null),
            DER.octets(name),
            DER.octets(key),
            leaf.serialNumber
        )
        let single = DER.sequence(
            about,
            DER.element(0xA1, DER.longTime(since) + reason),
            DER.longTime(since),
            DER.tagged(0, DER.longTime(until))
        )
        let data = DER.sequence(DER.tagged(2, DER.octets(key)), DER.longTime(since), DER.sequence(single))
        let signature = try authority.signer.key.sign(data)
        let basic = DER.sequence(data, DER.sequence(ObjectIdentifier.ecdsaWithSHA256), DER.bits(signature))
        return DER.sequence(
            DER.enumerated(0),
            DER.tagged(0, DER.sequence(ObjectIdentifier.basicOCSP, DER.octets(basic)))
        )
    }
}
