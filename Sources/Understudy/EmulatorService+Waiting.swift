import CivilTime
import Control
import Emulation
import HTTPMessage
import Transport

/// Control calls that wait for something to happen.
extension EmulatorService {
    /// Keeps a control call until it is settled or its time is over.
    func putOff(_ call: WaitingCall, _ origin: CallOrigin) {
        waiting.append(PutOffCall(origin: origin, call: call))
        // A long journal has not been looked at yet.
        server?.schedule(after: .zero) { [weak self] in self?.settleSoon() }
        server?.schedule(after: max(call.until - real.monotonic, .zero)) { [weak self] in
            guard let self, let place = waiting.firstIndex(where: { $0.origin.exchange == origin.exchange }) else {
                return
            }
            let late = waiting.remove(at: place)
            if let work = late.call.work(at: real) {
                _ = doing(work, late.origin)
            } else {
                settle(late.origin, late.call.response(at: real))
            }
        }
    }

    private func settle(_ origin: CallOrigin, _ response: Response) {
        server?.complete(origin.exchange, with: own(response, origin.head, real, origin.address))
    }

    /// Looks at the calls that wait: at once, or later where looking takes long, since it holds everything else up.
    func settleSoon() {
        guard !waiting.isEmpty, !settling.isDue else { return }
        let pause =
            settling.last + Interval.microseconds(settling.cost.microseconds.multipliedClamped(by: Self.settlingShare))
            - preciseNow()
        guard pause > .zero, let server else { return settleWaiting() }
        settling.isDue = true
        server.schedule(after: pause) { [weak self] in
            self?.settling.isDue = false
            self?.settleWaiting()
        }
    }

    /// Looking may take one part in so many of the time.
    private static let settlingShare: Int64 = 20

    /// Answers the calls whose condition holds now.
    private func settleWaiting() {
        let began = preciseNow()
        defer {
            let ended = preciseNow()
            settling.last = ended
            settling.cost = ended - began
        }
        var still: [PutOffCall] = []
        var looks: [(look: ControlLook, exchange: ExchangeID)] = []
        for var entry in waiting {
            if entry.isLookedAt {
                entry.hasNews = true
            } else if let look = entry.call.look(at: real) {
                entry.isLookedAt = true
                looks.append((look, entry.origin.exchange))
            } else if let response = entry.call.settled(at: real) {
                settle(entry.origin, response)
                continue
            }
            still.append(entry)
        }
        waiting = still
        for item in looks { lookElsewhere(item.look, item.exchange) }
    }

    /// Has a worker look whether a call is settled.
    private func lookElsewhere(_ look: ControlLook, _ exchange: ExchangeID) {
        elsewhere(look.response) { [self] response in
            guard let place = waiting.firstIndex(where: { $0.origin.exchange == exchange }) else { return }
            guard let response else {
                waiting[place].isLookedAt = false
                if waiting[place].hasNews {
                    waiting[place].hasNews = false
                    settleSoon()
                }
                return
            }
            settle(waiting.remove(at: place).origin, response)
        }
    }
}
