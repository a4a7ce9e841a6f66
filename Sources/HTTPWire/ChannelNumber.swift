/// The number of a channel on its connection.
///
/// HTTP/1.1 has a single channel, which carries one exchange after the other. A multiplexed protocol has a channel for
/// each exchange: HTTP/2 calls it a stream and numbers it from 1.
package struct ChannelNumber: Hashable, Sendable {
    package let value: UInt32

    package init(_ value: UInt32) { self.value = value }

    /// The channel of a protocol that has a single one.
    package static let only = ChannelNumber(0)
}
