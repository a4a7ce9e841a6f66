import HTTPWire

/// Names one exchange (a request and its answer) of a server; never used twice.
package struct ExchangeID: Hashable, Sendable {
    /// The channel that carries it.
    let channel: ChannelID
    /// Counts the exchanges of the server, from 1.
    package let serial: UInt64

    init(channel: ChannelID, serial: UInt64) {
        self.channel = channel
        self.serial = serial
    }

    /// The id as numbers, for an application that keeps it beside its own.
    package init(serial: UInt64, connection: UInt64, channel: UInt32) {
        self.serial = serial
        self.channel = ChannelID(connection: ConnectionID(token: connection), number: ChannelNumber(channel))
    }

    /// The connection as a number that means nothing outside.
    package var connectionNumber: UInt64 { channel.connection.token }

    /// The channel on the connection as a number that means nothing outside.
    package var channelNumber: UInt32 { channel.number.value }

    // The serial alone says which exchange it is; the channel only says where to look for it.

    package static func == (one: ExchangeID, other: ExchangeID) -> Bool { one.serial == other.serial }

    package func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}

/// The place of a channel: its connection and its number there.
struct ChannelID: Hashable, Sendable {
    var connection: ConnectionID
    var number: ChannelNumber
}

/// A place in the connection table with the generation of its user, as one token for the poller.
struct ConnectionID: Hashable, Sendable {
    var slot: UInt32
    /// From 1 on; 0 marks the listeners' tokens.
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
