import Certificates
package import Control
import Crypto
package import Handshakes
package import Transport

/// The TLS of the running server behind the control calls (transport contract, sections 3 to 7).
///
/// Belongs to the loop's thread.
package final class SecureTransport: TLSHost {
    package let mode: TLSMode
    package let authority: TLSAuthority?
    private let tls: TLSServer
    package weak var server: Server?

    /// Creates it; `folder` is that of the authority, if there is one.
    package init(_ tls: TLSServer, mode: TLSMode, folder: String?) {
        self.tls = tls
        self.mode = mode
        authority = tls.authority.map { TLSAuthority($0, in: folder ?? "") }
    }

    /// Notes for which names the forward proxy answers.
    package func answers(for isMapped: @escaping (String) -> Bool) { tls.isMapped = isMapped }

    package var handshakes: HandshakeLog.Counts { tls.log.counts }
    package var failures: [HandshakeFailure] { tls.log.failures }
    package func clearFailures() { tls.clearFailures() }
    package var connectionFaults: [ConnectionFaultRegistry.Entry] { tls.faults.entries }

    package func add(_ fault: ConnectionFault, limit: Int) -> ConnectionFaultRegistry.Entry? {
        guard let entry = tls.withFaults({ $0.add(fault, capacity: limit) }) else { return nil }
        endIdle(fault)
        return entry
    }

    package func removeFault(_ id: String) -> Bool {
        guard let fault = tls.withFaults({ $0.remove(id) }) else { return false }
        endIdle(fault)
        return true
    }

    package func numericAddress(_ text: String) -> String? { IPAddress(text)?.text }

    /// Ends the idle connections that a fault acts on, or did, so that a client's pool can't hide it.
    private func endIdle(_ fault: ConnectionFault) {
        server?.endIdleTLS { fault.match.covers(api: $0) }
    }
}

extension TLSAuthority {
    init(_ authority: Authority, in folder: String) {
        let root = authority.root
        self.init(
            subject: root.subject,
            fingerprint: Hex.encode(root.fingerprint),
            notBefore: root.notBefore,
            notAfter: root.notAfter,
            permitted: authority.permitted,
            folder: folder,
            pem: Array(root.pem.utf8),
            der: root.der,
            profile: Array(ConfigurationProfile.text(of: root).utf8)
        )
    }
}
