package import Backend
import Conditions
import HTTPMessage
import OpenAPI
import Repeats

/// The check of the access token of a request (own-API contract, section 15).
package struct TokenCheck: RequestCheck {
    let signIn: SignIn

    /// Throws the refusal of a request without a good token where one is needed; notes the user.
    package func check(
        _ route: CustomRoute,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure) {
        try signIn.admit(&call, &state, needsToken: signIn.needsToken(route, call))
    }
}

extension SignIn {
    /// Tells whether a request that a route takes needs a token.
    package func needsToken(_ route: CustomRoute, _ call: Call) -> Bool {
        guard !route.alwaysNeedsToken else { return true }
        // What the server supports is asked by those who have no token yet, and by web pages.
        if route.upload?.method == .options { return false }
        guard !isOpen(call) else { return false }
        return switch route.source {
        case .auth: false
        case .resource: true
        case .openapi: route.operation.map { $0.security == .needed } ?? true
        }
    }

    /// Tells whether a request that a stub takes needs a token; `route` is the one that would take it without the stub.
    package func needsToken(stubOver route: CustomRoute?, isOpen: Bool, _ call: Call) -> Bool {
        needsToken(stubOver: route, isOpen: isOpen, method: call.method, segments: call.path.segments)
    }

    /// Tells the same of a path, or of a template.
    func needsToken(
        stubOver route: CustomRoute?,
        isOpen: Bool,
        method: HTTPMethod?,
        segments: [String]
    ) -> Bool {
        guard !isOpen, !self.isOpen(method, segments) else { return false }
        // A stub in place of a sign-in route is asked by those who have no token yet.
        return route?.source != .auth || route?.alwaysNeedsToken == true
    }

    /// Reads the token of a request: where it needs one, throws the reason why it is not let in; elsewhere a token that
    /// is not good is ignored.
    package func admit(_ call: inout Call, _ state: inout CustomAPIState, needsToken: Bool) throws(CustomAPIFailure) {
        call.user = nil
        guard let token = call.accessToken, !token.isEmpty else {
            guard needsToken else { return }
            throw CustomAPIFailure(.unauthorized)
        }
        let finding = find(token, as: .access, &state, now: call.now)
        let user = finding.user.flatMap { state.tables[users].rows[$0] }
        guard needsToken || finding.state == .good else { return }
        call.user = user.map { self.user(of: $0) }
        guard needsToken else { return }
        switch finding.state {
        case .good: break
        case .invalid: throw CustomAPIFailure(.tokenInvalid)
        case .expired: throw CustomAPIFailure(.tokenExpired)
        case .revoked, .spent: throw CustomAPIFailure(.tokenRevoked)
        }
    }
}

extension Call {
    /// The token of the Authorization field; any number of blanks may stand before it (RFC 9110 section 11.4).
    var accessToken: String? { bearerToken.map { String($0.drop { $0 == " " }) } }
}
