import CivilTime
import HTTPWire

/// The ends of exchanges, and their consequences for the channel and the connection.
extension Server {
    /// Ends the present exchange on a channel, if there is one, and tells the application.
    func endExchange(_ channel: Channel, _ outcome: Outcome) {
        guard channel.exchange != nil else { return }
        var record = channel.record(outcome, now: now)
        let unread = channel.connection.wire.unreadContent(of: channel.number)
        record.unread = unread.map { channel.intake?.read(of: $0) ?? $0 }
        if channel.held.wasLarge {
            channel.held.wasLarge = false
            trimSoon()
        }
        let exchange = channel.endExchange()
        if channel.slowPlace >= 0 { forgetSlow(channel) }
        if let exchange { application.finished(exchange, record) }
        // The reserve may have a free place now.
        if !isAccepting, channel.connection.isReserve { startAccepting() }
    }

    /// Ends all exchanges on a connection that is about to be closed.
    func endExchanges(of connection: Connection, _ outcome: Outcome) {
        connection.forEachChannel { endExchange($0, outcome) }
    }

    /// Ends the exchanges of a connection that were marked as cancelled or left.
    func endMarked(_ connection: Connection) {
        connection.forEachChannel { channel in
            if channel.isCancelled {
                cancel(channel)
            } else if channel.isLeft {
                interrupt(channel)
            }
        }
    }

    /// Ends the exchange of a channel at once; the peer sees a reset.
    private func cancel(_ channel: Channel) {
        let connection = channel.connection
        guard connection.wire.isMultiplexed else { return resetConnection(connection) }
        if state == .draining { cutByStop += 1 }
        endExchange(channel, .cut)
        resetChannel(channel)
    }

    /// Ends the exchange of a channel whose client has gone.
    func interrupt(_ channel: Channel) {
        let connection = channel.connection
        guard connection.wire.isMultiplexed else { return lose(connection) }
        endExchange(channel, .interrupted)
        resetChannel(channel)
    }

    /// Resets one channel of a multiplexed protocol; the connection and its other channels stay.
    private func resetChannel(_ channel: Channel) {
        let connection = channel.connection
        connection.wire.resetChannel(channel.number, into: &output)
        endChannel(channel)
        _ = flush(connection)
    }

    /// Ends and removes a channel of a multiplexed protocol; HTTP/1.1 keeps its only one.
    func endChannel(_ channel: Channel) {
        let connection = channel.connection
        guard connection.wire.isMultiplexed else { return }
        channel.end()
        release(channel)
        connection.remove(channel)
    }

    /// Performs an outcome on the channel and the connection, with all output sent.
    func perform(_ outcome: ConnectionMachine.SendOutcome, on channel: Channel, of connection: Connection) {
        switch outcome {
        case .proceed:
            channel.phase = .playing
        case .finished:
            channel.phase = .receiving
            channel.playback = nil
            connection.wire.restartIdleTimer(now: now)
            guard isTaken(connection) else { return lose(connection) }
            endExchange(channel, .delivered)
            if connection.wire.isMultiplexed { return endChannel(channel) }
            if channel.closing != nil { beginClosing(channel) }
        case .finishedClosing:
            guard endEncryption(connection, before: outcome, on: channel) else { return }
            channel.phase = .ended
            channel.playback = nil
            connection.phase = .lingering
            Socket.endWriting(connection.number)
            connection.wire.beganLingering(now: now)
            guard isTaken(connection) else { return lose(connection) }
            endExchange(channel, .delivered)
        case .halfCloseConnection:
            guard endEncryption(connection, before: outcome, on: channel) else { return }
            Socket.endWriting(connection.number)
            channel.phase = .playing
        case .closeConnection:
            endExchanges(of: connection, hasLeft(channel) ? .interrupted : .cut)
            close(connection)
        case .resetConnection:
            if hasLeft(channel) { endExchanges(of: connection, .interrupted) }
            resetConnection(connection)
        case .resetChannel:
            endExchange(channel, .cut)
            endChannel(channel)
        case .hold:
            channel.phase = .holding
            channel.playback = nil
            if state == .draining { markCancelled(channel) }
        }
    }

    /// Returns whether the peer had left before its exchange is broken off: it ended its direction, and what was written
    /// since did not reach it, or nothing was.
    private func hasLeft(_ channel: Channel) -> Bool {
        channel.sentNothingSinceEnd || !isTaken(channel.connection)
    }

    /// Returns whether the written bytes can have reached the peer.
    ///
    /// The system accepts bytes for a peer that closed long ago, and learns of it by the reset that they cause. On the
    /// loopback that reset has arrived by now. A half-closed peer sends no reset.
    private func isTaken(_ connection: Connection) -> Bool {
        !connection.sawEnd || !Socket.hasFailed(connection.number)
    }
}
