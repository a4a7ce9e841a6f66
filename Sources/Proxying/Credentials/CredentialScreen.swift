package import HTTPMessage
package import Journal
import Recording
package import Transport

/// Makes the request for a real backend and checks its final bytes, on any thread (control contract, section 13).
package struct CredentialScreen: Sendable {
    /// The result of the check, with the form in which the journal may show the request.
    package enum Outcome: Sendable {
        case clean(UpstreamRequest, JournalDisclosure)
        /// The request holds one of the emulator's own credentials, and nothing is sent.
        case refused(OutgoingCheck.Place, JournalDisclosure)
    }

    package let check: OutgoingCheck
    let origin: UpstreamOrigin
    /// The path within the API, and the prefix that was removed from it.
    let path: Path
    let linkPrefix: String
    /// Tells whether the client was led here, so that this server's address stands for the backend's.
    let leadsLinksHere: Bool
    /// The pairs of emulated and real ids; nil if nothing is translated.
    let correspondence: IDCorrespondence?
    let redactor: Redactor

    package func run(_ request: HTTPRequest) -> Outcome {
        var own = leadsLinksHere ? BackendView(origin: origin).request(request, linkPrefix) : request
        // The real backend does not know the prefix; the rest stays as the client spelled it.
        if !linkPrefix.isEmpty {
            let raw = own.head.target.rawPath
            own.head.target.rawPath =
                raw.hasPrefix(linkPrefix + "/") ? String(raw.dropFirst(linkPrefix.count)) : path.text
        }
        if let correspondence { own = correspondence.upstreamRequest(own) }
        let sent = Path(raw: own.head.target.rawPath) ?? path
        var wire = UpstreamRequestMaker.make(own, path: sent, isPrefixed: false, origin: origin)
        wire.fields = check.withoutOwnAuthorization(wire.fields)
        let shown = JournalDisclosure(of: request, path: path, by: redactor)
        return check.place(in: wire).map { .refused($0, shown) } ?? .clean(wire, shown)
    }
}
