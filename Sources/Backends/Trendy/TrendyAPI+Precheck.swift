package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// Steps 2 and 3 of section 2, which precede the routing: headers, CORS, request id, limits.
extension TrendyAPI {
    /// Tells whether a path belongs to the backend, and not to the auth server or the tables.
    static func isBackend(_ path: Path) -> Bool { path.segments.first != "auth" && path.segments.first != "rest" }

    /// Tells whether the general limiter counts requests of that path (section 8).
    private static func isLimited(_ path: Path) -> Bool {
        path.segments.starts(with: ["api", "v1"]) || path.segments.first == "health"
    }

    package static func preflight(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response? {
        if call.method == .options { return preflight(&call) }
        guard isBackend(call.path) else {
            // The server of the tables answers HEAD as GET, the auth server does not.
            guard call.method != .head || call.path.segments.first == "rest" else {
                call.route = nil
                throw .noRoute
            }
            return nil
        }
        call.answerFields.append(contentsOf: commonFields(call))
        if let response = slashRedirect(call) { return response }
        try limit(&state, call)
        // `HEAD` on a route counts as another method, and other methods do not exist (section 7.3).
        if call.method == .head {
            call.route = nil
            throw .noRoute
        }
        return nil
    }

    // MARK: Headers

    private static let securityFields: Fields = [
        .cacheControl: "no-store, no-cache, must-revalidate, proxy-revalidate",
        "Pragma": "no-cache",
        "Expires": "0",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "X-XSS-Protection": "1; mode=block",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "Permissions-Policy": "geolocation=(), microphone=(), camera=()",
    ]

    /// The fields of every response of the backend.
    static func commonFields(_ call: Call) -> Fields {
        var fields = Fields()
        fields.reserve(bytes: 768, lines: 16)
        fields.append(requestIDField, requestIDBytes(call))
        fields.append(contentsOf: securityFields)
        fields.append(contentsOf: crossOriginFields(call))
        return fields
    }

    private static let requestIDField: FieldName = "X-Request-ID"

    /// The request's own id, with control characters replaced by spaces (D23), or else one derived from the world's
    /// count.
    static func requestIDBytes(_ call: Call) -> [UInt8] {
        if let sent = call.fields.bytes(.requestID), !sent.isEmpty {
            return sent.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        }
        return Array(UUIDText.derived(from: "trendy request " + call.requestID).utf8)
    }

    static func requestID(_ call: Call) -> String { String(decoding: requestIDBytes(call), as: UTF8.self) }

    // MARK: CORS

    private static let allowedOrigins = [
        "http://localhost:3000", "http://localhost:5173", "http://localhost:8080", "http://127.0.0.1:3000",
        "http://127.0.0.1:5173",
    ]

    private static let alwaysAllowed: Fields = [
        "Access-Control-Allow-Headers":
            "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, accept, origin, "
            + "Cache-Control, X-Requested-With, X-Request-ID, Idempotency-Key",
        "Access-Control-Allow-Methods": "POST, OPTIONS, GET, PUT, DELETE, PATCH",
        "Access-Control-Expose-Headers": "X-Request-ID",
    ]

    private static func crossOriginFields(_ call: Call) -> Fields {
        var fields = Fields()
        if let origin = call.fields[.origin], allowedOrigins.contains(origin) {
            fields.append("Access-Control-Allow-Origin", origin)
            fields.append("Access-Control-Allow-Credentials", "true")
        }
        fields.append(contentsOf: alwaysAllowed)
        return fields
    }

    /// The response to OPTIONS on any path, which is not counted and has no request id.
    private static func preflight(_ call: inout Call) -> Response {
        call.hidesRequestID = true
        let fields = isBackend(call.path) ? securityFields : Fields()
        if let origin = call.fields[.origin], !origin.isEmpty, !allowedOrigins.contains(origin) {
            return Response(status: .forbidden, fields: fields)
        }
        var all = fields
        all.append(contentsOf: crossOriginFields(call))
        return Response(status: .noContent, fields: all)
    }

    // MARK: The final slash

    /// A router of its own, which finds the route of a path with a superfluous slash.
    private static let router: Router = {
        do {
            return try Router(
                endpoints.enumerated().compactMap { place, endpoint in
                    RouteTemplate(endpoint.template)
                        .map { Router.Row(method: endpoint.method, template: $0, index: place) }
                }
            )
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// Redirects a known route with a superfluous final slash (section 7.3); no limit counts it.
    private static func slashRedirect(_ call: Call) -> Response? {
        guard call.path.hasTrailingSlash, case .found = router.route(call.method, call.path) else { return nil }
        var location = call.linkPrefix + Path(segments: call.path.segments).text
        if let query = call.request.head.target.rawQuery { location += "?" + query }
        var fields = Fields()
        fields.append(.location, location)
        return Response(status: Status(call.method == .get ? 301 : 307), fields: fields)
    }

    // MARK: Limits (section 8)

    private static let generalBudget = 300
    static let loginBudget = 10
    static let generalLimiter = "general"
    static let loginLimiter = "login"

    private static func limit(_ state: inout TrendyState, _ call: Call) throws(APIError) {
        guard state.settings.rateLimits == .on, isLimited(call.path) else { return }
        let address = ClientAddress.of(call)
        try pass(generalLimiter, generalBudget, address, &state, call)
        guard call.path.segments.starts(with: ["api", "v1", "auth"]) else { return }
        try pass(loginLimiter, loginBudget, address, &state, call)
    }

    private static func pass(
        _ limiter: String,
        _ budget: Int,
        _ address: String,
        _ state: inout TrendyState,
        _ call: Call
    ) throws(APIError) {
        // Counted even while a scenario refuses all requests.
        let isAdmitted = state.knocks.admits(
            limiter,
            budget: budget,
            address: address,
            at: call.now,
            in: call.epoch
        )
        let isClosed = state.closedUntil.map { call.now < $0.resolved(in: call.epoch) } ?? false
        guard !isAdmitted || isClosed else { return }
        throw limited(budget, isDeployed: state.settings.isDeployed)
    }

    /// The refusal of a limiter.
    static func limited(_ budget: Int = generalBudget, isDeployed: Bool) -> APIError {
        var fields = Fields()
        fields.append(.retryAfter, "\(Limiter.silence.wholeSeconds)")
        // Production writes the character with that number instead of its digits (D17); a line end is not allowed in a
        // field.
        let stray = budget == loginBudget ? "" : "\u{12C}"
        fields.append("X-RateLimit-Limit", isDeployed ? stray : "\(budget)")
        fields.append("X-RateLimit-Remaining", "0")
        return APIError(.tooManyRequests, "rate limit exceeded", fields: fields)
    }

    // MARK: Credentials

    /// Runs step 4 of section 2; the earlier steps are those of `preflight`.
    package static func precheck(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: TrendyEndpoint
    ) throws(APIError) {
        guard endpoint.authentication == .bearer else { return }
        switch endpoint.metadata.server {
        case .backend:
            guard let token = strictBearer(call),
                case .admitted(let account, _) = state.admit(token, at: call.now, in: call.epoch)
            else { throw .unauthorized }
            call.user = CallUser(id: account.id, email: account.email)
        case .auth: _ = try signedIn(&state, &call)
        case .tables:
            switch call.bearerToken.map({ state.admit($0, at: call.now, in: call.epoch) }) {
            case .admitted(let account, _)?: call.user = CallUser(id: account.id, email: account.email)
            case .premature(.issuedAt)?: throw TableError.issuedAhead
            case .premature(.notBefore)?: throw TableError.notYetValid
            case .badToken?, .userGone?, .sessionGone?, nil: throw TableError.badToken
            }
        }
    }

    /// Reads the token after the word `Bearer` in this case and one space; the token has no spaces (section 2).
    private static func strictBearer(_ call: Call) -> String? {
        guard let value = call.fields[.authorization], value.utf8.starts(with: "Bearer ".utf8) else { return nil }
        let token = value.utf8.dropFirst(7)
        guard !token.isEmpty, !token.contains(where: { $0 == 0x20 || $0 == 0x09 }) else { return nil }
        return String(token)
    }

    /// The caller of the auth server; throws its errors (sections 9.1 and 9.2).
    static func signedIn(_ state: inout TrendyState, _ call: inout Call) throws(APIError) -> (Account, Session) {
        guard let token = call.bearerToken, !token.isEmpty, !token.utf8.contains(0x20) else {
            throw .auth(.unauthorized, .noAuthorization, "This endpoint requires a valid Bearer token")
        }
        switch state.admit(token, at: call.now, in: call.epoch) {
        case .admitted(let account, let session):
            call.user = CallUser(id: account.id, email: account.email)
            return (account, session)
        case .badToken(let reason): throw .auth(.forbidden, .badJWT, "invalid JWT: \(reason)")
        case .premature(let claim):
            let reason = claim == .issuedAt ? "token used before issued" : "token is not valid yet"
            throw .auth(
                .forbidden,
                .badJWT,
                "invalid JWT: unable to parse or verify signature, token has invalid claims: \(reason)"
            )
        case .userGone: throw .auth(.forbidden, .userNotFound, "User from sub claim in JWT does not exist")
        case .sessionGone:
            throw .auth(.forbidden, .sessionNotFound, "Session from session_id claim in JWT does not exist")
        }
    }
}
