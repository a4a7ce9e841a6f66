import CivilTime
import HTTPMessage
import HTTPWire

extension Server {
    /// The bytes of content written at once, where that does not show on the wire.
    private static let longestPiece = 64 * 1024

    /// Plays a timeline as far as possible.
    ///
    /// Returns true when the channel can continue, and false when it has to wait (for the socket, a clock, more steps)
    /// or is closed.
    func play(_ channel: Channel) -> Bool {
        let connection = channel.connection
        var written = 0
        while channel.phase == .playing {
            // While the socket has not taken all output, the timeline stands still.
            guard !connection.hasOutput, !channel.isCancelled, channel.playback?.isHeld == false else { return false }
            if let wait = channel.playback?.wait {
                guard let end = wait.end, end <= now else { return false }
                channel.waited = channel.waited + (now - wait.began)
                channel.playback?.surplus = wait.surplus(at: now)
                channel.playback?.wait = nil
                dropWaitAlarm(channel)
            }
            let most = connection.wire.countsContent(on: channel.number) ? Self.longestPiece : nil
            guard let step = channel.playback?.takeNext(atMost: most) else {
                // A timeline without an end breaks off, as a crashed server would.
                guard channel.playback?.staysOpen == true else { return concludeStep(breakOff(channel), on: channel) }
                _ = flush(connection)
                return false
            }
            switch step {
            case .wait(let length, let waiting):
                guard flush(connection) == .drained else { return retry(step, on: channel) }
                beginWait(channel, length, waiting)
            case .effect(let number):
                guard flush(connection) == .drained else { return retry(step, on: channel) }
                guard let exchange = channel.exchange else { return false }
                guard application.perform(effect: number, of: exchange) else {
                    channel.playback?.isHeld = true
                    return false
                }
            case .closeAfter(let length, let waiting):
                channel.closing = .ordered(length, waiting)
            case .belowTLS(let bytes) where connection.tls != nil:
                guard flush(connection) == .drained else { return retry(step, on: channel) }
                channel.bytesSent += bytes.count
                guard send(bytes, on: connection) else { return false }
            default:
                let before = output.count
                let date = channel.playback?.date ?? []
                if case .bytes(let content) = step { channel.contentPlayed += content.count }
                let outcome = connection.wire.send(step, on: channel.number, now: now, date: date, into: &output)
                written += output.count - before
                if connection.wire.isMultiplexed { channel.bytesSent += output.count - before }
                guard outcome == .proceed else { return concludeStep(outcome, on: channel) }
                if output.count >= 64 * 1024 {
                    guard flush(connection) == .drained else { return false }
                }
                if written >= limits.playBytesPerTurn {
                    guard flush(connection) == .drained else { return false }
                    makeReady(connection)
                    return false
                }
            }
        }
        return connection.isOpen
    }

    /// Ends a response in its middle: HTTP/1.1 by the end of the connection, a multiplexed protocol by a reset of its
    /// channel.
    private func breakOff(_ channel: Channel) -> ConnectionMachine.SendOutcome {
        let connection = channel.connection
        guard connection.wire.isMultiplexed else { return .closeConnection }
        connection.wire.resetChannel(channel.number, into: &output)
        return .resetChannel
    }

    /// Performs an outcome once all output is sent: now, or when the socket has taken it.
    func apply(_ outcome: ConnectionMachine.SendOutcome, on channel: Channel, of connection: Connection) {
        switch flush(connection) {
        case .drained:
            perform(outcome, on: channel, of: connection)
        case .blocked where outcome == .resetConnection:
            perform(outcome, on: channel, of: connection)
        case .blocked:
            channel.phase = .flushing(outcome)
            enlistSlow(channel)
        case .lost:
            break
        }
    }

    /// Handles the wait of a channel, which may be over.
    func waitEnded(_ id: ChannelID) {
        guard let channel = connections[id] else { return }
        channel.waitAlarm = nil
        if channel.closing != nil { closeIfDue(channel) }
        proceed(channel.connection)
    }

    /// Sets the alarm of the present wait to its end by the present clocks.
    func setWaitAlarm(_ channel: Channel) {
        dropWaitAlarm(channel)
        guard let end = channel.playback?.wait?.end else { return }
        let handle = timers.add(at: end, .wait(channel.id))
        channel.waitAlarm = Connection.Alarm(handle: handle, deadline: end)
    }

    func dropWaitAlarm(_ channel: Channel) {
        guard let alarm = channel.waitAlarm else { return }
        timers.cancel(alarm.handle)
        channel.waitAlarm = nil
    }

    private func beginWait(_ channel: Channel, _ length: Interval, _ waiting: Waiting) {
        guard length > .zero else { return }
        // The turn may have been long, and a delay counts from the start of its wait.
        readClocks()
        let clock = application.clock(of: channel.world)
        let surplus = channel.playback?.surplus ?? .zero
        channel.playback?.surplus = .zero
        channel.playback?.wait = Wait(length, waiting, now: now, clock: clock, surplus: surplus)
        setWaitAlarm(channel)
    }

    /// Puts back a step that must wait until the bytes before it are sent.
    private func retry(_ step: Step, on channel: Channel) -> Bool {
        channel.playback?.putBack(step)
        return false
    }

    private func concludeStep(_ outcome: ConnectionMachine.SendOutcome, on channel: Channel) -> Bool {
        apply(outcome, on: channel, of: channel.connection)
        return channel.connection.isOpen
    }
}
