package import CivilTime
package import Handshakes

/// The TLS of the running server, as far as control calls reach it (transport contract, sections 3 to 7).
package protocol TLSHost: AnyObject {
    var mode: TLSMode { get }
    /// The authority that signs the certificates; nil with certificates of the user's own.
    var authority: TLSAuthority? { get }
    var handshakes: HandshakeLog.Counts { get }
    /// The handshakes that failed last, newest first.
    var failures: [HandshakeFailure] { get }
    func clearFailures()
    /// The connection faults in the order in which they are tried.
    var connectionFaults: [ConnectionFaultRegistry.Entry] { get }
    /// Adds a fault; nil if there are as many as that already.
    func add(_ fault: ConnectionFault, limit: Int) -> ConnectionFaultRegistry.Entry?
    /// Removes a fault; false for an unknown id.
    func removeFault(_ id: String) -> Bool
    /// Returns a numeric address in the form in which peers are compared; nil for anything else.
    func numericAddress(_ text: String) -> String?
}

/// The way in which the ports speak TLS.
package enum TLSMode: String, CaseIterable, Hashable, Sendable {
    case off
    /// Both HTTP and TLS, as the first byte says.
    case on
    /// TLS alone; plain requests are refused.
    case required
}

/// The facts about an authority that anybody may read.
package struct TLSAuthority: Sendable {
    package var subject: String
    /// The SHA-256 of the root's encoded form, in lower-case hexadecimal digits.
    package var fingerprint: String
    package var notBefore: Instant
    package var notAfter: Instant
    /// The names and ranges that the issuer may sign; empty for all.
    package var permitted: [String]
    package var folder: String
    /// The root in its three forms.
    package var pem: [UInt8]
    package var der: [UInt8]
    package var profile: [UInt8]

    package init(
        subject: String,
        fingerprint: String,
        notBefore: Instant,
        notAfter: Instant,
        permitted: [String],
        folder: String,
        pem: [UInt8],
        der: [UInt8],
        profile: [UInt8]
    ) {
        self.subject = subject
        self.fingerprint = fingerprint
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.permitted = permitted
        self.folder = folder
        self.pem = pem
        self.der = der
        self.profile = profile
    }
}

extension ControlHost {
    /// A host without TLS.
    package var tls: (any TLSHost)? { nil }
    /// A host without paired devices.
    package var pairing: DevicePairing? { nil }
}
