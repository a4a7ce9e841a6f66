/// A server certificate that a correct client treats in a certain way, mostly by refusing it (transport contract,
/// section 6).
package enum CertificateCase: String, CaseIterable, Hashable, Sendable {
    case expired
    case notYetValid = "not-yet-valid"
    case wrongHost = "wrong-host"
    case untrustedRoot = "untrusted-root"
    case selfSigned = "self-signed"
    case incompleteChain = "incomplete-chain"
    case noServerAuth = "no-server-auth"
    case outsideConstraints = "outside-constraints"
    case sha1
    case rsa1024
    case noSAN = "no-san"
    case tooLong = "too-long"
    case revoked
    case otherKey = "other-key"
}
