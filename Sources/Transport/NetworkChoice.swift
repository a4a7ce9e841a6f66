/// The choice of the address under which phones on the same network reach this machine (transport contract, section 8).
package struct NetworkChoice: Hashable, Sendable {
    package var address: InterfaceAddress
    /// The other addresses that a phone may try.
    package var others: [InterfaceAddress]

    package init(address: InterfaceAddress, others: [InterfaceAddress]) {
        self.address = address
        self.others = others
    }

    /// Chooses among the addresses of a machine.
    ///
    /// `routes` are the source addresses of the default routes, IPv4 first.
    package init(_ all: [InterfaceAddress], routes: [String]) {
        let left = all.filter { !Self.isDropped($0) }
        let routed = routes.compactMap { host in all.first { $0.host == host } }
        let kept = routed.first { !Self.isDropped($0) }
        let ordered = Self.fourFirst(left)
        let address =
            kept ?? ordered.first(where: \.isPrivate) ?? ordered.first ?? routed.first
            ?? Self.fourFirst(all).first { !$0.isLoopback && !$0.isLinkLocal } ?? Self.fourFirst(all).first
            ?? InterfaceAddress(host: "127.0.0.1", interface: "lo")
        self.init(address: address, others: left.filter { $0.host != address.host })
    }

    /// Returns the present choice of this machine.
    package static func current() -> NetworkChoice {
        // Addresses of documentation (RFC 5737, RFC 3849): they are routed by default, and nothing is sent there.
        let routes = ["203.0.113.1", "2001:db8::1"].compactMap { Socket.sourceHost(toward: $0) }
        return NetworkChoice(InterfaceAddress.all(), routes: routes)
    }

    private static func fourFirst(_ list: [InterfaceAddress]) -> [InterfaceAddress] {
        list.filter { !$0.host.contains(":") } + list.filter { $0.host.contains(":") }
    }

    /// Tells whether no phone can be expected behind it.
    static func isDropped(_ address: InterfaceAddress) -> Bool {
        address.isLoopback || address.isOfLoopbackInterface || address.isLinkLocal || address.isPointToPoint
            || virtualNames.contains { address.interface.hasPrefix($0) }
    }

    /// The beginnings of the names of interfaces that lead to containers, virtual machines and private networks.
    private static let virtualNames = [
        "docker", "br-", "veth", "virbr", "vboxnet", "vmnet", "bridge", "utun", "tun", "tap", "tailscale", "wg", "zt",
    ]
}
