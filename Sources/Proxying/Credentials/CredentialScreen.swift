import Emulation
package import HTTPMessage
import Recording
package import Transport

/// Makes the request for a real backend and looks through what is really sent, on any thread (control contract, section 13).
package struct CredentialScreen: Sendable {
    /// What came of it.
    package enum Outcome: Sendable {
        case clean(UpstreamRequest)
        /// A credential of ours stands there: nothing is sent.
        case refused(OutgoingCheck.Place)
    }

    package let check: OutgoingCheck
    let origin: UpstreamOrigin
    /// The API's own path, and what stood in front of it.
    let path: Path
    let linkPrefix: String
    /// Pairs of values of the emulation and the real backend; nil where nothing is translated.
    let twins: IDCorrespondence?

    package func run(_ request: HTTPRequest) -> Outcome {
        var own = request
        // Without the prefix, which the real backend does not know; the rest as the client spelled it.
        if !linkPrefix.isEmpty {
            let raw = own.head.target.rawPath
            own.head.target.rawPath =
                raw.hasPrefix(linkPrefix + "/") ? String(raw.dropFirst(linkPrefix.count)) : path.text
        }
        if let twins { own = twins.upstreamRequest(own) }
        let path = Path(raw: own.head.target.rawPath) ?? path
        var wire = UpstreamRequestMaker.make(own, path: path, isPrefixed: false, origin: origin)
        wire.fields = check.withoutOwnAuthorization(wire.fields)
        return check.place(in: wire).map { .refused($0) } ?? .clean(wire)
    }
}
