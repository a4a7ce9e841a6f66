package import Backend
package import CivilTime
import Conditions
package import HTTPMessage
package import Journal
import Worlds

/// The requests that a real backend answers (control contract, sections 3, 8 to 11 and 13).
///
/// Faults, latency and gates are decided when the request comes. A fault that replaces the response keeps the request
/// from the backend, and a gate holds it back. The backend's response then goes through the same stages as every other
/// one.
extension Emulator {
    /// Notes that a request is being forwarded to a real backend.
    ///
    /// From here on a reset cuts and counts the exchange, and the journal gets one whose client leaves.
    package func noteAsked(_ exchange: Exchange, at hostTime: HostTime) {
        exchange.awaySince = hostTime.monotonic
        exchange.generation = exchange.hosted.world.parts[exchange.apiIndex].generation
        exchange.hosted.lastUsed = hostTime.monotonic
    }

    /// Tells whether an exchange waits for a real backend in a world that has been reset since; it is being cut.
    package func isOutdated(_ exchange: Exchange) -> Bool {
        exchange.awaySince != nil && isGone(exchange)
    }

    private func isGone(_ exchange: Exchange) -> Bool {
        exchange.isOutdated || hosted(key: exchange.hosted.key) !== exchange.hosted
    }

    /// Tells whether a fault can be decided only once it is known whether the response has content.
    package func awaitsContent(_ exchange: Exchange) -> Bool {
        exchange.plan.map { $0.isUndecided && $0.needsContent } ?? false
    }

    /// Tells whether a fault or a gate needs the whole response; false where none acts.
    ///
    /// `head` is the response without its content.
    package func wantsWholeAnswer(_ exchange: Exchange, _ responder: UpstreamResponder, _ head: Response) -> Bool {
        guard let subject = exchange.subject else { return false }
        if exchange.plan?.isUndecided == true, exchange.plan?.looksAtContent == false {
            responder.reply = (head, false)
            decideNow(exchange, subject)
            responder.reply = nil
        }
        return exchange.plan?.wantsWhole(head) == true
            || exchange.hosted.world.gates.next(.after, after: exchange.passedAfter, for: subject) != nil
    }

    /// Continues an exchange whose real backend has answered.
    ///
    /// `isMiss` tells that the response stands for a missing one. `isOpen` tells that its content is still to follow;
    /// the exchange's `flow` acts on it.
    package func answered(
        _ exchange: Exchange,
        _ responder: UpstreamResponder,
        with response: Response,
        isMiss: Bool = false,
        isOpen: Bool = false,
        showing disclosure: JournalDisclosure?,
        at hostTime: HostTime
    ) {
        let hosted = exchange.hosted
        responder.reply = (response, isMiss)
        exchange.disclosure = disclosure
        exchange.isOpen = isOpen
        let (route, parameters, user) = (exchange.call.route, exchange.call.parameters, exchange.call.user)
        let now = hosted.world.tick(to: hostTime)
        exchange.call = exchange.call.renewed(at: now, hosted.world.parts[exchange.apiIndex].epoch)
        if exchange.subject != nil {
            (exchange.call.route, exchange.call.parameters, exchange.call.user) = (route, parameters, user)
            if isOpen { exchange.flow = flow(exchange) }
            exchange.began = nil
        } else {
            exchange.began = stopwatch?()
        }
        advance(exchange, at: hostTime)
    }

    /// Returns the faults and the network that act on content still to come.
    ///
    /// The winning fault leaves the plan if it acts there.
    private func flow(_ exchange: Exchange) -> ContentFlow {
        var flow = ContentFlow()
        guard let subject = exchange.subject else { return flow }
        for shape in exchange.plan?.shapes ?? [] {
            guard case .shapesDelivery(.rate(let rate)) = shape.spec.behavior else { continue }
            flow.paces.append(ContentFlow.Pace(bytesPerSecond: rate, waiting: shape.spec.waiting))
        }
        if let latency = exchange.hosted.world.latency.latency(for: subject), let rate = latency.bytesPerSecond {
            flow.paces.append(ContentFlow.Pace(bytesPerSecond: rate, waiting: latency.waiting))
        }
        if let main = exchange.plan?.main, let events = main.flow(streamError: apis[exchange.apiIndex].streamError) {
            flow.events = events
            exchange.plan?.main = nil
        }
        return flow
    }

    /// Enters an exchange in the journal that ended before the real backend answered.
    func recordUnanswered(_ exchange: Exchange, at hostTime: HostTime) {
        guard exchange.journalEntry == nil, !isGone(exchange) else { return }
        let since = exchange.awaySince
        exchange.hostTime = hostTime
        let now = exchange.hosted.world.tick(to: hostTime)
        identify(exchange)
        if exchange.subject == nil {
            exchange.call = exchange.call.renewed(at: now, exchange.hosted.world.parts[exchange.apiIndex].epoch)
        }
        enterUnanswered(exchange)
        // All of its time was waiting.
        exchange.heldSince = since
    }

    /// Makes the journal's entry of an exchange that nothing has answered.
    func enterUnanswered(_ exchange: Exchange) {
        // The response is unknown, so the request does not count as unmatched.
        exchange.call.isTakenElsewhere = true
        exchange.response = Response(status: .unanswered)
        exchange.began = nil
        _ = stampRequestID(exchange)
        _ = openToPages(exchange)
        _ = record(exchange)
        _ = announce(exchange)
    }

    /// Returns the emulation's response to a request that another responder has answered; nil if the world of the
    /// exchange is gone.
    package func rehearse(
        _ request: HTTPRequest,
        path: Path,
        of exchange: Exchange,
        at hostTime: HostTime
    ) -> Response? {
        guard let trial = rehearsal(request, path: path, of: exchange, at: hostTime) else { return nil }
        trial.work()
        return take(trial, of: exchange)
    }

    /// Prepares that response, which a worker may make; nil if the world of the exchange is gone.
    ///
    /// It comes with all effects at once, and nothing is journalled.
    ///
    /// `request` is the one of the exchange, or its translation for the emulation, whose path may differ.
    package func rehearsal(
        _ request: HTTPRequest,
        path: Path,
        of exchange: Exchange,
        at hostTime: HostTime
    ) -> SpeculativeWork<Response>? {
        guard let call = rehearsed(request, path: path, of: exchange, at: hostTime) else { return nil }
        let index = exchange.apiIndex
        let isSame = path.text == exchange.context.address.path.text
        let match = isSame ? exchange.context.match : route(call.method, path, of: index)
        return SpeculativeWork(exchange.hosted.world, [index]) { [api = apis[index]] world in
            world.withoutNoting(index) { world in
                var call = call
                let response = api.answer(&world, index, &call, match)
                for effect in call.effects { world.perform(effect, on: index, at: call.now) }
                return response.selected(for: call.request.head)
            }
        }
    }

    /// Returns the call that a rehearsal makes; nil if the world of the exchange is gone.
    private func rehearsed(
        _ request: HTTPRequest,
        path: Path,
        of exchange: Exchange,
        at hostTime: HostTime
    ) -> Call? {
        let (hosted, index) = (exchange.hosted, exchange.apiIndex)
        guard exchange.hasWorld, hosted === self.hosted(key: hosted.key) else { return nil }
        let now = hosted.world.tick(to: hostTime)
        var request = request
        request.reading = exchange.call.request.reading
        var call = Call(
            request: request,
            path: path,
            linkPrefix: exchange.context.address.linkPrefix,
            peer: exchange.context.peer,
            now: now,
            epoch: hosted.world.parts[index].epoch,
            requestID: "rehearsal"
        )
        call.isWorldRequired = configuration.isWorldRequired
        call.connection = exchange.call.connection
        call.prepared = exchange.call.prepared
        return call
    }

    /// Applies what a rehearsal did to the world of its exchange; nil if the world has changed since or is gone.
    package func take(_ rehearsal: SpeculativeWork<Response>, of exchange: Exchange) -> Response? {
        guard exchange.hosted === hosted(key: exchange.hosted.key) else { return nil }
        return rehearsal.take(over: &exchange.hosted.world)
    }

    /// Returns the emulation's response to a request that no client has sent, such as one of a recording.
    ///
    /// `source` finds the recording of the API's folder that answers it; nil where none does.
    package func rehearse(
        _ request: HTTPRequest,
        address: Address,
        peer: String,
        at hostTime: HostTime,
        source: (Exchange) -> ReplayResponder? = { _ in nil }
    ) -> Response? {
        guard case .api = address.destination else { return nil }
        let exchange = open(request.head, address: address, peer: peer, id: .max, at: hostTime)
        defer { exchanges[.max] = nil }
        guard world(of: exchange) != nil,
            var call = rehearsed(request, path: address.path, of: exchange, at: hostTime)
        else { return nil }
        exchange.call.request = request
        if let recorded = source(exchange) {
            exchange.use(recorded)
            let response = recorded.respond(
                to: &call,
                of: exchange,
                in: &exchange.hosted.world,
                of: self,
                isTrial: false
            )
            for effect in call.effects { exchange.hosted.world.perform(effect, on: exchange.apiIndex, at: call.now) }
            return response.selected(for: request.head)
        }
        return stubbed(&call, exchange, in: &exchange.hosted.world)?.selected(for: request.head)
            ?? rehearse(request, path: address.path, of: exchange, at: hostTime)
    }

    /// Returns the progress of a replay in the world of an exchange.
    package func replayState(of exchange: Exchange) -> (any Sendable)? {
        world(of: exchange)?.world.parts[exchange.apiIndex].replayState
    }

    /// Returns the name and the clock of the world that an address selects; of `main` when it selects none.
    package func worldReading(_ address: Address, at hostTime: HostTime) -> (name: String, now: Instant) {
        let name = address.namedWorlds.first ?? WorldName.main
        let hosted = self[world: name]
        return (name, hosted?.world.now(hostTime) ?? hostTime.wall)
    }
}
