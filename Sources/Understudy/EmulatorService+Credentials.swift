import CivilTime
import Control
import Emulation
import HTTPMessage
import JSON
import Recording
import Transport

/// Keeps the emulator's own credentials from reaching a real backend (control contract, section 13).
extension EmulatorService {
    /// Checks a request before it goes to a real backend; a long one on a worker, which passes the outcome to `then`.
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
        // A gate has released it, and more credentials have been issued while it was held.
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
    /// The replacement for a value that must not be shown.
    private static let blank = "redacted-own-credential"

    /// Returns the journal's view of a refused request, without any text that holds one of the emulator's own
    /// credentials.
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
            // A part of a credential is hidden as well.
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
