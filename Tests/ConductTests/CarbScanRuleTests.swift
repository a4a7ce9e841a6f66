import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of CarbScan (section 7): the breach, and what comes as close as is allowed.
@Suite struct CarbScanRuleTests {
    private static let base = "/api/mobile/v1"

    private static func issued(_ number: Int, end: Int64 = 864_000) -> JSON {
        [
            "data": [
                "accessToken": .string(Calls.token("access", "s1", "anna\(number)", end: end)),
                "refreshToken": .string(Calls.token("refresh", "s1", "anna\(number)")),
            ]
        ]
    }

    private static func refreshing(_ number: Int) -> JSON {
        ["refreshToken": .string(Calls.token("refresh", "s1", "anna\(number)"))]
    }

    @Test func `7 carbscan refreshes-ahead: the third token sent after its end`() {
        /// Signs in, and lets each token end before it is sent once more, so many milliseconds late.
        func late(_ tokens: Int, by late: Int64 = 2_000) -> JudgementReport.Status? {
            state("carbscan/refreshes-ahead") {
                $0.add(
                    "POST",
                    "\(Self.base)/auth/apple",
                    at: 0,
                    body: ["identityToken": "x"],
                    answer: Self.issued(0, end: 100)
                )
                for number in 0..<tokens {
                    let end = 100 * Int64(number + 1)
                    let token = Calls.token("access", "s1", "anna\(number)", end: end)
                    $0.add("GET", "\(Self.base)/user/\(number)", at: end * 1_000 + late, 401, token: token)
                    $0.add(
                        "POST",
                        "\(Self.base)/auth/refresh",
                        at: end * 1_000 + late + 1_000,
                        body: Self.refreshing(number),
                        answer: Self.issued(number + 1, end: end + 100)
                    )
                }
            }
        }
        expectEqual(late(3), .failed)
        expectEqual(late(2), .passed)
        expectEqual(late(3, by: 0), .passed)
        expectEqual(late(3, by: 1_000), .passed)
        expectEqual(late(3, by: 1_001), .failed)
    }

    @Test func `7 carbscan refreshes-ahead: without a refresh token there is nothing to do ahead`() {
        let result = state("carbscan/refreshes-ahead") {
            for number in 0..<4 {
                let token = Calls.token("access", "s1", "anna\(number)", end: 1)
                $0.add("GET", "\(Self.base)/user/\(number)", at: 9_000 + 9_000 * Int64(number), 401, token: token)
            }
        }
        expectEqual(result, .notExercised)
    }

    @Test func `7 carbscan uses-new-access-token: from the moment at which the new one is known`() {
        func used(_ number: Int, at begin: Int64, status: Int = 200) -> JudgementReport.Status? {
            var calls = Calls("carbscan")
            calls.add("POST", "\(Self.base)/auth/apple", at: 0, body: ["identityToken": "x"], answer: Self.issued(0))
            calls.add(
                "POST",
                "\(Self.base)/auth/refresh",
                at: 1_000,
                status,
                body: Self.refreshing(0),
                answer: Self.issued(1)
            )
            calls.add(
                "GET",
                "\(Self.base)/user",
                at: begin,
                token: Calls.token("access", "s1", "anna\(number)")
            )
            return calls.report.rules.first { $0.id == "auth/stale-token-sent" }?.status
        }
        expectEqual(used(0, at: 1_010), .failed)
        expectEqual(used(0, at: 1_009), .passed)
        expectEqual(used(1, at: 1_010), .passed)
        expectEqual(used(0, at: 9_000, status: 503), .passed)
    }

    @Test func `7 carbscan respects-quota: until the quota opens, and no longer`() {
        func refusal(_ code: String) -> JSON {
            [
                "error": [
                    "code": .string(code),
                    "details": ["scanResetDate": "2025-01-01T13:00:00.000Z", "subscriptionTier": "free"],
                ]
            ]
        }
        func again(_ path: String, _ code: String, at begin: Int64, tier: String = "free") -> JudgementReport.Status? {
            state("carbscan/respects-quota") {
                let token = Calls.token("access")
                $0.add("POST", "\(Self.base)/\(path)", at: 0, 403, token: token, body: ["a": 1], answer: refusal(code))
                $0.add(
                    "GET",
                    "\(Self.base)/user",
                    at: 1_000,
                    token: token,
                    answer: ["data": ["subscriptionTier": .string(tier)]]
                )
                $0.add(
                    "POST",
                    "\(Self.base)/\(path)",
                    at: begin,
                    403,
                    token: token,
                    body: ["a": 2],
                    answer: refusal(code)
                )
            }
        }
        // An hour after the start the scans come back; at midnight, 12 hours after it, the questions.
        expectEqual(again("analyze", "NO_SCANS_REMAINING", at: 3_599_999), .failed)
        expectEqual(again("analyze", "NO_SCANS_REMAINING", at: 3_600_000), .passed)
        expectEqual(again("analyze", "NO_SCANS_REMAINING", at: 9_000, tier: "premium"), .passed)
        expectEqual(again("chat", "CHAT_LIMIT_REACHED", at: 43_199_999), .failed)
        expectEqual(again("chat", "CHAT_LIMIT_REACHED", at: 43_200_000), .passed)
        expectEqual(again("chat", "CHAT_LIMIT_REACHED", at: 9_000, tier: "premium"), .passed)
        expectEqual(again("analyze", "CHAT_LIMIT_REACHED", at: 9_000), .notExercised)
    }

    private func syncs(
        _ rule: String,
        _ first: JSON,
        _ answer: JSON,
        _ second: JSON,
        status: Int = 200,
        session: String = "s1"
    ) -> JudgementReport.Status? {
        state(rule) {
            $0.add(
                "POST",
                "\(Self.base)/meals/sync",
                at: 0,
                status,
                token: Calls.token("access"),
                body: first,
                answer: ["data": answer]
            )
            $0.add(
                "POST",
                "\(Self.base)/meals/sync",
                at: 90_000,
                500,
                token: Calls.token("access", session),
                body: second
            )
        }
    }

    @Test(
        arguments: [
            ("2025-01-01T12:00:00.000Z", true), ("2025-01-01T12:00:00Z", true), ("2025-01-01T12:00:00.001Z", false),
            ("2025-01-01T11:59:59.999Z", false), (nil, nil),
        ] as [(String?, Bool?)]
    )
    func `7 carbscan keeps-server-timestamp: the same instant, or none`(sent: String?, isClean: Bool?) {
        let result = syncs(
            "carbscan/keeps-server-timestamp",
            ["lastSyncTimestamp": .null],
            ["serverTimestamp": "2025-01-01T12:00:00.000Z"],
            ["lastSyncTimestamp": sent.map { .string($0) } ?? .null]
        )
        expectEqual(result, isClean.map { $0 ? .passed : .failed } ?? .notExercised)
    }

    @Test func `7 carbscan keeps-server-timestamp: not before an answer was there, nor for another session`() {
        let time: JSON = ["lastSyncTimestamp": "2020-01-01T00:00:00.000Z"]
        let answer: JSON = ["serverTimestamp": "2025-01-01T12:00:00.000Z"]
        expectEqual(syncs("carbscan/keeps-server-timestamp", time, answer, ["a": 1], status: 500), .notExercised)
        expectEqual(syncs("carbscan/keeps-server-timestamp", time, answer, time, session: "s2"), .notExercised)
    }

    @Test func `7 carbscan one-local-id: one meal under two ids`() {
        func meal(_ id: String, _ name: String = "Soup", carbs: Int64 = 20, at: String = "2025-01-01T11:00:00.000Z")
            -> JSON
        {
            [
                "localMeals": [
                    [
                        "localId": .string(id), "name": .string(name), "carbEstimate": .integer(carbs),
                        "createdAt": .string(at),
                    ]
                ]
            ]
        }
        func found(_ second: JSON) -> JudgementReport.Status? {
            syncs("carbscan/one-local-id", meal("a"), ["syncedLocalMeals": []], second)
        }
        expectEqual(found(meal("b")), .failed)
        expectEqual(found(meal("a")), .passed)
        expectEqual(found(meal("b", "Bread")), .passed)
        expectEqual(found(meal("b", carbs: 21)), .passed)
        expectEqual(found(meal("b", at: "2025-01-01T11:00:00.001Z")), .passed)
    }

    @Test func `7 carbscan takes-server-version: the same meal again after its conflict`() {
        func meal(_ carbs: Int64) -> JSON {
            ["localMeals": [["localId": "a", "name": "Soup", "carbEstimate": .integer(carbs)]]]
        }
        func found(_ second: JSON, modified: Int64 = 7) -> JudgementReport.Status? {
            syncs(
                "carbscan/takes-server-version",
                meal(20),
                [
                    "syncedLocalMeals": [["localId": "a", "serverId": 7]],
                    "modifiedMeals": [["id": .integer(modified)]],
                ],
                second
            )
        }
        expectEqual(found(meal(20)), .failed)
        expectEqual(found(meal(21)), .passed)
        expectEqual(found(meal(20), modified: 8), .notExercised)
    }

    @Test func `7 carbscan: what one answer tells, and what does not`() {
        func refused(_ rule: String, _ path: String, _ member: String, _ reason: String, _ status: Int = 400)
            -> JudgementReport.Status?
        {
            state(rule) {
                $0.add(
                    "POST",
                    "\(Self.base)/\(path)",
                    at: 0,
                    status,
                    token: Calls.token("access"),
                    body: ["a": 1],
                    answer: ["error": ["code": "VALIDATION_ERROR", "details": .object([member: .string(reason)])]]
                )
            }
        }
        expectEqual(refused("carbscan/known-platform", "devices/register", "platform", "unsupported_value"), .failed)
        expectEqual(refused("carbscan/known-platform", "devices/register", "token", "required"), .passed)
        expectEqual(refused("carbscan/respects-limits", "analyze", "imageBase64", "too_large"), .failed)
        expectEqual(refused("carbscan/respects-limits", "chat", "message", "too_long"), .failed)
        expectEqual(refused("carbscan/respects-limits", "chat", "message", "required"), .passed)
        expectEqual(refused("carbscan/respects-limits", "analyze", "imageBase64", "too_large", 500), .passed)
        func apple(_ body: JSON) -> JudgementReport.Status? {
            state("carbscan/string-credentials") { $0.add("POST", "\(Self.base)/auth/apple", at: 0, 400, body: body) }
        }
        expectEqual(apple(["identityToken": "x", "authorizationCode": [1]]), .failed)
        expectEqual(apple(["identityToken": 12]), .failed)
        expectEqual(apple(["identityToken": "x", "authorizationCode": .null]), .passed)
    }
}
