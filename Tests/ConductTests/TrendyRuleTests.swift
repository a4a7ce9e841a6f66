import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of Trendy (section 7): the breach, and what comes as close as is allowed.
@Suite struct TrendyRuleTests {
    private static let record = "/api/v1/users/onboarding"
    private static let key = [("Idempotency-Key", "k")]
    private let access = Calls.token("access")

    @Test func `7 trendy bounded-status-read: again within three seconds of one that was given up`() {
        func found(_ begin: Int64, outcome: ConductExchange.Outcome = .interrupted) -> JudgementReport.Status? {
            state("trendy/bounded-status-read") {
                $0.add("GET", Self.record, at: 0, took: 3_000, token: access, outcome: outcome)
                $0.add("GET", Self.record, at: begin, token: access)
            }
        }
        expectEqual(found(5_999), .failed)
        expectEqual(found(6_000), .passed)
        expectEqual(found(4_000, outcome: .cut), .passed)
    }

    @Test func `7 trendy sends-only-changes: the same after its success, and nothing written between`() {
        func found(status: Int = 200, between path: String? = nil, second: Int64 = 1, at begin: Int64 = 90_000)
            -> JudgementReport.Status?
        {
            state("trendy/sends-only-changes") {
                $0.add("PATCH", Self.record, at: 0, status, token: access, user: "a", body: ["step": 1])
                if let path {
                    let headers = Self.key
                    $0.add("POST", path, at: 40_000, 201, token: access, user: "a", headers: headers, body: ["b": 1])
                }
                $0.add("PATCH", Self.record, at: begin, token: access, user: "a", body: ["step": .integer(second)])
            }
        }
        expectEqual(found(), .failed)
        expectEqual(found(at: 10), .failed)
        expectEqual(found(at: 9), .passed)
        expectEqual(found(status: 500), .passed)
        expectEqual(found(between: "/api/v1/events"), .passed)
        expectEqual(found(second: 2), .passed)
    }

    @Test func `7 trendy pushes-until-they-arrive: a member that a later success does not have`() {
        func found(_ second: JSON, status: Int = 500, then: Int = 200) -> JudgementReport.Status? {
            state("trendy/pushes-until-they-arrive") {
                $0.add("PATCH", Self.record, at: 0, status, token: access, body: ["a": 1, "b": 2])
                $0.add("PATCH", Self.record, at: 90_000, then, token: access, body: second)
            }
        }
        expectEqual(found(["b": 2]), .failed)
        expectEqual(found(["c": 2]), .failed)
        expectEqual(found(["a": 9, "b": 2, "c": 3]), .passed)
        expectEqual(found(["b": 2], then: 500), .passed)
        expectEqual(found(["b": 2], status: 400), .notExercised)
    }

    @Test func `7 trendy pushes-until-they-arrive: a member that comes later after all was not lost`() {
        func found(_ third: JSON) -> JudgementReport.Status? {
            state("trendy/pushes-until-they-arrive") {
                $0.add("PATCH", Self.record, at: 0, 500, token: access, body: ["a": 1, "b": 2])
                $0.add("PATCH", Self.record, at: 90_000, token: access, body: ["c": 3])
                $0.add("PATCH", Self.record, at: 180_000, token: access, body: third)
            }
        }
        expectEqual(found(["a": 1, "b": 2]), .passed)
        expectEqual(found(["a": 1]), .failed)
        expectEqual(found(["d": 1]), .failed)
    }

    @Test func `7 trendy pushes-until-they-arrive: what is sent again at once, by another connection, is not lost`() {
        func found(_ again: JSON) -> JudgementReport.Status? {
            state("trendy/pushes-until-they-arrive") {
                $0.add("PATCH", Self.record, at: 0, 500, token: access, body: ["a": 1])
                // So soon that the client can't be held to the failure.
                $0.add("PATCH", Self.record, at: 20, token: access, body: again)
                $0.exchanges[1].connection = 2
                $0.add("PATCH", Self.record, at: 90_000, token: access, body: ["c": 3])
            }
        }
        expectEqual(found(["a": 1]), .passed)
        expectEqual(found(["b": 2]), .failed)
    }

    @Test func `7 trendy completes-once: again, or taken back, without a DELETE`() {
        func found(_ second: JSON, erases: Bool = false, status: Int = 200, user: String = "a") -> JudgementReport
            .Status?
        {
            state("trendy/completes-once") {
                $0.add(
                    "PATCH",
                    Self.record,
                    at: 0,
                    status,
                    token: access,
                    user: "a",
                    body: ["completed": true, "x": 1]
                )
                if erases { $0.add("DELETE", Self.record, at: 30_000, 204, token: access, user: "a") }
                $0.add("PATCH", Self.record, at: 90_000, 500, token: access, user: user, body: second)
            }
        }
        expectEqual(found(["completed": true]), .failed)
        expectEqual(found(["completed": false]), .failed)
        expectEqual(found(["completed": true], erases: true), .passed)
        expectEqual(found(["step": 1]), .passed)
        expectEqual(found(["completed": true], user: "b"), .passed)
        expectEqual(found(["completed": true], status: 500), .notExercised)
    }

    @Test(arguments: [
        ("granted", true), ("denied", true), ("skipped", true), ("not_requested", true), ("Granted", false),
        ("", false),
    ])
    func `7 trendy known-permissions: the four, and nothing else`(value: String, isClean: Bool) {
        for name in ["notifications_status", "healthkit_status", "location_status"] {
            let result = state("trendy/known-permissions") {
                $0.add("PATCH", Self.record, at: 0, 400, token: access, body: .object([name: .string(value)]))
            }
            expectEqual(result, isClean ? .passed : .failed)
        }
    }

    @Test(arguments: [
        ("2025-01-01T12:00:00Z", true), ("2025-01-01T12:00:00.123Z", true), ("2025-01-01T12:00:00-03:00", false),
        ("2025-01-01T12:00:00.5+00:30", false), ("2025-01-01", true), ("soon", true),
    ])
    func `7 trendy dates-in-utc: any offset but Z`(date: String, isClean: Bool) {
        func sent(_ method: String, _ path: String, _ body: JSON) -> JudgementReport.Status? {
            state("trendy/dates-in-utc") {
                $0.add(method, path, at: 0, token: access, headers: Self.key, body: body)
            }
        }
        let expected: JudgementReport.Status = isClean ? .passed : .failed
        expectEqual(sent("PATCH", Self.record, ["welcome_completed_at": .string(date)]), expected)
        expectEqual(sent("POST", "/api/v1/events", ["timestamp": .string(date)]), expected)
        expectEqual(
            sent("POST", "/api/v1/events/batch", ["events": [["a": 1], ["end_date": .string(date)]]]),
            expected
        )
    }

    @Test func `7 trendy reads-status-once: the third within a minute, nothing written between`() {
        func found(_ last: Int64, writes: Bool = false, count: Int = 3) -> JudgementReport.Status? {
            state("trendy/reads-status-once") {
                for (number, begin) in [0, 30_000, last].prefix(count).enumerated() {
                    if writes, number == 2 {
                        $0.add("PATCH", Self.record, at: begin - 9_000, token: access, body: ["a": 1])
                    }
                    $0.add("GET", Self.record, at: begin, token: access, answer: ["n": .integer(Int64(number))])
                }
            }
        }
        expectEqual(found(60_000), .failed)
        expectEqual(found(60_001), .passed)
        expectEqual(found(60_000, writes: true), .passed)
        expectEqual(found(60_000, count: 2), .passed)
    }

    @Test func `7 trendy reads-before-writing: the record of another user`() {
        func found(reads: Bool, second: String = "bo", outcome: ConductExchange.Outcome = .delivered)
            -> JudgementReport.Status?
        {
            state("trendy/reads-before-writing") {
                for (time, user, session) in [(0, "anna", "s1"), (20_000, second, "s2")] as [(Int64, String, String)] {
                    $0.add(
                        "POST",
                        "/auth/v1/token?grant_type=password",
                        at: time,
                        route: "/auth/v1/token",
                        user: user,
                        body: ["email": .string("\(user)@b.se"), "password": "x"],
                        answer: [
                            "access_token": .string(Calls.token("access", session, user)),
                            "refresh_token": .string(Calls.token("refresh", session, user)),
                        ]
                    )
                }
                let token = Calls.token("access", "s2", second)
                if reads { $0.add("GET", Self.record, at: 30_000, token: token, user: second, outcome: outcome) }
                $0.add("PATCH", Self.record, at: 90_000, token: token, user: second, body: ["a": 1])
            }
        }
        expectEqual(found(reads: false), .failed)
        expectEqual(found(reads: true), .passed)
        expectEqual(found(reads: true, outcome: .cut), .failed)
        expectEqual(found(reads: false, second: "anna"), .notExercised)
    }

    @Test func `7 trendy uses-batches: the twentieth within ten seconds`() {
        func found(_ count: Int, every step: Int64) -> JudgementReport.Status? {
            state("trendy/uses-batches") {
                for number in 0..<count {
                    $0.add(
                        "POST",
                        "/api/v1/events",
                        at: Int64(number) * step,
                        201,
                        token: access,
                        headers: [("Idempotency-Key", "k\(number)")],
                        body: ["n": .integer(Int64(number))]
                    )
                }
            }
        }
        // 19 steps of 526 ms are 9,994 ms, of 527 ms 10,013 ms.
        expectEqual(found(20, every: 526), .failed)
        expectEqual(found(20, every: 527), .passed)
        expectEqual(found(19, every: 526), .passed)
    }

    @Test func `7 trendy idempotent-creates: each of the creating calls`() {
        for path in ["events", "events/batch", "event-types", "event-types/{id}/properties", "geofences"] {
            func found(_ headers: [(String, String)]) -> JudgementReport.Status? {
                state("trendy/idempotent-creates") {
                    $0.add("POST", "/api/v1/\(path)", at: 0, 201, token: access, headers: headers, body: ["a": 1])
                }
            }
            expectEqual(found([]), .failed)
            expectEqual(found(Self.key), .passed)
        }
    }

    @Test func `7 trendy repeats-only-the-failed: what was stored is not sent again`() {
        func found(_ ids: [String], status: Int = 207, at begin: Int64 = 90_000) -> JudgementReport.Status? {
            state("trendy/repeats-only-the-failed") {
                $0.add(
                    "POST",
                    "/api/v1/events/batch",
                    at: 0,
                    status,
                    token: access,
                    headers: [("Idempotency-Key", "k1")],
                    body: ["events": [["id": "e1"], ["id": "e2"]]],
                    answer: ["created": [["id": "e1"]]]
                )
                $0.add(
                    "POST",
                    "/api/v1/events/batch",
                    at: begin,
                    201,
                    token: access,
                    headers: [("Idempotency-Key", "k2")],
                    body: ["events": .array(ids.map { ["id": .string($0)] })]
                )
            }
        }
        expectEqual(found(["e1"]), .failed)
        expectEqual(found(["e2", "E1"]), .failed)
        expectEqual(found(["e2"]), .passed)
        expectEqual(found(["e1"], at: 9), .passed)
        expectEqual(found(["e1"], status: 500), .notExercised)
    }
}
