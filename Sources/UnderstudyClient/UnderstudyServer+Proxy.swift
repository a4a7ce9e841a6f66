extension UnderstudyServer {
    /// The forward proxy: its address, and the hosts that APIs answer for.
    public struct ProxyStatus: Sendable, Decodable {
        /// The address of the proxy.
        public var url: String
        /// The address of the script by which clients find it.
        public var pac: String
        /// The file of the root that its certificates are signed by.
        public var ca: String?
        /// The fingerprint of that root.
        public var sha256: String?
        /// The treatment of other hosts: `refuse` or `tunnel`.
        public var unmapped: String
        /// The hosts that are passed on in any case.
        public var tunnel: [String]
        /// The mapped hosts.
        public var map: [MappedHost]
    }

    /// A host that an API answers for.
    public struct MappedHost: Sendable, Decodable {
        /// The name, or `*.` and a name.
        public var host: String
        /// The API.
        public var api: String
        /// The flag, variable or file that maps it.
        public var from: String
    }

    /// A host that a client asked the forward proxy for.
    public struct SeenHost: Sendable, Decodable {
        /// The name or address.
        public var host: String
        /// The port.
        public var port: Int
        /// The world of the client.
        public var world: String
        /// `api`, `tunnelled`, `forwarded`, `refused`, `unreachable` or `tls-refused`.
        public var outcome: String
        /// The API that answers for it.
        public var api: String?
        /// The number of requests.
        public var requests: Int
        /// The number of tunnels.
        public var tunnels: Int
        /// The time of the first.
        public var firstSeen: String
        /// The time of the last.
        public var lastSeen: String
        /// The type of the problem of a refusal.
        public var reason: String?
        /// The remedy, for a certificate that the client refused.
        public var advice: String?
    }

    /// The forward proxy.
    ///
    ///     let script = try await server.proxy.pac
    public var proxy: ProxyStatus {
        get async throws(ControlError) { try await client.ask(.getProxy) }
    }

    /// The hosts that clients asked the forward proxy for, newest first.
    ///
    ///     let refused = try await server.hosts.filter { $0.outcome == "refused" }
    public var hosts: [SeenHost] {
        get async throws(ControlError) { try await client.list(.getHosts) }
    }

    /// Clears the hosts that clients asked the forward proxy for.
    ///
    ///     try await server.clearHosts()
    public func clearHosts() async throws(ControlError) { try await client.send(.deleteHosts) }
}
