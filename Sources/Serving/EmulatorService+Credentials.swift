import CivilTime
import Control
import Emulation
import HTTPMessage
import JSON
import Recording
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
        let fault: Problem
        if case .hidden(let reason) = place {
            fault = Problem(
                .ownCredential,
                "The request may hold a credential of Understudy's own, since \(reason). Nothing was sent.",
                items: [Problem.Item(path: place.path, reason: reason)]
            )
        } else {
            fault = Problem(
                .ownCredential,
                "A credential of Understudy's own stands \(place.quoted.words). Nothing was sent to the real backend.",
                items: [Problem.Item(path: place.quoted.path, reason: "holds a credential of Understudy's own")]
            )
        }
        let shown = desk.shown(exchange.request, exchange.context.address, mode.redactor)
        let disclosure = screen.check.shown(shown, found: place)
        guard isReleased, let responder = exchange.responder.upstream else {
            exchange.use(FixedResponder(fault.response), showing: disclosure)
            return proceed(exchange, nil, hostTime)
        }
        // A gate has let it go, and since it was held more has been issued.
        responder.upstreamEnded()
        emulator.answered(exchange, responder, with: fault.response, showing: disclosure, at: hostTime)
        return decision(exchange)
    }
}

extension OutgoingCheck.Place {
    /// The place with as much of a field's name as a problem quotes.
    fileprivate var quoted: Self {
        if case .field(let name) = self { .field(name.cut) } else { self }
    }
}

extension OutgoingCheck {
    /// What stands in the place of what must not be shown.
    private static let blank = "redacted-own-credential"

    /// What the journal may show of a request that is refused: nothing in which a credential of ours stands.
    func shown(_ shown: JournalDisclosure, found place: Place) -> JournalDisclosure {
        var clean = shown
        if let path = shown.path, holds(path) {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            let rest = segments.map { holds(String($0)) ? Self.blank : String($0) }.joined(separator: "/")
            clean.path = holds(rest) ? "/" + Self.blank : rest
        }
        let text = shown.text
        clean.text = { holds($0) ? Self.blank : text?($0) ?? $0 }
        if let query = shown.query, place == .query || holds(query) { clean.query = Self.blank }
        var fields = Fields()
        for line in 0..<shown.fields.count {
            let name = String(decoding: shown.fields.nameBytes(at: line), as: UTF8.self)
            let value = String(decoding: shown.fields.valueBytes(at: line), as: UTF8.self)
            guard let field = FieldName(name), !holds(name) else { continue }
            // Halves of one are no less to be hidden.
            let isFound = place == .head || place == .field(name) || holds(value)
            fields.append(field, isFound ? Self.blank : value)
        }
        clean.fields = fields
        if !shown.body.isEmpty,
            place == .content || place.path == "$" || holds(String(decoding: shown.body, as: UTF8.self))
        {
            clean.body = Array(Self.blank.utf8)
            clean.length = max(shown.length, clean.body.count)
        }
        return clean
    }

    private func holds(_ text: String) -> Bool { holds(Array(text.utf8)) }
}
