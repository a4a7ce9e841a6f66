import HTTPWire

/// The channels of one connection.
///
/// The one of HTTP/1.1 is kept as long as the connection, so that an exchange costs neither an allocation nor a search.
extension Connection {
    /// Returns the open channel of that number.
    func channel(_ number: ChannelNumber) -> Channel? {
        if let only { return number == .only ? only : nil }
        return many.first { $0.number == number }
    }

    /// Returns the channel that an exchange begins on: the only one, else the open one of that number or a new one.
    func openChannel(_ number: ChannelNumber) -> Channel {
        if let only { return only }
        if let open = channel(number) { return open }
        let channel = Channel(number, of: id)
        channel.connection = self
        many.append(channel)
        return channel
    }

    /// Removes a channel of a multiplexed protocol.
    func remove(_ channel: Channel) { many.removeAll { $0 === channel } }

    /// Calls `body` with each channel.
    func forEachChannel(_ body: (Channel) -> Void) {
        if let only { return body(only) }
        many.forEach(body)
    }

    /// Tells whether a channel satisfies a condition.
    func hasChannel(where condition: (Channel) -> Bool) -> Bool {
        if let only { return condition(only) }
        return many.contains(where: condition)
    }
}
