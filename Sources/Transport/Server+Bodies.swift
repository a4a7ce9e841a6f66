import Basics
import CivilTime
import HTTPMessage
import HTTPWire

/// The memory of requests that are coming in (control contract, section 17).
extension Server {
    /// The amount of freed memory that is worth returning to the system at once.
    private static let worthTrimming = 16 * 1024 * 1024

    /// Counts the memory that the channels of a connection hold now, and refuses the newest requests while the total is
    /// too high.
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

    /// Counts the memory that a channel holds now; returns whether that has changed.
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

    /// The size up to which a request is always admitted if it fits alone, so that clients with small requests are
    /// never refused.
    private static let small = 4 * 1024

    /// Returns whether there is memory for a complete request; newer ones are refused for it.
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

    /// Refuses the request that began to come last, if it is newer than that number; false if there is none.
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
        // The connection is not in use: the bytes that were read last have been processed.
        makeReady(connection)
        return true
    }

    /// Has a worker join the pieces of a long body, then calls the application.
    func join(_ request: HTTPRequest, _ exchange: ExchangeID, on channel: Channel) {
        guard let pieces = request.body.pieces else { return }
        channel.phase = .waiting
        var request = request
        request.body.pieces = nil
        let box = Locked<BodyPieces?>(pieces)
        let isTaken = joiner.submit(mustRun: true) {
            // The box has the last reference, so each piece is freed when it has been copied.
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

    /// Returns free memory to the system after a while: so much memory for requests is not needed again soon.
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
