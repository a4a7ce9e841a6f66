import CivilTime
import HTTPWire

extension Server {
    /// Opens all of these, or none.
    ///
    /// May be called once more for further listeners, which are numbered on.
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

    /// The port a listener is open on (the one the system chose, for port 0); nil for an unknown listener.
    package func boundPort(_ listener: Int) -> Int? {
        listeners.indices.contains(listener) ? listeners[listener].port : nil
    }

    /// Takes a connected descriptor as if it had been accepted.
    ///
    /// False, and closed, beyond the connection limit.
    @discardableResult
    package func adopt(_ descriptor: consuming OwnedDescriptor, peer: Peer) -> Bool {
        guard state == .running, connections.count < limits.connections else { return false }
        let id = connections.reserve()
        let number = descriptor.number
        let machine = ConnectionMachine(limits: limits.wire, now: now)
        let connection = Connection(id: id, descriptor: descriptor, peer: peer, machine: machine)
        do {
            try poller.add(number, token: id.token, interest: .read)
        } catch {
            connection.close()
            connections.remove(id)
            return false
        }
        connections.put(connection)
        keepDeadline(connection)
        return true
    }

    /// Takes what waits at a listening socket, some at a time.
    func accept(from place: Int) {
        guard isAccepting, listening.indices.contains(place) else { return }
        let socket = listening[place]
        for _ in 0..<64 {
            guard connections.count < limits.connections else {
                stopAccepting()
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
                // Out of descriptors or memory: the connection stays in the backlog, and asking again at once would
                // only spin.
                stopAccepting()
                _ = timers.add(at: now + limits.acceptRest, .acceptAgain)
                return
            }
        }
    }

    /// Puts the listening sockets into the poll set, if there is room for a connection.
    func startAccepting() {
        guard state == .running, !isAccepting, connections.count < limits.connections else { return }
        isAccepting = true
        for (place, socket) in listening.enumerated() {
            let token = ConnectionID(slot: UInt32(place), generation: 0).token
            do {
                try poller.add(socket.descriptor.number, token: token, interest: .read)
            } catch {
                // No memory in the kernel for the watch; the backlog keeps the connections meanwhile.
                stopAccepting()
                _ = timers.add(at: now + limits.acceptRest, .acceptAgain)
                return
            }
        }
    }

    /// Takes the listening sockets out of the poll set.
    func stopAccepting() {
        guard isAccepting else { return }
        isAccepting = false
        for socket in listening { poller.remove(socket.descriptor.number) }
    }

    private func open(
        _ address: ListenAddress,
        listener: Int
    ) throws(BindError) -> (port: Int, sockets: [ListeningSocket]) {
        // With port 0 a number that is free for one family may be taken for the other; then another is tried.
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
