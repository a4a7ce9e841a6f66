import CivilTime
import Emulation
import HTTPMessage
import Transport

/// Requests to worlds so large that a look through their rows takes longer than the loop has (control contract, section
/// 17): a worker does the endpoint's work in a copy, one request of a part after the other, and the loop takes it over.
extension EmulatorService {
    /// Puts a request to a large world in line; nil if its world is none.
    func aside(
        _ request: Request,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer
    ) -> Disposition? {
        guard server != nil, let part = emulator.largePart(for: request, address: address, api: index) else {
            return nil
        }
        let turn = LargeLines.Turn(request: request, address: address, exchange: exchange, peer: peer)
        if largeLines.add(turn, to: part) { begin(turn, part) }
        return .later(world: Self.noGroup)
    }

    private func begin(_ turn: LargeLines.Turn, _ part: LargePart, attempt: Int = 0) {
        // Nobody is there any more who would take it.
        guard server?.assign(turn.exchange, to: Self.noGroup) == true else { return next(part) }
        let real = real
        // What others change all the time can't be foreseen.
        guard attempt < Self.mostAttempts,
            let foresight = emulator.foresight(
                of: turn.request,
                address: turn.address,
                peer: turn.peer.host,
                in: part,
                at: real
            )
        else { return end(turn, part, nil, real) }
        // The line of its part has to go on, also when its client has gone.
        _ = lines?.bodies.add(nil, mustRun: true) { _ in
            foresight.work()
        } then: { [weak self] _ in
            guard let self else { return }
            let real = self.real
            if emulator.holds(foresight, in: part, at: real) {
                end(turn, part, foresight, real)
            } else {
                begin(turn, part, attempt: attempt + 1)
            }
        }
    }

    private static let mostAttempts = 4

    private func end(_ turn: LargeLines.Turn, _ part: LargePart, _ foresight: Foresight?, _ real: RealTime) {
        let disposition = dispose(
            turn.request,
            turn.address,
            part.api,
            turn.exchange,
            turn.peer,
            real,
            foreseen: foresight
        )
        switch disposition {
        case .now(let answer): server?.complete(turn.exchange, with: answer)
        case .later(let world): server?.assign(turn.exchange, to: world)
        }
        next(part)
    }

    private func next(_ part: LargePart) {
        guard let turn = largeLines.next(part) else { return }
        // Not from within: a line of thousands that have left would go as deep.
        server?.schedule(after: .zero) { [weak self] in self?.begin(turn, part) }
    }
}

/// The requests that wait for each large part, the first of which is being worked on.
struct LargeLines {
    struct Turn {
        let request: Request
        let address: Address
        let exchange: ExchangeID
        let peer: Peer
    }

    private var waiting: [LargePart: [Turn]] = [:]

    /// Puts a request at the end of the line; true if it is its turn at once.
    mutating func add(_ turn: Turn, to part: LargePart) -> Bool {
        guard waiting[part] == nil else {
            waiting[part]?.append(turn)
            return false
        }
        waiting[part] = []
        return true
    }

    /// The next one of a line whose first is done.
    mutating func next(_ part: LargePart) -> Turn? {
        guard waiting[part]?.isEmpty == false else {
            waiting[part] = nil
            return nil
        }
        return waiting[part]?.removeFirst()
    }
}
