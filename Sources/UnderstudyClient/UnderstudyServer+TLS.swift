public import Foundation

/// TLS, certificates and faults of connections (transport contract, sections 3 to 7).
extension UnderstudyServer {
    /// The state of TLS.
    public struct TLSStatus: Sendable, Decodable {
        /// The authority that signs the certificates.
        public struct Authority: Sendable, Decodable {
            /// The subject of the root.
            public var subject: String
            /// The root's fingerprint, in hexadecimal digits.
            public var sha256: String
            /// The beginning of its validity.
            public var notBefore: String
            /// The end of its validity.
            public var notAfter: String
            /// The names and addresses that it may sign.
            public var permitted: [String]
            /// The folder that holds it.
            public var folder: String
        }

        /// A count of handshakes.
        public struct Handshakes: Sendable, Decodable {
            /// The number of those that succeeded.
            public var completed: Int
            /// The number of those that resumed a session.
            public var resumed: Int
            /// The number of those that failed.
            public var failed: Int
        }

        /// `off`, `on` or `required`.
        public var mode: String
        /// The authority; nil without TLS and with certificates of one's own.
        public var authority: Authority?
        /// The handshakes so far.
        public var handshakes: Handshakes
    }

    /// A handshake that failed.
    public struct TLSFailure: Sendable, Decodable {
        /// The machine's time.
        public var at: String
        /// The backend, or `hub`.
        public var api: String
        /// The client's address.
        public var peer: String
        /// The name that the client asked for.
        public var sni: String?
        /// The protocols that it offered.
        public var alpn: [String]?
        /// The versions that it offered.
        public var versions: [String]?
        /// The reason, such as `client-alert`.
        public var reason: String
        /// The alert, with `name`, `number` and `from`.
        public var alert: JSONValue?
        /// The remedy, in a sentence.
        public var advice: String
        /// The fault or ready name that caused it.
        public var fault: String?
    }

    /// A fault that acts on connections, before there is a request.
    public struct ConnectionFault: Sendable, Encodable {
        /// The connections that it acts on.
        public struct Match: Sendable, Codable {
            /// The backend, or `hub`.
            public var api: String?
            /// The name that the client asks for, as a glob.
            public var sni: String?
            /// The client's address.
            public var peer: String?

            /// Creates criteria; those left out accept every connection.
            ///
            ///     let match = UnderstudyServer.ConnectionFault.Match(api: "sawaed", sni: "*.localhost")
            public init(api: String? = nil, sni: String? = nil, peer: String? = nil) {
                self.api = api
                self.sni = sni
                self.peer = peer
            }
        }

        /// A name for people.
        public var name: String?
        /// The connections that it acts on.
        public var match: Match?
        /// The condition for a hit; it counts connections.
        public var when: Fault.When?
        /// The effect, in the form of the contract.
        public var effect: JSONValue

        /// Creates a fault from an effect of the contract.
        ///
        ///     let expired = UnderstudyServer.ConnectionFault(["certificate": "expired"], when: Fault.When(times: 1))
        public init(_ effect: JSONValue, on match: Match? = nil, when: Fault.When? = nil, name: String? = nil) {
            self.effect = effect
            self.match = match
            self.when = when
            self.name = name
        }
    }

    /// A connection fault that was added.
    public struct ActiveConnectionFault: Sendable, Decodable {
        /// The id, such as `cfl_1`.
        public var id: String
        /// The name for people.
        public var name: String?
        /// The connections that it acts on.
        public var match: ConnectionFault.Match
        /// The condition for a hit.
        public var when: Fault.When?
        /// The effect, in the form of the contract.
        public var effect: JSONValue
        /// The number of connections that it acted on.
        public var hits: Int
    }

    /// The state of TLS.
    ///
    ///     let failed = try await server.tls.handshakes.failed
    public var tls: TLSStatus {
        get async throws(ControlError) { try await client.ask(.getTLS) }
    }

    /// The failed handshakes, newest first.
    ///
    ///     let advice = try await server.tlsFailures.first?.advice
    public var tlsFailures: [TLSFailure] {
        get async throws(ControlError) { try await client.list(.getTLSFailures) }
    }

    /// Clears the failed handshakes.
    ///
    ///     try await server.clearTLSFailures()
    public func clearTLSFailures() async throws(ControlError) { try await client.send(.deleteTLSFailures) }

    /// Adds a connection fault.
    ///
    ///     try await server.add(UnderstudyServer.ConnectionFault(["handshake": "reset"]))
    @discardableResult
    public func add(_ fault: ConnectionFault) async throws(ControlError) -> ActiveConnectionFault {
        try await client.ask(.addConnectionFault, body: fault)
    }

    /// The connection faults.
    ///
    ///     let hits = try await server.connectionFaults.map(\.hits)
    public var connectionFaults: [ActiveConnectionFault] {
        get async throws(ControlError) { try await client.list(.getConnectionFaults) }
    }

    /// Returns a connection fault, with its hits so far.
    ///
    ///     for fault in try await server.connectionFaults {
    ///         print(try await server.connectionFault(fault.id).hits)
    ///     }
    public func connectionFault(_ id: String) async throws(ControlError) -> ActiveConnectionFault {
        try await client.ask(.getConnectionFault, id)
    }

    /// Removes a connection fault.
    ///
    ///     for fault in try await server.connectionFaults { try await server.remove(fault) }
    public func remove(_ fault: ActiveConnectionFault) async throws(ControlError) {
        try await client.send(.deleteConnectionFault, fault.id)
    }

    /// Removes all connection faults.
    ///
    ///     try await server.removeConnectionFaults()
    public func removeConnectionFaults() async throws(ControlError) { try await client.send(.deleteConnectionFaults) }

    /// A form of the authority's root.
    public enum RootForm: Sendable {
        /// A PEM file.
        case pem
        /// A DER file.
        case der
        /// A configuration profile for Apple's devices.
        case profile
    }

    /// Returns the root of the authority, for clients to trust.
    ///
    ///     let pem = try await server.root(.pem)
    public func root(_ form: RootForm = .pem) async throws(ControlError) -> Data {
        switch form {
        case .pem: try await client.send(.getAuthority)
        case .der: try await client.send(.getAuthorityCertificate)
        case .profile: try await client.send(.getAuthorityProfile)
        }
    }
}
