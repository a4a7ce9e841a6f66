/// One listener: a port on one or more addresses.
package struct ListenAddress: Sendable, Hashable {
    /// The numeric addresses.
    ///
    /// The first one must open; a further one is left out if the machine lacks its family.
    package var hosts: [String]
    /// The port; with 0 the system chooses, the same number for all hosts.
    package var port: UInt16

    package init(hosts: [String], port: UInt16) {
        self.hosts = hosts
        self.port = port
    }

    /// Returns whether a host is a numeric IPv4 or IPv6 address.
    package static func isNumeric(_ host: String) -> Bool { SocketAddress(host: host, port: 0) != nil }

    /// Returns both loopback addresses.
    package static func loopback(port: UInt16) -> ListenAddress {
        ListenAddress(hosts: ["127.0.0.1", "::1"], port: port)
    }
}
