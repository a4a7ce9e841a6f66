import CivilTime
import Control
import Emulation
import HTTPMessage
import Transport

/// Control calls that take longer than the loop has: their work is done by a worker over what was taken of the worlds when
/// they came (control contract, section 17).
extension EmulatorService {
    /// Has a worker read the body of a call, where that takes longer than the loop has; nil where it does not.
    func readingControl(
        _ request: Request,
        _ address: Address,
        _ exchange: ExchangeID,
        _ peer: Peer
    ) -> Disposition? {
        guard let read = control.preparation(for: request, address: address, emulator: emulator) else { return nil }
        elsewhere {
            read()
        } then: { [self] reading in
            // Nobody is there any more who would be told, as if the body had not come whole.
            guard server?.assign(exchange, to: Self.noGroup) == true else { return }
            var request = request
            request.reading = reading
            switch respond(to: request, on: exchange, from: peer) {
            case .now(let answer): server?.complete(exchange, with: answer)
            case .later(let world): server?.assign(exchange, to: world)
            }
        }
        return .later(world: Self.noGroup)
    }

    /// Has a worker make the answer.
    func doing(_ work: ControlWork, _ origin: CallOrigin) -> Disposition {
        let chosen = emulator.chosen
        elsewhere {
            work.response()
        } then: { [self] response in
            // Nobody is there any more who would take it.
            guard server?.assign(origin.exchange, to: Self.noGroup) == true else { return }
            emulator.chosen = chosen
            longCalls.note(Self.size(response), to: origin.exchange.serial)
            complete(origin, told(response, origin, real))
        }
        return .later(world: Self.noGroup)
    }

    /// Has a worker read a world, which takes its place on the loop.
    func reading(_ document: ControlImport, _ origin: CallOrigin) -> Disposition {
        let read = document.read
        elsewhere {
            ReadWorld(read())
        } then: { [self] world in
            emulator.chosen.removeAll(keepingCapacity: true)
            let real = real
            complete(origin, told(document.finish(world.take(), real), origin, real))
        }
        return .later(world: Self.noGroup)
    }

    /// Does the steps of a call, one in each turn.
    func stepping(_ steps: ControlSteps, _ origin: CallOrigin) -> Disposition {
        if let response = steps.next(real) { return told(response, origin, real) }
        let chosen = emulator.chosen
        server?.schedule(after: .zero) { [weak self] in self?.step(steps, origin, chosen) }
        return .later(world: Self.noGroup)
    }

    private func step(_ steps: ControlSteps, _ origin: CallOrigin, _ chosen: Set<Int>) {
        let real = real
        guard let response = steps.next(real) else {
            server?.schedule(after: .zero) { [weak self] in self?.step(steps, origin, chosen) }
            return
        }
        emulator.chosen = chosen
        complete(origin, told(response, origin, real))
    }

    /// Has a worker do something when those before it are done; without one that is free it is done here.
    func elsewhere<Value: Sendable>(
        _ job: @escaping @Sendable () -> Value,
        then finish: @escaping (Value) -> Void
    ) {
        longCalls.add { [weak self] in
            guard let self else { return }
            let isTaken = server?.workers.submit(job) { [weak self] value in
                guard let self else { return }
                longCalls.ended()
                finish(value)
                startLongCall()
            }
            guard isTaken != true else { return }
            longCalls.ended()
            finish(job())
        }
        startLongCall()
    }

    /// Begins the next of the calls that wait for a worker, if it may begin.
    func startLongCall() {
        while let start = longCalls.next() { start() }
    }

    private func complete(_ origin: CallOrigin, _ disposition: Disposition) {
        if case .now(let answer) = disposition { server?.complete(origin.exchange, with: answer) }
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
    private var result: Result<World, ControlFault>?

    init(_ result: Result<World, ControlFault>) { self.result = result }

    func take() -> Result<World, ControlFault> {
        defer { result = nil }
        return result ?? .failure(ControlFault(.badRequest, "The document was taken already."))
    }
}
