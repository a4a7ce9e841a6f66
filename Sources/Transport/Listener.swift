/// An open port on one or more addresses.
struct Listener {
    let port: Int
    /// The indexes in the server's list of listening sockets.
    let sockets: Range<Int>
}

/// One listening socket, closed when it is released.
final class ListeningSocket {
    let descriptor: OwnedDescriptor
    let listener: Int
    /// Tells whether it is in the poll set.
    var isPolled = false

    init(_ descriptor: consuming OwnedDescriptor, listener: Int) {
        self.descriptor = descriptor
        self.listener = listener
    }
}
