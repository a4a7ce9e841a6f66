import Backend
package import ConductKit

/// The rules of conduct for this API's clients, and the facts about its operations that they need.
extension TrafikskolaAPI {
    package static let conduct: APIConduct = {
        let base = TrafikskolaRoutes.base
        let payment = "\(base)/invoices/{id}/payment"
        return APIConduct(
            identity.name,
            baseSegments: 2,
            facts: [
                .init(["POST \(base)/auth/request-otp"]) { $0.role = .requestCode },
                .init(["POST \(base)/auth/verify-otp"]) {
                    $0.role = .signIn
                    $0.code = .init(["otpCode", "otp"], isTyped: true)
                    $0.takesSecret = true
                },
                .init(["POST \(base)/auth/login"]) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                .init(["POST \(base)/auth/quick-login"]) {
                    $0.role = .signIn
                    $0.code = .init(["token", "quickToken"])
                },
                .init(["POST \(base)/auth/refresh"]) { $0.role = .refresh },
                .init(["POST \(base)/auth/logout"]) { $0.role = .signOut },
                .init(["POST \(base)/bookings"]) { $0.creates = true },
                .init(["POST \(payment)/initiate"]) {
                    $0.creates = true
                    $0.collections = ["\(base)/invoices"]
                },
                .init(["GET \(payment)/{paymentId}/status"]) {
                    $0.terminal = .init(["data", "status"], ["completed", "failed", "cancelled"])
                },
                .init(["GET \(base)/notifications"]) { $0.limitMaximum = 100 },
            ],
            instances: instances,
            rules: [
                TrafikskolaRecoversBeforeSignIn.self, TrafikskolaRefreshesStaleSession.self,
                TrafikskolaRefreshesOnlyOn401.self, TrafikskolaServerTroubleIsNoLogout.self,
                TrafikskolaStableDevice.self,
                TrafikskolaAppSecret.self, TrafikskolaConfigFallback.self, TrafikskolaBundledImages.self,
                TrafikskolaChecksTheDomain.self, TrafikskolaAvatarForm.self, TrafikskolaLeavesAfterKick.self,
            ]
        )
    }()

    /// The names under which generic rules hold for this API, some with limits of its own.
    private static let instances: [RuleInstance] = [
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
                    on: ["GET \(TrafikskolaRoutes.base)/i18n", "GET \(TrafikskolaRoutes.base)/translations/{locale}"],
                    nil,
                    [(.times, 1), (.withinSeconds, 3_600)]
                ),
            ]
        ),
        RuleInstance(
            "trafikskola/calm-polling",
            [
                .init("poll/too-fast", nil, [(.times, 5)]),
                .init(
                    "poll/too-fast",
                    on: ["GET \(TrafikskolaRoutes.base)/notifications"],
                    nil,
                    [(.minIntervalMs, 30_000)]
                ),
                .init(
                    "poll/too-fast",
                    on: ["GET \(TrafikskolaRoutes.base)/invoices/{id}/payment/{paymentId}/status"],
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
}
