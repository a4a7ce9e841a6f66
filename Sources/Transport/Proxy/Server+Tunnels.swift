import CivilTime
import ForwardProxy
import HTTPWire

#if canImport(Glibc)
import CPlatform
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The opening of tunnels to other hosts.
extension Server {
    /// The time to look a name up and to connect.
    private static let longestOpening = Interval.seconds(10)
    /// The most names that are looked up at once.
    private static let mostLookups = 256

    /// Tells whether one more tunnel may be opened.
    ///
    /// Those being opened that nobody waits for any more give their places back.
    package func hasRoomForTunnel() -> Bool {
        guard tunnels.count >= limits.tunnels else { return true }
        for tunnel in Array(tunnels.values) {
            if case .opening = tunnel.phase, !isAwaited(tunnel) { end(tunnel) }
        }
        return tunnels.count < limits.tunnels
    }

    /// Opens a tunnel for a client that waits for it.
    func openTunnel(to destination: ProxyDestination, for exchange: ExchangeID) {
        repeat { lastTunnel = (lastTunnel + 1) & 0x3FFF_FFFF } while tunnels[lastTunnel] != nil
        let tunnel = Tunnel(lastTunnel, to: destination, for: exchange, now: now)
        tunnels[tunnel.number] = tunnel
        let (host, port) = (tunnel.farHost, tunnel.farPort)
        tunnel.alarm = schedule(after: Self.longestOpening) { [weak self, weak tunnel] in
            guard let self, let tunnel else { return }
            let detail = "\(destination.host) was not reached within \(Self.longestOpening.wholeSeconds) s"
            fail(tunnel, UpstreamFailure(.time, detail))
        }
        if destination.proxy != nil, let asked = SocketAddress(host: destination.host, port: destination.port),
            let objection = objection(to: asked, for: destination, own: AddressLookup.ownAddresses())
        {
            return fail(tunnel, objection)
        }
        if let address = SocketAddress(host: host, port: port) {
            found(.success([address]), own: AddressLookup.ownAddresses(), for: tunnel)
            return
        }
        guard lookups < Self.mostLookups else {
            return fail(tunnel, UpstreamFailure(.busy, "\(host) can't be looked up: too many lookups are under way"))
        }
        lookups += 1
        let (number, handle) = (tunnel.number, handle)
        let thread = SystemThread.start {
            let found = AddressLookup.addresses(of: host, port: port)
            let own = AddressLookup.ownAddresses()
            let list = found.map { $0.map { FoundAddress($0) } }
            handle.post { server in
                server.lookups -= 1
                guard let tunnel = server.tunnels[number], tunnel.farHost == host else { return }
                server.found(list.map { $0.map(\.address) }, own: own, for: tunnel)
            }
        }
        guard let thread else {
            lookups -= 1
            return fail(tunnel, UpstreamFailure(.busy, "the system has no thread for a lookup"))
        }
        _ = pthread_detach(thread)
    }

    /// An address on its way from the thread that has found it.
    private struct FoundAddress: Sendable {
        let host: String
        let port: UInt16

        init(_ address: SocketAddress) {
            host = address.host
            port = address.port
        }

        var address: SocketAddress { SocketAddress(host: host, port: port) ?? SocketAddress() }
    }

    private func found(
        _ result: Result<[SocketAddress], UpstreamFailure>,
        own: Set<[UInt8]>,
        for tunnel: Tunnel
    ) {
        guard case .opening = tunnel.phase else { return }
        guard isAwaited(tunnel) else { return end(tunnel) }
        let destination = tunnel.destination
        switch result {
        case .failure(let failure): fail(tunnel, failure)
        case .success(let all):
            for address in all {
                if destination.proxy == nil {
                    guard let objection = objection(to: address, for: destination, own: own) else {
                        tunnel.addresses.append(address)
                        continue
                    }
                    tunnel.failure = objection
                } else if AddressLookup.isOwn(address, ports: destination.rule.ownPorts, own: own) {
                    let detail = "\(address.host) port \(address.port) is Understudy's own"
                    tunnel.failure = UpstreamFailure(.connect, detail)
                } else {
                    tunnel.addresses.append(address)
                }
            }
            connectNext(tunnel)
        }
    }

    private func objection(
        to address: SocketAddress,
        for destination: ProxyDestination,
        own: Set<[UInt8]>
    ) -> UpstreamFailure? {
        let host = destination.host
        let subject = host == address.host ? host : "\(host) is \(address.host), which"
        return destination.rule.objection(to: address, of: subject, own: own)
    }

    /// Tells whether the client still waits.
    private func isAwaited(_ tunnel: Tunnel) -> Bool {
        guard let channel = open(tunnel.exchange), !channel.connection.sawEnd else { return false }
        return channel.phase == .waiting
    }

    /// Connects to the next address; exactly one that was checked.
    private func connectNext(_ tunnel: Tunnel) {
        forgetFar(tunnel)
        while !tunnel.addresses.isEmpty {
            var address = tunnel.addresses.removeFirst()
            let number: Int32
            switch Socket.openStream(family: address.family) {
            case .success(let opened): number = opened
            case .failure(let error):
                tunnel.failure = UpstreamFailure(.connect, "no socket: \(error)")
                continue
            }
            tunnel.setFar(OwnedDescriptor(number))
            Socket.enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), on: number)
            let status = address.withPointer { UpstreamSocket.connectDescriptor(number, $0, $1) }
            let error = status == 0 ? nil : Errno.current
            if let error, error.code != EINPROGRESS, !error.isInterruption {
                tunnel.failure = UpstreamFailure(.connect, "\(address.host) port \(address.port): \(error)")
                continue
            }
            do {
                try poller.add(number, token: tunnel.token(.far), interest: .write)
                tunnel.interests.far = .write
                return
            } catch {
                tunnel.failure = UpstreamFailure(.busy, "the system can watch no further socket")
            }
        }
        fail(tunnel, tunnel.failure)
    }

    private func forgetFar(_ tunnel: Tunnel) {
        guard tunnel.farNumber >= 0 else { return }
        poller.remove(tunnel.farNumber)
        tunnel.setFar(nil)
    }

    /// Tells the client that its tunnel can't be opened.
    private func fail(_ tunnel: Tunnel, _ failure: UpstreamFailure) {
        guard tunnel.isBeingOpened else { return }
        let isAwaited = isAwaited(tunnel)
        let exchange = tunnel.exchange
        end(tunnel)
        guard isAwaited, let channel = open(exchange) else { return }
        channel.connection.wire.answerEarly(on: channel.number)
        let named = tunnel.destination.proxy.map { failure.named($0) } ?? failure
        complete(exchange, with: tunnel.destination.failed(named))
    }

    /// Handles readiness of an end of a tunnel.
    func tunnelReady(_ slot: UInt32, _ event: PollEvent) {
        let number = (slot & ~Tunnel.firstSlot) >> 1
        guard let tunnel = tunnels[number], let side = Tunnel.Side(rawValue: slot & 1) else { return }
        switch tunnel.phase {
        case .opening: connected(tunnel)
        case .asking: ask(tunnel)
        case .greeting, .relaying, .refusing: relay(tunnel, side, event)
        case .over: break
        }
    }

    private func connected(_ tunnel: Tunnel) {
        guard isAwaited(tunnel) else { return end(tunnel) }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(tunnel.farNumber, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code == 0 else {
            let detail = "\(tunnel.farHost) port \(tunnel.farPort): \(Errno(code: code))"
            tunnel.failure = UpstreamFailure(.connect, detail)
            return connectNext(tunnel)
        }
        if let proxy = tunnel.destination.proxy {
            tunnel.phase = .asking
            tunnel.request = proxy.connectRequest(to: tunnel.authority)
            ask(tunnel)
        } else {
            begin(tunnel)
        }
    }

    /// Asks a proxy for the tunnel, and reads its answer.
    private func ask(_ tunnel: Tunnel) {
        guard isAwaited(tunnel) else { return end(tunnel) }
        if !tunnel.request.isEmpty {
            switch Socket.write(tunnel.farNumber, tunnel.request, from: 0) {
            case .took(let count): tunnel.request.removeFirst(count)
            case .failed(let error): return fail(tunnel, UpstreamFailure(.answer, "the connection broke: \(error)"))
            }
            let interest: Interest = tunnel.request.isEmpty ? .read : .write
            if interest != tunnel.interests.far {
                tunnel.interests.far = interest
                poller.change(tunnel.farNumber, token: tunnel.token(.far), interest: interest)
            }
            return
        }
        switch input.withUnsafeMutableBytes({ Socket.read(tunnel.farNumber, into: $0) }) {
        case .bytes(let count):
            do throws(UpstreamFailure) {
                guard let rest = try tunnel.answer.received(input[..<count]) else { return }
                tunnel.fromFar.pending = rest
                begin(tunnel)
            } catch {
                fail(tunnel, error)
            }
        case .end: fail(tunnel, tunnel.answer.cut())
        case .wouldBlock: break
        case .failed(let error): fail(tunnel, UpstreamFailure(.answer, "the connection broke: \(error)"))
        }
    }

    /// Makes the client's connection the near end of the tunnel.
    private func begin(_ tunnel: Tunnel) {
        guard let channel = open(tunnel.exchange) else { return end(tunnel) }
        let connection = channel.connection
        let rest = connection.wire.takeRest()
        channel.endsWithPeer = false
        endExchange(channel, .delivered)
        channel.phase = .ended
        if let alarm = connection.deadlineAlarm { timers.cancel(alarm.handle) }
        connection.deadlineAlarm = nil
        if let stall = connection.stall.take() { timers.cancel(stall.alarm) }
        poller.remove(connection.number)
        connection.phase = .tunnelled
        connection.tunnel = tunnel
        tunnel.near = connection
        do {
            try poller.add(connection.number, token: tunnel.token(.near), interest: .read)
        } catch {
            return close(connection)
        }
        tunnel.interests.near = .read
        startRelay(tunnel, rest)
    }

    /// Ends a tunnel and closes both of its ends.
    func end(_ tunnel: Tunnel, withReset: Bool = false) {
        if case .over = tunnel.phase { return }
        tunnel.phase = .over
        tunnels[tunnel.number] = nil
        if let alarm = tunnel.alarm.take() { cancel(alarm) }
        if withReset, tunnel.farNumber >= 0 { Socket.resetOnClose(tunnel.farNumber) }
        forgetFar(tunnel)
        guard let near = tunnel.near.take() else { return }
        near.tunnel = nil
        guard near.isOpen else { return }
        if withReset { Socket.resetOnClose(near.number) }
        close(near)
    }
}
