import CivilTime

/// The ordinary leaf of some names.
struct LeafForm {
    /// The validity of a leaf.
    static let lifetime = Interval.days(397)

    static func form(_ names: CertificateForm.Names, now: Instant) -> CertificateForm {
        let notBefore = (now - Authority.margin).flooredToSecond
        let first = names.names.first?.text ?? names.addresses.first?.text
        return CertificateForm(
            commonName: first.flatMap { $0.utf8.count <= CertificateForm.longestCommonName ? $0 : nil },
            notBefore: notBefore,
            notAfter: notBefore + lifetime,
            usages: [.digitalSignature],
            extendedUsages: [ObjectIdentifier.serverAuth],
            alternatives: names
        )
    }
}
