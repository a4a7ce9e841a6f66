import Backend
import CivilTime
import Control
package import Engine
package import HTTPMessage
import Proxying
import Transport

/// Work that takes too long for the loop (control contract, section 17). A worker does it in a copy of the world, one job
/// per part at a time, and the loop takes the result over.
extension EmulatorService {
    /// Returns whether the answer to a request takes longer to make, or to be read, than the loop can spare.
    func takesLong(_ exchange: Exchange) -> Bool {
        lines != nil && (emulator.takesLong(exchange) || emulator.readsLong(exchange, at: hostTime))
    }

    /// Tells whether a worker is looking at a part of a world, for which a request to it may have to wait.
    var mayWait: Bool { lines != nil && !partQueues.isEmpty }

    /// Has a worker make the response to a request that takes long, then answers the request by `finish`; returns nil if
    /// the loop can do that at once.
    ///
    /// The response belongs to the moment at which the work began. A running clock advances meanwhile.
    func speculate(
        _ exchange: Exchange,
        takesLong: Bool,
        then finish: @escaping (SpeculativeResponse?, HostTime) -> ResponseDecision
    ) -> ResponseDecision? {
        guard takesLong || mayWait else { return nil }
        let part = emulator.part(of: exchange)
        // What a worker is looking at must not be made out of date on the loop.
        guard takesLong || !partQueues.isFree(part) else { return nil }
        guard partQueues.count(part, ofCalls: false) < limits.jobs else { return busy(exchange) }
        emulator.awaitWorker(exchange)
        let turn = PartQueues.Turn(exchange: exchange) { [weak self] hostTime in
            guard let self, let speculativeResponse = emulator.speculativeResponse(of: exchange, in: part, at: hostTime)
            else { return nil }
            return PartQueues.Attempt(work: { speculativeResponse.work() }) { [weak self] in
                guard let self, emulator.holds(speculativeResponse, in: part, at: hostTime) else { return false }
                complete(exchange, finish(speculativeResponse, hostTime))
                return true
            }
        } inPlace: { [weak self] hostTime in
            self?.complete(exchange, finish(nil, hostTime))
        }
        lineUp(turn, part)
        return .later(world: Self.noGroup)
    }

    /// Has a worker do the work of a control call on a large part of a world; it precedes the requests in line.
    func run(_ work: ControlJob.PartWork, for exchange: Exchange) -> ResponseDecision {
        guard server != nil else { return finishCall(exchange, with: work.inPlace(hostTime), hostTime) }
        guard partQueues.count(work.part, ofCalls: true) < limits.jobs else { return .now(busyControl(exchange)) }
        let turn = PartQueues.Turn(exchange: exchange) { hostTime in
            guard let attempt = work.begin(hostTime) else { return nil }
            return PartQueues.Attempt(work: attempt.work) { [weak self] in
                guard let self else { return true }
                emulator.chosen.removeAll(keepingCapacity: true)
                guard let response = attempt.finish() else { return false }
                complete(exchange, finishCall(exchange, with: response, hostTime))
                return true
            }
        } inPlace: { [weak self] hostTime in
            guard let self else { return }
            emulator.chosen.removeAll(keepingCapacity: true)
            complete(exchange, finishCall(exchange, with: work.inPlace(hostTime), hostTime))
        }
        lineUp(turn, work.part, first: true)
        return .later(world: Self.noGroup)
    }

    /// Has a worker compute the endpoints' responses to requests that a gate has released.
    package func answerAside(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            let part = emulator.part(of: exchange)
            func resume(_ speculativeResponse: SpeculativeResponse?, _ hostTime: HostTime) {
                guard emulator.resume(exchange, speculative: speculativeResponse, at: hostTime), !exchange.isHeld else {
                    return
                }
                resumed([exchange])
            }
            let turn = PartQueues.Turn(exchange: nil) { [weak self] hostTime in
                guard let speculativeResponse = self?.emulator.speculativeResponse(of: exchange, in: part, at: hostTime)
                else { return nil }
                return PartQueues.Attempt(work: { speculativeResponse.work() }) { [weak self] in
                    guard let self, emulator.holds(speculativeResponse, in: part, at: hostTime) else { return false }
                    resume(speculativeResponse, hostTime)
                    return true
                }
            } inPlace: { hostTime in
                resume(nil, hostTime)
            }
            lineUp(turn, part)
        }
    }

    package func rehearse(
        _ request: HTTPRequest,
        path: Path,
        of exchange: Exchange,
        then finish: @escaping (Response?) -> Void
    ) {
        let part = emulator.part(of: exchange)
        guard server != nil, emulator.takesLong(exchange) || !partQueues.isFree(part) else {
            return finish(emulator.rehearse(request, path: path, of: exchange, at: hostTime))
        }
        let turn = PartQueues.Turn(exchange: nil) { [weak self] hostTime in
            guard let self, let trial = emulator.rehearsal(request, path: path, of: exchange, at: hostTime) else {
                return nil
            }
            return PartQueues.Attempt(work: { trial.work() }) { [weak self] in
                guard let self, let response = emulator.take(trial, of: exchange) else { return false }
                finish(response)
                return true
            }
        } inPlace: { [weak self] hostTime in
            finish(self?.emulator.rehearse(request, path: path, of: exchange, at: hostTime))
        }
        lineUp(turn, part)
    }

    private func lineUp(_ turn: PartQueues.Turn, _ part: LargePart, first: Bool = false) {
        if partQueues.add(turn, to: part, first: first) { begin(turn, part) }
    }

    private func begin(_ turn: PartQueues.Turn, _ part: LargePart, attempts: Int = 0) {
        // The client has gone.
        if let exchange = turn.exchange, server?.assign(exchange.serverID, to: Self.noGroup) != true {
            return next(part)
        }
        let hostTime = hostTime
        // The result can't be predicted while other requests keep changing the part.
        guard attempts < Self.mostAttempts, let lines, let attempt = turn.attempt(hostTime) else {
            turn.inPlace(hostTime)
            return next(part)
        }
        let work = attempt.work
        // The line of the part has to continue even when the client has gone.
        _ = lines.parts.add(nil, mustRun: true) { _ in
            work()
        } then: { [weak self] _ in
            guard let self else { return }
            if let exchange = turn.exchange, server?.assign(exchange.serverID, to: Self.noGroup) != true {
                return next(part)
            }
            if attempt.finish() { next(part) } else { begin(turn, part, attempts: attempts + 1) }
        }
    }

    private static let mostAttempts = 16

    private func next(_ part: LargePart) {
        guard let turn = partQueues.next(part) else { return }
        // Scheduled instead of called: a line of thousands of gone clients would recurse as deep.
        server?.schedule(after: .zero) { [weak self] in self?.begin(turn, part) }
    }
}

/// The work in line for each large part; the first item is in progress.
struct PartQueues {
    /// One try at a piece of work, begun at one moment.
    struct Attempt {
        /// Does the work, on any thread.
        let work: @Sendable () -> Void
        /// Takes the result over; returns false if the part has changed meanwhile.
        let finish: () -> Bool
    }

    /// A piece of work on a part.
    struct Turn {
        /// The exchange that waits for the work; nil if it has to be done in any case.
        let exchange: Exchange?
        /// Begins an attempt; returns nil if nothing is left to do on a worker.
        let attempt: (HostTime) -> Attempt?
        /// Does all of it on the loop.
        let inPlace: (HostTime) -> Void
    }

    private var waiting: [LargePart: [Turn]] = [:]

    /// Adds work at the end of the line, or before all work that has not begun; returns true if it may begin at once.
    mutating func add(_ turn: Turn, to part: LargePart, first: Bool = false) -> Bool {
        guard waiting[part] == nil else {
            if first { waiting[part]?.insert(turn, at: 0) } else { waiting[part]?.append(turn) }
            return false
        }
        waiting[part] = []
        return true
    }

    /// Tells whether no work is in progress or waiting.
    var isEmpty: Bool { waiting.isEmpty }

    /// Tells whether no work on a part is in progress or waiting.
    func isFree(_ part: LargePart) -> Bool { waiting[part] == nil }

    /// The number of control calls or of requests that wait for work on a part.
    func count(_ part: LargePart, ofCalls isCall: Bool) -> Int {
        waiting[part]?.count { $0.exchange.map { ($0.context.apiIndex == nil) == isCall } ?? false } ?? 0
    }

    /// Returns the next piece of work of a line whose first is done.
    ///
    /// What clients have asked for that may have gone comes last.
    mutating func next(_ part: LargePart) -> Turn? {
        guard let line = waiting[part], !line.isEmpty else {
            waiting[part] = nil
            return nil
        }
        return waiting[part]?.remove(at: line.firstIndex { $0.exchange?.peerHasEnded != true } ?? 0)
    }
}
