import HTTPWire

/// The id of one exchange (a request and its response) of a server; never reused.
package struct ExchangeID: Hashable, Sendable {
    /// The channel that carries it.
    let channel: ChannelID
    /// The number of the exchange in the server, from 1.
    package let serial: UInt64

    init(channel: ChannelID, serial: UInt64) {
        self.channel = channel
        self.serial = serial
    }

    /// Creates the id from numbers, for an application that stores them in its own form.
    package init(serial: UInt64, connection: UInt64, channel: UInt32) {
        self.serial = serial
        self.channel = ChannelID(connection: ConnectionID(token: connection), number: ChannelNumber(channel))
    }

    /// The connection as a number without a meaning outside.
    package var connectionNumber: UInt64 { channel.connection.token }

    /// The channel on the connection as a number without a meaning outside.
    package var channelNumber: UInt32 { channel.number.value }

    // The serial alone identifies the exchange; the channel is only the place to look for it.

    package static func == (one: ExchangeID, other: ExchangeID) -> Bool { one.serial == other.serial }

    package func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}

/// The address of a channel: its connection and its number there.
struct ChannelID: Hashable, Sendable {
    var connection: ConnectionID
    var number: ChannelNumber
}

/// An index in the connection table with the generation of its user, as one token for the poller.
struct ConnectionID: Hashable, Sendable {
    var slot: UInt32
    /// The generation, from 1 on; 0 marks the listeners' tokens.
    var generation: UInt32

    init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(token: UInt64) {
        slot = UInt32(truncatingIfNeeded: token)
        generation = UInt32(truncatingIfNeeded: token >> 32)
    }

    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}
