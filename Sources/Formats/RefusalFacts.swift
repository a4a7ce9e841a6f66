/// The facts that a refusal tells, in whatever form it is sent.
package struct RefusalFacts: Sendable, Equatable {
    /// A part of the request that does not fit.
    package struct Detail: Sendable, Equatable {
        /// The place: `$.name` in the body, `?limit`, `X-Tenant` or `{petId}`.
        package var path: String
        package var reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        /// The pieces of the place, such as `items`, `0` and `name` for `$.items[0].name`.
        package var pieces: [String] {
            guard path.hasPrefix("$") else {
                let bare = path.first == "?" || path.first == "{" ? path.dropFirst() : path[...]
                return [String(bare.last == "}" ? bare.dropLast() : bare)]
            }
            return path.dropFirst().split { $0 == "." || $0 == "[" || $0 == "]" || $0 == "'" }.map { String($0) }
        }
    }

    package var status: Int
    /// The reason phrase.
    package var title: String
    package var code: String
    package var message: String
    package var details: [Detail]

    package init(status: Int, title: String, code: String, message: String, details: [Detail] = []) {
        self.status = status
        self.title = title
        self.code = code
        self.message = message
        self.details = details
    }

    /// The code, then words that other APIs have for it, each in all usual spellings: an API's own list of codes has one
    /// of them.
    package var codes: [String] {
        let ranked = Self.words.compactMap { row in row.codes.firstIndex(of: code).map { (rank: $0, row: row) } }
        let others = ranked.min { $0.rank < $1.rank }?.row ?? Self.words.last { $0.status == status }
        return ([code] + (others?.codes ?? [])).flatMap(Self.spellings)
    }

    private static func spellings(_ code: String) -> [String] {
        let words = MemberName(code).words
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return [
            code, words.joined(separator: "_"), words.joined(separator: "_").uppercased(),
            (words.prefix(1) + capitals.dropFirst()).joined(), capitals.joined(), words.joined(separator: "-"),
            words.joined(separator: " "), capitals.joined(separator: " "), words.joined(separator: "."),
            "ERR_" + words.joined(separator: "_").uppercased(), words.joined().uppercased(),
        ]
    }

    private static let unauthorized = [
        "unauthorized", "unauthenticated", "not_authenticated", "authentication_required", "auth_required",
        "authentication_failed", "authentication_error", "auth_error", "login_required", "access_denied",
    ]

    /// Words for causes, the closest first; the last row of a status counts for other codes of it.
    private static let words: [(status: Int, codes: [String])] = [
        (
            401,
            ["token_expired", "expired_token", "session_expired", "access_token_expired", "invalid_token"]
                + unauthorized
        ),
        (401, ["token_revoked", "token_invalid", "invalid_token", "bad_token", "invalid_access_token"] + unauthorized),
        (
            401,
            [
                "invalid_credentials", "bad_credentials", "wrong_credentials", "invalid_login", "login_failed",
                "invalid_grant",
            ]
                + unauthorized
        ),
        (
            401,
            [
                "refresh_invalid", "refresh_expired", "refresh_revoked", "refresh_reused", "refresh_token_expired",
                "refresh_token_invalid", "invalid_refresh_token", "invalid_grant", "token_expired", "invalid_token",
            ] + unauthorized
        ),
        (409, ["idempotency_in_progress", "idempotency_conflict", "conflict"]),
        (422, ["idempotency_mismatch", "idempotency_error", "idempotency_conflict", "invalid_request"]),
        (
            422,
            [
                "validation_failed", "validation_error", "validation", "unprocessable_entity", "unprocessable_content",
                "invalid_request", "invalid_input", "invalid_parameters", "invalid_argument", "invalid", "bad_request",
            ]
        ),
        (
            400,
            [
                "bad_request", "invalid_request", "invalid_input", "invalid_argument", "invalid_parameters",
                "malformed",
                "validation_failed", "validation_error", "invalid",
            ]
        ),
        (401, unauthorized + ["invalid_token", "token_invalid", "token_expired"]),
        (402, ["payment_required"]),
        (403, ["forbidden", "permission_denied", "access_denied", "not_allowed", "insufficient_permissions"]),
        (
            404,
            ["not_found", "resource_not_found", "no_such_resource", "unknown_resource", "entity_not_found", "missing"]
        ),
        (405, ["method_not_allowed", "unsupported_method"]),
        (409, ["conflict", "already_exists", "duplicate", "resource_conflict"]),
        (410, ["gone", "expired"]),
        (412, ["precondition_failed", "version_mismatch", "conflict"]),
        (413, ["too_large", "payload_too_large", "content_too_large", "request_too_large"]),
        (415, ["unsupported_media_type", "invalid_content_type"]),
        (
            429,
            ["too_many_requests", "rate_limited", "rate_limit_exceeded", "rate_limit", "throttled", "quota_exceeded"]
        ),
        (500, ["internal_server_error", "internal_error", "internal", "server_error", "unknown_error", "unknown"]),
        (502, ["bad_gateway", "upstream_error", "service_unavailable"]),
        (503, ["service_unavailable", "unavailable", "maintenance", "temporarily_unavailable", "overloaded"]),
        (504, ["gateway_timeout", "timeout", "service_unavailable"]),
    ]
}
