extension Server {
    /// Reads the addresses of this machine again, whose connections have no limit of their own.
    package func lookAtOwnHosts() { strangers?.own = Self.ownHosts() }

    static func ownHosts() -> Set<String> { Set(InterfaceAddress.all().map(\.host)) }

    /// Closes the listeners beyond loopback, and ends the connections of peers that are not this machine.
    ///
    /// A socket that listens on all addresses is replaced by those of the loopback. Returns the ports that another
    /// program has taken meanwhile.
    package func leaveNetwork() -> [Int] {
        guard state == .running else { return [] }
        stopAccepting()
        var lost: [Int] = []
        var opened: [ListeningSocket] = []
        var kept: [(port: Int, hosts: [String])] = []
        for listener in listeners {
            let hosts = listening[listener.sockets].compactMap { Socket.localHost($0.descriptor.number) }
            kept.append((listener.port, Self.loopback(of: hosts)))
        }
        // Their ports are free only once the sockets are closed.
        listening = []
        listeners = []
        for (place, (port, hosts)) in kept.enumerated() {
            let start = opened.count
            for host in hosts {
                switch Socket.listen(host: host, port: UInt16(port), backlog: 1_024) {
                case .success(let number): opened.append(ListeningSocket(OwnedDescriptor(number), listener: place))
                case .failure(let error) where error.meansFamilyMissing: continue
                case .failure: lost.append(port)
                }
            }
            listeners.append(Listener(port: port, sockets: start..<opened.count))
        }
        listening = opened
        startAccepting()
        let own = Self.ownHosts()
        for connection in connections.all where connection.isOpen {
            let host = connection.peer.host
            guard !InterfaceAddress(host: host, interface: "").isLoopback, !own.contains(host) else { continue }
            if connection.hasExchange { resetConnection(connection) } else { endInOrder(connection) }
        }
        return lost
    }

    /// The loopback addresses among, or behind, those that a listener has.
    private static func loopback(of hosts: [String]) -> [String] {
        var found: [String] = []
        for host in hosts {
            switch host {
            case "0.0.0.0": found.append("127.0.0.1")
            case "::": found.append("::1")
            default: if InterfaceAddress(host: host, interface: "").isLoopback { found.append(host) }
            }
        }
        return found
    }
}
