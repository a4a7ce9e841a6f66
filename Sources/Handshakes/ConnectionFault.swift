package import CivilTime
package import JSON

/// A fault that acts before a request exists (transport contract, section 6).
package struct ConnectionFault: Hashable, Sendable {
    /// The connections that it acts on.
    package struct Match: Hashable, Sendable {
        /// An API's name, or `hub`; nil for all APIs, but not the hub.
        package var api: String?
        /// A pattern of the name that the client asks for, in which `*` is any characters.
        package var serverName: String?
        /// A numeric address.
        package var peer: String?

        package init(api: String? = nil, serverName: String? = nil, peer: String? = nil) {
            self.api = api
            self.serverName = serverName
            self.peer = peer
        }
    }

    /// The connections, among those that match, on which it acts.
    package struct When: Hashable, Sendable {
        package var skip = 0
        package var times: Int?
        package var every = 1
        package var probability = 1.0

        package init() {}
    }

    /// The protocol that is picked, whatever the client offers.
    package enum Selection: String, CaseIterable, Hashable, Sendable {
        /// The offer is ignored.
        case none
        case http1 = "http/1.1"
    }

    /// The demand for a client's certificate.
    package enum Demand: String, CaseIterable, Hashable, Sendable {
        case required, optional
    }

    /// The change of a connection.
    package enum Effect: Hashable, Sendable {
        case certificate(CertificateCase)
        case handshake(Disturbance)
        /// The server speaks this version only: 1.0 to 1.2.
        case version(TLSVersion)
        case selection(Selection)
        case clientCertificate(Demand)
        /// The connection ends without close_notify.
        case endWithoutNotify
    }

    /// The event in place of a ServerHello.
    package enum Disturbance: Hashable, Sendable {
        /// Nothing more comes; the connection is closed after that time, without one at the handshake's limit.
        case stall(Interval?)
        /// The ServerHello comes after that time.
        case slow(Interval)
        /// The connection ends by a reset.
        case reset
        /// The connection ends in order.
        case close
        /// 512 bytes come that are no TLS.
        case garbage
        case alert(TLSAlert)
    }

    package var name: String?
    package var match: Match
    package var when: When
    package var effect: Effect
    /// The members as they were ordered, for lists.
    package var order = JSONObject()

    package init(_ effect: Effect, name: String? = nil, match: Match = Match(), when: When = When()) {
        self.effect = effect
        self.name = name
        self.match = match
        self.when = when
    }

    /// The API name by which the hub's port is matched.
    package static let hub = "hub"
}
