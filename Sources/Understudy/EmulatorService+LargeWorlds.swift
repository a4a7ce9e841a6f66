import CivilTime
import Control
import Emulation
import HTTPMessage
import Transport

/// Work on worlds so large that a look through their rows takes longer than the loop has (control contract, section 17):
/// a worker does it in a copy, one piece of work on a part after the other, and the loop takes it over.
extension EmulatorService {
    /// Has a worker find out what the endpoint makes of a request to a large world, then answers it by `finish`; nil if its
    /// world is none.
    ///
    /// The answer is that of the moment in which the work began: a clock that runs goes on meanwhile.
    func aside(
        _ exchange: Exchange,
        then finish: @escaping (Foresight?, HostTime) -> ResponseDecision
    ) -> ResponseDecision? {
        guard server != nil, let part = emulator.largePart(for: exchange) else { return nil }
        // Nothing of it is looked at elsewhere that a change on the loop would make out of date.
        if largeLines.isFree(part), emulator.worksOnFewRows(exchange) { return nil }
        emulator.awaitWorker(exchange)
        let turn = LargeLines.Turn(exchange: exchange) { [weak self] hostTime in
            guard let self, let foresight = emulator.foresight(of: exchange, in: part, at: hostTime) else { return nil }
            return LargeLines.Attempt(work: { foresight.work() }) { [weak self] in
                guard let self, emulator.holds(foresight, in: part, at: hostTime) else { return false }
                complete(exchange, finish(foresight, hostTime))
                return true
            }
        } inPlace: { [weak self] hostTime in
            self?.complete(exchange, finish(nil, hostTime))
        }
        lineUp(turn, part)
        return .later(world: Self.noGroup)
    }

    /// Has a worker do what a control call does to a large part of a world; it goes before the requests in line.
    func doing(_ aside: ControlJob.PartWork, _ exchange: Exchange) -> ResponseDecision {
        guard server != nil else { return told(aside.inPlace(hostTime), exchange, hostTime) }
        let turn = LargeLines.Turn(exchange: exchange) { hostTime in
            guard let attempt = aside.begin(hostTime) else { return nil }
            return LargeLines.Attempt(work: attempt.work) { [weak self] in
                guard let self else { return true }
                emulator.chosen.removeAll(keepingCapacity: true)
                guard let response = attempt.finish() else { return false }
                complete(exchange, told(response, exchange, hostTime))
                return true
            }
        } inPlace: { [weak self] hostTime in
            guard let self else { return }
            emulator.chosen.removeAll(keepingCapacity: true)
            complete(exchange, told(aside.inPlace(hostTime), exchange, hostTime))
        }
        lineUp(turn, aside.part, first: true)
        return .later(world: Self.noGroup)
    }

    /// Has a worker find out what the endpoints make of requests that a gate has let go.
    func answerAside(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            let part = emulator.part(of: exchange)
            func resume(_ foresight: Foresight?, _ hostTime: HostTime) {
                guard emulator.resume(exchange, foreseen: foresight, at: hostTime), !exchange.isHeld else { return }
                resumed([exchange])
            }
            let turn = LargeLines.Turn(exchange: nil) { [weak self] hostTime in
                guard let foresight = self?.emulator.foresight(of: exchange, in: part, at: hostTime) else { return nil }
                return LargeLines.Attempt(work: { foresight.work() }) { [weak self] in
                    guard let self, emulator.holds(foresight, in: part, at: hostTime) else { return false }
                    resume(foresight, hostTime)
                    return true
                }
            } inPlace: { hostTime in
                resume(nil, hostTime)
            }
            lineUp(turn, part)
        }
    }

    private func lineUp(_ turn: LargeLines.Turn, _ part: LargePart, first: Bool = false) {
        if largeLines.add(turn, to: part, first: first) { begin(turn, part) }
    }

    private func begin(_ turn: LargeLines.Turn, _ part: LargePart, attempts: Int = 0) {
        // Nobody is there any more who would take it.
        if let exchange = turn.exchange, server?.assign(exchange.serverID, to: Self.noGroup) != true {
            return next(part)
        }
        let hostTime = hostTime
        // What others change all the time can't be foreseen.
        guard attempts < Self.mostAttempts, let lines, let attempt = turn.attempt(hostTime) else {
            turn.inPlace(hostTime)
            return next(part)
        }
        let work = attempt.work
        // The line of its part has to go on, also when its client has gone.
        _ = lines.bodies.add(nil, mustRun: true) { _ in
            work()
        } then: { [weak self] _ in
            guard let self else { return }
            if let exchange = turn.exchange, server?.assign(exchange.serverID, to: Self.noGroup) != true {
                return next(part)
            }
            if attempt.finish() { next(part) } else { begin(turn, part, attempts: attempts + 1) }
        }
    }

    private static let mostAttempts = 4

    private func next(_ part: LargePart) {
        guard let turn = largeLines.next(part) else { return }
        // Not from within: a line of thousands that have left would go as deep.
        server?.schedule(after: .zero) { [weak self] in self?.begin(turn, part) }
    }
}

/// The work that waits for each large part, the first of which is being done.
struct LargeLines {
    /// Work that was begun at one moment.
    struct Attempt {
        /// Does it, on any thread.
        let work: @Sendable () -> Void
        /// Takes it over; false if something has changed meanwhile.
        let finish: () -> Bool
    }

    /// A piece of work on a part.
    struct Turn {
        /// The exchange that waits for it; nil for what has to be done in any case.
        let exchange: Exchange?
        /// Begins; nil if there is nothing to be done elsewhere any more.
        let attempt: (HostTime) -> Attempt?
        /// Does all of it on the loop.
        let inPlace: (HostTime) -> Void
    }

    private var waiting: [LargePart: [Turn]] = [:]

    /// Puts work at the end of the line, or before all that has not begun; true if it is its turn at once.
    mutating func add(_ turn: Turn, to part: LargePart, first: Bool = false) -> Bool {
        guard waiting[part] == nil else {
            if first { waiting[part]?.insert(turn, at: 0) } else { waiting[part]?.append(turn) }
            return false
        }
        waiting[part] = []
        return true
    }

    /// Tells that no work on a part is being done, and that none waits.
    func isFree(_ part: LargePart) -> Bool { waiting[part] == nil }

    /// The next one of a line whose first is done.
    mutating func next(_ part: LargePart) -> Turn? {
        guard waiting[part]?.isEmpty == false else {
            waiting[part] = nil
            return nil
        }
        return waiting[part]?.removeFirst()
    }
}
