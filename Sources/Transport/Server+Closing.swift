import CivilTime
import HTTPMessage

/// Connections that close a while after a response, as those of servers with a short time of keep-alive (wire contract,
/// section 5).
extension Server {
    /// Begins the wait after which the connection closes, once the response has ended.
    ///
    /// A request that has begun meanwhile keeps the connection.
    func beginClosing(_ channel: Channel) {
        guard case .ordered(let length, let waiting) = channel.closing else { return }
        channel.closing = nil
        guard channel.connection.wire.isIdle() else { return }
        guard length > .zero else { return shutInOrder(channel) }
        readClocks()
        channel.closing = .waiting(Wait(length, waiting, now: now, clock: application.clock(of: channel.world)))
        closing.removeAll {
            if case .waiting = $0.closing { $0 === channel } else { true }
        }
        closing.append(channel)
        setClosingAlarm(channel)
    }

    /// Keeps the connection, because a further request has begun.
    func stopClosing(_ channel: Channel) {
        channel.closing = nil
        dropWaitAlarm(channel)
    }

    /// Closes the connection if its wait is over and no further request has begun.
    func closeIfDue(_ channel: Channel) {
        guard case .waiting(let wait) = channel.closing, let end = wait.end, end <= now else { return }
        channel.closing = nil
        if channel.connection.wire.isIdle() { shutInOrder(channel) }
    }

    /// Adjusts the waits of a world's connections to a clock that was set or moved.
    func closingClockChanged(world: Int, to reading: ClockReading) {
        guard !closing.isEmpty else { return }
        for channel in closing where channel.world == world {
            guard case .waiting(var wait) = channel.closing else { continue }
            wait.clockChanged(to: reading, now: now)
            channel.closing = .waiting(wait)
            setClosingAlarm(channel)
        }
    }

    private func setClosingAlarm(_ channel: Channel) {
        dropWaitAlarm(channel)
        guard case .waiting(let wait) = channel.closing, let end = wait.end else { return }
        let handle = timers.add(at: end, .wait(channel.id))
        channel.waitAlarm = Connection.Alarm(handle: handle, deadline: end)
    }

    /// Ends our direction of an idle connection; what the peer still sends is discarded.
    private func shutInOrder(_ channel: Channel) {
        let connection = channel.connection
        sayEnd(connection)
        channel.phase = .ended
        connection.phase = .lingering
        Socket.endWriting(connection.number)
        connection.wire.beganLingering(now: now)
    }
}
