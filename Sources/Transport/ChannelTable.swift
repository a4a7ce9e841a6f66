import HTTPWire

/// The channels of one connection.
///
/// The one of HTTP/1.1 is kept as long as the connection, so that an exchange costs neither an allocation nor a search.
struct ChannelTable {
    /// The channel of a protocol that has a single one.
    private(set) var only: Channel?
    /// The open channels of a multiplexed protocol, in the order they were opened.
    private var many: [Channel] = []

    subscript(number: ChannelNumber) -> Channel? {
        if let only { return number == .only ? only : nil }
        return many.first { $0.number == number }
    }

    /// Calls `body` with each channel.
    func forEach(_ body: (Channel) -> Void) {
        if let only { return body(only) }
        many.forEach(body)
    }

    /// Tells whether some channel is so.
    func contains(where condition: (Channel) -> Bool) -> Bool {
        if let only { return condition(only) }
        return many.contains(where: condition)
    }

    /// Opens the channel of a protocol that has a single one.
    mutating func openOnly(of connection: Connection) { only = Channel(.only, of: connection) }

    /// Opens a channel of a multiplexed protocol.
    mutating func open(_ number: ChannelNumber, of connection: Connection) -> Channel {
        let channel = Channel(number, of: connection)
        many.append(channel)
        return channel
    }

    /// Takes a channel of a multiplexed protocol out.
    mutating func remove(_ channel: Channel) { many.removeAll { $0 === channel } }
}
