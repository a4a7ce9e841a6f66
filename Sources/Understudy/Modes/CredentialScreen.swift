import Emulation
import HTTPMessage
import Recording
import Transport

/// Makes the request for a real backend and looks through what is really sent, on any thread (control contract, section 13).
struct CredentialScreen: Sendable {
    /// What came of it.
    enum Outcome: Sendable {
        case clean(UpstreamRequest)
        /// A credential of ours stands there: nothing is sent.
        case refused(OutgoingCheck.Place)
    }

    let check: OutgoingCheck
    let origin: UpstreamOrigin
    /// The API's own path, and whether the client's had a prefix in front of it.
    let path: Path
    let isPrefixed: Bool
    /// Pairs of values of the emulation and the real backend; nil where nothing is translated.
    let twins: Twins?

    func run(_ request: Request) -> Outcome {
        var translated = request
        if let twins {
            // Without the prefix, which the real backend does not know.
            if isPrefixed { translated.head.target.rawPath = path.text }
            translated = twins.upstreamRequest(translated)
        }
        var path = path
        if twins != nil || !isPrefixed { path = Path(raw: translated.head.target.rawPath) ?? path }
        var wire = UpstreamRequestMaker.make(translated, path: path, isPrefixed: isPrefixed, origin: origin)
        wire.fields = check.withoutOwnAuthorization(wire.fields)
        return check.place(in: wire).map { .refused($0) } ?? .clean(wire)
    }
}
