import CivilTime
import HTTPMessage
import HTTPWire

extension Server {
    /// The result of writing all there is.
    enum Flushing {
        case drained
        /// The rest goes out when the socket takes more.
        case blocked
        /// The connection is gone and has been closed.
        case lost
    }

    /// The result of one read of a connection's socket.
    private enum Reading {
        /// The socket had as many bytes as were asked for, and may have more.
        case full(Int)
        /// There is nothing more for now, or the connection is not to be read any further.
        case exhausted
    }

    /// Bytes that are read at first where a head is due: what follows it is content that can wait for its round.
    private static let firstShare = 16 * 1024

    /// Reads what there is, up to this connection's share of the turn, and acts on it.
    ///
    /// Long content waits for its round at the end of the turn.
    func read(_ connection: Connection) {
        var total = 0
        // The caller has seen that bytes are wanted.
        repeat {
            guard connection.isPaced || !connection.wire.takesLongContent() else {
                joinRound(connection)
                return
            }
            guard case .full(let count) = readOnce(connection, atMost: Self.firstShare) else { break }
            total += count
        } while total < limits.readBytesPerTurn && !connection.isPaced && connection.isOpen && connection.wantsRead
        settle(connection)
    }

    /// Reads long content of all connections that have some in turns, for a millisecond at most.
    ///
    /// So many uploads at once take longer each, and hold up nobody who needs little (control contract, section 17).
    func readRound() {
        guard !round.isEmpty else { return }
        let end = time.monotonic() + Self.longestRound
        var place = 0
        while place < round.count {
            let connection = round[place]
            place += 1
            if connection.isOpen, connection.wantsRead, case .full = readOnce(connection, atMost: input.count),
                connection.isOpen, connection.wantsRead, !connection.isPaced,
                connection.wire.takesLongContent()
            {
                round.append(connection)
            } else {
                connection.isInRound = false
                settle(connection)
            }
            guard time.monotonic() < end else { break }
        }
        round.removeSubrange(..<place)
        // The poller need not tell of these again and again.
        for connection in round where connection.interest.contains(.read) { settle(connection) }
    }

    private func joinRound(_ connection: Connection) {
        guard !connection.isInRound else { return }
        connection.isInRound = true
        round.append(connection)
    }

    /// Reads once and acts on what came.
    private func readOnce(_ connection: Connection, atMost most: Int) -> Reading {
        let wanted = min(most, connection.wire.mostWanted())
        let share = connection.isPaced ? min(connection.only?.intake?.share ?? wanted, wanted) : wanted
        switch input.withUnsafeMutableBytes({
            Socket.read(connection.number, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<share]))
        }) {
        case .bytes(let count):
            if connection.isPaced { connection.only?.intake?.took(count) }
            connection.wire.received(input[..<count], now: now)
            // Before it may be whole: it counts as long as it is coming in.
            self.count(connection)
            drive(connection)
            // A short read has emptied the socket; if more came meanwhile, the poller says so.
            return count == share ? .full(count) : .exhausted
        case .end:
            connection.sawEnd = true
            connection.wire.peerClosed(now: now)
            drive(connection)
            // Later on the next write tells whether it still listens.
            connection.forEachChannel(tellPeerEnded)
            return .exhausted
        case .wouldBlock: return .exhausted
        case .failed:
            lose(connection)
            return .exhausted
        }
    }

    /// Drives a connection and leaves it ready for the poller.
    func proceed(_ connection: Connection) {
        drive(connection)
        settle(connection)
    }

    /// The socket takes bytes again.
    func becameWritable(_ connection: Connection) {
        guard flush(connection) == .drained else {
            settle(connection)
            return
        }
        connection.forEachChannel { channel in
            if case .flushing(let outcome) = channel.phase { perform(outcome, on: channel, of: connection) }
        }
        proceed(connection)
    }

    /// Hands what was written for the connection to the system.
    func flush(_ connection: Connection) -> Flushing {
        if connection.hasOutput {
            // Order first: what waits already goes before what is new.
            connection.output.append(contentsOf: output)
            output.removeAll(keepingCapacity: true)
            return flushWaiting(connection)
        }
        guard !output.isEmpty else { return .drained }
        switch Socket.write(connection.number, output, from: 0) {
        case .took(let count) where count == output.count:
            note(written: count, on: connection)
            emptyOutput()
            return .drained
        case .took(let count):
            note(written: count, on: connection)
            swap(&connection.output, &output)
            connection.outputStart = count
            return .blocked
        case .failed:
            output.removeAll(keepingCapacity: true)
            lose(connection)
            return .lost
        }
    }

    /// Takes note of the peer's disappearance.
    func lose(_ connection: Connection) {
        endExchanges(of: connection, .interrupted)
        close(connection)
    }

    /// Ends a connection, and all exchanges on it, by a reset.
    func resetConnection(_ connection: Connection) {
        Socket.resetOnClose(connection.number)
        if state == .draining { connection.forEachChannel { if $0.exchange != nil { cutByStop += 1 } } }
        endExchanges(of: connection, .cut)
        close(connection)
    }

    /// Closes a connection whose exchanges have been ended.
    func close(_ connection: Connection) {
        guard connection.isOpen else { return }
        poller.remove(connection.number)
        if let alarm = connection.deadlineAlarm { timers.cancel(alarm.handle) }
        connection.deadlineAlarm = nil
        if let stall = connection.stall.take() { timers.cancel(stall.alarm) }
        connection.close()
        count(connection)
        connections.remove(connection.id)
        giveWay(connection)
        if !isAccepting { startAccepting() }
    }

    /// A protocol deadline may be over.
    func deadlineReached(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connection.deadlineAlarm = nil
        // Deadlines move with every request and the alarm does not; an early one is only set again.
        // It is we who do not read on.
        if connection.isPaused { connection.wire.restartBodyTimer(now: now) }
        // The answer is still on its way, however long the client takes for it.
        if case .flushing = connection.only?.phase { connection.wire.restartIdleTimer(now: now) }
        if let deadline = connection.wire.nextDeadline(), deadline <= now {
            connection.wire.deadlineReached(now: now)
            drive(connection)
        }
        settle(connection)
    }

    /// Makes the poller and the timers fit what the connection needs now.
    func settle(_ connection: Connection) {
        count(connection)
        guard connection.isOpen else { return }
        var interest: Interest = connection.wantsRead && !connection.isInRound ? .read : []
        if connection.hasOutput { interest.insert(.write) }
        // Of a request that is read no further only its end can still come.
        if connection.isPaced, connection.only?.intake?.isStopped == true, !connection.sawEnd { interest.insert(.end) }
        // Requests behind this one may fill what is read ahead.
        if !connection.sawEnd, !interest.contains(.read), connection.hasChannel(where: \.endsWithPeer) {
            interest.insert(.end)
        }
        if interest != connection.interest {
            connection.interest = interest
            poller.change(connection.number, token: connection.id.token, interest: interest)
        }
        keepDeadline(connection)
        watchWriting(connection)
    }

    /// Sees to it that an alarm goes off at the protocol's deadline or before.
    func keepDeadline(_ connection: Connection) {
        guard let deadline = connection.wire.nextDeadline() else { return }
        if let alarm = connection.deadlineAlarm {
            guard deadline < alarm.deadline else { return }
            timers.cancel(alarm.handle)
        }
        let handle = timers.add(at: deadline, .deadline(connection.id))
        connection.deadlineAlarm = Connection.Alarm(handle: handle, deadline: deadline)
    }

    private func flushWaiting(_ connection: Connection) -> Flushing {
        switch Socket.write(connection.number, connection.output, from: connection.outputStart) {
        case .took(let count):
            note(written: count, on: connection)
            connection.outputStart += count
            guard !connection.hasOutput else { return .blocked }
            connection.output = []
            connection.outputStart = 0
            return .drained
        case .failed:
            lose(connection)
            return .lost
        }
    }

    /// Counts what the system has taken.
    private func note(written count: Int, on connection: Connection) {
        connection.written += count
        connection.only?.bytesSent += count
    }

    /// One big answer must not keep its memory for ever.
    private func emptyOutput() {
        if output.capacity > 256 * 1024 {
            output = []
            output.reserveCapacity(16 * 1024)
        } else {
            output.removeAll(keepingCapacity: true)
        }
    }
}
