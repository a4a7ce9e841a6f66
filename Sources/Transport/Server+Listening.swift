import CivilTime
import HTTPWire

extension Server {
    /// Opens all addresses, or none.
    ///
    /// It may be called once more for further listeners, which continue the numbering.
    package func listen(on addresses: [ListenAddress]) throws(BindError) {
        var opened: [(port: Int, sockets: [ListeningSocket])] = []
        for (place, address) in addresses.enumerated() {
            opened.append(try open(address, listener: listeners.count + place))
        }
        for (port, sockets) in opened {
            listeners.append(Listener(port: port, sockets: listening.count..<listening.count + sockets.count))
            listening.append(contentsOf: sockets)
        }
        stopAccepting()
        startAccepting()
    }

    /// Returns the port of a listener (the one that the system chose, for port 0); nil for an unknown listener.
    package func boundPort(_ listener: Int) -> Int? {
        listeners.indices.contains(listener) ? listeners[listener].port : nil
    }

    /// Takes a connected descriptor as if it had been accepted.
    ///
    /// It is closed beyond the connection limit.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - peer: The other end.
    ///   - machine: The multiplexed protocol of the connection; nil for HTTP/1.1.
    ///   - standsForTLS: Whether it has no TLS and its requests count as come over TLS.
    /// - Returns: Whether the connection was taken.
    @discardableResult
    package func adopt(
        _ descriptor: consuming OwnedDescriptor,
        peer: Peer,
        speaking machine: (any MultiplexedMachine)? = nil,
        standsForTLS: Bool = false
    ) -> Bool {
        guard state == .running else { return false }
        let isReserve = !hasRoom
        guard !isReserve || (peer.listener == limits.reservedListener && makeReserve()) else { return false }
        guard strangers?.opens(peer.host) != false else { return false }
        let isProxy = peer.listener == proxyListener
        let id = connections.reserve()
        let number = descriptor.number
        let wire =
            if let machine {
                WireProtocol(machine, now: now)
            } else {
                WireProtocol(ConnectionMachine(limits: isProxy ? proxyLimits : limits.wire, now: now))
            }
        var peer = peer
        // A request that names no port that we have is answered as the hub would.
        if isProxy { peer.listener = 0 }
        peer.connection = nextConnection
        nextConnection += 1
        let connection = Connection(
            id: id,
            descriptor: descriptor,
            peer: peer,
            wire: wire,
            security: standsForTLS ? .standsForTLS : !speaksTLS || machine != nil || isProxy ? .plain : .undecided
        )
        do {
            try poller.add(number, token: id.token, interest: .read)
        } catch {
            connection.close()
            connections.remove(id)
            strangers?.closed(peer.host, at: now)
            return false
        }
        if isProxy { connection.proxied = ProxyConnection() }
        connections.put(connection)
        if isReserve {
            connection.isReserve = true
            reserve.append(connection)
        }
        keepDeadline(connection)
        return true
    }

    /// Accepts waiting connections of a listening socket, some at a time.
    func accept(from place: Int) {
        guard listening.indices.contains(place), listening[place].isPolled else { return }
        let socket = listening[place]
        for _ in 0..<64 {
            guard takes(socket) else {
                startAccepting()
                return
            }
            var address = SocketAddress()
            switch Socket.acceptConnection(socket.descriptor.number, peer: &address) {
            case .success(let descriptor):
                let peer = Peer(host: address.host, port: Int(address.port), listener: socket.listener)
                adopt(OwnedDescriptor(descriptor), peer: peer)
            case .failure(let error) where error.wouldBlock: return
            case .failure(let error) where error.isSurvivableInAccept: continue
            case .failure:
                // Out of descriptors or memory: the connection stays in the backlog, and another attempt at once would
                // only spin.
                stopAccepting()
                _ = timers.add(at: now + limits.acceptRest, .acceptAgain)
                return
            }
        }
    }

    /// Adds the listening sockets that have room for connections to the poll set, and removes the others.
    func startAccepting() {
        guard state == .running else { return }
        isAccepting = true
        for (place, socket) in listening.enumerated() {
            guard takes(socket) else {
                isAccepting = false
                leave(socket)
                continue
            }
            guard !socket.isPolled else { continue }
            let token = ConnectionID(slot: UInt32(place), generation: 0).token
            do {
                try poller.add(socket.descriptor.number, token: token, interest: .read)
                socket.isPolled = true
            } catch {
                // The kernel has no memory for the watch; the backlog keeps the connections meanwhile.
                stopAccepting()
                _ = timers.add(at: now + limits.acceptRest, .acceptAgain)
                return
            }
        }
    }

    /// Removes the listening sockets from the poll set.
    func stopAccepting() {
        isAccepting = false
        listening.forEach(leave)
    }

    private func leave(_ socket: ListeningSocket) {
        guard socket.isPolled else { return }
        socket.isPolled = false
        poller.remove(socket.descriptor.number)
    }

    private func open(
        _ address: ListenAddress,
        listener: Int
    ) throws(BindError) -> (port: Int, sockets: [ListeningSocket]) {
        // With port 0, a number that is free for one family may be taken for the other; then another is tried.
        var attempts = address.port == 0 ? 16 : 1
        while true {
            attempts -= 1
            do {
                return try openAll(address, listener: listener)
            } catch {
                guard attempts > 0, error.portInUse else { throw error }
            }
        }
    }

    private func openAll(
        _ address: ListenAddress,
        listener: Int
    ) throws(BindError) -> (port: Int, sockets: [ListeningSocket]) {
        var sockets: [ListeningSocket] = []
        var port = address.port
        for host in address.hosts {
            switch Socket.listen(host: host, port: port, backlog: 1_024) {
            case .success(let number):
                let descriptor = OwnedDescriptor(number)
                if port == 0 { port = Socket.localPort(descriptor.number) }
                sockets.append(ListeningSocket(descriptor, listener: listener))
            case .failure(let error) where error.meansFamilyMissing && !sockets.isEmpty: continue
            case .failure(let error): throw BindError(host: host, port: Int(port), errno: error)
            }
        }
        return (Int(port), sockets)
    }
}
