import CivilTime
package import HTTPMessage

extension Server {
    /// Gives the answer to an exchange that `respond` left for later.
    ///
    /// False when it is over or was answered before.
    @discardableResult
    package func complete(_ exchange: ExchangeID, with answer: PlayableResponse) -> Bool {
        guard let channel = open(exchange), channel.completed == nil else { return false }
        guard channel.phase == .waiting || channel.phase == .responding else { return false }
        channel.completed = answer
        if !answer.staysOpen { channel.endsWithPeer = false }
        makeReady(channel.connection)
        return true
    }

    /// Puts an exchange that is left for later into a world, once it is known which; false when it is over.
    @discardableResult
    package func assign(_ exchange: ExchangeID, to world: Int) -> Bool {
        guard let channel = open(exchange) else { return false }
        channel.world = world
        return true
    }

    /// Tells whether an exchange is still to be answered, or being answered.
    package func isUnderWay(_ exchange: ExchangeID) -> Bool { open(exchange) != nil }

    /// Says whether an exchange waits for somebody else, so that its peer's end, of one direction too, ends it (control
    /// contract, sections 13 and 19).
    package func endWithPeer(_ exchange: ExchangeID, _ isWaiting: Bool = true) {
        guard let channel = open(exchange), channel.endsWithPeer != isWaiting else { return }
        channel.endsWithPeer = isWaiting
        if isWaiting { makeReady(channel.connection) }
    }

    /// Adds steps to an answer that stays open.
    ///
    /// False when it is over, does not stay open, or the client is so far behind that it was cut instead; that does not happen
    /// where `isMetered` says that the caller waits for the client itself.
    @discardableResult
    package func push(_ exchange: ExchangeID, steps: [Step], isMetered: Bool = false) -> Bool {
        guard let channel = open(exchange) else { return false }
        // The answer was given in this turn and its playing has not begun.
        if let waiting = channel.completed, waiting.staysOpen, case .steps(let first) = waiting.response.body {
            channel.completed?.response.body = .steps(first + steps)
            return true
        }
        guard let playback = channel.playback, playback.staysOpen else { return false }
        guard isMetered || playback.remaining + steps.count <= limits.waitingSteps else {
            markCancelled(channel)
            return false
        }
        channel.playback?.push(steps)
        makeReady(channel.connection)
        return true
    }

    /// Lets an answer go on that an effect held back.
    package func release(_ exchange: ExchangeID) {
        guard let channel = open(exchange), channel.playback?.isHeld == true else { return }
        channel.playback?.isHeld = false
        makeReady(channel.connection)
    }

    /// Ends one exchange at once: HTTP/1.1 by a reset of its connection, a multiplexed protocol by a reset of its
    /// channel.
    package func cancel(_ exchange: ExchangeID) {
        if let channel = open(exchange) { markCancelled(channel) }
    }

    /// Takes the peer's end for its leaving: the exchange is over, interrupted, as soon as the loop comes to it.
    package func leave(_ exchange: ExchangeID) {
        guard let channel = open(exchange), channel.connection.sawEnd, !channel.isLeft else { return }
        channel.isLeft = true
        makeReady(channel.connection)
    }

    /// Cancels all exchanges of a world that are under way; says how many there were.
    ///
    /// An exchange whose request is just being answered is not among them.
    @discardableResult
    package func cancel(world: Int) -> Int {
        let affected = slow.filter { $0.world == world && !$0.isCancelled }
        affected.forEach(markCancelled)
        return affected.count
    }

    /// The number of exchanges of a world that wait, stream or are being delivered.
    package func inFlightCount(world: Int) -> Int {
        slow.count { $0.world == world && !$0.isCancelled }
    }

    /// Tells the waits of a world that its clock was set, advanced, frozen or let go; says how many came due by it.
    @discardableResult
    package func clockChanged(world: Int, to reading: ClockReading) -> Int {
        var fired = 0
        readClocks()
        for channel in slow where channel.world == world && !channel.isCancelled {
            if intakeClockChanged(channel, to: reading) {
                fired += 1
                continue
            }
            guard var wait = channel.playback?.wait else { continue }
            let wasOver = wait.end.map { $0 <= now } ?? false
            wait.clockChanged(to: reading, now: now)
            channel.playback?.wait = wait
            guard let end = wait.end, end <= now else {
                setWaitAlarm(channel)
                continue
            }
            if !wasOver { fired += 1 }
            dropWaitAlarm(channel)
            makeReady(channel.connection)
        }
        return fired
    }

    /// Marks an exchange to be cancelled when the loop comes to it: the caller may be the application in mid-call.
    func markCancelled(_ channel: Channel) {
        guard channel.phase != .ended, !channel.isCancelled else { return }
        channel.isCancelled = true
        makeReady(channel.connection)
    }

    func enlistSlow(_ channel: Channel) {
        guard channel.slowPlace < 0 else { return }
        channel.slowPlace = slow.count
        slow.append(channel)
    }

    /// Takes a channel out of the list of slow exchanges, and lets go of what only those have.
    func forgetSlow(_ channel: Channel) {
        let place = channel.slowPlace
        guard place >= 0 else { return }
        channel.slowPlace = -1
        let last = slow.removeLast()
        if place < slow.count {
            slow[place] = last
            last.slowPlace = place
        }
        dropWaitAlarm(channel)
        channel.playback = nil
        channel.completed = nil
    }

    /// The channel that carries an exchange which is not over.
    func channel(carrying exchange: ExchangeID) -> Channel? {
        let id = exchange.channel
        guard let channel = connections[id], channel.exchange == exchange else { return nil }
        return channel
    }

    /// The channel of an exchange that goes on.
    private func open(_ exchange: ExchangeID) -> Channel? {
        guard let channel = channel(carrying: exchange) else { return nil }
        return channel.isCancelled ? nil : channel
    }
}
