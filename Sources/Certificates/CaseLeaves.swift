import CivilTime
import Handshakes

/// The maker of the certificates of `CertificateCase`.
///
/// Keys and authorities that only some cases need are made when they are first needed, and live as long as this object.
final class CaseLeaves {
    private let authority: Authority
    private var otherKey: PrivateKey?
    private var smallKey: PrivateKey?
    private var stranger: Authority?

    init(_ authority: Authority) { self.authority = authority }

    /// Makes the certificate of a case for these names.
    func make(_ kind: CertificateCase, _ names: CertificateForm.Names, now: Instant) throws(CertificateError)
        -> ServerIdentity
    {
        var form = LeafForm.form(names, now: now)
        var key = authority.leafKey
        switch kind {
        case .expired:
            form.notAfter = (now - .days(1)).flooredToSecond
            form.notBefore = form.notAfter - LeafForm.lifetime
        case .notYetValid:
            form.notBefore = (now + .days(1)).flooredToSecond
            form.notAfter = form.notBefore + LeafForm.lifetime
        case .wrongHost:
            let other = [DNSName("wrong-host.test")].compactMap(\.self)
            form = LeafForm.form(CertificateForm.Names(names: other, addresses: []), now: now)
        case .untrustedRoot: return try strange(form, now)
        case .selfSigned:
            let leaf = try form.signed(key, by: nil)
            return ServerIdentity(leaf, chain: [], key: key, renewal: leaf.notAfter - Authority.shortTime)
        case .noServerAuth: form.extendedUsages = [ObjectIdentifier.clientAuth]
        case .outsideConstraints:
            // An issuer without constraints may sign this name too: then nothing is wrong with the certificate.
            form.alternatives?.names += [DNSName("example.com")].compactMap(\.self)
        case .sha1: form.digest = .sha1
        case .rsa1024: key = try small()
        case .noSAN: form.alternatives = nil
        case .tooLong: form.notAfter = form.notBefore + .days(900)
        case .otherKey: key = try other()
        case .incompleteChain, .revoked: break
        }
        let leaf = try form.signed(key, by: authority.signer)
        return ServerIdentity(
            leaf,
            chain: kind == .incompleteChain ? [] : [authority.issuer],
            key: key,
            staple: kind == .revoked ? try OCSPResponse.revoked(leaf, by: authority, now: now) : nil,
            isWeak: kind == .sha1 || kind == .rsa1024,
            renewal: renewal(kind, leaf, now)
        )
    }

    /// Returns the time at which a certificate would stop being its case.
    private func renewal(_ kind: CertificateCase, _ leaf: Certificate, _ now: Instant) -> Instant? {
        switch kind {
        case .expired: nil
        // From here on it would begin today.
        case .notYetValid: now + .hours(1)
        case .revoked: now + OCSPResponse.lifetime - .days(1)
        default: leaf.notAfter - Authority.shortTime
        }
    }

    /// Returns a leaf below a root that nobody knows; the root is sent along.
    private func strange(_ form: CertificateForm, _ now: Instant) throws(CertificateError) -> ServerIdentity {
        let made = if let stranger { stranger } else { try Authority.make(owner: "nobody@nowhere", now: now) }
        stranger = made
        let leaf = try form.signed(authority.leafKey, by: made.signer)
        return ServerIdentity(
            leaf,
            chain: [made.issuer, made.root],
            key: authority.leafKey,
            renewal: leaf.notAfter - Authority.shortTime
        )
    }

    private func other() throws(CertificateError) -> PrivateKey {
        let key = if let otherKey { otherKey } else { try PrivateKey.makeP256() }
        otherKey = key
        return key
    }

    private func small() throws(CertificateError) -> PrivateKey {
        let key = if let smallKey { smallKey } else { try PrivateKey.makeRSA(bits: 1_024) }
        smallKey = key
        return key
    }
}
