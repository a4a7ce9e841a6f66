package import Backend
import CivilTime
import HTTPMessage
import JSON

/// Authentication and the other checks before every endpoint (contract, sections 2.4, 3.4, 3.5 and 10).
extension SawaedAPI {
    package static func precheck(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: SawaedEndpoint
    ) throws(APIError) {
        // Replies that became due since the last request take effect before anything reads them.
        state.settleReplies(now: call.now)
        if endpoint.metadata.area == .auth { try checkOrigin(state, call) }
        guard endpoint.authentication == .bearer else { return }
        guard let token = bearer(call) else { throw .unauthorized }
        guard let (user, _) = state.authenticate(token, now: call.now) else {
            let isServerError = state.settings.isExpiredTokenServerError && !endpoint.metadata.isAlways401
            throw isServerError ? serverError(endpoint.metadata.failure) : .unauthorized
        }
        guard state.settings.bearer == .ok else { throw .unauthorized }
        call.user = CallUser(id: user.id, email: user.email)
        if let bucket = endpoint.metadata.bucket { try count(bucket, token, &state, call) }
    }

    // MARK: The bearer

    static let cookieName = "__convexAuthJWT"

    /// The credential of section 3.4: exactly one blank between exactly two parts, else the cookie.
    static func bearer(_ call: Call) -> String? {
        if let value = call.fields[.authorization] {
            let parts = value.split(separator: " ", omittingEmptySubsequences: false)
            if parts.count == 2, !parts[1].isEmpty, parts[0].lowercased() == "bearer" { return String(parts[1]) }
        }
        return call.fields.cookie(cookieName).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The caller that the precheck has authenticated.
    static func caller(_ state: SawaedState, _ call: Call) throws(APIError) -> User {
        guard let user = state.users[call.user?.id ?? ""] else { throw .unauthorized }
        return user
    }

    /// The caller of a route for youths (section 3.6).
    static func youth(_ state: SawaedState, _ call: Call) throws(APIError) -> User {
        let user = try caller(state, call)
        guard state.role(of: user) == .youth else { throw .forbidden }
        return user
    }

    /// The caller of a profile route: a youth who is neither blocked nor deleted (section 3.6).
    static func profileOwner(_ state: SawaedState, _ call: Call) throws(APIError) -> User {
        let user = try youth(state, call)
        guard !state.isBlockedOrDeleted(user) else { throw .forbidden }
        return user
    }

    // MARK: The Origin rule

    private static func checkOrigin(_ state: SawaedState, _ call: Call) throws(APIError) {
        guard state.settings.origin == .checked else { throw .invalidOrigin }
        let origins = call.fields.values(.origin)
        guard let origin = origins.first else { return }
        // Two fields combine to one value with a comma in it, which is no origin.
        let isSecure = call.request.head.isSecure == true
        guard origins.count == 1, let own = call.request.head.authority,
            let sent = authority(ofOrigin: origin, isSecure: isSecure),
            sent == normalised(own, isSecure: isSecure)
        else { throw .invalidOrigin }
    }

    /// Host and port of an origin of the request's scheme; nil if it is of another scheme or can't be parsed.
    private static func authority(ofOrigin text: String, isSecure: Bool) -> String? {
        let prefix = isSecure ? "https://" : "http://"
        guard text.lowercased().hasPrefix(prefix) else { return nil }
        let authority = String(text.dropFirst(prefix.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        return ForwardedOrigin.isAuthority(authority) ? normalised(authority, isSecure: isSecure) : nil
    }

    private static func normalised(_ authority: String, isSecure: Bool) -> String {
        let lower = authority.lowercased()
        let usual = isSecure ? ":443" : ":80"
        return lower.hasSuffix(usual) ? String(lower.dropLast(usual.count)) : lower
    }

    // MARK: Limits

    /// Counts a request in a window of its own kind; returns the time to wait if it exceeds the limit.
    ///
    /// The window is over at its end: a request at that instant opens a new one.
    static func wait(
        _ kind: String,
        _ key: String,
        limit: Int,
        length: Interval,
        isFull: Bool = false,
        _ state: inout SawaedState,
        now: Instant
    ) -> Int64? {
        // `FixedWindows` counts the end as inside, so it gets the last instant that is.
        let inside = length - .microseconds(1)
        let name = "\(kind) \(key)"
        if isFull {
            let end = state.windows.current(name, now: now)?.end ?? now + inside
            return secondsUp(end + .microseconds(1) - now)
        }
        guard state.settings.rateLimits == .on else { return nil }
        let present = state.windows.count(name, length: inside, now: now)
        return present.used > limit ? secondsUp(present.end + .microseconds(1) - now) : nil
    }

    /// Whole seconds, rounded up.
    private static func secondsUp(_ interval: Interval) -> Int64 {
        (interval + .microseconds(999_999)).wholeSeconds
    }

    private static func count(
        _ bucket: EndpointMetadata.Bucket,
        _ token: String,
        _ state: inout SawaedState,
        _ call: Call
    ) throws(APIError) {
        let kind: String
        let limit: Int
        let setting: SawaedSettings.Bucket
        switch bucket {
        case .basics: (kind, limit, setting) = ("basics", 10, state.settings.basicsBucket)
        case .register: (kind, limit, setting) = ("register", 5, state.settings.registerBucket)
        case .cancel: (kind, limit, setting) = ("cancel", 5, .counted)
        }
        // The key is a hash of the token, because keys are stored and tokens are long.
        let key = state.settings.limiterKey == .shared ? "all" : String(token.fnv1a64, radix: 16)
        let isFull = setting == .full
        if let seconds = wait(kind, key, limit: limit, length: .seconds(10), isFull: isFull, &state, now: call.now) {
            throw .rateLimited(retryAfter: seconds)
        }
    }

    /// The key under which a request without a token is counted (section 10).
    static func clientKey(_ call: Call) -> String {
        if let list = call.fields[.forwardedFor] {
            let first = String(list.prefix { $0 != "," }).trimmed
            if !first.isEmpty { return first }
        }
        for name: FieldName in ["X-Real-Ip", "Cf-Connecting-Ip"] {
            if let address = call.fields[name], !address.isEmpty { return address }
        }
        let agent = String(decoding: (call.fields["User-Agent"] ?? "").utf16.prefix(120), as: UTF16.self)
        return agent.isEmpty ? "unknown" : agent
    }

    // MARK: Queries

    static func invalidQuery(_ message: String) -> APIError {
        APIError(.badRequest, code: "validation_error", message, details: [(queryMark, message)])
    }

    /// A coerced number of the query (section 2.3); nil when it is absent.
    static func number(_ name: String, _ call: Call) throws(APIError) -> Double? {
        guard let text = call.query.last(name) else { return nil }
        guard let number = JavaScriptNumber.of(text) else { throw invalidQuery("\(name) must be a number.") }
        return number
    }

    /// A coerced boolean of the query: any text is true (D20); nil when it is absent.
    static func flag(_ name: String, _ call: Call) -> Bool? { call.query.last(name).map { !$0.isEmpty } }

    // MARK: Language

    /// The language of a localised route (section 2.7).
    static func language(_ call: Call) -> Language {
        accepted(call) ?? call.query.last("locale").flatMap { Language(rawValue: $0.lowercased()) } ?? .ar
    }

    /// The language that `Accept-Language` begins with, if it is one of the two.
    static func accepted(_ call: Call) -> Language? {
        let value = (call.fields["Accept-Language"] ?? "").lowercased()
        if value.hasPrefix("ar") { return .ar }
        return value.hasPrefix("en") ? .en : nil
    }

    /// The id form of section 2.9.
    static func isID(_ text: String) -> Bool {
        text.utf8.count >= 8
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
                default: false
                }
            }
    }
}
