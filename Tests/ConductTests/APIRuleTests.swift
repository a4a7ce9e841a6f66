import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Conduct
@testable import ConductKit

/// The rules of the five APIs (section 7), by exchanges as their emulations answer them.
@Suite struct APIRuleTests {
    private func calls(_ api: String, _ build: (inout Calls) -> Void) -> [String] {
        var calls = Calls(api)
        build(&calls)
        return calls.found
    }

    @Test func `7 sawaed: what one answer tells`() {
        expectEqual(
            calls("sawaed") { $0.add("POST", "/api/chat/send", at: 0, 400, token: "t", body: [:]) },
            [
                "sawaed/complete-chat-body"
            ]
        )
        let code: JSON = ["success": false, "error": ["code": "verify_otp_failed"]]
        expectEqual(
            calls("sawaed") {
                $0.add("POST", "/api/mobile/auth/verify-otp", at: 0, 400, body: ["email": "a@b.se"], answer: code)
            },
            ["sawaed/clean-code"]
        )
        expectEqual(
            calls("sawaed") {
                $0.add(
                    "POST",
                    "/api/mobile/auth/signin",
                    at: 0,
                    403,
                    body: ["email": "a@b.se"],
                    answer: ["error": ["code": "invalid_origin"]]
                )
            },
            ["sawaed/no-origin-header"]
        )
        expectEqual(
            calls("sawaed") { $0.add("GET", "/api/mobile/v1/events?q=x&locale=ar", at: 0, token: "t") },
            [
                "sawaed/backend-gaps"
            ]
        )
        expectEqual(
            calls("sawaed") { $0.add("GET", "/api/mobile/v1/events", at: 0, token: "t") },
            ["sawaed/sends-language"]
        )
        expectEqual(
            calls("sawaed") {
                $0.add("GET", "/api/mobile/v1/events", at: 0, token: "t", headers: [("Accept-Language", "ar-SA")])
            },
            []
        )
    }

    @Test func `7 sawaed: what follows an answer`() {
        func reference(_ begin: Int64) -> [String] {
            calls("sawaed") {
                for time in [0, begin] {
                    $0.add(
                        "GET",
                        "/api/mobile/v1/locations/regions?locale=ar",
                        at: time,
                        token: "t",
                        answer: ["items": []]
                    )
                }
            }
        }
        expectEqual(reference(60_009), ["sawaed/caches-reference-data"])
        expectEqual(reference(60_010), [])
        func resend(_ begin: Int64) -> [String] {
            calls("sawaed") {
                for time in [0, begin] {
                    $0.add(
                        "POST",
                        "/api/mobile/auth/request-otp",
                        at: time,
                        body: ["email": "a@b.se"],
                        answer: ["success": true]
                    )
                }
            }
        }
        expectEqual(resend(120_009), ["sawaed/resend-pause"])
        expectEqual(resend(120_010), [])
        expectEqual(
            calls("sawaed") {
                $0.add("POST", "/api/mobile/auth/signin", at: 0, 401, body: ["email": "a@b.se", "password": "x"])
                $0.add("POST", "/api/mobile/auth/signin", at: 9_000, 401, body: ["email": "A@b.se ", "password": "x"])
            },
            ["sawaed/normalised-email"]
        )
        expectEqual(
            calls("sawaed") {
                $0.add(
                    "POST",
                    "/api/chat/send",
                    at: 0,
                    token: "t",
                    body: ["skillId": "s", "message": "a"],
                    answer: ["conversationId": "c"]
                )
                $0.add(
                    "POST",
                    "/api/chat/send",
                    at: 9_000,
                    token: "t",
                    body: ["skillId": "s", "message": "b"],
                    answer: ["conversationId": "d"]
                )
            },
            ["sawaed/continues-conversation"]
        )
        expectEqual(
            calls("sawaed") {
                $0.add("POST", "/api/mobile/v1/profile/picture/complete", at: 0, token: "t", body: ["a": 1])
            },
            ["sawaed/upload-in-order"]
        )
    }

    @Test func `7 carbscan: limits, platform, credentials and quota`() {
        let base = "/api/mobile/v1"
        func refused(_ path: String, _ reason: String) -> JSON {
            ["success": false, "error": ["code": "VALIDATION_ERROR", "details": .object([path: .string(reason)])]]
        }
        expectEqual(
            calls("carbscan") {
                $0.add(
                    "POST",
                    "\(base)/devices/register",
                    at: 0,
                    400,
                    body: ["platform": "web"],
                    answer: refused("platform", "unsupported_value")
                )
            },
            ["carbscan/known-platform"]
        )
        expectEqual(
            calls("carbscan") {
                $0.add(
                    "POST",
                    "\(base)/analyze",
                    at: 0,
                    400,
                    token: "t",
                    body: ["imageBase64": "x"],
                    answer: refused("imageBase64", "too_large")
                )
            },
            ["carbscan/respects-limits"]
        )
        expectEqual(
            calls("carbscan") { $0.add("POST", "\(base)/auth/apple", at: 0, 400, body: ["identityToken": [1, 2]]) },
            [
                "carbscan/string-credentials"
            ]
        )
        let empty: JSON = [
            "error": [
                "code": "NO_SCANS_REMAINING",
                "details": [
                    "remainingScans": 0, "scanResetDate": "2025-01-02T00:00:00.000Z", "subscriptionTier": "free",
                ],
            ]
        ]
        expectEqual(
            calls("carbscan") {
                $0.add("POST", "\(base)/analyze", at: 0, 403, token: "t", body: ["imageBase64": "x"], answer: empty)
                $0.add(
                    "POST",
                    "\(base)/analyze",
                    at: 99_000,
                    403,
                    token: "t",
                    body: ["imageBase64": "y"],
                    answer: empty
                )
            },
            ["carbscan/respects-quota"]
        )
    }

    @Test func `7 omnichat: answers and models`() {
        expectEqual(
            calls("omnichat") {
                $0.add(
                    "POST",
                    "/api/v1/auth/apple",
                    at: 0,
                    400,
                    body: ["idToken": "x"],
                    answer: ["error": "Email required for new users"]
                )
            },
            ["omnichat/first-sign-in-details"]
        )
        expectEqual(
            calls("omnichat") { $0.add("POST", "/api/v1/upload", at: 0, 413, token: "t", body: ["a": 1]) },
            [
                "omnichat/checks-uploads"
            ]
        )
        expectEqual(
            calls("omnichat") {
                $0.add("GET", "/api/v1/files/a/b", at: 0, 403, route: "/api/v1/files/{key…}", token: "t")
            },
            ["omnichat/own-files-only"]
        )
        expectEqual(
            calls("omnichat") {
                $0.add("GET", "/api/models", at: 0, token: "t", answer: ["providers": ["openai": [["id": "gpt"]]]])
                $0.add("POST", "/api/v1/conversations", at: 9_000, token: "t", body: ["title": "a", "model": "gtp"])
            },
            ["omnichat/complete-conversation"]
        )
    }

    @Test func `7 trafikskola: config, images, secret and kick`() {
        func config(_ count: Int) -> [String] {
            calls("trafikskola") {
                var time: Int64 = 0
                for number in 0..<count {
                    $0.add("GET", "/api/mobile/config?domain=x", at: time, number == count - 1 ? 200 : 500)
                    time += 20_000 * Int64(1 << number)
                }
            }
        }
        expectEqual(config(3), ["trafikskola/config-fallback"])
        expectEqual(config(2), [])
        func image(_ count: Int) -> [String] {
            calls("trafikskola") {
                for number in 0..<count {
                    $0.add("GET", "/logo.png", at: Int64(number) * 9_000, answer: [:], type: "text/html")
                }
            }
        }
        expectEqual(image(3), ["trafikskola/bundled-images"])
        expectEqual(image(2), [])
        expectEqual(
            calls("trafikskola") {
                $0.add("GET", "/api/mobile/bookings", at: 0, token: "t", headers: [("X-App-Secret", "s")])
                $0.add("GET", "/api/mobile/invoices", at: 9_000, token: "t")
            },
            ["trafikskola/app-secret"]
        )
    }

    @Test func `7 trendy: the record and events`() {
        let record = "/api/v1/users/onboarding"
        expectEqual(
            calls("trendy") { $0.add("GET", record, at: 0, took: 3_501, token: "t") },
            ["trendy/bounded-status-read"]
        )
        expectEqual(calls("trendy") { $0.add("GET", record, at: 0, took: 3_500, token: "t") }, [])
        expectEqual(
            calls("trendy") { $0.add("PATCH", record, at: 0, token: "t", body: [:]) },
            ["trendy/sends-only-changes"]
        )
        expectEqual(
            calls("trendy") { $0.add("PATCH", record, at: 0, 400, token: "t", body: ["location_status": "maybe"]) },
            [
                "trendy/known-permissions"
            ]
        )
        expectEqual(
            calls("trendy") {
                $0.add("PATCH", record, at: 0, token: "t", body: ["auth_completed_at": "2025-01-01T12:00:00+01:00"])
            },
            ["trendy/dates-in-utc"]
        )
        expectEqual(
            calls("trendy") {
                $0.add("PATCH", record, at: 0, token: "t", user: "a", body: ["completed": true])
                $0.add("PATCH", record, at: 9_000, token: "t", user: "a", body: ["completed": false])
            },
            ["trendy/completes-once"]
        )
        expectEqual(
            calls("trendy") { $0.add("POST", "/api/v1/events", at: 0, 201, token: "t", body: ["a": 1]) },
            [
                "trendy/idempotent-creates"
            ]
        )
        expectEqual(
            calls("trendy") {
                let key = [("Idempotency-Key", "k1")]
                $0.add(
                    "POST",
                    "/api/v1/events/batch",
                    at: 0,
                    207,
                    token: "t",
                    headers: key,
                    body: ["events": [["id": "e1"], ["id": "e2"]]],
                    answer: ["created": [["id": "e1"]]]
                )
                $0.add(
                    "POST",
                    "/api/v1/events/batch",
                    at: 9_000,
                    201,
                    token: "t",
                    headers: [("Idempotency-Key", "k2")],
                    body: ["events": [["id": "e1"]]]
                )
            },
            ["trendy/repeats-only-the-failed"]
        )
    }
}
