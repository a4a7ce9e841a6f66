import CivilTime
import HTTPMessage
import HTTPWire

extension Server {
    /// Bytes of content written at once, where that does not show on the wire.
    private static let longestPiece = 64 * 1024

    /// Plays a timeline as far as it goes.
    ///
    /// True when the connection has something else to do now; false when it has to wait (for the socket, a clock, more
    /// steps) or is closed.
    func play(_ connection: Connection) -> Bool {
        var written = 0
        while connection.phase == .playing {
            // The socket is behind: the timeline stands still until it has taken everything.
            guard !connection.hasOutput, !connection.isCut, connection.playback?.isHeld == false else { return false }
            if let wait = connection.playback?.wait {
                guard let end = wait.end, end <= now else { return false }
                connection.waited = connection.waited + (now - wait.began)
                connection.playback?.surplus = wait.surplus(at: now)
                connection.playback?.wait = nil
                dropWaitAlarm(connection)
            }
            let most = connection.machine.countsContent() ? Self.longestPiece : nil
            guard let step = connection.playback?.takeNext(atMost: most) else {
                // A timeline without an end breaks off, as a server that died would.
                guard connection.playback?.staysOpen == true else { return concludeStep(.close, on: connection) }
                _ = flush(connection)
                return false
            }
            switch step {
            case .wait(let length, let waiting):
                guard flush(connection) == .drained else { return retry(step, on: connection) }
                beginWait(connection, length, waiting)
            case .effect(let number):
                guard flush(connection) == .drained else { return retry(step, on: connection) }
                guard let exchange = connection.exchange else { return false }
                guard application.perform(effect: number, of: exchange) else {
                    connection.playback?.isHeld = true
                    return false
                }
            default:
                let before = output.count
                let date = connection.playback?.date ?? []
                if case .bytes(let content) = step { connection.contentPlayed += content.count }
                let outcome = connection.machine.send(step, now: now, date: date, into: &output)
                written += output.count - before
                guard outcome == .proceed else { return concludeStep(outcome, on: connection) }
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

    /// Lets everything go out, then does what the outcome says: now, or when the socket has taken all.
    func conclude(_ outcome: ConnectionMachine.SendOutcome, on connection: Connection) {
        switch flush(connection) {
        case .drained:
            perform(outcome, on: connection)
        case .blocked where outcome == .abort:
            perform(outcome, on: connection)
        case .blocked:
            connection.phase = .flushing(outcome)
            enlistSlow(connection)
        case .lost:
            break
        }
    }

    /// Does what a step means for the connection, with all output gone.
    func perform(_ outcome: ConnectionMachine.SendOutcome, on connection: Connection) {
        switch outcome {
        case .proceed:
            connection.phase = .playing
        case .finished:
            connection.phase = .receiving
            connection.playback = nil
            connection.machine.restartIdleTimer(now: now)
            guard isTaken(connection) else { return lose(connection) }
            endExchange(connection, .delivered)
        case .finishedClosing:
            connection.phase = .lingering
            connection.playback = nil
            Socket.endWriting(connection.number)
            connection.machine.beganLingering(now: now)
            guard isTaken(connection) else { return lose(connection) }
            endExchange(connection, .delivered)
        case .halfClose:
            Socket.endWriting(connection.number)
            connection.phase = .playing
        case .close:
            endExchange(connection, .cut)
            close(connection)
        case .abort:
            cut(connection)
        case .hold:
            connection.phase = .holding
            connection.playback = nil
            if state == .draining { markCut(connection) }
        }
    }

    /// Whether what was written can have reached somebody.
    ///
    /// The system takes bytes for a peer that closed long ago and learns of it by the reset that they bring back; on the
    /// loopback that is there by now. One that has half closed sends no reset.
    private func isTaken(_ connection: Connection) -> Bool {
        !connection.sawEnd || !Socket.hasFailed(connection.number)
    }

    /// The wait of a connection may be over.
    func waitEnded(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connection.waitAlarm = nil
        proceed(connection)
    }

    /// Sets the alarm of the wait under way to where the clocks now put its end.
    func setWaitAlarm(_ connection: Connection) {
        dropWaitAlarm(connection)
        guard let end = connection.playback?.wait?.end else { return }
        let handle = timers.add(at: end, .wait(connection.id))
        connection.waitAlarm = Connection.Alarm(handle: handle, deadline: end)
    }

    func dropWaitAlarm(_ connection: Connection) {
        guard let alarm = connection.waitAlarm else { return }
        timers.cancel(alarm.handle)
        connection.waitAlarm = nil
    }

    private func beginWait(_ connection: Connection, _ length: Interval, _ waiting: Waiting) {
        guard length > .zero else { return }
        // The turn may have been long; a delay counts from when its wait begins.
        readClocks()
        let clock = application.clock(of: connection.world)
        let surplus = connection.playback?.surplus ?? .zero
        connection.playback?.surplus = .zero
        connection.playback?.wait = Wait(length, waiting, now: now, clock: clock, surplus: surplus)
        setWaitAlarm(connection)
    }

    /// Puts back a step that has to come after the bytes before it are gone.
    private func retry(_ step: Step, on connection: Connection) -> Bool {
        connection.playback?.putBack(step)
        return false
    }

    private func concludeStep(_ outcome: ConnectionMachine.SendOutcome, on connection: Connection) -> Bool {
        conclude(outcome, on: connection)
        return connection.isOpen
    }
}
