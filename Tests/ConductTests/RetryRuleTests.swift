import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of the group `retry` (section 4).
@Suite struct RetryRuleTests {
    @Test func `8 going on without waiting is one occurrence, until the client waits`() {
        func counts(_ begins: [Int64]) -> [Int] {
            Traffic.made {
                for begin in begins {
                    $0.add("GET /v1/open?n=\(begin)", at: begin, 429, answers: [("Retry-After", "30")])
                }
            }.report().findings.map(\.count)
        }
        expectEqual(counts([0, 2_000, 4_000, 6_000]), [1])
        expectEqual(counts([0, 31_000, 62_000]), [])
        expectEqual(counts([0, 2_000, 33_000, 35_000]), [2])
    }

    @Test func `4 retry an instant that a slow answer names is not counted from its end`() {
        func traffic(_ begin: Int64, _ answers: [(String, String)]) -> Traffic {
            Traffic.made {
                $0.add("GET /v1/open", at: 0, took: 4_000, 429, answers: answers)
                for turn in 0..<3 { $0.add("GET /v1/open?n=\(turn)", at: begin + Int64(turn) * 100) }
            }
        }
        let date = [("Retry-After", "Wed, 01 Jan 2025 12:00:10 GMT")]
        expectEqual(traffic(9_899, date).found, ["retry/retry-after-ignored"])
        expectEqual(traffic(9_900, date).found, [])
        let reset = [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "1735732810")]
        expectEqual(traffic(9_799, reset).found, ["retry/spent-limit-ignored"])
        expectEqual(traffic(9_800, reset).found, [])
        // Seconds count from the answer.
        let seconds = [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "10")]
        expectEqual(traffic(13_799, seconds).found, ["retry/spent-limit-ignored"])
        expectEqual(traffic(13_800, seconds).found, [])
    }

    @Test func `4 retry whoever waits as long as Retry-After says is held to no later reset`() {
        func found(_ begin: Int64) -> [String] {
            Traffic.made {
                $0.add(
                    "GET /v1/open",
                    at: 0,
                    429,
                    answers: [("Retry-After", "5"), ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "60")]
                )
                for turn in 0..<3 { $0.add("GET /v1/open?n=\(turn)", at: begin + Int64(turn) * 100) }
            }.found
        }
        expectEqual(found(5_010), [])
        expectEqual(found(1_000), ["retry/retry-after-ignored", "retry/spent-limit-ignored"])
    }

    @Test func `4 retry retry-after-ignored finds a pause shorter than told`() {
        func traffic(_ begin: Int64, status: Int = 429, value: String = "30") -> Traffic {
            Traffic.made {
                $0.add("GET /v1/open", at: 0, status, answers: [("Retry-After", value)])
                $0.add("GET /v1/open?a=1", at: begin)
            }
        }
        expectEqual(traffic(29_909).proofs, ["retry/retry-after-ignored": ["req_1", "req_2"]])
        expectEqual(traffic(29_910).found, [])
        expectEqual(traffic(29_910).status("retry/retry-after-ignored"), .passed)
        expectEqual(traffic(5_000, status: 503).found, ["retry/retry-after-ignored"])
        // 13:00:00 UTC is an hour after the start.
        expectEqual(traffic(5_000, value: "Wed, 01 Jan 2025 13:00:00 GMT").found, ["retry/retry-after-ignored"])
        expectEqual(traffic(3_600_000, value: "Wed, 01 Jan 2025 13:00:00 GMT").found, [])
        expectEqual(traffic(5_000, value: "soon").found, [])
        let lost = Traffic.made {
            $0.add("GET /v1/open", at: 0, 429, answers: [("Retry-After", "30")], outcome: .cut)
            $0.add("GET /v1/open?a=1", at: 1_000)
        }
        expectEqual(lost.found, [])
    }

    @Test func `1 a world's clock that was moved counts as waiting`() {
        let advanced = Traffic.made {
            $0.add("GET /v1/open", at: 0, 429, answers: [("Retry-After", "30")])
            $0.ahead = 30_000
            $0.add("GET /v1/open?a=1", at: 1_000)
        }
        expectEqual(advanced.found, [])
        let frozen = Traffic.made {
            $0.add("GET /v1/open", at: 0, 429, answers: [("Retry-After", "3")])
            $0.ahead = -4_000
            $0.add("GET /v1/open?a=1", at: 4_000)
        }
        expectEqual(frozen.found, [])
    }

    @Test func `4 retry no-pause-after-429 finds the third request within the time`() {
        func traffic(_ begins: [Int64]) -> Traffic {
            Traffic.made {
                $0.add("GET /v1/items/1", at: 0, 429)
                for (number, begin) in begins.enumerated() { $0.add("GET /v1/items/\(number + 2)", at: begin) }
            }
        }
        expectEqual(
            traffic([1_000, 5_000, 10_010]).proofs,
            [
                "retry/no-pause-after-429": ["req_1", "req_2", "req_3", "req_4"]
            ]
        )
        expectEqual(traffic([1_000, 5_000, 10_011]).found, [])
        expectEqual(traffic([1_000, 5_000]).found, [])
        expectEqual(traffic([]).status("retry/no-pause-after-429"), .passed)
        let told = Traffic.made {
            $0.add("GET /v1/items/1", at: 0, 429, answers: [("X-RateLimit-Reset", "0")])
            for number in 2..<6 { $0.add("GET /v1/items/\(number)", at: Int64(number) * 1_000) }
        }
        expectEqual(told.status("retry/no-pause-after-429"), .notExercised)
    }

    @Test(arguments: [("RateLimit", "60"), ("X-RateLimit", "2025-01-01T12:01:00.000Z"), ("X-RateLimit", "1735732860")])
    func `4 retry spent-limit-ignored finds the third request before the reset`(prefix: String, reset: String) {
        func traffic(_ last: Int64, remaining: String = "0") -> Traffic {
            Traffic.made {
                $0.add(
                    "GET /v1/items/1",
                    at: 0,
                    took: 0,
                    answers: [("\(prefix)-Remaining", remaining), ("\(prefix)-Reset", reset)]
                )
                $0.add("GET /v1/items/2", at: 10_000)
                $0.add("GET /v1/items/3", at: 20_000)
                $0.add("GET /v1/items/4", at: last)
            }
        }
        expectEqual(traffic(59_999).found, ["retry/spent-limit-ignored"])
        expectEqual(traffic(60_000).found, [])
        expectEqual(traffic(60_000).status("retry/spent-limit-ignored"), .passed)
        expectEqual(traffic(30_000, remaining: "1").status("retry/spent-limit-ignored"), .notExercised)
    }

    private func repeats(_ begins: [Int64], last: Int = 500, retryAfter: String? = nil) -> Traffic {
        Traffic.made {
            for (number, begin) in begins.enumerated() {
                $0.add(
                    "GET /v1/open",
                    at: begin,
                    took: 0,
                    number == begins.count - 1 ? last : 500,
                    answers: retryAfter.map { [("Retry-After", $0)] } ?? []
                )
            }
        }
    }

    @Test func `4 retry no-backoff finds haste and even pauses`() {
        expectEqual(repeats([0, 199, 398, 597], last: 200).found, ["retry/no-backoff"])
        expectEqual(repeats([0, 199, 398], last: 200).found, [])
        expectEqual(repeats([0, 199, 398, 598], last: 200).found, [])
        expectEqual(repeats([0, 1_000, 2_000, 3_000, 4_000], last: 200).found, ["retry/no-backoff"])
        expectEqual(repeats([0, 1_000, 2_000, 3_000], last: 200).found, [])
        // Each pause 1.1 times the one before, and then one of a little more.
        expectEqual(repeats([0, 1_000, 2_100, 3_310, 4_641], last: 200).found, ["retry/no-backoff"])
        expectEqual(repeats([0, 1_000, 2_100, 3_311, 4_644], last: 200).found, [])
        expectEqual(repeats([0, 10_000, 20_000, 30_000, 40_000], last: 200).found, [])
        expectEqual(repeats([0, 1_000, 3_000, 7_000], last: 200).found, [])
        expectEqual(repeats([0, 1_000, 3_000, 7_000], last: 200).status("retry/no-backoff"), .passed)
    }

    @Test func `4 retry no-backoff excuses repeats that waited as told`() {
        expectEqual(repeats([0, 3_000, 6_000, 9_000, 12_000], last: 200, retryAfter: "3").found, [])
    }

    @Test func `4 retry unbounded finds the sixth repeat within the time`() {
        let growing: [Int64] = [0, 1_000, 3_000, 7_000, 15_000, 31_000]
        expectEqual(repeats(growing).found, [])
        expectEqual(repeats(growing + [61_000]).found, ["retry/unbounded"])
        expectEqual(repeats(growing + [61_001]).found, [])
        expectEqual(repeats(growing + [61_000], last: 200).found, [])
        expectEqual(repeats(growing).status("retry/unbounded"), .passed)
    }

    @Test func `4 retry unsafe-repeated finds a creation sent again blindly`() {
        func traffic(
            _ begin: Int64 = 5_000,
            key: String? = nil,
            status: Int = 500,
            outcome: ConductExchange.Outcome = .delivered,
            _ between: (inout Traffic) -> Void = { _ in }
        ) -> Traffic {
            Traffic.made {
                $0.signIn()
                $0.add(
                    "POST /v1/items",
                    at: 1_000,
                    status,
                    token: "access-1",
                    headers: key.map { [("Idempotency-Key", $0)] } ?? [],
                    body: ["title": "Milk"],
                    outcome: outcome
                )
                between(&$0)
                $0.add(
                    "POST /v1/items",
                    at: begin,
                    201,
                    token: "access-1",
                    headers: key.map { [("Idempotency-Key", $0)] } ?? [],
                    body: ["title": "Milk"]
                )
            }
        }
        expectEqual(traffic().proofs, ["retry/unsafe-repeated": ["req_2", "req_3"]])
        expectEqual(traffic(outcome: .interrupted).found, ["retry/unsafe-repeated"])
        expectEqual(traffic(61_010).found, ["retry/unsafe-repeated"])
        expectEqual(traffic(61_011).found, [])
        expectEqual(traffic(status: 503).found, [])
        expectEqual(traffic(key: "k").found, [])
        let read = traffic { $0.add("GET /v1/items", at: 2_000, token: "access-1") }
        expectEqual(read.found, [])
        expectEqual(read.status("retry/unsafe-repeated"), .passed)
        let other = traffic { $0.add("GET /v1/feed", at: 2_000, token: "access-1") }
        expectEqual(other.found, ["retry/unsafe-repeated"])
    }

    @Test func `4 retry idempotency-key-changed finds another key and none`() {
        func traffic(_ second: String?, at begin: Int64 = 5_000, status: Int = 502) -> Traffic {
            Traffic.made {
                $0.add("POST /v1/items", at: 0, status, headers: [("Idempotency-Key", "a")], body: ["x": 1])
                $0.add(
                    "POST /v1/items",
                    at: begin,
                    201,
                    headers: second.map { [("Idempotency-Key", $0)] } ?? [],
                    body: ["x": 1]
                )
            }
        }
        expectEqual(traffic("b").found, ["retry/idempotency-key-changed"])
        expectEqual(traffic(nil).found, ["retry/idempotency-key-changed"])
        expectEqual(traffic("a").found, [])
        expectEqual(traffic("a").status("retry/idempotency-key-changed"), .passed)
        expectEqual(traffic("b", at: 60_011).found, [])
        expectEqual(traffic("b", status: 503).found, [])
    }

    @Test func `4 retry idempotency-key-reused finds one key with two bodies`() {
        func traffic(_ begin: Int64, status: Int = 201, second: Int64 = 2) -> Traffic {
            Traffic.made {
                $0.add("POST /v1/items", at: 0, status, headers: [("Idempotency-Key", "a")], body: ["x": 1])
                $0.add(
                    "POST /v1/items",
                    at: begin,
                    201,
                    headers: [("Idempotency-Key", "a")],
                    body: ["x": .integer(second)]
                )
            }
        }
        expectEqual(traffic(86_400_000).found, ["retry/idempotency-key-reused"])
        expectEqual(traffic(86_400_001).found, [])
        expectEqual(traffic(5_000, status: 422).found, [])
        expectEqual(traffic(5_000, second: 1).found, [])
        expectEqual(traffic(5_000, second: 1).status("retry/idempotency-key-reused"), .passed)
    }

    @Test func `4 retry refusal-repeated finds the second repeat`() {
        func traffic(_ begins: [Int64], write: Bool = false, status: Int = 404) -> Traffic {
            Traffic.made {
                $0.signIn()
                for (number, begin) in begins.enumerated() {
                    $0.add("GET /v1/items/9", at: begin, status, token: "access-1")
                    if write, number == 0 {
                        $0.add("PUT /v1/items/1", at: begin + 100, token: "access-1", body: ["a": 1])
                    }
                }
            }
        }
        expectEqual(traffic([1_000, 61_010, 121_020]).found, ["retry/refusal-repeated"])
        expectEqual(traffic([1_000, 61_010, 121_021]).found, [])
        expectEqual(traffic([1_000, 5_000]).found, [])
        expectEqual(traffic([1_000, 5_000, 9_000], write: true).found, [])
        expectEqual(traffic([1_000, 5_000, 9_000], status: 402).found, [])
        expectEqual(traffic([1_000]).status("retry/refusal-repeated"), .passed)
        let typed = Traffic.made {
            for number in 0..<4 {
                $0.add(
                    "POST /v1/sign-in",
                    at: Int64(number) * 5_000,
                    400,
                    body: ["email": "a@example.com", "password": "x"]
                )
            }
        }
        expectEqual(typed.found, [])
    }
}
