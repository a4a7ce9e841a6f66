import Certificates
import Handshakes

/// A name below `bad.localhost` whose connections are disturbed without a call (transport contract, section 6).
struct ReadyName: Hashable, Sendable {
    /// The whole name, in lower case.
    let name: String
    let effect: ConnectionFault.Effect

    /// The ready name that a client asks for; nil for any other name.
    init?(_ serverName: String) {
        let name = serverName.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 3, labels[1] == "bad", labels[2] == "localhost", let effect = Self.effect(labels[0])
        else {
            return nil
        }
        self.name = name
        self.effect = effect
    }

    private static func effect(_ label: Substring) -> ConnectionFault.Effect? {
        if let kind = CertificateCase(rawValue: String(label)) { return .certificate(kind) }
        return switch label {
        case "stall": .handshake(.stall(nil))
        case "reset": .handshake(.reset)
        case "close": .handshake(.close)
        case "garbage": .handshake(.garbage)
        case "tls1-0": .version(.tls10)
        case "tls1-1": .version(.tls11)
        case "tls1-2": .version(.tls12)
        case "no-alpn": .selection(.none)
        case "no-notify": .endWithoutNotify
        case "client-certificate": .clientCertificate(.required)
        default: nil
        }
    }
}
