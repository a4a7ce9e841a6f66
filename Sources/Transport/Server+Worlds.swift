package import CivilTime
package import HTTPMessage

extension Server {
    /// Responds to an exchange that `respond` left for later.
    ///
    /// Returns false if it is over or has its response.
    @discardableResult
    package func complete(_ exchange: ExchangeID, with answer: PlayableResponse) -> Bool {
        guard let channel = open(exchange), channel.completed == nil else { return false }
        guard channel.phase == .waiting || channel.phase == .responding else { return false }
        channel.completed = answer
        if !answer.staysOpen { channel.endsWithPeer = false }
        makeReady(channel.connection)
        return true
    }

    /// Sets the world of an exchange that is left for later, once it is known; false if the exchange is over.
    @discardableResult
    package func assign(_ exchange: ExchangeID, to world: Int) -> Bool {
        guard let channel = open(exchange) else { return false }
        channel.world = world
        return true
    }

    /// Returns the time at which the first byte of an exchange in progress was read, and whether another came on its
    /// connection before.
    package func arrival(of exchange: ExchangeID) -> (firstByte: Instant, isOnReused: Bool)? {
        open(exchange).map { ($0.firstByte, $0.isOnReused) }
    }

    /// Returns whether an exchange is in progress.
    package func isUnderWay(_ exchange: ExchangeID) -> Bool { open(exchange) != nil }

    /// Sets whether an exchange waits for another party, so that its peer's end, even of one direction, ends it
    /// (control contract, sections 13 and 19).
    package func endWithPeer(_ exchange: ExchangeID, _ isWaiting: Bool = true) {
        guard let channel = open(exchange), channel.endsWithPeer != isWaiting else { return }
        channel.endsWithPeer = isWaiting
        if isWaiting { makeReady(channel.connection) }
    }

    /// Adds steps to a response that stays open.
    ///
    /// Returns false if it is over, does not stay open, or the client is so far behind that it was cut instead. With
    /// `isMetered` the caller waits for the client itself, and the client is not cut.
    @discardableResult
    package func push(_ exchange: ExchangeID, steps: [Step], isMetered: Bool = false) -> Bool {
        guard let channel = open(exchange) else { return false }
        // The response was given in this turn and its playing has not begun.
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

    /// Returns the number of steps that a response which stays open still has to play; nil if it is over.
    package func backlog(of exchange: ExchangeID) -> Int? {
        guard let channel = open(exchange) else { return nil }
        if let waiting = channel.completed, case .steps(let steps) = waiting.response.body { return steps.count }
        return channel.playback?.remaining
    }

    /// Continues a response that an effect held back.
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

    /// Treats the peer's end as its leaving: the exchange is interrupted when the loop reaches it.
    package func leave(_ exchange: ExchangeID) {
        guard let channel = open(exchange), channel.connection.sawEnd, !channel.isLeft else { return }
        channel.isLeft = true
        makeReady(channel.connection)
    }

    /// Cancels all exchanges of a world that are in progress; returns their number.
    ///
    /// An exchange whose request is just being answered is not among them.
    @discardableResult
    package func cancel(world: Int) -> Int {
        let affected = slow.filter { $0.world == world && !$0.isCancelled }
        affected.forEach(markCancelled)
        return affected.count
    }

    /// Returns the number of exchanges of a world that wait, stream or are being delivered.
    package func inFlightCount(world: Int) -> Int {
        slow.count { $0.world == world && !$0.isCancelled }
    }

    /// Adjusts the waits of a world to a clock that was set, advanced, frozen or released; returns the number of waits
    /// that came due.
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
        closingClockChanged(world: world, to: reading)
        return fired
    }

    /// Returns the exchanges of a world that wait, each with the reading of the world's clock that ends its wait.
    package func waits(world: Int) -> [(exchange: UInt64, at: Instant)] {
        slow.compactMap { channel in
            guard channel.world == world, !channel.isCancelled, let exchange = channel.exchange,
                let wait = channel.playback?.wait ?? channel.intake?.wait ?? channel.intake?.continueWait
            else { return nil }
            return (exchange.serial, wait.worldReading)
        }
    }

    /// Marks an exchange to be cancelled when the loop reaches it, because the caller may be the application during a
    /// call.
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

    /// Removes a channel from the list of slow exchanges, and releases everything that only those need.
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

    /// Returns the channel of an exchange that is not over.
    func channel(carrying exchange: ExchangeID) -> Channel? {
        let id = exchange.channel
        guard let channel = connections[id], channel.exchange == exchange else { return nil }
        return channel
    }

    /// Returns the channel of an exchange that is not marked to end.
    func open(_ exchange: ExchangeID) -> Channel? {
        guard let channel = channel(carrying: exchange) else { return nil }
        return channel.isCancelled ? nil : channel
    }
}
