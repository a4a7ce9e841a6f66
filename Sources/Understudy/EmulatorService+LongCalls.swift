import CivilTime
import Control
import Emulation
import HTTPMessage
import Transport

/// Work that takes longer than the loop has: it waits in a line for a worker, and is refused when too much waits (control
/// contract, section 17).
extension EmulatorService {
    /// Has a worker read the body of a call, where that takes longer than the loop has; nil where it does not.
    func readingControl(
        _ request: HTTPRequest,
        _ address: Address,
        _ exchange: ExchangeID,
        _ peer: Peer
    ) -> ResponseDecision? {
        guard let lines, let read = control.preparation(for: request, address: address, emulator: emulator) else {
            return nil
        }
        let origin = CallOrigin(exchange: exchange, head: request.head, address: address, peer: peer)
        let isTaken = lines.orders.add(exchange) { _ in
            read()
        } then: { [weak self] reading in
            // Nobody may be there any more who would be told, as if the body had not come whole.
            guard let self, server?.assign(exchange, to: Self.noGroup) == true else { return }
            var request = request
            request.reading = reading
            complete(exchange, respond(to: request, on: exchange, from: peer))
        } refuse: { [weak self] in
            self?.refuseBusy(origin)
        }
        guard isTaken else { return .now(busy(origin)) }
        return .later(world: Self.noGroup)
    }

    /// Has a worker make the answer of a control call.
    func doing(_ work: ControlWork, _ origin: CallOrigin, mustRun: Bool = false) -> ResponseDecision {
        guard let lines else { return told(work.response(), origin, hostTime) }
        let chosen = emulator.chosen
        let line =
            switch work.line {
            case .answers: lines.answers
            case .searches: lines.searches
            }
        let isTaken = line.add(origin.exchange, mustRun: mustRun) { wanted in
            work.response(wanted)
        } then: { [weak self] response in
            // Nobody may be there any more who would take it.
            guard let self, server?.assign(origin.exchange, to: Self.noGroup) == true else { return }
            emulator.chosen = chosen
            answersUnderWay.note(Self.size(response), to: origin.exchange.serial)
            complete(origin.exchange, told(response, origin, hostTime))
        } refuse: { [weak self] in
            self?.refuseBusy(origin)
        }
        guard isTaken else { return .now(busy(origin)) }
        return .later(world: Self.noGroup)
    }

    /// Has a worker read a world, which takes its place on the loop.
    func reading(_ document: ControlImport, _ origin: CallOrigin) -> ResponseDecision {
        let read = document.read
        let isTaken =
            lines?.imports.add(origin.exchange) { _ in
                ReadWorld(read())
            } then: { [weak self] world in
                guard let self else { return }
                emulator.chosen.removeAll(keepingCapacity: true)
                let hostTime = hostTime
                complete(origin.exchange, told(document.finish(world.take(), hostTime), origin, hostTime))
            } refuse: { [weak self] in
                self?.refuseBusy(origin)
            } ?? false
        guard isTaken else { return .now(busy(origin)) }
        return .later(world: Self.noGroup)
    }

    /// Has a worker read the long order of a call, then goes on with it.
    func reading(_ order: ControlReading, _ origin: CallOrigin) -> ResponseDecision {
        let read = order.read
        let isTaken =
            lines?.searches.add(origin.exchange) { _ in
                read()
            } then: { [weak self] outcome in
                guard let self else { return }
                emulator.chosen.removeAll(keepingCapacity: true)
                complete(origin.exchange, answering(order.finish(outcome, hostTime), origin))
            } refuse: { [weak self] in
                self?.refuseBusy(origin)
            } ?? false
        guard isTaken else { return .now(busy(origin)) }
        return .later(world: Self.noGroup)
    }

    /// Does the steps of a call, one in each turn.
    func stepping(_ steps: ControlSteps, _ origin: CallOrigin) -> ResponseDecision {
        if let response = steps.next(hostTime) { return told(response, origin, hostTime) }
        let chosen = emulator.chosen
        server?.schedule(after: .zero) { [weak self] in self?.step(steps, origin, chosen) }
        return .later(world: Self.noGroup)
    }

    private func step(_ steps: ControlSteps, _ origin: CallOrigin, _ chosen: Set<Int>) {
        let hostTime = hostTime
        guard let response = steps.next(hostTime) else {
            server?.schedule(after: .zero) { [weak self] in self?.step(steps, origin, chosen) }
            return
        }
        emulator.chosen = chosen
        complete(origin.exchange, told(response, origin, hostTime))
    }

    /// Has a worker prepare a request, then goes on with it.
    func preparing(
        _ preparation: Emulator.PendingPreparation,
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer
    ) -> ResponseDecision {
        let line = preparation.isSlow ? lines?.pictures : lines?.bodies
        let run = preparation.run
        let isTaken =
            line?.add(exchange) { _ in
                run(request)
            } then: { [weak self] value in
                guard let self else { return }
                prepared[exchange.serial] = value
                complete(exchange, answering(request, address, index, exchange, peer))
            } refuse: { [weak self] in
                guard let self else { return }
                complete(exchange, busy(request, address, exchange, peer))
            } ?? false
        return isTaken ? .later(world: Self.noGroup) : busy(request, address, exchange, peer)
    }

    /// Answers a request that is ready for it: by its mode, aside where its world is large, or at once.
    func answering(
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer
    ) -> ResponseDecision {
        byMode(request, address, index, exchange, peer)
            ?? aside(request, address, index, exchange, peer) { [self] foresight, hostTime in
                dispose(request, address, index, exchange, peer, hostTime, foreseen: foresight)
            }
            ?? dispose(request, address, index, exchange, peer, hostTime)
    }

    // MARK: Too much to do

    /// Refuses a request to an API, in its own form, since too much waits already.
    func busy(_ request: HTTPRequest, _ address: Address, _ exchange: ExchangeID, _ peer: Peer) -> ResponseDecision {
        let hostTime = hostTime
        let refusal = emulator.refuse(
            request.head,
            .serviceUnavailable,
            Self.busyDetail,
            address: address,
            peer: peer.host,
            exchange: exchange.serial,
            at: hostTime,
            retryAfter: Self.retrySeconds
        )
        log.note(request.head, .serviceUnavailable, peer, hostTime)
        guard let refusal else { return .now(own(Self.busyFault.response, request.head, hostTime, address)) }
        settleSoon()
        return .now(played(refusal))
    }

    /// Refuses a control call.
    func busy(_ origin: CallOrigin) -> PlayableResponse {
        log.note(origin.head, .serviceUnavailable, origin.peer, hostTime, isControl: true)
        return own(Self.busyFault.response, origin.head, hostTime, origin.address)
    }

    private func refuseBusy(_ origin: CallOrigin) { server?.complete(origin.exchange, with: busy(origin)) }

    private static let retrySeconds = 1
    private static let busyDetail = "Too many requests wait for a worker. Try again soon."
    private static let busyFault = Problem(.busy, busyDetail, fields: ["Retry-After": "\(retrySeconds)"])

    /// Answers an exchange that was left for later, or goes on leaving it.
    func complete(_ exchange: ExchangeID, _ disposition: ResponseDecision) {
        switch disposition {
        case .now(let answer): server?.complete(exchange, with: answer)
        case .later(let world): server?.assign(exchange, to: world)
        }
    }

    private static func size(_ response: Response) -> Int {
        guard case .steps = response.body, case .length(let count)? = response.framing else { return 0 }
        return count
    }
}

/// A world on its way from the worker that read it to the loop.
///
/// Unchecked: nobody else has it, and it is taken out once.
private final class ReadWorld: @unchecked Sendable {
    private var result: Result<World, Problem>?

    init(_ result: Result<World, Problem>) { self.result = result }

    func take() -> Result<World, Problem> {
        defer { result = nil }
        return result ?? .failure(Problem(.badRequest, "The document was taken already."))
    }
}
