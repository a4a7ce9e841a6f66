package import CivilTime
import Crypto

/// A root that people trust, an issuer that it signed, and the key of all leaves (transport contract, section 4).
///
/// The root's key signed the issuer's certificate and is gone.
package struct Authority: Sendable {
    /// The choices that are made once, with the authority.
    package struct Options: Hashable, Sendable {
        /// Further permitted names.
        package var names: [DNSName] = []
        /// Leaves the constraints out.
        package var isUnconstrained = false

        package init() {}

        /// Reads a name that is to be permitted.
        package static func name(_ text: String) throws(CertificateError) -> DNSName {
            guard let name = DNSName(text) else {
                throw CertificateError(
                    .name,
                    "--allow-name: \"\(text)\" is no DNS name such as api.example.com; what lies below a name is permitted "
                        + "with it."
                )
            }
            return name
        }

        var areDefault: Bool { names.isEmpty && !isUnconstrained }

        /// Says what a thief of the folder could do, for options that widen it; nil for the others.
        package var warning: String? {
            if isUnconstrained {
                return "Whoever copies this authority's folder can pretend to be any server on the internet, on every "
                    + "machine that trusts its root."
            }
            guard !names.isEmpty else { return nil }
            let list = names.map(\.text).joined(separator: ", ")
            return "Whoever copies this authority's folder can pretend to be \(list) and the names below, on every "
                + "machine that trusts its root."
        }
    }

    package let root: Certificate
    package let issuer: Certificate
    let issuerKey: PrivateKey
    /// The key of all leaves, so that it can be pinned once.
    package let leafKey: PrivateKey
    /// The names that the issuer may sign; nil for all.
    package let constraints: NameConstraints?

    /// The time before the making at which certificates begin, for clocks that are behind.
    static let margin = Interval.hours(24)
    /// The validity of the root and the issuer.
    static let lifetime = Interval.days(3_650)
    /// The time before its end from which an authority is warned of, and a leaf renewed.
    package static let shortTime = Interval.days(30)

    init(root: Certificate, issuer: Certificate, issuerKey: PrivateKey, leafKey: PrivateKey)
        throws(CertificateError)
    {
        self.root = root
        self.issuer = issuer
        self.issuerKey = issuerKey
        self.leafKey = leafKey
        guard let encoded = issuer.encodedNameConstraints else {
            constraints = nil
            return
        }
        guard let read = NameConstraints(encoded: encoded) else {
            throw CertificateError(
                .malformed,
                "The issuer's name constraints are not those of an Understudy authority."
            )
        }
        constraints = read
    }

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - owner: The user and the host, as `USER@HOST`.
    ///   - options: What the issuer may sign.
    ///   - now: The time of day.
    /// - Returns: The authority, which is nowhere but in memory.
    /// - Throws: The failure of the random source.
    package static func make(owner: String, options: Options = Options(), now: Instant) throws(CertificateError)
        -> Authority
    {
        // libcrypto overwrites the root's key as soon as this function ends; nothing else has it.
        let rootKey = try PrivateKey.makeP256()
        let notBefore = (now - margin).flooredToSecond
        let root = try CertificateForm(
            commonName: commonName(owner, rootKey),
            notBefore: notBefore,
            notAfter: notBefore + lifetime,
            pathLength: 1,
            usages: [.certificateSign, .revocationListSign]
        ).signed(rootKey, by: nil, namesIssuerKey: false)
        var constraints = NameConstraints.local
        for name in options.names where !constraints.names.contains(name.text) { constraints.names.append(name.text) }
        let issuerKey = try PrivateKey.makeP256()
        let issuer = try CertificateForm(
            commonName: "Understudy issuer",
            notBefore: notBefore,
            notAfter: root.notAfter,
            pathLength: 0,
            usages: [.certificateSign, .revocationListSign],
            extendedUsages: [ObjectIdentifier.serverAuth, ObjectIdentifier.clientAuth],
            constraints: options.isUnconstrained ? nil : constraints
        ).signed(issuerKey, by: CertificateForm.Issuer(root, rootKey))
        return try Authority(root: root, issuer: issuer, issuerKey: issuerKey, leafKey: try .makeP256())
    }

    /// Tells whether the issuer may sign a name.
    package func permits(_ name: DNSName) -> Bool { constraints?.permits(name) ?? true }

    /// Tells whether the issuer may sign an address.
    package func permits(_ address: IPAddress) -> Bool { constraints?.permits(address) ?? true }

    /// The permitted names and ranges as texts; empty for an authority without constraints.
    package var permitted: [String] { constraints?.texts ?? [] }

    /// The issuer as a signer.
    var signer: CertificateForm.Issuer { CertificateForm.Issuer(issuer, issuerKey) }

    /// Returns `Understudy CA USER@HOST (8 digits)`, with a long owner cut.
    private static func commonName(_ owner: String, _ key: PrivateKey) -> String {
        let digits = Hex.encode(SHA256.digest(key.publicKeyInfo).prefix(4))
        let (before, after) = ("Understudy CA ", " (\(digits))")
        let room = CertificateForm.longestCommonName - before.count - after.count
        let printable = owner.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(room)
        return before + String(String.UnicodeScalarView(printable)) + after
    }
}
