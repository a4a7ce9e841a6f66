package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// The form of injected failures (contract, sections 2.5 and 2.7; control contract, section 8).
extension OmniChatAPI {
    /// The error envelope, which the web routes use too, except for their 401.
    package static func faultAnswer(_ order: InjectedStatus, state: OmniChatState, call: Call) -> Response {
        let endpoint = call.route.flatMap { route in
            endpoints.first { $0.template == route && ($0.method == call.method || call.method == .head) }
        }
        if order.status == .unauthorized, endpoint?.metadata.isWeb == true {
            return render(
                APIError(order.status, code: "text", order.message ?? "Unauthorized"),
                state: state,
                call: call
            )
        }
        var response = json(envelope(order.message ?? text(of: order.status, endpoint)))
        response.status = order.status
        if order.status == .tooManyRequests { spendLimit(endpoint, state, call, &response) }
        return response
    }

    private static func text(of status: Status, _ endpoint: OmniChatEndpoint?) -> String {
        switch status {
        case .tooManyRequests: return APIError.tooManyRequests.message
        case .internalServerError:
            switch endpoint.map({ ($0.method, $0.template) }) {
            case (.post, "/api/v1/auth/apple")?: return "Authentication failed"
            case (.post, "/api/v1/auth/refresh")?: return "Failed to refresh token"
            case (.post, "/api/v1/upload")?: return "Upload failed"
            default: return "Internal server error"
            }
        default: return status.reasonPhrase
        }
    }

    /// Sets the limiter's fields of this moment, with nothing remaining.
    private static func spendLimit(
        _ endpoint: OmniChatEndpoint?,
        _ state: OmniChatState,
        _ call: Call,
        _ response: inout Response
    ) {
        let isUpload = endpoint?.metadata.bucket == .upload
        let windows = isUpload ? state.uploadWindows : state.windows
        let end = windows.current(limiterKey(call), now: call.now)?.end ?? call.now + window
        response.fields.append(limitField, "\(isUpload ? uploadsPerWindow : requestsPerWindow)")
        response.fields.append(remainingField, "0")
        response.fields.append(resetField, end.iso8601(.milliseconds))
    }

    package static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout OmniChatState,
        core: inout WorldCore
    ) -> Bool {
        guard let claims = state.tokens.verify(credential) else { return false }
        let now = core.now
        if claims.isAccess {
            // Tokens of the command line enter the table only when they are ended.
            var row =
                state.issuedAccess[claims.id]
                ?? IssuedAccess(
                    id: claims.id,
                    userId: claims.subject,
                    expiresAt: Instant(seconds: claims.expiresAt)
                )
            row.endedAt = min(row.endedAt ?? now, now)
            if state.issuedAccess.contains(row.id) {
                state.issuedAccess.update(row.id) { $0 = row }
            } else {
                state.issuedAccess.insert(row)
            }
            return true
        }
        if claims.id.hasPrefix(TokenOrder.offlineIDPrefix), !state.usedOfflineTokens.contains(claims.id) {
            state.usedOfflineTokens.insert(OfflineToken(id: claims.id))
            state.refreshSessions.insert(
                RefreshSession(id: claims.id, userId: claims.subject, expiresAt: Instant(seconds: claims.expiresAt))
            )
        }
        guard state.refreshSessions.contains(claims.id) else { return false }
        switch manner {
        case .expire: state.refreshSessions.update(claims.id) { $0.expiresAt = min($0.expiresAt, now) }
        case .revoke: state.refreshSessions.remove(claims.id)
        }
        return true
    }
}
