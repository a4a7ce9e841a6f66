import CivilTime
import Control
import Emulation
import HTTPMessage
import Proxying
import Transport

/// Credentials of ours stay here (control contract, section 13).
extension EmulatorService {
    /// Looks through a request before it goes to a real backend; a long one on a worker, which answers by `then`.
    func screening(
        _ request: HTTPRequest,
        with screen: CredentialScreen,
        then: @escaping (CredentialScreen.Outcome) -> Void
    ) -> CredentialScreen.Outcome? {
        guard request.body.bytes.count > OutgoingCheck.longestInPlace, let server else { return screen.run(request) }
        let isTaken = server.workers.submit {
            screen.run(request)
        } then: {
            then($0)
        }
        guard !isTaken else { return nil }
        // A full queue is waited for: on the loop it would hold everybody.
        server.schedule(after: .milliseconds(5)) { [weak self] in
            if let outcome = self?.screening(request, with: screen, then: then) { then(outcome) }
        }
        return nil
    }

    /// Refuses a request that holds a credential of ours; its journal entry shows where, and nothing of it.
    func refuse(
        _ place: OutgoingCheck.Place,
        _ screen: CredentialScreen,
        _ exchange: Exchange,
        _ mode: ProxyController.Active,
        isReleased: Bool
    ) -> ResponseDecision {
        let shown = proxy.shown(exchange.request, exchange.context.address, mode.redactor)
        let disclosure = screen.check.shown(shown, found: place)
        guard isReleased, let responder = exchange.responder.upstream else {
            exchange.use(FixedResponder(place.problem.response), showing: disclosure)
            return proceed(exchange, nil, hostTime)
        }
        // A gate has let it go, and since it was held more has been issued.
        responder.upstreamEnded()
        emulator.answered(exchange, responder, with: place.problem.response, showing: disclosure, at: hostTime)
        return decision(exchange)
    }
}
