import HTTPMessage
import HTTPWire

/// The port of the forward proxy (proxy contract, section 2).
extension Server {
    private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    /// The limits of a connection to the forward proxy.
    var proxyLimits: WireLimits {
        var wire = limits.wire
        wire.takesConnect = true
        return wire
    }

    /// Asks the application about a request to the forward proxy, and does as it says.
    func route(_ head: RequestHead, _ proxied: ProxyConnection, on channel: Channel, of connection: Connection) {
        connection.peer.listener = proxied.tunnel?.listener ?? 0
        proxied.head = nil
        let isSecure = connection.isSecure
        switch application.route(head, in: proxied.tunnel, isSecure: isSecure, from: connection.peer) {
        case .pass(let head, let listener):
            connection.peer.listener = listener
            proxied.head = head
            begin(head, channel, of: connection)
        case .answer(let answer):
            _ = beginExchange(channel)
            channel.phase = .responding
            connection.wire.answerEarly(on: channel.number)
            begin(answer, on: channel)
        case .enter(let tunnel): enter(tunnel, proxied, connection)
        case .connect(let destination):
            let exchange = beginExchange(channel)
            channel.phase = .waiting
            // It belongs to no world: no reset cuts it.
            channel.world = -1
            channel.endsWithPeer = true
            enlistSlow(channel)
            openTunnel(to: destination, for: exchange)
        }
    }

    /// Makes a connection one to a listener of ours, as CONNECT asks.
    private func enter(_ tunnel: ProxyTunnel, _ proxied: ProxyConnection, _ connection: Connection) {
        let rest = connection.wire.takeRest()
        connection.wire = WireProtocol(ConnectionMachine(limits: limits.wire, now: now))
        connection.firstByte = nil
        proxied.tunnel = tunnel
        connection.peer.listener = tunnel.listener
        output.append(contentsOf: Self.established)
        if case .lost = flush(connection) { return }
        connection.security = tls != nil && (tunnel.isMapped || speaksTLS) ? .undecided : .plain
        guard let first = rest.first else { return }
        decide(connection, first: first)
        guard connection.isOpen else { return }
        if let engine = connection.tls {
            engine.received(rest[...], now: now)
            takeSteps(connection)
        } else {
            connection.received(rest[...], now: now)
        }
    }
}
