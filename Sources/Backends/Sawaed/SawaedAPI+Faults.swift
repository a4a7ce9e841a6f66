package import Backend
import CivilTime
package import HTTPMessage

/// The form of injected failures (contract, section 2.6; control contract, section 8).
extension SawaedAPI {
    /// The form of the route: the envelope with the route's code, or one of the chat bodies.
    package static func faultAnswer(_ order: InjectedStatus, state: SawaedState, call: Call) -> Response {
        let status = order.status
        let metadata = metadata(of: call)
        switch metadata?.area {
        case .chatSend: return ChatResponses.refusedSend(status)
        case .chatStatus:
            // A session that is reported as missing is named as in the request (section 8.4).
            let session = status == .notFound ? call.query.last("sessionId") ?? "" : ""
            return ChatResponses.refusedStatus(status, call, session: session, error: order.code)
        default: break
        }
        let own =
            switch status.code {
            case 401: "unauthorized"
            case 403: "forbidden"
            case 404: "not_found"
            case 409: metadata?.conflict ?? "conflict"
            case 429: "rate_limited"
            case 500...: metadata?.failure ?? "server_error"
            default: "validation_error"
            }
        return rendered(APIError(status, code: order.code ?? own, order.message ?? status.reasonPhrase), nil, call)
    }

    /// Ends one access, refresh, upload or identity token; the other credentials of its user stay valid.
    package static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout SawaedState,
        core: inout WorldCore
    ) -> Bool {
        let now = core.now
        if let claims = state.tokens.verify(credential) {
            state.endOneAccess(of: claims.sessionID, issuedAt: claims.issuedAt, at: now)
            return true
        }
        if let row = state.refreshRow(credential, now: now) {
            switch manner {
            case .expire: state.expire(row, at: now)
            case .revoke: state.refreshTokens.update(row.id) { $0.revokedAt = .at(now) }
            }
            return true
        }
        if state.uploadTokens.contains(credential) {
            state.uploadTokens.update(credential) { $0.expiresAt = .at(now) }
            return true
        }
        // Any text may be an identity token; the mark holds its hash, since the text can be long.
        state.marks.insert(Mark(id: AppleIdentity.endMark(of: credential)))
        return true
    }
}
