package import Backend
import CivilTime
import HTTPMessage

/// The checks before every endpoint (section 2.2).
extension TrafikskolaAPI {
    /// Runs the checks of section 2.2 from the scenario to the body's size; the engine has matched path and method
    /// before.
    package static func precheck(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: TrafikskolaEndpoint
    ) throws(APIError) {
        if let failure = disturbance(state, call) ?? disturbance(state, endpoint) { throw failure }
        if endpoint.metadata.needsSecret, state.settings.appSecret == .required {
            guard call.fields[appSecretField]?.hasPrefix(secretPrefix) == true else { throw .invalidAppSecret }
        }
        if endpoint.authentication == .bearer {
            let user = try signedIn(&state, &call).user
            switch endpoint.metadata.audience {
            case .anyone: break
            case .students: guard user.role == .student else { throw .forbidden }
            case .staff: guard user.isStaff else { throw .forbidden }
            }
        }
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
    }

    static let appSecretField: FieldName = "X-App-Secret"

    /// The failure that a scenario causes on a whole range of paths, known or not.
    static func disturbance(_ state: TrafikskolaState, _ call: Call) -> APIError? {
        if state.settings.server == .badGateway { return .page(Status(502), "502 Bad Gateway") }
        guard call.path.segments.starts(with: mobile), call.method != .options else { return nil }
        if state.settings.maintenance == .unavailable, call.path.segments != mobile + ["config"] {
            return .maintenance
        }
        if let start = state.rateWindowsFrom?.instant, state.settings.rateLimits == .on,
            (call.now - start).microseconds.flooredQuotient(rateWindow.microseconds).isMultiple(of: 2)
        {
            return .rateLimited(seconds: rateWindow.wholeSeconds)
        }
        return nil
    }

    static let mobile = ["api", "mobile"]

    /// The failure that a setting causes on one endpoint.
    private static func disturbance(_ state: TrafikskolaState, _ endpoint: TrafikskolaEndpoint) -> APIError? {
        switch endpoint.metadata.disturbance {
        case .config:
            switch state.settings.config {
            case .ok: nil
            case .error500: .internalError
            case .html: .page(.ok, "Din Trafikskola HLM")
            }
        case .refresh: state.settings.refreshAnswer == .error500 ? .internalError : nil
        case .quickLogin: state.settings.quickLogin == .html ? .page(.ok, "Din Trafikskola HLM") : nil
        case nil: nil
        }
    }

    /// The user and the session of the bearer token; throws 401 if there are none.
    @discardableResult
    static func signedIn(
        _ state: inout TrafikskolaState,
        _ call: inout Call
    ) throws(APIError) -> (user: User, session: Session) {
        let found = try state.authenticate(call.bearerToken, now: call.now)
        call.user = CallUser(id: found.user.id, email: found.user.email)
        return found
    }
}
