import JSON

/// The sentences that tell a person what to do about a failed handshake (transport contract, section 7).
package enum HandshakeAdvice {
    /// The facts that a sentence may name.
    package struct Context {
        /// The subject of the authority's root; nil with certificates of the user's own.
        package var root: String?
        /// The name that the client asked for.
        package var serverName: String?
        /// The versions and protocols that the client offered.
        package var versions: [TLSVersion]?
        package var protocols: [String]?
        /// The fault that acted.
        package var fault: String?

        package init(
            root: String? = nil,
            serverName: String? = nil,
            versions: [TLSVersion]? = nil,
            protocols: [String]? = nil,
            fault: String? = nil
        ) {
            self.root = root
            self.serverName = serverName
            self.versions = versions
            self.protocols = protocols
            self.fault = fault
        }
    }

    private static let pinned = "a client that pins another key looks the same"

    /// Returns the sentence for a failure.
    package static func sentence(
        _ reason: HandshakeFailure.Reason,
        _ alert: HandshakeFailure.Alert?,
        _ context: Context
    ) -> String {
        if let fault = context.fault, reason != .injected {
            return "The connection was disturbed by \(fault), which this client has noticed."
        }
        return switch reason {
        case .clientAlert: clientAlert(alert?.alert, context)
        case .clientClosed:
            "The client went away in the middle of the handshake: many clients do that when they don't trust the "
                + "certificate (\(trust(context))), and \(pinned)."
        case .timeout:
            "The client began a handshake and did not go on within the time limit: look for a client that is stopped in a "
                + "debugger, or that waits for a proxy."
        case .noCommonVersion:
            "The client offers \(list(context.versions?.map(\.name), "no version that is known")), and the server speaks TLS "
                + "1.2 and 1.3: update the client, or change its settings."
        case .noCommonCipher:
            "Client and server have no cipher suite, key exchange or signature in common: the server wants ECDHE with "
                + "X25519 or P-256, and AES-GCM or ChaCha20."
        case .noCommonALPN:
            "The client offers \(list(context.protocols, "no protocol")), and the server speaks http/1.1: let the client "
                + "offer http/1.1 too."
        case .clientCertificateMissing:
            "A certificate of the client was required and none was sent: configure one in the client; any is taken."
        case .notTLS:
            "The connection began like TLS and went on as something else: look for a proxy in between, or for a client "
                + "that speaks another protocol."
        case .injected:
            "The handshake was ended on purpose by \(context.fault ?? "a connection fault"); a correct client reports a TLS "
                + "failure, and never falls back to http."
        }
    }

    /// Returns the sentence for a name below `bad.localhost` that is none of those.
    package static func unknownName(_ label: String, among known: [String]) -> String {
        let near = Suggestion.nearest(to: label, among: known).map { "did you mean \($0).bad.localhost?" }
        let text = label.utf8.count <= 64 ? label : String(label.prefix(64)) + "…"
        return "There is no name \(text).bad.localhost; "
            + (near ?? "there are \(known.joined(separator: ", ")), each with .bad.localhost.")
    }

    private static func clientAlert(_ alert: TLSAlert?, _ context: Context) -> String {
        guard let alert else { return "The client ended the handshake." }
        switch alert {
        case .unknownCA: return "The client does not trust the certificate's issuer: \(trust(context))."
        case .badCertificate, .certificateUnknown:
            return "The client does not accept the certificate: \(trust(context)); \(pinned)."
        case .certificateExpired:
            return
                "The client takes the certificate for expired, or for one that has not begun: compare the clock of the "
                + "client with this machine's."
        default:
            return "The client ended the handshake with \(alert.name): its own log says why."
        }
    }

    private static func trust(_ context: Context) -> String {
        guard let root = context.root else { return "install the root of the certificate that --cert names" }
        return "install the root \(root), as `understudy trust` does"
    }

    private static func list(_ items: [String]?, _ other: String) -> String {
        guard let items, !items.isEmpty else { return other }
        return items.joined(separator: ", ")
    }
}
