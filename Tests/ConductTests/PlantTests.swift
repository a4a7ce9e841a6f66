import CivilTime
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 1, the other way round: whoever misbehaves in one way is found, and for nothing else.
@Suite struct PlantTests {
    /// A breach of one rule, planted at a time by one who has signed in with `planted-access` and `planted-refresh`.
    struct Plant: Sendable, CustomTestStringConvertible {
        var rule: String
        var sow: @Sendable (inout Traffic, Int64) -> Void

        init(_ rule: String, _ sow: @escaping @Sendable (inout Traffic, Int64) -> Void) {
            self.rule = rule
            self.sow = sow
        }

        var testDescription: String { rule }
    }

    private static let token = "planted-access"
    private static let refresh = "planted-refresh"

    static let plants: [Plant] = auth + retry + cache + others

    private static let auth = [
        Plant("auth/credential-missing") { $0.add("GET /v1/items/p", at: $1, 401) },
        Plant("auth/malformed-credential") { $0.add("GET /v1/items/p", at: $1, authorization: "Bearer null") },
        Plant("auth/secret-in-url") { $0.add("GET /v1/public?access=\(token)", at: $1) },
        Plant("auth/wrong-token-kind") { $0.add("GET /v1/open", at: $1, token: refresh) },
        Plant("auth/credential-where-none-asked") { $0.add("GET /v1/public", at: $1, token: token) },
        Plant("auth/repeat-after-401") {
            for turn in 0..<2 { $0.add("GET /v1/items/p", at: $1 + Int64(turn) * 5_000, 401, token: token) }
        },
        Plant("auth/no-refresh-after-401") {
            for turn in 0..<4 { $0.add("GET /v1/items/p\(turn)", at: $1 + Int64(turn) * 5_000, 401, token: token) }
        },
        Plant("auth/rotated-refresh-token-reused") {
            $0.refresh(refresh, at: $1, new: "planted-refresh-2")
            $0.refresh(refresh, at: $1 + 5_000, 401)
        },
        Plant("auth/parallel-refresh") {
            $0.refresh(refresh, at: $1, took: 500, new: "planted-refresh-2")
            $0.refresh(refresh, at: $1 + 100, 401, connection: 2)
        },
        Plant("auth/stale-token-sent") {
            $0.refresh(refresh, at: $1, new: "planted-refresh-2")
            $0.add("GET /v1/items/p", at: $1 + 5_000, token: token)
        },
        Plant("auth/dead-refresh-retried") {
            for turn in 0..<2 { $0.refresh(refresh, at: $1 + Int64(turn) * 5_000, 401) }
        },
        Plant("auth/refresh-loop") {
            for (turn, pair) in [
                (refresh, "planted-2-long"), ("planted-2-long", "planted-3-long"), ("planted-3-long", "x"),
            ]
            .enumerated() {
                $0.refresh(pair.0, at: $1 + Int64(turn) * 5_000, access: "planted-access-\(turn)", new: pair.1)
            }
        },
        Plant("auth/used-after-signout") {
            $0.add("POST /v1/sign-out", at: $1, token: token, body: ["refreshToken": .string(refresh)])
            $0.add("GET /v1/items/p", at: $1 + 5_000, 401, token: token)
        },
        Plant("auth/one-time-code-reused") {
            $0.add("POST /v1/link", at: $1, body: ["token": "link-token-1"])
            $0.add("POST /v1/link", at: $1 + 5_000, 400, body: ["token": "link-token-1"])
        },
    ]

    private static let retry = [
        Plant("retry/retry-after-ignored") {
            $0.add("GET /v1/feed", at: $1, 503, token: token, answers: [("Retry-After", "60")])
            $0.add("GET /v1/feed?kind=p", at: $1 + 5_000, token: token)
        },
        Plant("retry/no-pause-after-429") {
            for turn in 0..<4 {
                $0.add("GET /v1/items/p\(turn)", at: $1 + Int64(turn) * 2_000, turn == 0 ? 429 : 200, token: token)
            }
        },
        Plant("retry/spent-limit-ignored") {
            for turn in 0..<4 {
                let spent = [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "60")]
                $0.add("GET /v1/open?n=\(turn)", at: $1 + Int64(turn) * 2_000, answers: turn == 0 ? spent : [])
            }
        },
        Plant("retry/no-backoff") {
            for turn in 0..<4 { $0.add("GET /v1/open", at: $1 + Int64(turn) * 100, turn < 3 ? 500 : 200) }
        },
        Plant("retry/unbounded") {
            var time = $1
            for pause in [1_000, 1_500, 2_250, 3_400, 5_100, 7_700, 1] as [Int64] {
                $0.add("GET /v1/open", at: time, 500)
                time += pause
            }
        },
        Plant("retry/unsafe-repeated") {
            for turn in 0..<2 {
                $0.add(
                    "POST /v1/items",
                    at: $1 + Int64(turn) * 5_000,
                    turn == 0 ? 500 : 200,
                    token: token,
                    body: ["p": 1]
                )
            }
        },
        Plant("retry/idempotency-key-changed") {
            for (turn, key) in ["a", "b"].enumerated() {
                $0.add(
                    "POST /v1/items",
                    at: $1 + Int64(turn) * 5_000,
                    turn == 0 ? 502 : 200,
                    token: token,
                    headers: [("Idempotency-Key", "planted-\(key)")],
                    body: ["p": 1]
                )
            }
        },
        Plant("retry/idempotency-key-reused") {
            for turn in 0..<2 {
                $0.add(
                    "POST /v1/items",
                    at: $1 + Int64(turn) * 5_000,
                    token: token,
                    headers: [("Idempotency-Key", "planted")],
                    body: ["p": .integer(Int64(turn))]
                )
            }
        },
        Plant("retry/refusal-repeated") {
            for turn in 0..<3 { $0.add("GET /v1/open", at: $1 + Int64(turn) * 5_000, 404) }
        },
    ]

    private static let cache = [
        Plant("cache/fresh-fetched-again") {
            for turn in 0..<4 {
                $0.add(
                    "GET /v1/open?p=1",
                    at: $1 + Int64(turn) * 2_000,
                    answers: [("Cache-Control", "max-age=600")]
                )
            }
        },
        Plant("cache/no-validator-sent") {
            for turn in 0..<4 {
                $0.add("GET /v1/open?p=1", at: $1 + Int64(turn) * 2_000, answers: [("ETag", "\"planted\"")])
            }
        },
        Plant("cache/validator-of-another") {
            $0.add("GET /v1/open?p=b", at: $1, answers: [("ETag", "\"own\"")])
            $0.add("GET /v1/open?p=a", at: $1 + 1_000, answers: [("ETag", "\"planted\"")])
            $0.add("GET /v1/open?p=b", at: $1 + 3_000, headers: [("If-None-Match", "\"planted\"")])
        },
        Plant("cache/tag-rewritten") {
            $0.add("GET /v1/open?p=a", at: $1, answers: [("ETag", "\"Planted\"")])
            $0.add("GET /v1/open?p=a", at: $1 + 2_000, headers: [("If-None-Match", "Planted")])
        },
        Plant("cache/identical-in-flight") {
            for turn in 0..<4 {
                $0.add("GET /v1/open?p=1", at: $1 + Int64(turn) * 10, took: 500, connection: turn + 1)
            }
        },
        Plant("write/overlapping") {
            $0.add("PUT /v1/items/p", at: $1, took: 900, token: token, body: ["a": 1])
            $0.add("PUT /v1/items/p", at: $1 + 100, token: token, body: ["a": 2], connection: 2)
        },
        Plant("write/double-submit") {
            for turn in 0..<2 { $0.add("POST /v1/items", at: $1 + Int64(turn) * 500, token: token, body: ["p": 1]) }
        },
        Plant("poll/too-fast") {
            for turn in 0..<11 {
                $0.add("GET /v1/open?p=1", at: $1 + Int64(turn) * 500, answer: ["n": .integer(Int64(turn))])
            }
        },
        Plant("poll/no-slowdown") {
            for turn in 0..<21 { $0.add("GET /v1/open?p=1", at: $1 + Int64(turn) * 3_000, answer: ["n": 1]) }
        },
        Plant("poll/after-the-end") {
            for turn in 0..<2 { $0.add("GET /v1/job?id=p", at: $1 + Int64(turn) * 5_000, answer: ["status": "done"]) }
        },
    ]

    private static let others = [
        Plant("range/wrong-part-joined") {
            $0.add("GET /v1/open?p=1", at: $1, headers: [("Range", "bytes=7-")], answer: ["a": 1])
            $0.add("GET /v1/open?p=1", at: $1 + 5_000, 416, headers: [("Range", "bytes=14-")])
        },
        Plant("page/cursor-changed") { $0.add("GET /v1/feed?cursor=made-up", at: $1, token: token) },
        Plant("page/past-the-end") {
            $0.add("GET /v1/items", at: $1, token: token, answer: ["items": [1], "hasMore": false])
            $0.add("GET /v1/items?offset=1", at: $1 + 5_000, token: token, answer: ["items": [], "hasMore": false])
        },
        Plant("page/limit-above-maximum") {
            for turn in 0..<2 {
                $0.add("GET /v1/items?limit=101&p=\(turn)", at: $1 + Int64(turn) * 5_000, token: token)
            }
        },
        Plant("conn/timeout-too-short") {
            for turn in 0..<4 {
                $0.add(
                    "GET /v1/open?p=1",
                    at: $1 + Int64(turn) * 2_500,
                    took: turn < 3 ? 2_000 : 10,
                    outcome: turn < 3 ? .interrupted : .delivered
                )
            }
        },
        Plant("conn/not-reused") {
            for turn in 0..<10 {
                $0.add("GET /v1/items/p\(turn)", at: $1 + Int64(turn) * 500, token: token, connection: 1_000 + turn)
            }
        },
        Plant("body/type-missing") { $0.add("PUT /v1/items/p", at: $1, token: token, body: ["p": 1], type: nil) },
        Plant("body/type-wrong") { $0.add("PUT /v1/items/p", at: $1, token: token, bytes: Array("a=1".utf8)) },
        Plant("coding/refused") {
            $0.add(
                "PUT /v1/items/p",
                at: $1,
                415,
                token: token,
                headers: [("Content-Encoding", "br")],
                body: ["p": 1],
                answers: [("Accept-Encoding", "gzip")]
            )
        },
        Plant("body/json-unsafe") {
            $0.add("PUT /v1/items/p", at: $1, token: token, bytes: Array(#"{"a":1,"a":2}"#.utf8))
        },
        Plant("body/on-get") { $0.add("GET /v1/open", at: $1, body: ["p": 1]) },
        Plant("url/unknown-route") { $0.add("GET /v1/nowhere", at: $1, 404) },
        Plant("url/other-host") { $0.ask("tracker.example", at: $1) },
        Plant("url/double-encoded") { $0.add("GET /v1/open?p=a%2520b", at: $1) },
        Plant("privacy/personal-in-url") { $0.add("GET /v1/open?who=anna@example.com", at: $1) },
        Plant("head/request-id-reused") {
            for (turn, path) in ["open", "public"].enumerated() {
                $0.add("GET /v1/\(path)", at: $1 + Int64(turn) * 5_000, headers: [("X-Request-Id", "planted")])
            }
        },
    ]

    @Test func `1 each generic rule has a planted breach`() {
        expectEqual(Self.plants.map(\.rule).sorted(), GenericRules.all.map { $0.declaration.id }.sorted())
    }

    @Test(arguments: plants)
    func `1 a planted breach is found behind a good walk, and nothing else`(plant: Plant) {
        for seed in 0..<10 as Range<UInt64> {
            var client = GoodClient(seed: seed)
            for _ in 0..<20 { client.step() }
            let last = client.traffic.exchanges.last?.startedAt ?? Traffic.start
            let time = last.milliseconds - Traffic.start.milliseconds + 200_000
            client.traffic.signIn(at: time, access: Self.token, refresh: Self.refresh)
            plant.sow(&client.traffic, time + 5_000)
            expectEqual(client.traffic.found, [plant.rule], "seed \(seed)")
        }
    }
}
