import Certificates
import Handshakes

/// A name below `bad.localhost` whose connections are disturbed without a call (transport contract, section 6).
struct ReadyName: Hashable, Sendable {
    /// The whole name, in lower case.
    let name: String
    let effect: ConnectionFault.Effect
    /// The advice on a name that is none, whose handshake ends in an alert; nil for the others.
    var advice: String?

    /// The ready name that a client asks for; nil for any name that is not below `bad.localhost`.
    init?(_ serverName: String) {
        let name = serverName.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 3, labels.suffix(2) == ["bad", "localhost"] else { return nil }
        let label = labels.dropLast(2).joined(separator: ".")
        self.name = name
        if let effect = Self.effect(label) {
            self.effect = effect
        } else {
            // A slip must not look like a client that takes a bad certificate.
            effect = .handshake(.alert(.unrecognizedName))
            let known = CertificateCase.allCases.map(\.rawValue) + Self.others.map(\.label)
            advice = HandshakeAdvice.unknownName(label, among: known)
        }
    }

    private static let others: [(label: String, effect: ConnectionFault.Effect)] = [
        ("stall", .handshake(.stall(nil))), ("reset", .handshake(.reset)), ("close", .handshake(.close)),
        ("garbage", .handshake(.garbage)), ("tls1-0", .version(.tls10)), ("tls1-1", .version(.tls11)),
        ("tls1-2", .version(.tls12)), ("no-alpn", .selection(.none)), ("no-notify", .endWithoutNotify),
        ("client-certificate", .clientCertificate(.required)),
    ]

    private static func effect(_ label: String) -> ConnectionFault.Effect? {
        if let kind = CertificateCase(rawValue: label) { return .certificate(kind) }
        return others.first { $0.label == label }?.effect
    }
}
