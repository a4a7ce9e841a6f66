import Emulation
import HTTPMessage
import Recording

/// Takes our own credentials out of a request to a real backend, on any thread (control contract, section 18).
struct CredentialScreen: Sendable {
    /// What came of it.
    struct Outcome: Sendable {
        var request: Request
        /// Texts of the form of tokens that only their world can tell to be ours.
        var suspects: [String]
    }

    /// What this process has issued.
    var own: Set<SecretPrint>
    /// What the real backend has issued, also where it looks like ours.
    var foreign: Set<SecretPrint>
    /// The real backend is another Understudy, whose tokens look like ours.
    var isForeignUnderstudy: Bool
    /// Pairs of values of the emulation and the real backend; nil where nothing is translated.
    var twins: Twins?

    func run(_ request: Request) -> Outcome {
        let translated = twins?.upstreamRequest(request) ?? request
        var suspects: [String] = []
        let clean = UpstreamRequestMaker.withoutOwnCredentials(translated) { text in
            if !own.isEmpty {
                let print = SecretPrint(text)
                if own.contains(print), !foreign.contains(print) { return true }
            }
            guard !isForeignUnderstudy, text.utf8.count >= 12, !text.utf8.contains(0x20) else { return false }
            if let issuer = TokenText.issuer(of: text) { return WorldCore.world(ofIssuer: issuer) != nil }
            if WorldTag.shortMark(in: text) != nil, suspects.count < 1_000 { suspects.append(text) }
            return false
        }
        return Outcome(request: clean, suspects: suspects)
    }
}
