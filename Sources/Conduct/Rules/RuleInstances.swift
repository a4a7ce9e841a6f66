/// The names of section 7 that stand for generic rules.
package enum RuleInstances {
    package static let all: [RuleInstance] = sawaed + carbscan + omnichat + trafikskola + trendy

    /// The generic rules that are off on an API.
    static func isOff(_ rule: String, _ api: String) -> Bool {
        rule == "auth/credential-where-none-asked" && api == "carbscan"
    }

    /// The instance of a name.
    package static func instance(_ id: String) -> RuleInstance? { all.first { $0.id == id } }

    /// The instances that stand for a rule, with what they change.
    package static func instances(of rule: String) -> [(id: String, part: RuleInstance.Part)] {
        all.flatMap { instance in instance.parts.filter { $0.rule == rule }.map { (instance.id, $0) } }
    }

    private static let status = ["GET /api/chat/status", "GET /api/mobile/v1/chat/status"]
    private static let send = ["POST /api/chat/send", "POST /api/mobile/v1/chat/send"]

    static let sawaed: [RuleInstance] = [
        RuleInstance("sawaed/bearer-everywhere", [.init("auth/credential-missing")]),
        RuleInstance(
            "sawaed/refresh-once",
            [
                .init("auth/repeat-after-401"), .init("auth/refresh-loop"),
                .init("auth/no-refresh-after-401", .error),
            ]
        ),
        RuleInstance("sawaed/keeps-new-refresh-token", [.init("auth/rotated-refresh-token-reused")]),
        RuleInstance("sawaed/single-flight-refresh", [.init("auth/parallel-refresh")]),
        RuleInstance("sawaed/stops-after-dead-refresh", [.init("auth/dead-refresh-retried")]),
        RuleInstance("sawaed/json-content-type", [.init("body/type-missing"), .init("body/type-wrong", .warning)]),
        RuleInstance(
            "sawaed/uses-etag",
            [
                .init("cache/no-validator-sent", on: status, .error, [(.times, 1)]),
                .init("cache/validator-of-another"),
            ]
        ),
        RuleInstance(
            "sawaed/poll-interval",
            [.init("poll/too-fast", on: status, nil, [(.minIntervalMs, 280), (.times, 5)])]
        ),
        RuleInstance("sawaed/backs-off-when-idle", [.init("poll/no-slowdown", on: status, nil, [(.unchanged, 5)])]),
        RuleInstance("sawaed/stops-polling", [.init("poll/after-the-end")]),
        RuleInstance(
            "sawaed/no-blind-polling",
            [.init("retry/refusal-repeated", on: status, .error, [(.times, 1)])]
        ),
        RuleInstance("sawaed/follows-cursor", [.init("page/cursor-changed")]),
        RuleInstance(
            "sawaed/waits-after-429",
            [
                .init("retry/retry-after-ignored"),
                .init("retry/no-pause-after-429", on: send, .error, [(.times, 1), (.withinMs, 10_000)]),
                .init("retry/no-pause-after-429", on: status, .error, [(.times, 1), (.withinMs, 60_000)]),
            ]
        ),
        RuleInstance("sawaed/forgets-tokens-on-signout", [.init("auth/used-after-signout")]),
        RuleInstance("sawaed/known-routes-only", [.init("url/unknown-route")]),
        RuleInstance(
            "sawaed/no-repeat-of-conflict",
            [
                .init(
                    "retry/refusal-repeated",
                    on: ["POST /api/mobile/v1/events/{id}/register"],
                    nil,
                    [(.times, 1), (.withinSeconds, 10)]
                )
            ]
        ),
    ]

    static let carbscan: [RuleInstance] = [
        RuleInstance("carbscan/bearer-everywhere", [.init("auth/credential-missing"), .init("auth/secret-in-url")]),
        RuleInstance("carbscan/refresh-once", [.init("auth/repeat-after-401"), .init("auth/refresh-loop")]),
        RuleInstance("carbscan/single-flight-refresh", [.init("auth/parallel-refresh")]),
        RuleInstance("carbscan/stops-after-dead-refresh", [.init("auth/dead-refresh-retried")]),
        RuleInstance("carbscan/uses-new-access-token", [.init("auth/stale-token-sent")]),
        RuleInstance(
            "carbscan/backs-off",
            [.init("retry/no-backoff"), .init("retry/unbounded", nil, [(.maxRepeats, 3)])]
        ),
        RuleInstance(
            "carbscan/no-retry-of-refusals",
            [.init("retry/refusal-repeated", nil, [(.times, 1)], statuses: [501])]
        ),
        RuleInstance("carbscan/no-blind-scan", [.init("retry/unsafe-repeated")]),
        RuleInstance("carbscan/forgets-tokens-on-logout", [.init("auth/used-after-signout")]),
        RuleInstance("carbscan/pages-politely", [.init("page/limit-above-maximum"), .init("page/past-the-end")]),
        RuleInstance("carbscan/json-content-type", [.init("body/type-missing", .error), .init("body/type-wrong")]),
    ]

    static let omnichat: [RuleInstance] = [
        RuleInstance("omnichat/bearer-everywhere", [.init("auth/credential-missing")]),
        RuleInstance("omnichat/no-bearer-on-auth", [.init("auth/credential-where-none-asked")]),
        RuleInstance(
            "omnichat/refresh-once",
            [.init("auth/repeat-after-401"), .init("auth/no-refresh-after-401"), .init("auth/refresh-loop")]
        ),
        RuleInstance("omnichat/single-flight-refresh", [.init("auth/parallel-refresh")]),
        RuleInstance("omnichat/stops-after-dead-refresh", [.init("auth/dead-refresh-retried")]),
        RuleInstance("omnichat/right-token-kind", [.init("auth/wrong-token-kind")]),
        RuleInstance(
            "omnichat/respects-the-window",
            [.init("retry/spent-limit-ignored", .error, [(.times, 1)], spansBucket: true)]
        ),
        RuleInstance("omnichat/no-retry-of-refusals", [.init("retry/refusal-repeated", nil, [(.times, 1)])]),
        RuleInstance("omnichat/reads-before-repeating", [.init("retry/unsafe-repeated")]),
        RuleInstance("omnichat/pages-long-conversations", [.init("page/limit-above-maximum")]),
        RuleInstance(
            "omnichat/no-list-polling",
            [
                .init(
                    "poll/too-fast",
                    on: ["GET /api/v1/conversations", "GET /api/conversations"],
                    nil,
                    [(.minIntervalMs, 5_000)]
                )
            ]
        ),
        RuleInstance("omnichat/json-content-type", [.init("body/type-missing")]),
    ]

    private static let mobile = "/api/mobile"

    static let trafikskola: [RuleInstance] = [
        RuleInstance("trafikskola/keeps-new-refresh-token", [.init("auth/rotated-refresh-token-reused")]),
        RuleInstance("trafikskola/no-dead-tokens", [.init("auth/dead-refresh-retried")]),
        RuleInstance("trafikskola/single-flight-refresh", [.init("auth/parallel-refresh", .error)]),
        RuleInstance("trafikskola/logout-order", [.init("auth/used-after-signout", .warning)]),
        RuleInstance(
            "trafikskola/bearer-discipline",
            [.init("auth/credential-where-none-asked"), .init("auth/credential-missing")]
        ),
        RuleInstance("trafikskola/one-try-per-qr", [.init("auth/one-time-code-reused")]),
        RuleInstance(
            "trafikskola/i18n-tag-per-locale",
            [
                .init("cache/validator-of-another", .warning),
                .init(
                    "retry/refusal-repeated",
                    on: ["GET \(mobile)/i18n", "GET \(mobile)/translations/{locale}"],
                    nil,
                    [(.times, 1), (.withinSeconds, 3_600)]
                ),
            ]
        ),
        RuleInstance(
            "trafikskola/calm-polling",
            [
                .init("poll/too-fast", nil, [(.times, 5)]),
                .init("poll/too-fast", on: ["GET \(mobile)/notifications"], nil, [(.minIntervalMs, 30_000)]),
                .init(
                    "poll/too-fast",
                    on: ["GET \(mobile)/invoices/{id}/payment/{paymentId}/status"],
                    nil,
                    [(.minIntervalMs, 2_700)]
                ),
                .init("poll/after-the-end"),
            ]
        ),
        RuleInstance(
            "trafikskola/waits",
            [.init("retry/retry-after-ignored"), .init("retry/unbounded", nil, [(.maxRepeats, 2)])]
        ),
    ]

    static let trendy: [RuleInstance] = [
        RuleInstance("trendy/bearer-everywhere", [.init("auth/credential-missing")]),
        RuleInstance("trendy/refresh-once", [.init("auth/repeat-after-401"), .init("auth/refresh-loop")]),
        RuleInstance(
            "trendy/single-flight-refresh",
            [.init("auth/parallel-refresh"), .init("auth/rotated-refresh-token-reused")]
        ),
        RuleInstance("trendy/one-push-at-a-time", [.init("write/overlapping")]),
        RuleInstance("trendy/no-retry-of-refusals", [.init("retry/refusal-repeated", nil, [(.times, 1)])]),
        RuleInstance("trendy/waits-after-429", [.init("retry/retry-after-ignored", spansBucket: true)]),
        RuleInstance(
            "trendy/backs-off",
            [.init("retry/no-backoff"), .init("retry/unbounded", nil, [(.maxRepeats, 4)])]
        ),
        RuleInstance("trendy/signs-out", [.init("auth/used-after-signout")]),
        RuleInstance(
            "trendy/no-second-sign-up",
            [
                .init(
                    "retry/refusal-repeated",
                    on: ["POST /auth/v1/signup", "POST /api/v1/auth/signup"],
                    nil,
                    [(.times, 1)]
                )
            ]
        ),
        RuleInstance(
            "trendy/one-key-per-creation",
            [.init("retry/idempotency-key-changed"), .init("retry/idempotency-key-reused")]
        ),
        RuleInstance("trendy/follows-the-feed", [.init("page/cursor-changed")]),
    ]
}
