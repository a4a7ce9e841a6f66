package import Backend
import CivilTime
import HTTPMessage

/// The checks before every endpoint (section 2.6).
extension OmniChatAPI {
    /// Steps 3 and 4 of section 2.6: the limiter, then the credential.
    package static func precheck(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: OmniChatEndpoint
    ) throws(APIError) {
        if endpoint.metadata.isFuture, state.settings.futureEndpoints == .off { throw .notFound }
        try count(&state, &call, endpoint)
        guard endpoint.authentication == .bearer else { return }
        if state.settings.serverErrors > 0 {
            state.settings.serverErrors -= 1
            throw APIError(.internalServerError, "Internal server error")
        }
        let user: CallUser
        if endpoint.metadata.isWeb {
            guard let token = bearer(call), let found = try? state.authenticate(token, now: call.now) else {
                throw APIError(.unauthorized, code: "text", "Unauthorized")
            }
            user = found
        } else {
            guard let token = bearer(call) else { throw .unauthorized("Missing or invalid authorization header") }
            user = try state.authenticate(token, now: call.now)
        }
        call.user = user
    }

    /// Reads the token after the exact prefix `Bearer `, with a capital B and one space (section 2.1).
    private static func bearer(_ call: Call) -> String? {
        guard let value = call.request.head.bytes(of: .authorization), value.starts(with: bearerPrefix) else {
            return nil
        }
        return String(decoding: value.dropFirst(bearerPrefix.count), as: UTF8.self)
    }

    private static let bearerPrefix = Array("Bearer ".utf8)

    /// Counts the request, adds the three fields, and refuses the request if it exceeds the limit (section 4).
    private static func count(
        _ state: inout OmniChatState,
        _ call: inout Call,
        _ endpoint: OmniChatEndpoint
    ) throws(APIError) {
        var bucket = endpoint.metadata.bucket
        if bucket == .none, endpoint.authentication == .none, state.settings.limitAuthRoutes == .on {
            bucket = .general
        }
        guard bucket != .none else { return }
        let limit = bucket == .upload ? uploadsPerWindow : requestsPerWindow
        let key = limiterKey(call)
        let present: FixedWindows.Count
        if state.settings.rateLimits == .off {
            present = FixedWindows.Count(used: 0, end: call.now + window)
        } else if bucket == .upload {
            present = state.uploadWindows.count(key, length: window, now: call.now)
        } else {
            present = state.windows.count(key, length: window, now: call.now)
        }
        // Reserved for all three fields: growing in steps would cost as much as writing them.
        call.answerFields.reserve(bytes: 128, lines: 4)
        call.answerFields.append(limitField, decimal: limit)
        call.answerFields.append(remainingField, decimal: max(0, limit - present.used))
        call.answerFields.append(resetField, present.end, .milliseconds)
        guard present.used <= limit else { throw .tooManyRequests }
    }

    static func limiterKey(_ call: Call) -> String {
        guard call.request.head.contains(.forwardedFor) else { return call.peer }
        // The whole value: repeated lines are one list (RFC 9110 section 5.3).
        let forwarded = call.fields.values(.forwardedFor).joined(separator: ", ")
        return forwarded.isEmpty ? call.peer : forwarded
    }

    static let limitField: FieldName = "X-RateLimit-Limit"
    static let remainingField: FieldName = "X-RateLimit-Remaining"
    static let resetField: FieldName = "X-RateLimit-Reset"
}
