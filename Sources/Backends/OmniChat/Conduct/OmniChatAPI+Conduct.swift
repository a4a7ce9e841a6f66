import Backend
package import ConductKit

/// The rules of conduct for this API's clients, and the facts about its operations that they need.
extension OmniChatAPI {
    package static let conduct: APIConduct = {
        let base = "/api/v1"
        return APIConduct(
            identity.name,
            baseSegments: 2,
            bucket: { operation in
                guard operation.template.hasPrefix("/api/v1/"), operation.credential == .bearer else { return nil }
                return operation.name == "POST /api/v1/upload" ? "upload" : "general"
            },
            facts: [
                .init(["POST \(base)/auth/apple"]) { $0.role = .signIn },
                .init(["POST \(base)/auth/refresh"]) { $0.role = .refresh },
                .init([
                    "POST \(base)/conversations", "POST /api/conversations", "POST \(base)/conversations/{id}/messages",
                    "POST \(base)/upload",
                ]) { $0.creates = true },
                .init(["GET \(base)/conversations/{id}/messages"]) {
                    $0.offset = .init(items: ["messages"], more: ["hasMore"])
                    $0.limitMaximum = 100
                },
            ],
            instances: instances,
            rules: [
                OmniChatRefreshesAhead.self, OmniChatKeepsOldRefreshToken.self, OmniChatNoNeedlessSignIn.self,
                OmniChatFirstSignInDetails.self, OmniChatNoBlankContent.self, OmniChatCompleteConversation.self,
                OmniChatChecksUploads.self, OmniChatOwnFilesOnly.self,
            ],
            isRefreshTokenID: isRefreshTokenID
        )
    }()

    /// Refresh tokens say nothing of their kind; their ids have this form.
    private static func isRefreshTokenID(_ text: String) -> Bool {
        text.utf8.count == 21
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    /// The names under which generic rules hold for this API, some with limits of its own.
    private static let instances: [RuleInstance] = [
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
}
