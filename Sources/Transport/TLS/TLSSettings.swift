import Handshakes

/// The settings by which connections differ; those without a fault all have the same.
struct TLSSettings: Hashable, Sendable {
    enum Versions: Hashable, Sendable {
        /// 1.2 and 1.3.
        case modern
        case only(TLSVersion)
    }

    enum Sessions: Hashable, Sendable {
        /// Tickets are given and taken.
        case resumable
        /// Every handshake is a full one.
        case single
    }

    enum Strength: Hashable, Sendable {
        case ordinary
        /// Certificates are sent that a library with ordinary settings refuses.
        case weak
    }

    var versions = Versions.modern
    var sessions = Sessions.resumable
    var strength = Strength.ordinary
    /// The application protocols that are picked from what the client offers, best first; nil where the offer is ignored.
    var protocols: [String]? = ["http/1.1"]
    var clientCertificate: ConnectionFault.Demand?
}
