package import Backend
import CivilTime
package import Conditions
import HTTPMessage
import Worlds

extension Emulator {
    /// Holds a request at the next gate of phase *before*, and notes the request as faults and matchers see it.
    func holdBefore(_ exchange: Exchange) -> Progress {
        guard !exchange.hasNoFaults else { return .next }
        identify(exchange)
        let subject = noteSubject(exchange)
        guard let gate = exchange.hosted.world.gates.next(.before, after: exchange.passedBefore, for: subject) else {
            return .next
        }
        exchange.passedBefore = gate.ordinal
        return hold(exchange, at: gate)
    }

    /// Holds a response at the next gate of phase *after*.
    func holdAfter(_ exchange: Exchange) -> Progress {
        // The response is there.
        exchange.dropSpeculation()
        guard let subject = exchange.subject,
            let gate = exchange.hosted.world.gates.next(.after, after: exchange.passedAfter, for: subject)
        else { return .next }
        exchange.passedAfter = gate.ordinal
        return hold(exchange, at: gate)
    }

    /// Notes the request with its route and its user, expired or not, wherever the route has the credential.
    func noteSubject(_ exchange: Exchange) -> MatchSubject {
        let subject = subject(of: &exchange.call, exchange, in: exchange.hosted.world)
        exchange.subject = subject
        return subject
    }

    /// Notes the route and the user of a call, and returns it as matchers see it.
    func subject(of call: inout Call, _ exchange: Exchange, in world: World) -> MatchSubject {
        let (api, index) = (apis[exchange.apiIndex], exchange.apiIndex)
        if case .endpoint(let place, let parameters) = exchange.context.match {
            call.route = api.routes[place].template
            call.parameters = parameters
        }
        call.user = credential(of: call.request, api: index, match: exchange.context.match).flatMap {
            api.user(world, index, $0)
        }
        return MatchSubject(call, api: api.identity.name, user: call.user)
    }

    private func hold(_ exchange: Exchange, at gate: Gate) -> Progress {
        exchange.stop(at: gate.name)
        // It is out of date when the gate lets the request go, and may be as large as an answer can be.
        exchange.dropSpeculation()
        if exchange.stage == .gateBefore, let subject = exchange.subject, exchange.call.route == nil {
            noteStubPath(exchange, subject)
            exchange.isRouteForeseen = exchange.call.route != nil
        }
        open(exchange, showsResponse: exchange.stage == .gateAfter)
        exchange.hosted.held.append(exchange)
        noteLine(of: exchange)
        noteGate(
            gate.name,
            "held",
            exchange.openEntry.map { ($0.id, exchange.journalEntry) },
            in: exchange.hosted,
            scope: apiNames[exchange.apiIndex]
        )
        return .wait
    }

    // MARK: Release

    /// Returns the journal keys of the requests that a gate holds, in the order in which they came.
    package func held(by gate: String, in hosted: HostedWorld) -> [String] {
        hosted.held.filter { $0.state == .held(gate: gate) }.compactMap { $0.openEntry?.id }
    }

    /// Returns whether a gate holds a request.
    package func holdsAnything(_ gate: String, in hosted: HostedWorld) -> Bool {
        hosted.held.contains { $0.state == .held(gate: gate) && $0.openEntry != nil }
    }

    /// Returns the journal keys of the requests that each gate of a world holds, oldest first.
    package func heldByGate(in hosted: HostedWorld) -> [String: [String]] {
        var held: [String: [String]] = [:]
        for exchange in hosted.held {
            if case .held(let gate) = exchange.state, let id = exchange.openEntry?.id {
                held[gate, default: []].append(id)
            }
        }
        return held
    }

    /// The requests that a release let go.
    package struct Release {
        /// Their journal keys, in the order of the release.
        package var ids: [String] = []
        /// Those that have resumed; one that another gate holds is not among them.
        package var resumed: [Exchange] = []
        /// Those whose response a worker is to make, because it takes long.
        package var unanswered: [Exchange] = []
    }

    /// Releases requests: those of these ids in that order, or the oldest ones up to a number, or all.
    package func release(
        _ gate: String,
        in hosted: HostedWorld,
        ids: [String]? = nil,
        count: Int? = nil,
        effect: FaultSpec? = nil,
        at hostTime: HostTime
    ) -> Release {
        // Thousands may be held, so each is looked up and removed once.
        var waiting: [String: Exchange] = [:]
        var order: [String] = []
        for exchange in hosted.held where exchange.state == .held(gate: gate) {
            guard let id = exchange.openEntry?.id else { continue }
            waiting[id] = exchange
            order.append(id)
        }
        if let ids { order = ids.filter { waiting[$0] != nil } }
        if let count { order = Array(order.prefix(count)) }
        let leaving = Set(order)
        hosted.held.removeAll {
            $0.state == .held(gate: gate) && $0.openEntry.map { leaving.contains($0.id) } == true
        }
        hosted.world.gates.noteReleased(gate, of: leaving.count)
        var release = Release()
        var left = waiting.count
        for id in order {
            guard let exchange = waiting.removeValue(forKey: id) else { continue }
            left -= 1
            let scope = apiNames[exchange.apiIndex]
            noteGate(gate, "released", (id, exchange.journalEntry), held: left, in: hosted, scope: scope)
            exchange.ordered = effect
            release.ids.append(id)
            exchange.state = .awaitingWorker
            let isUnanswered = exchange.stage == .gateBefore && !exchange.responder.isAwaited
            if isUnanswered && takesLong(exchange) || readsLong(exchange, at: hostTime) {
                release.unanswered.append(exchange)
                continue
            }
            resume(exchange, at: hostTime)
            if !exchange.isHeld { release.resumed.append(exchange) }
        }
        return release
    }

    /// Resumes an exchange that a gate has released, at the present time of the world's clock.
    func resume(_ exchange: Exchange, at hostTime: HostTime) {
        exchange.leaveGate(at: hostTime)
        exchange.began = nil
        let hosted = exchange.hosted
        let now = hosted.world.tick(to: hostTime)
        if exchange.stage == .gateBefore {
            exchange.call = exchange.call.renewed(at: now, hosted.world.parts[exchange.apiIndex].epoch)
        } else {
            exchange.hostTime = hostTime
            applyOrder(to: exchange)
        }
        advance(exchange, at: hostTime)
    }

    /// Resumes a request that a gate has released, with the results of a worker.
    ///
    /// Returns false if it was cut since.
    package func resume(_ exchange: Exchange, speculative: SpeculativeResponse?, at hostTime: HostTime) -> Bool {
        guard isUnderWay(exchange) else { return false }
        exchange.speculate(speculative)
        resume(exchange, at: hostTime)
        return true
    }

    func isUnderWay(_ exchange: Exchange) -> Bool {
        exchange.state != .ended && exchange.journalEntry != nil && !exchange.isOutdated
    }

    /// Removes the requests that gates hold in a world, or of one API in it; their exchanges are being cut.
    package func forgetHeld(in hosted: HostedWorld, api: Int?) {
        hosted.held.removeAll { api == nil || $0.apiIndex == api }
    }

    /// Removes an exchange from its gate because its client has left (control contract, section 19).
    package func leaveGate(_ exchange: Exchange) {
        guard exchange.journalEntry != nil else { return }
        exchange.hosted.held.removeAll { $0 === exchange }
    }

    // MARK: The start

    /// Adds the faults and the latency of the start to a world that is new or was reset.
    package func bringStartConditions(to hosted: HostedWorld, api: Int? = nil) {
        let name = api.map { apis[$0].identity.name }
        for spec in startFaults where name == nil || spec.matcher.api == name { hosted.world.faults.add(spec, .start) }
        if let startLatency, name == nil { hosted.world.latency.set(startLatency, .start, scope: nil) }
    }
}
