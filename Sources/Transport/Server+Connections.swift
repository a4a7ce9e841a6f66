import CivilTime
import HTTPMessage
import HTTPWire

extension Server {
    /// The result of writing all pending output.
    enum Flushing {
        case drained
        /// The rest is written when the socket accepts more.
        case blocked
        /// The connection is gone and has been closed.
        case lost
    }

    /// The result of one read of a connection's socket.
    enum Reading {
        /// The socket had as many bytes as requested, and may have more.
        case full(Int)
        /// There is nothing more for now, or the connection is not to be read further.
        case exhausted
    }

    /// The size of the first read where a head is due; content behind it can wait for its round.
    private static let firstShare = 16 * 1024

    /// Reads the available bytes, up to this connection's share of the turn, and processes them.
    ///
    /// Long content waits for its round at the end of the turn.
    func read(_ connection: Connection) {
        var total = 0
        // The caller has checked that bytes are wanted.
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

    /// Reads long content of all connections in turns, for a millisecond at most.
    ///
    /// Many uploads at once then take longer each, and delay no short request (control contract, section 17).
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
        // The poller need not report these again.
        for connection in round where connection.interest.contains(.read) { settle(connection) }
    }

    private func joinRound(_ connection: Connection) {
        guard !connection.isInRound else { return }
        connection.isInRound = true
        round.append(connection)
    }

    /// Reads once and processes the bytes.
    private func readOnce(_ connection: Connection, atMost most: Int) -> Reading {
        let wanted = min(most, connection.wire.mostWanted())
        let share = connection.isPaced ? min(connection.only?.intake?.share ?? wanted, wanted) : wanted
        switch connection.security {
        case .undecided, .tls: return readSecurely(connection, atMost: most)
        case .plain, .standsForTLS: break
        }
        switch input.withUnsafeMutableBytes({
            Socket.read(connection.number, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<share]))
        }) {
        case .bytes(let count):
            if connection.isPaced { connection.only?.intake?.took(count) }
            connection.received(input[..<count], now: now)
            // Counted before the request may be complete, because it counts while it is coming in.
            self.count(connection)
            drive(connection)
            // A short read has emptied the socket; the poller reports bytes that came meanwhile.
            return count == share ? .full(count) : .exhausted
        case .end:
            noteEnd(connection)
            return .exhausted
        case .wouldBlock: return .exhausted
        case .failed:
            lose(connection)
            return .exhausted
        }
    }

    /// Handles the end of the peer's direction.
    func noteEnd(_ connection: Connection) {
        connection.sawEnd = true
        connection.forEachChannel { $0.noteEnd(at: now) }
        connection.wire.peerClosed(now: now)
        drive(connection)
        // Later, the next write shows whether it still listens.
        connection.forEachChannel(tellPeerEnded)
    }

    /// Advances a connection and prepares it for the poller.
    func proceed(_ connection: Connection) {
        drive(connection)
        settle(connection)
    }

    /// Continues once the socket accepts bytes again.
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

    /// Hands the connection's output to the system.
    func flush(_ connection: Connection) -> Flushing {
        if let tls = connection.tls, !encrypt(connection, tls) {
            lose(connection)
            return .lost
        }
        return send(connection)
    }

    /// Hands bytes of TLS itself to the system, behind those that wait; false if the connection is gone.
    func send(_ bytes: [UInt8], on connection: Connection) -> Bool {
        output.append(contentsOf: bytes)
        if case .lost = send(connection) { return false }
        return true
    }

    /// Hands the output, encrypted where it has to be, to the system.
    private func send(_ connection: Connection) -> Flushing {
        if connection.hasOutput {
            // Waiting bytes come before new ones.
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

    /// Handles the loss of the peer.
    func lose(_ connection: Connection) {
        connection.tls?.lost(at: TLSEngine.Moment(monotonic: now, wall: realTime))
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
        let tunnel = connection.tunnel.take()
        connection.close()
        count(connection)
        connections.remove(connection.id)
        strangers?.closed(connection.peer.host, at: now)
        giveWay(connection)
        if let tunnel { end(tunnel) }
        if !isAccepting { startAccepting() }
    }

    /// Handles a protocol deadline, which may be over.
    func deadlineReached(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connection.deadlineAlarm = nil
        if let deadline = connection.tls?.deadline, deadline <= now { takeSteps(connection) }
        guard connection.isOpen else { return }
        // Deadlines move with every request and the alarm does not; an early alarm is only set again.
        // While the server itself pauses the reading, or keeps the client waiting, the time of the body does not count.
        if connection.isPaused || connection.delaysContinue { connection.wire.restartBodyTimer(now: now) }
        // The response is still on its way, however long the client takes for it.
        if case .flushing = connection.only?.phase { connection.wire.restartIdleTimer(now: now) }
        if let deadline = connection.wire.nextDeadline(), deadline <= now {
            connection.wire.deadlineReached(now: now)
            drive(connection)
        }
        settle(connection)
    }

    /// Adjusts the poller and the timers to the connection's present state.
    func settle(_ connection: Connection) {
        count(connection)
        guard connection.isOpen, connection.tunnel == nil else { return }
        var interest: Interest = connection.wantsRead && !connection.isInRound ? .read : []
        if connection.hasOutput { interest.insert(.write) }
        // A request that is read no further can still end.
        if connection.isPaced, connection.only?.intake?.watchesEnd == true, !connection.sawEnd { interest.insert(.end) }
        // Requests behind this one may fill the read-ahead buffer.
        if !connection.sawEnd, !interest.contains(.read), connection.hasChannel(where: \.endsWithPeer) {
            interest.insert(.end)
        }
        // A handshake that is held back reads nothing, and can end.
        if connection.tls?.wantsRead == false, !connection.sawEnd, connection.phase == .open { interest.insert(.end) }
        if interest != connection.interest {
            connection.interest = interest
            poller.change(connection.number, token: connection.id.token, interest: interest)
        }
        keepDeadline(connection)
        watchWriting(connection)
        if connection.tls?.hasInput == true, connection.wantsRead, !connection.isInRound { makeReady(connection) }
    }

    /// Sets an alarm at the protocol's deadline or before.
    func keepDeadline(_ connection: Connection) {
        guard let deadline = nextDeadline(connection) else { return }
        if let alarm = connection.deadlineAlarm {
            guard deadline < alarm.deadline else { return }
            timers.cancel(alarm.handle)
        }
        let handle = timers.add(at: deadline, .deadline(connection.id))
        connection.deadlineAlarm = Connection.Alarm(handle: handle, deadline: deadline)
    }

    private func nextDeadline(_ connection: Connection) -> Instant? {
        let deadline = connection.wire.nextDeadline()
        guard let handshake = connection.tls?.deadline else { return deadline }
        return deadline.map { min($0, handshake) } ?? handshake
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

    /// Counts the bytes that the system has taken.
    private func note(written count: Int, on connection: Connection) {
        connection.written += count
        if connection.sawEnd { noteWriteAfterEnd(connection) }
        // Under TLS the bytes of the response are counted before they are encrypted.
        if connection.tls == nil { connection.only?.bytesSent += count }
    }

    /// The time after which a peer that takes bytes is there: a reset for the first ones would have come.
    private static let longestReset = Interval.seconds(1)

    private func noteWriteAfterEnd(_ connection: Connection) {
        guard let first = connection.wroteAfterEnd else {
            connection.wroteAfterEnd = now
            return
        }
        if now - first > Self.longestReset { connection.forEachChannel { $0.noteListening() } }
    }

    /// Frees the buffer after a large response.
    private func emptyOutput() {
        if output.capacity > 256 * 1024 {
            output = []
            output.reserveCapacity(16 * 1024)
        } else {
            output.removeAll(keepingCapacity: true)
        }
    }
}
