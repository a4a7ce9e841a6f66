package import CivilTime

/// A handshake that has failed, by either side (transport contract, section 7).
package struct HandshakeFailure: Hashable, Sendable {
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        case clientAlert = "client-alert"
        case clientClosed = "client-closed"
        case timeout
        case noCommonVersion = "no-common-version"
        case noCommonCipher = "no-common-cipher"
        case noCommonALPN = "no-common-alpn"
        case clientCertificateMissing = "client-certificate-missing"
        case notTLS = "not-tls"
        case injected
    }

    package enum Side: String, Hashable, Sendable {
        case client, server
    }

    /// An alert with its sender.
    package struct Alert: Hashable, Sendable {
        package var alert: TLSAlert
        package var from: Side

        package init(_ alert: TLSAlert, from side: Side) {
            self.alert = alert
            from = side
        }
    }

    package var at: Instant
    /// An API's name, or `hub`.
    package var api: String
    package var peer: String
    package var serverName: String?
    /// The application protocols that the client offered.
    package var protocols: [String]?
    /// The versions that the client offered.
    package var versions: [TLSVersion]?
    package var reason: Reason
    package var alert: Alert?
    /// One sentence for a person.
    package var advice: String
    /// The id of the connection fault, or the ready name, that acted.
    package var fault: String?

    package init(
        at: Instant,
        api: String,
        peer: String,
        serverName: String? = nil,
        protocols: [String]? = nil,
        versions: [TLSVersion]? = nil,
        reason: Reason,
        alert: Alert? = nil,
        advice: String,
        fault: String? = nil
    ) {
        self.at = at
        self.api = api
        self.peer = peer
        self.serverName = serverName
        self.protocols = protocols
        self.versions = versions
        self.reason = reason
        self.alert = alert
        self.advice = advice
        self.fault = fault
    }
}
