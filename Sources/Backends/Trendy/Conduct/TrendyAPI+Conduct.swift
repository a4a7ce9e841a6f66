import Backend
package import ConductKit

/// The rules of conduct for this API's clients, and the facts about its operations that they need.
extension TrendyAPI {
    package static let conduct: APIConduct = {
        let base = "/api/v1"
        return APIConduct(
            identity.name,
            baseSegments: 2,
            bucket: { $0.template.hasPrefix("/api/v1/") ? "api" : nil },
            facts: [
                .init(["POST /auth/v1/signup", "POST \(base)/auth/signup"]) {
                    $0.role = .signUp
                },
                // Supabase's own clients send their session to all of it.
                .init(["POST /auth/v1/signup", "POST /auth/v1/token", "GET /auth/v1/.well-known/jwks.json"]) {
                    $0.credential = .optional
                },
                .init(["POST /auth/v1/token"]) {
                    $0.role = .signIn
                    $0.roleByQuery = [
                        ("grant_type=refresh_token", .refresh), ("grant_type=password", .signIn),
                        ("grant_type=id_token", .signIn),
                    ]
                    $0.takesSecret = true
                },
                .init(["POST \(base)/auth/login"]) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                .init(["POST /auth/v1/logout", "POST \(base)/auth/logout"]) { $0.role = .signOut },
                .init([
                    "POST \(base)/events", "POST \(base)/events/batch", "POST \(base)/event-types",
                    "POST \(base)/event-types/{id}/properties", "POST \(base)/geofences",
                ]) {
                    $0.creates = true
                    $0.distinct = [["id"]]
                },
                .init(["POST \(base)/events/batch"]) { $0.batch = "events" },
                .init(["POST \(base)/events", "POST \(base)/events/batch"]) {
                    $0.distinct.append(["event_type_id", "timestamp"])
                },
                .init(["POST \(base)/event-types", "POST \(base)/geofences"]) { $0.distinct.append(["name"]) },
                .init(["POST \(base)/event-types/{id}/properties"]) { $0.distinct.append(["key"]) },
                .init(["GET \(base)/changes"]) {
                    $0.cursor = .init("since", next: ["next_cursor"], isFeed: true)
                    $0.limitMaximum = 500
                },
                .init(["GET \(base)/changes/latest-cursor"]) {
                    $0.cursor = .init("", next: ["cursor"], isFeed: true)
                },
                .init(["GET \(base)/events"]) { $0.limitMaximum = 1_000 },
            ],
            instances: instances,
            rules: [
                TrendyBoundedStatusRead.self, TrendySendsOnlyChanges.self, TrendyPushesUntilTheyArrive.self,
                TrendyCompletesOnce.self, TrendyKnownPermissions.self, TrendyDatesInUTC.self,
                TrendyReadsStatusOnce.self,
                TrendyReadsBeforeWriting.self, TrendyIdempotentCreates.self, TrendyUsesBatches.self,
                TrendyRepeatsOnlyTheFailed.self,
            ]
        )
    }()

    /// The names under which generic rules hold for this API, some with limits of its own.
    private static let instances: [RuleInstance] = [
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
