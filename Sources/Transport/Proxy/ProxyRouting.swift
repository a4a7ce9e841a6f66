package import ForwardProxy
package import HTTPMessage

/// The treatment of a request to the forward proxy.
package enum ProxyRouting {
    /// It is answered as if it had come to a listener.
    case pass(RequestHead, listener: Int)
    /// CONNECT: from now on the connection is one to that listener.
    case enter(ProxyTunnel)
    /// CONNECT to another host, whose bytes pass unseen.
    case connect(ProxyDestination)
    case answer(PlayableResponse)
}

/// The facts that CONNECT to a port of ours has settled for all that comes through it.
package struct ProxyTunnel: Hashable, Sendable {
    package var listener: Int
    /// The host and the port of CONNECT.
    package var host: String
    package var port: Int
    /// The world that its credentials name.
    package var world: String?
    /// Tells that the host is mapped; else it is a port of this process.
    package var isMapped: Bool

    package init(listener: Int, host: String, port: Int, world: String?, isMapped: Bool) {
        self.listener = listener
        self.host = host
        self.port = port
        self.world = world
        self.isMapped = isMapped
    }

    /// The host, where it is mapped.
    var mappedHost: String? { isMapped ? host : nil }
}

/// Another host that a client wants a tunnel to.
package struct ProxyDestination {
    /// A name, or a numeric address.
    package var host: String
    package var port: UInt16
    package var rule: AddressRule
    /// The proxy that the connection goes through; nil for none.
    package var proxy: CompanyProxy?
    /// Called when the tunnel is open.
    package var opened: () -> Void
    /// Returns the response to a client whose tunnel can't be opened.
    package var failed: (UpstreamFailure) -> PlayableResponse
    /// Returns the bytes of the response to a client that does not speak TLS.
    package var refused: () -> [UInt8]

    package init(
        host: String,
        port: UInt16,
        rule: AddressRule,
        proxy: CompanyProxy?,
        opened: @escaping () -> Void,
        failed: @escaping (UpstreamFailure) -> PlayableResponse,
        refused: @escaping () -> [UInt8]
    ) {
        self.host = host
        self.port = port
        self.rule = rule
        self.proxy = proxy
        self.opened = opened
        self.failed = failed
        self.refused = refused
    }
}
