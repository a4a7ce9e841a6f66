import CivilTime

/// A server's certificate, the chain that is sent with it, and its key.
package final class ServerIdentity: Sendable {
    package let certificate: Certificate
    /// The further certificates that are sent, in order.
    package let chain: [Certificate]
    package let key: PrivateKey
    /// The stapled OCSP response.
    package let staple: [UInt8]?
    /// Tells that a library with ordinary settings refuses to send it.
    package let isWeak: Bool
    /// The time from which it is made anew.
    let renewal: Instant?

    init(
        _ certificate: Certificate,
        chain: [Certificate],
        key: PrivateKey,
        staple: [UInt8]? = nil,
        isWeak: Bool = false,
        renewal: Instant? = nil
    ) {
        self.certificate = certificate
        self.chain = chain
        self.key = key
        self.staple = staple
        self.isWeak = isWeak
        self.renewal = renewal
    }

    func isFresh(at now: Instant) -> Bool { renewal.map { now < $0 } ?? true }
}
