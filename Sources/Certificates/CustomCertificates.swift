package import CivilTime

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Certificates that the user brings (transport contract, section 4): pairs of files, chosen by the name that a client
/// asks for.
package struct CustomCertificates: Sendable {
    /// The pairs, in the order in which they were named.
    package let identities: [ServerIdentity]
    /// Sentences for people.
    package let warnings: [String]

    /// The fewest bits of an RSA key.
    package static let smallestRSA = 2_048
    /// The fewest bits of an elliptic curve's key.
    private static let smallestCurve = 256

    /// Reads pairs of files in PEM form: the certificate with its chain in order, and its key.
    package init(_ pairs: [(certificate: String, key: String)], now: Instant) throws(CertificateError) {
        var identities: [ServerIdentity] = []
        var warnings: [String] = []
        for pair in pairs {
            let chain = try Self.chain(pair.certificate)
            let key = try Self.key(pair.key)
            guard chain[0].belongs(to: key) else {
                throw CertificateError(
                    .mismatch,
                    "\(pair.key) is not the key of \(pair.certificate). The server's own certificate has to be the first in "
                        + "its file."
                )
            }
            if chain[0].notAfter <= now {
                warnings.append(
                    "\(pair.certificate) has expired on \(chain[0].notAfter.isoDay): clients will refuse it."
                )
            } else if chain[0].notBefore > now {
                warnings.append(
                    "\(pair.certificate) begins on \(chain[0].notBefore.isoDay): until then clients will refuse it."
                )
            }
            let isWeak = chain.contains(where: \.isWeaklySigned)
            identities.append(ServerIdentity(chain[0], chain: Array(chain.dropFirst()), key: key, isWeak: isWeak))
        }
        guard !identities.isEmpty else { throw CertificateError(.unreadable, "No certificate is named.") }
        self.identities = identities
        self.warnings = warnings
    }

    /// Certificates that are in memory already.
    package init(identities: [ServerIdentity], warnings: [String]) {
        self.identities = identities
        self.warnings = warnings
    }

    /// Returns the first certificate that covers the name, else the first of all.
    package func identity(for serverName: String?) -> ServerIdentity {
        guard let serverName else { return identities[0] }
        return identities.first { $0.certificate.covers(serverName) } ?? identities[0]
    }

    private static func chain(_ path: String) throws(CertificateError) -> [Certificate] {
        var chain: [Certificate] = []
        for block in try blocks(path) where block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" {
            guard let certificate = Certificate(der: block.content) else {
                throw CertificateError(.malformed, "\(path): certificate \(chain.count + 1) can't be read.")
            }
            if let last = chain.last, !last.isIssued(by: certificate) {
                throw CertificateError(
                    .mismatch,
                    "\(path): certificate \(chain.count + 1) has not signed the one before it. The chain has to be in order: "
                        + "the server's certificate first, then the one that signed it, and so on."
                )
            }
            chain.append(certificate)
        }
        guard !chain.isEmpty else {
            throw CertificateError(.malformed, "\(path) has no certificate (a block CERTIFICATE in PEM form).")
        }
        return chain
    }

    private static func key(_ path: String) throws(CertificateError) -> PrivateKey {
        let blocks = try blocks(path).filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard blocks.count == 1 else {
            let found = blocks.isEmpty ? "no key" : "\(blocks.count) keys"
            throw CertificateError(.malformed, "\(path) has \(found); one (a block PRIVATE KEY in PEM form) is needed.")
        }
        guard blocks[0].label != "ENCRYPTED PRIVATE KEY", !blocks[0].isEncrypted else {
            throw CertificateError(
                .encrypted,
                "\(path) is encrypted, and nobody is there to type its password. Decrypt a copy of it: "
                    + "`openssl pkey -in \(path) -out KEY`."
            )
        }
        guard let key = PrivateKey(der: blocks[0].content) else {
            throw CertificateError(.malformed, "\(path): the key can't be read.")
        }
        switch key.kind {
        case .ellipticCurve(let bits) where bits >= smallestCurve: return key
        case .rsa(let bits) where bits >= smallestRSA: return key
        case .ellipticCurve(let bits):
            throw CertificateError(.weak, "\(path) is an EC key of \(bits) bits; at least \(smallestCurve) are needed.")
        case .rsa(let bits):
            throw CertificateError(.weak, "\(path) is an RSA key of \(bits) bits; at least \(smallestRSA) are needed.")
        case .other(let name):
            throw CertificateError(.weak, "\(path) is a key of the kind \(name); EC or RSA is needed.")
        }
    }

    private static func blocks(_ path: String) throws(CertificateError) -> [PEM.Block] {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path: path)
        } catch {
            let reason = error.code == EINVAL ? "it is no file" : "\(error)"
            throw CertificateError(.unreadable, "\(path) can't be read: \(reason).")
        }
        do {
            return try PEM.read(bytes)
        } catch {
            throw CertificateError(.malformed, "\(path):\(error.line): \(error.reason).")
        }
    }
}
