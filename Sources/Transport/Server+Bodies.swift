import CivilTime
import HTTPMessage
import HTTPWire
import Locking

/// The memory of requests that are coming in (control contract, section 17).
extension Server {
    /// The number of free bytes that are worth giving back to the system at once.
    private static let worthTrimming = 16 * 1024 * 1024

    /// Counts what the channels of a connection hold now, and refuses the newest requests while all hold too much.
    func count(_ connection: Connection) {
        connection.forEachChannel { count($0) }
    }

    private func count(_ channel: Channel) {
        guard tally(channel) else { return }
        heldPeak = max(heldPeak, heldTogether)
        if heldPeak > Self.worthTrimming, heldTogether < heldPeak / 4 {
            heldPeak = heldTogether
            trimSoon()
        }
        while heldTogether > limits.bodies, refuseNewest() {}
    }

    /// Counts what a channel holds now; tells whether that is anything else than before.
    func tally(_ channel: Channel) -> Bool {
        var held = 0
        let connection = channel.connection
        if connection.isOpen { held = connection.wire.heldMemory(of: channel.number) + channel.held.whole }
        if channel.held.isApart {
            if held > Self.worthTrimming { channel.held.wasLarge = true }
            held = 0
        }
        guard held != channel.held.bytes else { return false }
        heldTogether += held - channel.held.bytes
        if channel.held.bytes == 0 { beginHolding(channel) }
        channel.held.bytes = held
        if held == 0 { endHolding(channel) }
        return true
    }

    /// Counts a channel that is over as holding nothing.
    func release(_ channel: Channel) {
        heldTogether -= channel.held.bytes
        channel.held.bytes = 0
        endHolding(channel)
    }

    /// So little is let in as long as it alone is not too much: whoever has nothing but small requests goes on.
    private static let small = 4 * 1024

    /// Tells whether there is memory for a request that has come whole; newer ones give way to it.
    func hasRoom(for channel: Channel) -> Bool {
        let size = channel.held.isApart ? 0 : channel.held.whole
        guard size > 0, heldTogether - channel.held.bytes + size > limits.bodies else { return true }
        if size <= Self.small, size <= limits.bodies { return true }
        let number = channel.held.bytes > 0 ? channel.held.number : .max
        while heldTogether - channel.held.bytes + size > limits.bodies, refuseNewest(after: number) {}
        return heldTogether - channel.held.bytes + size <= limits.bodies
    }

    private func beginHolding(_ channel: Channel) {
        lastHold += 1
        channel.held.number = lastHold
        channel.held.place = holders.count
        holders.append(channel)
    }

    private func endHolding(_ channel: Channel) {
        let place = channel.held.place
        guard place >= 0 else { return }
        channel.held.place = -1
        holders[place] = nil
        gaps += 1
        while case .some(nil) = holders.last {
            holders.removeLast()
            gaps -= 1
        }
        guard gaps > 64, gaps * 2 > holders.count else { return }
        holders.removeAll { $0 == nil }
        gaps = 0
        for (place, holder) in holders.enumerated() { holder?.held.place = place }
    }

    /// Refuses the request that began to come last, if that was after some other; false if none can be.
    private func refuseNewest(after number: UInt64 = 0) -> Bool {
        var found: Channel?
        for place in holders.indices.reversed() {
            guard let channel = holders[place] else { continue }
            guard channel.held.number > number else { break }
            guard channel.phase == .receiving, channel.connection.wire.mayGiveUpRequest(on: channel.number) else {
                continue
            }
            found = channel
            break
        }
        guard let newest = found else { return false }
        let connection = newest.connection
        let (head, isRefusable) = connection.wire.giveUpRequest(on: newest.number, drain: limits.refusedDrain)
        guard isRefusable else { return false }
        let exchange = newest.exchange ?? beginExchange(newest)
        newest.intake = nil
        dropWaitAlarm(newest)
        newest.phase = .responding
        begin(application.refuse(.overload, head: head, on: exchange, from: connection.peer), on: newest)
        _ = tally(newest)
        // It is not in the middle of anything: the bytes that were read last have been dealt with.
        makeReady(connection)
        return true
    }

    /// Has a worker put a long body together, and asks the application then.
    func join(_ request: HTTPRequest, _ exchange: ExchangeID, on channel: Channel) {
        guard let pieces = request.body.pieces else { return }
        channel.phase = .waiting
        var request = request
        request.body.pieces = nil
        let box = Locked<BodyPieces?>(pieces)
        let isTaken = joiner.submit(mustRun: true) {
            // Nobody else has them then, so that each goes when it has been copied.
            box.withLock { $0.take() }?.joined() ?? []
        } then: { [weak self] bytes in
            guard let self, let channel = self.channel(carrying: exchange) else { return }
            request.body.bytes = bytes
            ask(request, exchange, on: channel)
            proceed(channel.connection)
        }
        guard !isTaken else { return }
        request.body.bytes = pieces.joined()
        ask(request, exchange, on: channel)
    }

    /// Gives memory that is free back to the system by and by: what so many requests held is not used again soon.
    func trimSoon() {
        guard !isTrimDue else { return }
        isTrimDue = true
        schedule(after: .milliseconds(500)) { [weak self] in
            guard let self else { return }
            isTrimDue = false
            _ = joiner.submit {
                Memory.trim()
            } then: { _ in
            }
        }
    }
}
