import Backend
import CivilTime
import Control
import Engine
import HTTPMessage
import Journal
import Proxying
import Transport

/// Keeps the emulator's own credentials from reaching a real backend (control contract, section 13).
extension EmulatorService {
    /// Checks a request before it goes to a real backend; one that may take long on a worker, which passes the outcome to
    /// `then`.
    func screening(
        _ request: HTTPRequest,
        with screen: CredentialScreen,
        then: @escaping (CredentialScreen.Outcome) -> Void
    ) -> CredentialScreen.Outcome? {
        guard let server, !request.isShortToSearch else { return screen.run(request) }
        let pool = request.isLongToSearch ? server.workers : proxy.searches
        let isTaken = pool?.submit {
            screen.run(request)
        } then: {
            then($0)
        }
        guard isTaken != true else { return nil }
        // A full queue is retried later: checking on the loop would block every other exchange.
        server.schedule(after: .milliseconds(5)) { [weak self] in
            if let outcome = self?.screening(request, with: screen, then: then) { then(outcome) }
        }
        return nil
    }

    /// Refuses a request that holds one of the emulator's own credentials.
    ///
    /// Its journal entry shows the place and nothing of the value.
    func refuse(
        _ place: OutgoingCheck.Place,
        _ shown: JournalDisclosure,
        _ screen: CredentialScreen,
        _ exchange: Exchange,
        isReleased: Bool
    ) -> ResponseDecision {
        let disclosure = screen.check.shown(shown, found: place)
        guard isReleased, let responder = exchange.responder.upstream else {
            exchange.use(FixedResponder(place.problem.response), showing: disclosure)
            return proceed(exchange, nil, hostTime)
        }
        // A gate has released it, and more credentials have been issued while it was held.
        responder.upstreamEnded()
        emulator.answered(exchange, responder, with: place.problem.response, showing: disclosure, at: hostTime)
        return decision(exchange)
    }
}

extension HTTPRequest {
    /// Tells whether it is searched in little time.
    fileprivate var isShortToSearch: Bool {
        let length = head.fields.wire.count + head.target.rawPath.utf8.count + (head.rawQuery?.utf8.count ?? 0)
        return body.bytes.count <= 1_024 && length <= 4_096 && !isLongToSearch
    }

    /// Tells whether others must not wait for its search: its content is long, or coded, since a few coded bytes may be
    /// millions of plain ones.
    fileprivate var isLongToSearch: Bool {
        body.bytes.count > 64 * 1_024 || !body.bytes.isEmpty && head.fields["Content-Encoding"] != nil
    }
}
