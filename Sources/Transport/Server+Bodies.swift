import CivilTime
import HTTPMessage
import HTTPWire
import Locking

/// The memory of requests that are coming in (control contract, section 17).
extension Server {
    /// So much is worth to be given back to the system at once.
    private static let worthTrimming = 16 * 1024 * 1024

    /// Counts what a connection holds now, and refuses the newest requests while all hold too much.
    func count(_ connection: Connection) {
        guard tally(connection) else { return }
        heldPeak = max(heldPeak, heldTogether)
        if heldPeak > Self.worthTrimming, heldTogether < heldPeak / 4 {
            heldPeak = heldTogether
            trimSoon()
        }
        while heldTogether > limits.bodies, refuseNewest() {}
    }

    /// Counts what a connection holds now; whether that is anything else than before.
    private func tally(_ connection: Connection) -> Bool {
        var held = 0
        if connection.isOpen { held = connection.machine.heldMemory() + connection.heldWhole }
        if connection.isApart {
            if held > Self.worthTrimming { connection.wasLarge = true }
            held = 0
        }
        guard held != connection.held else { return false }
        heldTogether += held - connection.held
        if connection.held == 0 { beginHolding(connection) }
        connection.held = held
        if held == 0 { endHolding(connection) }
        return true
    }

    /// So little is let in as long as it alone is not too much: whoever has nothing but small requests goes on.
    private static let small = 4 * 1024

    /// Whether there is memory for a request that has come whole; newer ones give way to it.
    func hasRoom(for connection: Connection) -> Bool {
        let size = connection.isApart ? 0 : connection.heldWhole
        guard size > 0, heldTogether - connection.held + size > limits.bodies else { return true }
        if size <= Self.small, size <= limits.bodies { return true }
        let number = connection.held > 0 ? connection.holdNumber : .max
        while heldTogether - connection.held + size > limits.bodies, refuseNewest(after: number) {}
        return heldTogether - connection.held + size <= limits.bodies
    }

    private func beginHolding(_ connection: Connection) {
        lastHold += 1
        connection.holdNumber = lastHold
        connection.holdPlace = holders.count
        holders.append(connection)
    }

    private func endHolding(_ connection: Connection) {
        let place = connection.holdPlace
        guard place >= 0 else { return }
        connection.holdPlace = -1
        holders[place] = nil
        gaps += 1
        while case .some(nil) = holders.last {
            holders.removeLast()
            gaps -= 1
        }
        guard gaps > 64, gaps * 2 > holders.count else { return }
        holders.removeAll { $0 == nil }
        gaps = 0
        for (place, holder) in holders.enumerated() { holder?.holdPlace = place }
    }

    /// Refuses the request that began to come last, if that was after some other; false if none can be.
    private func refuseNewest(after number: UInt64 = 0) -> Bool {
        var found: Connection?
        for place in holders.indices.reversed() {
            guard let connection = holders[place] else { continue }
            guard connection.holdNumber > number else { break }
            guard connection.phase == .receiving, connection.machine.mayGiveUpRequest() else { continue }
            found = connection
            break
        }
        guard let newest = found else { return false }
        let (head, isRefusable) = newest.machine.giveUpRequest(drain: limits.refusedDrain)
        guard isRefusable else { return false }
        let exchange = newest.exchange ?? beginExchange(newest)
        newest.intake = nil
        dropWaitAlarm(newest)
        newest.phase = .asking
        begin(application.refuse(.overload, head: head, on: exchange, from: newest.peer), on: newest)
        _ = tally(newest)
        // It is not in the middle of anything: the bytes that were read last have been dealt with.
        makeReady(newest)
        return true
    }

    /// Has a worker put a long body together, and asks the application then.
    func join(_ request: HTTPRequest, _ exchange: ExchangeID, of connection: Connection) {
        guard let pieces = request.body.pieces else { return }
        connection.phase = .awaiting
        var request = request
        request.body.pieces = nil
        let box = Locked<BodyPieces?>(pieces)
        let isTaken = joiner.submit(mustRun: true) {
            // Nobody else has them then, so that each goes when it has been copied.
            box.withLock { $0.take() }?.joined() ?? []
        } then: { [weak self] bytes in
            guard let self, let connection = connections[exchange.connection], connection.exchange == exchange else {
                return
            }
            request.body.bytes = bytes
            ask(request, exchange, of: connection)
            proceed(connection)
        }
        guard !isTaken else { return }
        request.body.bytes = pieces.joined()
        ask(request, exchange, of: connection)
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
