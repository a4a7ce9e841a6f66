import Certificates
import CivilTime
import Handshakes

/// The server's choices for one connection, made from its ClientHello.
struct HandshakePlan {
    var settings = TLSSettings()
    var identity: ServerIdentity
    /// The event in place of a ServerHello; nil for the ServerHello.
    var disturbance: ConnectionFault.Disturbance?
    /// Tells that the connection ends without close_notify.
    var endsWithoutNotify = false
    /// The id of the fault, or the ready name, that acts.
    var fault: String?
    /// Tells that a client which refuses this connection is right, so that no other advice is due.
    var isToBeRefused = false
    /// The advice in place of the usual one; nil for that.
    var advice: String?

    init(_ identity: ServerIdentity) {
        self.identity = identity
        if identity.isWeak { settings.strength = .weak }
    }

    /// Adds the effect of a fault; certificates are in the identity already.
    mutating func apply(_ effect: ConnectionFault.Effect, of fault: String) {
        self.fault = fault
        settings.sessions = .single
        switch effect {
        case .certificate: isToBeRefused = true
        case .handshake(let disturbance): self.disturbance = disturbance
        case .version(let version):
            settings.versions = .only(version)
            isToBeRefused = version < .tls12
        case .selection(.none): settings.protocols = nil
        case .selection(.http1): settings.protocols = ["http/1.1"]
        case .clientCertificate(let demand): settings.clientCertificate = demand
        case .endWithoutNotify: endsWithoutNotify = true
        }
    }
}
