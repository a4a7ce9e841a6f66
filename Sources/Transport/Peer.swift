/// The other end of a connection, and the listener it came in by.
package struct Peer: Hashable, Sendable {
    /// The numeric address, such as `127.0.0.1` or `::1`; empty for a local socket pair.
    package let host: String
    package let port: Int
    /// The index of the address given to `Server.listen`, from 0.
    ///
    /// On the port of the forward proxy it is that of the port which answers the present request.
    package internal(set) var listener: Int
    /// The number of the connection, which the server never gives again; 0 before it has one.
    package internal(set) var connection: UInt64 = 0
    /// Address and port as one text, such as `127.0.0.1:53122` or `[::1]:53122`.
    package let label: String

    package init(host: String, port: Int, listener: Int) {
        self.host = host
        self.port = port
        self.listener = listener
        label = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
