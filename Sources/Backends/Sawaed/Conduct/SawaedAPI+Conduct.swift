import Backend
package import ConductKit

/// The rules of conduct for this API's clients, and the facts about its operations that they need.
extension SawaedAPI {
    package static let conduct: APIConduct = {
        let auth = ["/api/mobile/auth", "/api/mobile/v1/auth"]
        let profile = "/api/mobile/v1/profile"
        let lists = ["education", "experience", "projects", "awards"].map { "POST \(profile)/\($0)" }
        let statuses = ["/api/chat/status", "/api/mobile/v1/chat/status"]
        return APIConduct(
            identity.name,
            baseSegments: 3,
            facts: [
                .init(auth.map { "POST \($0)/request-otp" }) { $0.role = .requestCode },
                .init(auth.map { "POST \($0)/verify-otp" }) {
                    $0.role = .signIn
                    $0.code = .init(["code"], isTyped: true)
                    $0.takesSecret = true
                },
                .init(auth.map { "POST \($0)/refresh" }) { $0.role = .refresh },
                .init(auth.map { "POST \($0)/signout" }) { $0.role = .signOut },
                .init(["POST /api/mobile/auth/signup"]) {
                    $0.role = .signUp
                    $0.takesSecret = true
                },
                .init(["POST /api/mobile/auth/signin"]) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                .init(["POST /api/mobile/auth/apple"]) { $0.role = .signIn },
                .init(lists) {
                    $0.creates = true
                    $0.collections = ["\(profile)/me"]
                },
                .init(["POST /api/chat/send", "POST /api/mobile/v1/chat/send"]) {
                    $0.creates = true
                    $0.collections = statuses
                    $0.missesCredential = true
                },
                .init(statuses.map { "GET \($0)" }) {
                    $0.credential = .optional
                    $0.terminal = .init(["status"], ["done", "error"])
                },
                .init(["GET /api/mobile/v1/events"]) { $0.cursor = .init("cursor", next: ["nextCursor"]) },
                .init(["POST /api/storage/upload", "GET /api/storage/{storageId}"]) { $0.hasCredentialInURL = true },
            ],
            instances: instances,
            rules: [
                SawaedNoBearerAfterDeadRefresh.self, SawaedSendsLanguage.self, SawaedContinuesConversation.self,
                SawaedCompleteChatBody.self, SawaedCachesReferenceData.self, SawaedCleanCode.self,
                SawaedResendPause.self,
                SawaedUploadInOrder.self, SawaedNoOriginHeader.self, SawaedNormalisedMail.self, SawaedBackendGaps.self,
            ]
        )
    }()

    private static let chatStatus = ["GET /api/chat/status", "GET /api/mobile/v1/chat/status"]
    private static let chatSend = ["POST /api/chat/send", "POST /api/mobile/v1/chat/send"]

    /// The names under which generic rules hold for this API, some with limits of its own.
    private static let instances: [RuleInstance] = [
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
                .init("cache/no-validator-sent", on: chatStatus, .error, [(.times, 1)]),
                .init("cache/validator-of-another"),
            ]
        ),
        RuleInstance(
            "sawaed/poll-interval",
            [.init("poll/too-fast", on: chatStatus, nil, [(.minIntervalMs, 280), (.times, 5)])]
        ),
        RuleInstance("sawaed/backs-off-when-idle", [.init("poll/no-slowdown", on: chatStatus, nil, [(.unchanged, 5)])]),
        RuleInstance("sawaed/stops-polling", [.init("poll/after-the-end")]),
        RuleInstance(
            "sawaed/no-blind-polling",
            [.init("retry/refusal-repeated", on: chatStatus, .error, [(.times, 1)])]
        ),
        RuleInstance("sawaed/follows-cursor", [.init("page/cursor-changed")]),
        RuleInstance(
            "sawaed/waits-after-429",
            [
                .init("retry/retry-after-ignored"),
                .init("retry/no-pause-after-429", on: chatSend, .error, [(.times, 1), (.withinMs, 10_000)]),
                .init("retry/no-pause-after-429", on: chatStatus, .error, [(.times, 1), (.withinMs, 60_000)]),
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
}
