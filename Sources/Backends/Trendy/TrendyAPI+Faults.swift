package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// The form of injected failures (contract, section 7.5).
extension TrendyAPI {
    package static func faultAnswer(_ order: InjectedStatus, state: TrendyState, call: Call) -> Response {
        switch call.path.segments.first {
        case "auth": return form(of: authFailure(order), call: call)
        case "rest": return form(of: tableFailure(order), call: call)
        default:
            // An injected response has not passed through `preflight`.
            var response = form(of: backendFailure(order, state, call), call: call)
            response.fields.append(contentsOf: commonFields(call))
            return response
        }
    }

    private static func backendFailure(_ order: InjectedStatus, _ state: TrendyState, _ call: Call) -> APIError {
        var failure: APIError
        switch order.status {
        case .unauthorized: failure = .unauthorized
        case .tooManyRequests:
            let isLogin = call.path.segments.starts(with: ["api", "v1", "auth"])
            failure =
                isLogin
                ? limited(loginBudget, isDeployed: state.settings.isDeployed)
                : limited(isDeployed: state.settings.isDeployed)
        case .serviceUnavailable:
            failure = .problem(.unavailable, "The service is unavailable")
            failure.fields.append(.retryAfter, "\(ProblemDetails.unavailableRetryAfter)")
        default: failure = .plain(order.status, plainText(order.status, call))
        }
        if let wait = order.retryAfter { failure.fields.set(.retryAfter, "\(wait.wholeSeconds)") }
        if let message = order.message { failure.message = message }
        return failure
    }

    /// The texts of section 7.4 for the onboarding record, or else a general one.
    private static func plainText(_ status: Status, _ call: Call) -> String {
        guard status == .internalServerError else { return status.reasonPhrase.lowercased() }
        guard call.route == onboardingPath else { return "internal server error" }
        switch call.method {
        case .patch: return updateFailed
        case .delete: return resetFailed
        default: return getFailed
        }
    }

    private static func authFailure(_ order: InjectedStatus) -> APIError {
        let code: AuthCode =
            switch order.status.code {
            case 429: .overRequestRateLimit
            case 500...: .unexpectedFailure
            case 401: .noAuthorization
            case 403: .badJWT
            case 413: .tooLarge
            default: .validationFailed
            }
        let message = order.status == .tooManyRequests ? overLimit.message : order.status.reasonPhrase
        return APIError(order.status, code: order.code ?? code.rawValue, order.message ?? message)
    }

    private static func tableFailure(_ order: InjectedStatus) -> APIError {
        if order.status == .unauthorized {
            return APIError(
                order.status,
                code: order.code ?? TableError.badToken.code,
                order.message ?? TableError.badToken.message
            )
        }
        return APIError(order.status, code: order.code ?? "PGRST000", order.message ?? order.status.reasonPhrase)
    }

    /// Ends the token that was sent; its session continues.
    package static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout TrendyState,
        core: inout WorldCore
    ) -> Bool {
        let now = Timestamp.at(core.now)
        if let row = state.refreshTokens[credential] {
            return state.sessions.update(row.sessionId) { $0.refreshEndedAt = $0.refreshEndedAt ?? now } != nil
        }
        guard let id = TokenText.payload(of: credential)?["jti"]?.stringValue else { return false }
        return state.issuedAccess.update(id) { $0.endedAt = $0.endedAt ?? now } != nil
    }
}
