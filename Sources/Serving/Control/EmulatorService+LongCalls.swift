import Backend
import Basics
import CivilTime
import Control
import Engine
import HTTPMessage
import Proxying
import Recording
import Transport
import Worlds

/// Work that takes too long for the loop. It waits in a line for a worker, and is refused when the line is full
/// (control contract, section 17).
extension EmulatorService {
    // MARK: Control calls

    /// Puts a control call into a line for a worker, and continues it with the result.
    private func queue<Value: Sendable>(
        _ exchange: Exchange,
        in line: WorkLine?,
        mustRun: Bool = false,
        _ job: @escaping @Sendable (Wanted) -> Value,
        then finish: @escaping (EmulatorService, Value) -> ResponseDecision
    ) -> ResponseDecision {
        let isTaken =
            line?.add(exchange.serverID, mustRun: mustRun, job) { [weak self] value in
                // The exchange may be gone, as after a body that did not arrive completely.
                guard let self, server?.assign(exchange.serverID, to: Self.noGroup) == true else { return }
                complete(exchange, finish(self, value))
            } refuse: { [weak self] in
                guard let self else { return }
                server?.complete(exchange.serverID, with: busyControl(exchange))
            } ?? false
        return isTaken ? .later(world: Self.noGroup) : .now(busyControl(exchange))
    }

    /// Has a worker read the body of a call; returns nil if the body is short enough for the loop.
    func readOnWorker(
        _ request: HTTPRequest,
        _ exchange: Exchange,
        _ id: ExchangeID,
        _ peer: Peer
    ) -> ResponseDecision? {
        let address = exchange.context.address
        guard let lines, let read = control.preparation(for: request, address: address, emulator: emulator) else {
            return nil
        }
        return queue(exchange, in: lines.orders) { _ in
            read()
        } then: { service, reading in
            var request = request
            request.reading = reading
            return service.respond(to: request, on: id, from: peer)
        }
    }

    /// Has a worker make the response to a control call.
    func run(_ work: ControlJob.Work, for exchange: Exchange, mustRun: Bool = false) -> ResponseDecision {
        guard let lines else { return finishCall(exchange, with: work.response(), hostTime) }
        let chosen = emulator.chosen
        let line =
            switch work.line {
            case .answers: lines.answers
            case .searches: lines.searches
            }
        return queue(exchange, in: line, mustRun: mustRun || work.mustRun) { wanted in
            work.response(wanted)
        } then: { service, response in
            service.emulator.chosen = chosen
            service.answersUnderWay.note(Self.size(response), to: exchange)
            return service.finishCall(exchange, with: response, service.hostTime)
        }
    }

    /// Has a worker read a world; the loop then puts it in place.
    func run(_ document: ControlJob.Import, for exchange: Exchange) -> ResponseDecision {
        let read = document.read
        return queue(exchange, in: lines?.imports) { _ in
            HandedOver<Result<World, Problem>?>(read())
        } then: { service, world in
            service.emulator.chosen.removeAll(keepingCapacity: true)
            let hostTime = service.hostTime
            let taken = Problem(.badRequest, "The document was taken already.")
            let result = world.value.take() ?? .failure(taken)
            return service.finishCall(exchange, with: document.finish(result, hostTime), hostTime)
        }
    }

    /// Has a worker read the long order of a call, then continues the call.
    func run(_ order: ControlJob.Reading, for exchange: Exchange) -> ResponseDecision {
        let read = order.read
        return queue(exchange, in: lines?.searches) { _ in
            read()
        } then: { service, outcome in
            service.emulator.chosen.removeAll(keepingCapacity: true)
            return service.carryOut(order.finish(outcome, service.hostTime), exchange)
        }
    }

    /// Reads a recording on a worker, then begins the mode and answers the call that requested it.
    func changeMode(
        _ prepare: @escaping @Sendable () -> Result<ModePreparation, RecordingError>,
        _ exchange: Exchange
    ) -> ResponseDecision {
        queue(exchange, in: lines?.imports) { _ in
            prepare()
        } then: { service, result in
            let response: Response
            do throws(Problem) {
                response = try service.proxy.begun(result)
                if case .success(let made) = result {
                    service.emulator.noteMode(made.order.mode.rawValue, api: made.order.api)
                }
            } catch {
                response = error.response
            }
            return .now(service.own(response, exchange.request.head, service.hostTime, exchange.context.address))
        }
    }

    /// Runs the steps of a call, one in each turn of the loop.
    func run(_ steps: ControlJob.Steps, for exchange: Exchange) -> ResponseDecision {
        if let response = steps.next(hostTime) { return finishCall(exchange, with: response, hostTime) }
        let chosen = emulator.chosen
        server?.schedule(after: .zero) { [weak self] in self?.step(steps, exchange, chosen) }
        return .later(world: Self.noGroup)
    }

    private func step(_ steps: ControlJob.Steps, _ exchange: Exchange, _ chosen: Set<Int>) {
        let hostTime = hostTime
        guard let response = steps.next(hostTime) else {
            server?.schedule(after: .zero) { [weak self] in self?.step(steps, exchange, chosen) }
            return
        }
        emulator.chosen = chosen
        complete(exchange, finishCall(exchange, with: response, hostTime))
    }

    // MARK: Requests to the APIs

    /// Puts a request into a line for a worker, and continues it with the result.
    func queueRequest<Value: Sendable>(
        _ exchange: Exchange,
        in line: WorkLine?,
        _ job: @escaping @Sendable () -> Value,
        then finish: @escaping (EmulatorService, Value) -> ResponseDecision
    ) -> ResponseDecision {
        emulator.awaitWorker(exchange)
        let isTaken =
            line?.add(exchange.serverID) { _ in
                job()
            } then: { [weak self] value in
                guard let self else { return }
                complete(exchange, finish(self, value))
            } refuse: { [weak self] in
                guard let self else { return }
                complete(exchange, busy(exchange))
            } ?? false
        return isTaken ? .later(world: Self.noGroup) : busy(exchange)
    }

    /// Has a worker prepare a request, then continues it.
    func prepare(_ exchange: Exchange, _ preparation: Emulator.PendingPreparation) -> ResponseDecision {
        let (run, request) = (preparation.run, exchange.request)
        let line = preparation.isSlow ? lines?.pictures : preparation.isEndless ? lines?.matches : lines?.bodies
        return queueRequest(exchange, in: line) {
            run(request)
        } then: { service, prepared in
            service.emulator.note(prepared, for: exchange)
            return service.answer(exchange)
        }
    }

    // MARK: Too much to do

    /// Refuses a request to an API, in the API's own form, because too many requests wait already.
    func busy(_ exchange: Exchange) -> ResponseDecision {
        let hostTime = hostTime
        let isRefused = emulator.refuse(
            exchange,
            .serviceUnavailable,
            Self.busyDetail,
            at: hostTime,
            retryAfter: Self.retrySeconds
        )
        guard isRefused else {
            let head = exchange.request.head
            log.note(head, .serviceUnavailable, exchange.context.peer, hostTime)
            return .now(own(Self.busyProblem.response, head, hostTime, exchange.context.address))
        }
        settleSoon()
        return .now(played(exchange))
    }

    /// Refuses a control call.
    func busyControl(_ exchange: Exchange) -> PlayableResponse {
        let head = exchange.request.head
        log.note(head, .serviceUnavailable, exchange.context.peer, hostTime, isControl: true)
        return own(Self.busyProblem.response, head, hostTime, exchange.context.address)
    }

    private static let retrySeconds = 1
    private static let busyDetail = "Too many requests are waiting. Try again soon."
    private static let busyProblem = Problem(.busy, busyDetail, fields: ["Retry-After": "\(retrySeconds)"])

    /// Answers a deferred exchange, or defers it further in the group that the decision names.
    func complete(_ exchange: Exchange, _ decision: ResponseDecision) {
        switch decision {
        case .now(let answer): server?.complete(exchange.serverID, with: answer)
        case .later(let world): server?.assign(exchange.serverID, to: world)
        }
    }

    private static func size(_ response: Response) -> Int {
        guard case .steps = response.body, case .length(let count)? = response.framing else { return 0 }
        return count
    }
}
