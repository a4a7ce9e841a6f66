package import Backend
package import CivilTime
package import Conditions
package import HTTPMessage
package import Handshakes
package import Journal
import Worlds

/// The one registry of exchanges, from the head to the end of the response.
extension Emulator {
    /// Begins an exchange whose head has come.
    ///
    /// Address, route and endpoint limits are settled here, once.
    ///
    /// `id` is a number that the owner never uses again. `connection` and `channel` are numbers of the owner's that
    /// have no meaning here.
    package func open(
        _ head: RequestHead,
        address: Address,
        peer: String,
        id: UInt64,
        connection: UInt64 = 0,
        channel: UInt32 = 0,
        arrival: Arrival? = nil,
        transport: TransportFacts? = nil,
        at hostTime: HostTime
    ) -> Exchange {
        var apiIndex: Int?
        var match = RouteMatch.unknownPath
        var endpointIndex: Int?
        if case .api(let index) = address.destination {
            apiIndex = index
            match = route(head.method, address.path, of: index)
            if case .endpoint(let place, _) = match { endpointIndex = place }
        }
        let context = RequestContext(
            id: id,
            connection: connection,
            channel: channel,
            transport: transport,
            address: address,
            apiIndex: apiIndex,
            match: match,
            peer: peer,
            arrival: arrival ?? Arrival(peer: peer.isEmpty ? nil : peer, firstByte: hostTime.monotonic),
            endpointIndex: endpointIndex
        )
        let exchange = Exchange(head, context, responder: endpoints, hosted: mainWorld, at: hostTime)
        exchange.call.isWorldRequired = configuration.isWorldRequired
        takeDelay(of: exchange)
        exchanges[id] = exchange
        return exchange
    }

    /// Finds the route of a request.
    func route(_ method: HTTPMethod, _ path: Path, of index: Int) -> RouteMatch {
        routeMatches += 1
        return servedEndpoints(of: index).table.match(method, path)
    }

    package subscript(exchange id: UInt64) -> Exchange? { exchanges[id] }

    /// The number of exchanges in progress.
    package var exchangeCount: Int { exchanges.count }

    /// Tells whether neither the registry nor the gates of any world hold a request.
    package var isIdle: Bool {
        exchanges.isEmpty && worldNames.allSatisfy { self[world: $0]?.held.isEmpty ?? true }
    }

    /// Returns the bytes of a request's body that its endpoint keeps; nil without one: a stub, a recording or a fault may
    /// take what no route does.
    package func bodyLimit(of exchange: Exchange) -> Int? {
        exchange.context.endpointIndex.map { servedEndpoints(of: exchange.apiIndex).table.traits[$0].bodyLimit }
    }

    /// Tells whether the content of a request is counted, and not kept.
    package func countsContent(of exchange: Exchange) -> Bool {
        guard hasCustomAPIs, let place = exchange.context.endpointIndex else { return false }
        return servedEndpoints(of: exchange.apiIndex).table.traits[place].countsContent
    }

    /// Takes the whole request of an exchange that its head began.
    package func receive(_ request: consuming HTTPRequest, of exchange: Exchange) {
        exchange.call.request = request
        // Nothing of it was kept: that is no body over the limit.
        if hasCustomAPIs, exchange.call.request.body.exceedsLimit, exchange.call.request.body.bytes.isEmpty,
            countsContent(of: exchange)
        {
            exchange.call.request.body.isCounted = true
            exchange.call.request.body.exceedsLimit = false
        }
        takeDelay(of: exchange)
        exchange.isReceived = true
        takeBackUploadFault(of: exchange)
        // Faults may have been decided on its head.
        guard exchange.identification != .pending else { return }
        exchange.call = exchange.call.renewed(at: exchange.call.now, exchange.call.epoch)
    }

    /// The limit of a request's content that no endpoint sets.
    private static let usualBodyLimit = 20 << 20

    /// Takes the coding off the content of a request (wire contract, section 3).
    package func decode(_ exchange: Exchange, limit: Int) {
        exchange.call.request = exchange.call.request.withoutCoding(limit: limit)
    }

    /// Takes over a request whose coding a worker has taken off.
    package func take(_ request: consuming HTTPRequest, of exchange: Exchange) { exchange.call.request = request }

    /// Takes the delay that a request asks for out of its query, so that neither a match nor the API sees it (control
    /// contract, section 8).
    private func takeDelay(of exchange: Exchange) {
        guard let query = exchange.call.request.head.rawQuery, exchange.context.apiIndex != nil,
            let rest = Preference.withoutDelay(query), obeysPreferences(exchange)
        else { return }
        exchange.sentQuery = query
        exchange.call.request.head.target.rawQuery = rest.isEmpty ? nil : rest
    }

    /// Tells whether a request may ask for faults: it comes from this machine, or all others may as well.
    func obeysPreferences(_ exchange: Exchange) -> Bool {
        configuration.allowsRemotePreferences || Preference.isLocal(exchange.context.peer)
    }

    /// Runs the stages of a request whose content is there, as far as they go without waiting.
    package func answer(_ exchange: Exchange, speculative: SpeculativeResponse? = nil, at hostTime: HostTime) {
        exchange.speculate(speculative)
        exchange.began = stopwatch?()
        advance(exchange, at: hostTime)
    }

    /// Answers a request that its owner received in one piece.
    @discardableResult
    package func answer(
        _ request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        exchange id: UInt64,
        at hostTime: HostTime,
        prepared: PreparedRequest? = nil
    ) -> Exchange {
        let begun = exchanges[id].flatMap { $0.state == .receiving ? $0 : nil }
        let exchange = begun ?? open(request.head, address: address, peer: peer, id: id, at: hostTime)
        receive(request, of: exchange)
        if exchange.call.request.isCoded { decode(exchange, limit: bodyLimit(of: exchange) ?? Self.usualBodyLimit) }
        if let prepared { note(prepared, for: exchange) }
        answer(exchange, at: hostTime)
        return exchange
    }

    // MARK: Delivery

    /// Performs an effect that a timeline has reached.
    ///
    /// Returns the world and the API it changed, or nil if it is out of date.
    @discardableResult
    package func perform(effect: Int, of id: UInt64, at hostTime: HostTime) -> ExchangeGroup? {
        guard let exchange = exchanges[id], exchange.journalEntry != nil,
            exchange.call.effects.indices.contains(effect), !exchange.isOutdated
        else { return nil }
        let hosted = exchange.hosted
        let now = hosted.world.tick(to: hostTime)
        hosted.world.perform(exchange.call.effects[effect], on: exchange.apiIndex, at: now)
        noteMessages(in: hosted)
        return exchange.group
    }

    /// Notes that the client of an exchange in progress has closed its side.
    ///
    /// The journal says so until a response reaches it after all.
    package func peerEnded(_ exchange: Exchange) {
        exchange.peerHasEnded = true
        guard let entry = exchange.journalEntry, !exchange.isOutdated else { return }
        exchange.hosted.world.journal.mark(entry, .interrupted)
    }

    /// Ends an exchange and removes it from the registry.
    ///
    /// `contentSent` is the number of bytes of content that left, when not all did. `ended` is the real time of the
    /// end, up to which a gate may have held it. `wasAnswered` tells whether a response of any kind had begun. `unread`
    /// is what came of content that was not read to its end.
    package func end(
        _ exchange: Exchange,
        outcome: JournalEntry.Outcome,
        timings: JournalEntry.Timings,
        contentSent: Int?,
        at ended: Instant? = nil,
        wasAnswered: Bool = true,
        unread: UnreadContent? = nil,
        hostTime: HostTime? = nil
    ) {
        exchanges[exchange.id] = nil
        if exchange.claim != nil { exchange.hosted.claims.removeAll { $0 === exchange } }
        if let unread { note(unread, of: exchange, wasAnswered: wasAnswered, at: hostTime) }
        if exchange.awaySince != nil, !wasAnswered, let hostTime { recordUnanswered(exchange, at: hostTime) }
        exchange.state = .ended
        guard let entry = exchange.journalEntry else {
            logUnkept(exchange, outcome, timings, contentSent: contentSent, at: ended)
            return
        }
        let hosted = exchange.hosted
        if !hosted.held.isEmpty { hosted.held.removeAll { $0 === exchange } }
        let handle = Double(exchange.handled.microseconds) / 1_000
        let total = (timings.receive + handle + timings.wait + timings.send) / 1_000
        metrics.noteEnd(api: exchange.apiIndex, seconds: total)
        // A world is in use until the response has ended, however long that takes.
        if let ended { hosted.lastUsed = max(hosted.lastUsed, ended) }
        guard !exchange.isOutdated else {
            logUnkept(exchange, outcome, timings, contentSent: contentSent, at: ended)
            return
        }
        var timings = timings
        timings.handle = handle
        // A request that a gate holds has been received; the rest of the time is waiting.
        var held = exchange.held
        if let ended, let since = exchange.heldSince { held = held + (ended - since) }
        let waited = min(timings.receive, Double(held.microseconds) / 1_000)
        timings.receive -= waited
        timings.wait += waited
        // A loss that was found out late lies before the present.
        let isPast = if let ended, let hostTime { ended != hostTime.monotonic } else { false }
        let ending = exchange.end(
            at: ended,
            precisely: isPast ? nil : stopwatch?(),
            atLeast: .microseconds(Int64(min(((timings.handle + timings.wait) * 1_000).rounded(.up), 9e15)))
        )
        guard
            let line = hosted.world.journal.settle(entry, outcome, timings, endedAt: ending, contentSent: contentSent)
        else {
            logUnkept(exchange, outcome, timings, contentSent: contentSent, at: ended)
            return
        }
        log(line, of: exchange)
        noteEnd(of: exchange, line)
    }

    /// Ends the exchange of that number, if there is one.
    package func finish(
        _ id: UInt64,
        outcome: JournalEntry.Outcome,
        timings: JournalEntry.Timings,
        contentSent: Int?,
        at ended: Instant? = nil
    ) {
        guard let exchange = exchanges[id] else { return }
        end(exchange, outcome: outcome, timings: timings, contentSent: contentSent, at: ended)
    }

    /// The worlds of the exchanges in progress.
    var worldsInUse: Set<Int> {
        Set(exchanges.values.lazy.filter { $0.journalEntry != nil || $0.awaySince != nil }.map(\.hosted.key))
    }

    // MARK: Clocks

    /// Returns the present time of a world, for the waits of its exchanges.
    package func now(worldKey key: Int, at hostTime: HostTime) -> Instant? {
        hosted(key: key)?.world.now(hostTime)
    }

    /// Returns the world seconds per real second of a world; nil if it is gone.
    package func speed(worldKey key: Int) -> Double? { hosted(key: key)?.world.core.clock.speed }
}
