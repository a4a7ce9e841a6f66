import CivilTime
package import HTTPMessage

extension Server {
    /// Gives the answer to an exchange that `respond` left for later.
    ///
    /// False when it is over or was answered before.
    @discardableResult
    package func complete(_ exchange: ExchangeID, with answer: Answer) -> Bool {
        guard let connection = open(exchange), connection.completed == nil else { return false }
        guard connection.phase == .awaiting || connection.phase == .asking else { return false }
        connection.completed = answer
        if !answer.staysOpen { connection.endsWithPeer = false }
        makeReady(connection)
        return true
    }

    /// Puts an exchange that is left for later into a world, once it is known which; false when it is over.
    @discardableResult
    package func assign(_ exchange: ExchangeID, to world: Int) -> Bool {
        guard let connection = open(exchange) else { return false }
        connection.world = world
        return true
    }

    /// Tells whether an exchange is still to be answered, or being answered.
    package func isUnderWay(_ exchange: ExchangeID) -> Bool { open(exchange) != nil }

    /// Says whether an exchange waits for somebody else, so that its peer's end, of one direction too, ends it (control
    /// contract, sections 13 and 19).
    package func endWithPeer(_ exchange: ExchangeID, _ isWaiting: Bool = true) {
        guard let connection = open(exchange), connection.endsWithPeer != isWaiting else { return }
        connection.endsWithPeer = isWaiting
        if isWaiting { makeReady(connection) }
    }

    /// Adds steps to an answer that stays open.
    ///
    /// False when it is over, does not stay open, or the client is so far behind that it was cut instead; that does not happen
    /// where `isMetered` says that the caller waits for the client itself.
    @discardableResult
    package func push(_ exchange: ExchangeID, steps: [Step], isMetered: Bool = false) -> Bool {
        guard let connection = open(exchange) else { return false }
        // The answer was given in this turn and its playing has not begun.
        if let waiting = connection.completed, waiting.staysOpen, case .steps(let first) = waiting.response.body {
            connection.completed?.response.body = .steps(first + steps)
            return true
        }
        guard let playback = connection.playback, playback.staysOpen else { return false }
        guard isMetered || playback.remaining + steps.count <= limits.waitingSteps else {
            markCut(connection)
            return false
        }
        connection.playback?.push(steps)
        makeReady(connection)
        return true
    }

    /// Lets an answer go on that an effect held back.
    package func release(_ exchange: ExchangeID) {
        guard let connection = open(exchange), connection.playback?.isHeld == true else { return }
        connection.playback?.isHeld = false
        makeReady(connection)
    }

    /// Resets the connection of one exchange.
    package func cut(_ exchange: ExchangeID) {
        if let connection = open(exchange) { markCut(connection) }
    }

    /// Takes the peer's end for its leaving: the exchange is over, interrupted, as soon as the loop comes to it.
    package func leave(_ exchange: ExchangeID) {
        guard let connection = open(exchange), connection.sawEnd, !connection.isLeft else { return }
        connection.isLeft = true
        makeReady(connection)
    }

    /// Resets the connections of all exchanges of a world that are under way; says how many there were.
    ///
    /// An exchange whose request is just being answered is not among them.
    @discardableResult
    package func cancel(world: Int) -> Int {
        let affected = slow.filter { $0.world == world && !$0.isCut }
        affected.forEach(markCut)
        return affected.count
    }

    /// How many exchanges of a world wait, stream or are being delivered.
    package func inFlightCount(world: Int) -> Int {
        slow.count { $0.world == world && !$0.isCut }
    }

    /// Tells the waits of a world that its clock was set, advanced, frozen or let go; says how many came due by it.
    @discardableResult
    package func clockChanged(world: Int, to reading: ClockReading) -> Int {
        var fired = 0
        readClocks()
        for connection in slow where connection.world == world && !connection.isCut {
            if intakeClockChanged(connection, to: reading) {
                fired += 1
                continue
            }
            guard var wait = connection.playback?.wait else { continue }
            let wasOver = wait.end.map { $0 <= now } ?? false
            wait.clockChanged(to: reading, now: now)
            connection.playback?.wait = wait
            guard let end = wait.end, end <= now else {
                setWaitAlarm(connection)
                continue
            }
            if !wasOver { fired += 1 }
            dropWaitAlarm(connection)
            makeReady(connection)
        }
        return fired
    }

    /// Marks an exchange to be cut when the loop comes to it: the caller may be the application in mid-call.
    func markCut(_ connection: Connection) {
        guard connection.isOpen, !connection.isCut else { return }
        connection.isCut = true
        makeReady(connection)
    }

    func enlistSlow(_ connection: Connection) {
        guard connection.slowPlace < 0 else { return }
        connection.slowPlace = slow.count
        slow.append(connection)
    }

    /// Takes a connection out of the list of slow exchanges, and what only those have.
    func forgetSlow(_ connection: Connection) {
        let place = connection.slowPlace
        guard place >= 0 else { return }
        connection.slowPlace = -1
        let last = slow.removeLast()
        if place < slow.count {
            slow[place] = last
            last.slowPlace = place
        }
        dropWaitAlarm(connection)
        connection.playback = nil
        connection.completed = nil
    }

    private func open(_ exchange: ExchangeID) -> Connection? {
        guard let connection = connections[exchange.connection], connection.exchange == exchange else { return nil }
        return connection.isCut ? nil : connection
    }
}
