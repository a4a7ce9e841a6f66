/// Content of a request that was not read to its end.
package struct UnreadContent: Sendable, Equatable {
    /// The most bytes that are kept of it.
    package static let longest = 64 * 1024

    /// The first bytes of it.
    package var bytes: [UInt8]
    /// The number of bytes that came.
    package var received: Int

    package init(bytes: [UInt8], received: Int) {
        self.bytes = bytes
        self.received = received
    }
}
