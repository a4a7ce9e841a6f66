import Backend
package import ConductKit

/// The rules of conduct for this API's clients, and the facts about its operations that they need.
extension CarbScanAPI {
    package static let conduct: APIConduct = {
        let base = "/api/mobile/v1"
        return APIConduct(
            identity.name,
            baseSegments: 3,
            facts: [
                .init(["POST \(base)/auth/apple", "POST \(base)/auth/replit"]) { $0.role = .signIn },
                .init(["POST \(base)/auth/magic-link/request"]) { $0.role = .requestCode },
                .init(["POST \(base)/auth/magic-link/verify"]) {
                    $0.role = .signIn
                    $0.code = .init(["token"])
                },
                .init(["POST \(base)/auth/mobile/token"]) {
                    $0.role = .signIn
                    $0.code = .init(["code"])
                },
                .init(["GET \(base)/auth/mobile/authorize"]) { $0.hasCredentialInURL = true },
                .init(["POST \(base)/auth/refresh"]) { $0.role = .refresh },
                .init(["POST \(base)/auth/revoke"]) { $0.role = .signOut },
                .init(["POST \(base)/analyze"]) {
                    $0.creates = true
                    $0.collections = ["\(base)/meals"]
                },
                .init(["POST \(base)/chat"]) {
                    $0.creates = true
                    $0.collections = ["\(base)/chat/history"]
                },
                .init(["GET \(base)/meals"]) {
                    $0.offset = .init(items: ["data", "meals"], more: ["data", "pagination", "hasMore"])
                    $0.limitMaximum = 100
                },
                .init(["GET \(base)/chat/history"]) { $0.limitMaximum = 200 },
            ],
            instances: instances,
            switchedOff: ["auth/credential-where-none-asked"],
            rules: [
                CarbScanRefreshesAhead.self, CarbScanRespectsQuota.self, CarbScanKnownPlatform.self,
                CarbScanKeepsServerTimestamp.self, CarbScanOneLocalID.self, CarbScanTakesServerVersion.self,
                CarbScanRespectsLimits.self, CarbScanStringCredentials.self,
            ]
        )
    }()

    /// The names under which generic rules hold for this API, some with limits of its own.
    private static let instances: [RuleInstance] = [
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
}
