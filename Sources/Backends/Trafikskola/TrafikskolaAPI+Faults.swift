package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// The form of injected failures (contract, section 2.2; control contract, section 8).
extension TrafikskolaAPI {
    /// The error envelope, with the endpoint's own code for that status.
    package static func faultAnswer(_ order: InjectedStatus, state: TrafikskolaState, call: Call) -> Response {
        var failure = usualFailure(order.status, call)
        failure.code = order.code ?? failure.code
        failure.message = order.message ?? failure.message
        return envelopeAnswer(failure, state.settings)
    }

    private static func usualFailure(_ status: Status, _ call: Call) -> APIError {
        let known: [APIError] =
            switch call.route {
            case "/api/mobile/auth/refresh"?: [.invalidRefreshToken]
            case "/api/mobile/auth/quick-login"?: [.invalidQuickLogin]
            case "/api/mobile/auth/login"?: [.invalidCredentials]
            case "/api/mobile/auth/verify-otp"?: [.otpAttemptsExceeded]
            case "/api/mobile/auth/request-otp"?, "/api/mobile/config"?, "/api/mobile/i18n"?: [.invalidAppSecret]
            case "/api/mobile/bookings"?: [.bookingUnavailable]
            case "/api/mobile/bookings/{id}"?: [.cancellationNotAllowed]
            case "/api/mobile/invoices/{id}/payment/initiate"?: [.invoiceNotPayable]
            default: []
            }
        let everywhere: [APIError] = [
            .invalidToken, .forbidden, .notFound, .tooLarge, .internalError, .maintenance,
            APIError(.badRequest, code: "VALIDATION_ERROR", "The request does not fit"),
            APIError(.tooManyRequests, code: "RATE_LIMITED", "Too many requests"),
        ]
        return (known + everywhere).first { $0.status == status }
            ?? APIError(status, code: APIError.code(of: status), status.reasonPhrase)
    }

    /// Ends the token that was sent; its session continues with its other tokens.
    package static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout TrafikskolaState,
        core: inout WorldCore
    ) -> Bool {
        let now = Moment(core.now)
        if state.quickLogins.contains(credential) {
            state.quickLogins.update(credential) { if $0.usedAt == nil { $0.usedAt = now } }
            return true
        }
        guard let claims = state.tokens.verify(credential) else { return false }
        state.adoptOffline(claims, token: credential)
        guard !claims.isAccess else { return state.endAccess(claims, at: now) }
        let isFound: Void? = state.refreshTokens.update(claims.id) { row in
            switch manner {
            case .expire: row.expiresAt = min(row.expiresAt, now)
            case .revoke where row.revokedAt.map { now < $0 } ?? true:
                row.revokedAt = now
                row.revokedBy = .admin
            // A rotated or revoked token stays as it is, since it is no longer valid.
            case .revoke: break
            }
        }
        return isFound != nil
    }
}

extension TrafikskolaState {
    /// Ends an access token, whether or not its row still exists; its session stays alive.
    fileprivate mutating func endAccess(_ claims: TokenIssuer.Claims, at now: Moment) -> Bool {
        guard sessions.contains(claims.session) else { return false }
        if !accessTokens.contains(claims.id) {
            accessTokens.insert(
                AccessToken(
                    id: claims.id,
                    userId: claims.subject,
                    sessionId: claims.session,
                    expiresAt: Moment(Instant(seconds: claims.expiresAt))
                )
            )
        }
        accessTokens.update(claims.id) { $0.endedAt = min($0.endedAt ?? now, now) }
        return true
    }
}
