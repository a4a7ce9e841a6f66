/// The other end of a connection, and the listener it came in by.
package struct Peer: Hashable, Sendable {
    /// The numeric address, such as `127.0.0.1` or `::1`; empty for a local socket pair.
    package var host: String
    package var port: Int
    /// The index of the address given to `Server.listen`, from 0.
    package var listener: Int

    package init(host: String, port: Int, listener: Int) {
        self.host = host
        self.port = port
        self.listener = listener
    }
}
