import HTTPMessage

/// The state of a connection to the forward proxy.
final class ProxyConnection {
    /// The CONNECT that all on the connection came through; nil before one.
    var tunnel: ProxyTunnel?
    /// The head of the present request, in the form in which it is answered.
    var head: RequestHead?

    /// Returns the head of a request that can't be taken; one that was not routed is answered as the hub would.
    func routed(_ head: RequestHead?, isBegun: Bool, _ connection: Connection) -> RequestHead? {
        if isBegun { return self.head ?? head }
        connection.peer.listener = tunnel?.listener ?? 0
        return head
    }
}
