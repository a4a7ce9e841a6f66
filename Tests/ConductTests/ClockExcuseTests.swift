import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 1: a test that freezes or moves the clock of a world makes no client guilty.
@Suite struct ClockExcuseTests {
    private static let day: Int64 = 86_400_000

    /// Signs in with Apple, and uses each access token so many milliseconds after its end, of which `ahead` come from a
    /// clock that is moved.
    private func late(_ api: String, moved: Bool) -> JudgementReport.Status? {
        let base = api == "carbscan" ? "/api/mobile/v1" : "/api/v1"
        func tokens(_ number: Int) -> JSON {
            let end = Int64(number + 1) * 100
            let answer: JSON = [
                "accessToken": .string(Calls.token("access", "s1", "u\(number)", end: end)),
                "refreshToken": .string(Calls.token("refresh", "s1", "u")),
            ]
            return api == "carbscan" ? ["data": answer] : answer
        }
        return state("\(api)/refreshes-ahead") {
            $0.add("POST", "\(base)/auth/apple", at: 0, body: ["identityToken": "x"], answer: tokens(0))
            for number in 0..<3 {
                let world = Int64(number + 1) * 100_000 + 2_000
                let machine = moved ? Int64(number + 1) * 5_000 : world
                let token = Calls.token("access", "s1", "u\(number)", end: Int64(number + 1) * 100)
                $0.add("GET", "\(base)/user/\(number)", at: machine, 401, token: token, ahead: world - machine)
                $0.add(
                    "POST",
                    "\(base)/auth/refresh",
                    at: machine + 100,
                    body: ["refreshToken": .string(Calls.token("refresh", "s1", "u"))],
                    answer: tokens(number + 1),
                    ahead: world - machine
                )
            }
        }
    }

    @Test func `7 refreshes-ahead: an end that came because the clock was moved is no fault of the client`() {
        for api in ["carbscan", "omnichat"] {
            expectEqual(late(api, moved: false), .failed, api)
            expectEqual(late(api, moved: true), .passed, api)
        }
    }

    @Test func `7 trafikskola refreshes-a-stale-session: seven days by both clocks`() {
        func found(machine: Int64, ahead: Int64) -> JudgementReport.Status? {
            state("trafikskola/refreshes-a-stale-session") {
                let token = Calls.token("access", end: 9_000_000)
                $0.add("GET", "/api/mobile/bookings", at: 0, token: token)
                $0.add("GET", "/api/mobile/bookings", at: machine, 401, token: token, ahead: ahead)
            }
        }
        expectEqual(found(machine: 8 * Self.day, ahead: 0), .failed)
        expectEqual(found(machine: 1_000, ahead: 8 * Self.day), .notExercised)
        expectEqual(found(machine: 8 * Self.day, ahead: -8 * Self.day), .notExercised)
    }

    @Test func `7 trafikskola refreshes-only-on-401: five minutes that are left by both clocks`() {
        func found(life: Int64, machine: Int64 = 1_000, ahead: Int64 = 0) -> JudgementReport.Status? {
            state("trafikskola/refreshes-only-on-401") {
                let token = Calls.token("access", end: life)
                let refresh = Calls.token("refresh")
                $0.add(
                    "POST",
                    "/api/mobile/auth/login",
                    at: 0,
                    body: ["email": "a@b.example"],
                    answer: ["data": ["accessToken": .string(token), "refreshToken": .string(refresh)]]
                )
                $0.add("GET", "/api/mobile/bookings", at: machine, 500, token: token, ahead: ahead)
                let body: JSON = ["refreshToken": .string(refresh)]
                $0.add("POST", "/api/mobile/auth/refresh", at: machine + 500, body: body, ahead: ahead)
            }
        }
        expectEqual(found(life: 900), .failed)
        expectEqual(found(life: 302), .failed)
        expectEqual(found(life: 301), .passed)
        expectEqual(found(life: 900, ahead: 700_000), .passed, "the world says that it ends")
        expectEqual(found(life: 900, machine: 700_000, ahead: -700_000), .passed, "the device says so")
    }

    @Test func `7 carbscan respects-quota: the device may have waited as long as was needed`() {
        func found(at begin: Int64, ahead: Int64) -> JudgementReport.Status? {
            state("carbscan/respects-quota") {
                let refusal: JSON = [
                    "error": [
                        "code": "NO_SCANS_REMAINING", "details": ["scanResetDate": "2025-01-01T13:00:00.000Z"],
                    ]
                ]
                for (time, offset, number) in [(0, 0, 1), (begin, ahead, 2)] as [(Int64, Int64, Int64)] {
                    $0.add(
                        "POST",
                        "/api/mobile/v1/analyze",
                        at: time,
                        403,
                        token: Calls.token("access"),
                        body: ["n": .integer(number)],
                        answer: refusal,
                        ahead: offset
                    )
                }
            }
        }
        expectEqual(found(at: 3_599_000, ahead: 0), .failed)
        expectEqual(found(at: 3_600_000, ahead: 0), .passed)
        expectEqual(found(at: 1_000, ahead: 3_600_000), .passed, "the world's clock was moved")
        expectEqual(found(at: 3_600_000, ahead: -3_600_000), .passed, "it stands still")
    }

    @Test func `4 cache no-validator-sent: fresh by either clock`() {
        func found(_ step: Int64, ahead: Int64) -> [String] {
            Traffic.made {
                for turn in 0..<5 {
                    $0.ahead = Int64(turn) * ahead
                    $0.add(
                        "GET /v1/open",
                        at: Int64(turn) * step,
                        answer: ["n": .integer(Int64(turn))],
                        answers: [("ETag", "\"1\""), ("Cache-Control", "max-age=60")]
                    )
                }
            }.found.filter { $0 == "cache/no-validator-sent" }
        }
        expectEqual(found(61_000, ahead: 0), ["cache/no-validator-sent"])
        expectEqual(found(1_000, ahead: 61_000), [], "the device's clock says that it is fresh")
        expectEqual(found(61_000, ahead: -60_000), [], "the world's clock says so")
    }

    // MARK: The old access token

    @Test func `4 auth stale-token-sent: what a client can't know of a refresh`() {
        let breach = ["auth/stale-token-sent"]
        // Another device or app of the session has refreshed.
        func refreshed(agent: String = "App/1", peer: String = "127.0.0.1", status: Int = 401) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items/1", at: 1_000, status, token: "access-1")
                ($0.agent, $0.peer) = (agent, peer)
                $0.refresh("refresh-1", at: 2_000, took: 1_000, new: "refresh-2")
                ($0.agent, $0.peer) = ("App/1", "127.0.0.1")
                $0.add("GET /v1/items/2", at: 2_500, 401, token: "access-1", connection: 2)
                $0.add("GET /v1/items/3", at: 9_000, token: "access-1")
            }.found
        }
        expectEqual(refreshed(), breach)
        expectEqual(refreshed(agent: "Widget/1"), [])
        expectEqual(refreshed(peer: "10.0.0.7"), [])
        expectEqual(refreshed(agent: "Widget/1", status: 200), [])
        // Of two refreshes at once, the one that began first may be answered last.
        func parallel(_ token: String) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.refresh("refresh-1", at: 2_000, took: 1_000, access: "access-2")
                $0.refresh("refresh-1", at: 2_100, took: 100, access: "access-3", connection: 2)
                $0.add("GET /v1/items/1", at: 9_000, token: token)
            }.found.filter { $0 == breach[0] }
        }
        expectEqual(parallel("access-1"), breach)
        expectEqual(parallel("access-2"), [])
        expectEqual(parallel("access-3"), [])
        // One refresh is known, and the next one is not yet.
        let second = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 2_000, new: "refresh-2")
            $0.refresh("refresh-2", at: 60_000, took: 1_000, access: "access-3", new: "refresh-3")
            $0.add("GET /v1/items/1", at: 60_500, token: "access-1", connection: 2)
        }
        expectEqual(second.found, breach)
        let next = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 2_000, new: "refresh-2")
            $0.refresh("refresh-2", at: 60_000, took: 1_000, access: "access-3", new: "refresh-3")
            $0.add("GET /v1/items/1", at: 60_500, token: "access-2", connection: 2)
            $0.add("GET /v1/items/2", at: 61_050, token: "access-2", connection: 2)
        }
        expectEqual(next.found, [])
    }

    @Test func `4 auth stale-token-sent: two users, and sessions that end`() {
        let users = Traffic.made {
            $0.signIn(at: 0, access: "access-a", refresh: "refresh-a")
            $0.signIn(at: 1_000, access: "access-b", refresh: "refresh-b")
            $0.add("GET /v1/items/1", at: 2_000, 401, token: "access-a")
            $0.refresh("refresh-b", at: 3_000, took: 1_000, access: "access-c", new: "refresh-c")
            $0.add("GET /v1/items/2", at: 3_500, token: "access-a", connection: 2)
            $0.add("GET /v1/items/3", at: 9_000, token: "access-a")
        }
        expectEqual(users.found, [])
        let ended = Traffic.made {
            $0.signIn()
            $0.add("POST /v1/sign-out", at: 2_000, token: "access-1", body: ["refreshToken": "refresh-1"])
            $0.add("GET /v1/items/1", at: 2_015, token: "access-1", connection: 2)
            $0.signIn(at: 9_000, access: "access-2", refresh: "refresh-2")
            $0.add("GET /v1/items/2", at: 10_000, token: "access-2")
        }
        expectEqual(ended.found, [])
    }

    @Test func `4 auth stale-token-sent: a token whose issue was not seen`() {
        func found(sentBefore: Bool) -> JudgementReport.Status? {
            var calls = Calls("carbscan")
            let base = "/api/mobile/v1"
            let token = Calls.token("access", "s1", "old")
            if sentBefore { calls.add("GET", "\(base)/user", at: 0, token: token) }
            calls.add(
                "POST",
                "\(base)/auth/refresh",
                at: 1_000,
                body: ["refreshToken": .string(Calls.token("refresh"))],
                answer: ["data": ["accessToken": .string(Calls.token("access", "s1", "new"))]]
            )
            calls.add("GET", "\(base)/user", at: 9_000, token: token)
            return calls.report.rules.first { $0.id == "auth/stale-token-sent" }?.status
        }
        expectEqual(found(sentBefore: true), .failed)
        expectEqual(found(sentBefore: false), .passed)
    }

    @Test func `1 a date is reached when either clock reaches it`() {
        // The world is an hour behind its machine, or as far as it.
        func found(_ field: (String, String), status: Int, behind: Int64, pause: Int64) -> [String] {
            Traffic.made {
                $0.ahead = -behind
                for turn in 0..<5 {
                    $0.add(
                        "GET /v1/open",
                        at: Int64(turn) * pause,
                        status,
                        answer: ["n": .integer(Int64(turn))],
                        answers: [field, ("X-RateLimit-Remaining", "0")]
                    )
                }
            }.found.filter { $0.hasPrefix("retry/retry-after") || $0.hasPrefix("retry/spent") }
        }
        let hour: Int64 = 3_600_000
        let fields: [(field: (String, String), status: Int, rule: String)] = [
            (("Retry-After", "Wed, 01 Jan 2025 12:00:00 GMT"), 429, "retry/retry-after-ignored"),
            (("X-RateLimit-Reset", "2025-01-01T12:00:00Z"), 200, "retry/spent-limit-ignored"),
            (("X-RateLimit-Reset", "1735732800"), 200, "retry/spent-limit-ignored"),
        ]
        for row in fields {
            expectEqual(found(row.field, status: row.status, behind: hour, pause: 2_000), [], "\(row)")
        }
        let ahead: [(field: (String, String), status: Int, rule: String)] = [
            (("Retry-After", "Wed, 01 Jan 2025 12:30:00 GMT"), 429, "retry/retry-after-ignored"),
            (("X-RateLimit-Reset", "2025-01-01T12:30:00Z"), 200, "retry/spent-limit-ignored"),
            (("X-RateLimit-Reset", "1735734600"), 200, "retry/spent-limit-ignored"),
            // Seconds that are left are no instant.
            (("Retry-After", "1800"), 429, "retry/retry-after-ignored"),
            (("X-RateLimit-Reset", "1800"), 200, "retry/spent-limit-ignored"),
        ]
        for row in ahead {
            for behind in [0, hour] {
                expectEqual(found(row.field, status: row.status, behind: behind, pause: 2_000), [row.rule], "\(row)")
            }
        }
    }

    @Test func `7 carbscan respects-quota: a date that is over on the device, and its next day`() {
        func found(_ path: String, at begin: Int64, behind: Int64, _ error: JSON) -> JudgementReport.Status? {
            state("carbscan/respects-quota") {
                for (time, number) in [(0, 1), (begin, 2)] as [(Int64, Int64)] {
                    $0.add(
                        "POST",
                        "/api/mobile/v1/\(path)",
                        at: time,
                        403,
                        token: Calls.token("access"),
                        body: ["n": .integer(number)],
                        answer: ["error": error],
                        ahead: -behind
                    )
                }
            }
        }
        let hour: Int64 = 3_600_000
        // It is 12:00 on the device.
        func scan(_ reset: String, behind: Int64) -> JudgementReport.Status? {
            let error: JSON = ["code": "NO_SCANS_REMAINING", "details": ["scanResetDate": .string(reset)]]
            return found("analyze", at: 1_000, behind: behind, error)
        }
        expectEqual(scan("2025-01-01T11:30:00.000Z", behind: hour), .passed)
        expectEqual(scan("2025-01-01T12:30:00.000Z", behind: hour), .failed)
        func chat(at begin: Int64, behind: Int64) -> JudgementReport.Status? {
            found("chat", at: begin, behind: behind, ["code": "CHAT_LIMIT_REACHED"])
        }
        expectEqual(chat(at: 11 * hour, behind: 0), .failed)
        expectEqual(chat(at: 12 * hour, behind: 0), .passed)
        expectEqual(chat(at: 12 * hour, behind: 6 * hour), .passed, "the device's day is over")
        expectEqual(chat(at: 11 * hour, behind: 6 * hour), .failed)
        expectEqual(chat(at: 6 * hour, behind: -6 * hour), .passed, "the world's is")
    }
}
