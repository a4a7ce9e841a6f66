import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of the groups `cache`, `write` and `poll` (section 4).
@Suite struct CacheRuleTests {
    private func gets(
        _ count: Int,
        every step: Int64 = 5_000,
        answers: [(String, String)],
        headers: [(String, String)] = [],
        status: Int = 200,
        target: String = "GET /v1/open"
    ) -> Traffic {
        Traffic.made {
            for number in 0..<count {
                $0.add(
                    target,
                    at: Int64(number) * step,
                    number == 0 ? 200 : status,
                    headers: number == 0 ? [] : headers,
                    // Never the same, so that nothing is polled in vain.
                    answer: ["n": .integer(Int64(number))],
                    answers: answers
                )
            }
        }
    }

    @Test func `4 cache fresh-fetched-again finds the third fetch while fresh`() {
        expectEqual(gets(4, answers: [("Cache-Control", "max-age=60")]).found, ["cache/fresh-fetched-again"])
        expectEqual(gets(3, answers: [("Cache-Control", "max-age=60")]).found, [])
        expectEqual(gets(4, answers: [("Cache-Control", "immutable")]).found, ["cache/fresh-fetched-again"])
        expectEqual(gets(4, answers: [("Cache-Control", "max-age=60, no-store")]).found, [])
        expectEqual(
            gets(4, answers: [("Cache-Control", "max-age=60")], headers: [("Cache-Control", "no-cache")]).found,
            []
        )
        expectEqual(gets(4, answers: [("Cache-Control", "max-age=60")], headers: [("Range", "bytes=0-1")]).found, [])
        expectEqual(gets(9, answers: [("Cache-Control", "max-age=5")]).found, [])
        expectEqual(gets(9, answers: [("Cache-Control", "max-age=60"), ("Age", "60")]).found, [])
        expectEqual(gets(2, answers: [("Cache-Control", "max-age=60")]).status("cache/fresh-fetched-again"), .passed)
        let varied = gets(
            4,
            answers: [("Cache-Control", "max-age=60"), ("Vary", "Accept-Language")],
            headers: [("Accept-Language", "ar")]
        )
        expectEqual(varied.found, [])
    }

    @Test func `4 cache no-validator-sent finds the third read without one`() {
        expectEqual(gets(4, answers: [("ETag", "\"1\"")]).found, ["cache/no-validator-sent"])
        expectEqual(gets(3, answers: [("ETag", "\"1\"")]).found, [])
        expectEqual(
            gets(4, answers: [("Last-Modified", "Wed, 01 Jan 2025 12:00:00 GMT")]).found,
            ["cache/no-validator-sent"]
        )
        expectEqual(gets(6, answers: [("ETag", "\"1\"")], headers: [("If-None-Match", "\"1\"")], status: 304).found, [])
        expectEqual(gets(4, answers: [("ETag", "\"1\""), ("Cache-Control", "no-store")]).found, [])
        expectEqual(gets(4, answers: [("ETag", "\"1\"")], headers: [("Cache-Control", "no-cache")]).found, [])
        expectEqual(gets(2, answers: [("ETag", "\"1\"")]).status("cache/no-validator-sent"), .passed)
    }

    private func tags(_ sent: String, to target: String = "GET /v1/open?l=sv") -> Traffic {
        Traffic.made {
            $0.add("GET /v1/open?l=sv", at: 0, answers: [("ETag", "W/\"Abc-1\"")])
            $0.add("GET /v1/open?l=en", at: 1_000, answers: [("ETag", "\"def-2\"")])
            $0.add(target, at: 5_000, headers: [("If-None-Match", sent)])
        }
    }

    @Test func `4 cache validator-of-another finds the tag of another query`() {
        expectEqual(tags("\"def-2\"").proofs, ["cache/validator-of-another": ["req_2", "req_3"]])
        expectEqual(tags("\"def-2\", \"Abc-1\"").found, [])
        expectEqual(tags("\"never-seen\"").found, [])
        expectEqual(tags("*").found, [])
        expectEqual(tags("W/\"Abc-1\"").status("cache/validator-of-another"), .passed)
        let report = tags("\"def-2\"").report(complete: false)
        #expect(report.findings.isEmpty)
        expectEqual(report.rules.first { $0.id == "cache/validator-of-another" }?.reason, "journal-truncated")
    }

    @Test func `4 cache tag-rewritten finds a lost quote and another case`() {
        expectEqual(tags("Abc-1").found, ["cache/tag-rewritten"])
        expectEqual(tags("\"abc-1\"").found, ["cache/tag-rewritten"])
        expectEqual(tags("\"Abc-1\"").found, [])
        expectEqual(tags("W/\"Abc-1\"").found, [])
    }

    @Test func `4 cache identical-in-flight finds the third begun meanwhile`() {
        func traffic(_ count: Int, step: Int64 = 10) -> Traffic {
            Traffic.made {
                for number in 0..<count {
                    $0.add("GET /v1/open", at: Int64(number) * step, took: 500, connection: number + 1)
                }
            }
        }
        expectEqual(traffic(4).found, ["cache/identical-in-flight"])
        expectEqual(traffic(3).found, [])
        expectEqual(traffic(3).status("cache/identical-in-flight"), .passed)
        expectEqual(traffic(1).status("cache/identical-in-flight"), .notExercised)
    }

    @Test func `4 write overlapping finds two changes at once`() {
        func traffic(_ begin: Int64, _ second: String = "PATCH /v1/items/1", body: Int64 = 2) -> Traffic {
            Traffic.made {
                $0.add("PATCH /v1/items/1", at: 0, took: 500, body: ["a": 1])
                $0.add(second, at: begin, took: 50, body: ["a": .integer(body)], connection: 2)
            }
        }
        expectEqual(traffic(499).proofs, ["write/overlapping": ["req_1", "req_2"]])
        expectEqual(traffic(500).found, [])
        expectEqual(traffic(100, body: 1).found, [])
        expectEqual(traffic(100, "PUT /v1/items/1", body: 1).found, ["write/overlapping"])
        expectEqual(traffic(100, "PATCH /v1/items/2").found, [])
        expectEqual(traffic(500).status("write/overlapping"), .passed)
    }

    @Test func `4 write double-submit finds two of one`() {
        func traffic(_ begin: Int64, key: String? = nil, status: Int = 201) -> Traffic {
            Traffic.made {
                for time in [0, begin] {
                    $0.add(
                        "POST /v1/items",
                        at: time,
                        time == 0 ? 201 : status,
                        headers: key.map { [("Idempotency-Key", $0)] } ?? [],
                        body: ["a": 1],
                        connection: time == 0 ? 1 : 2
                    )
                }
            }
        }
        expectEqual(traffic(1_010).proofs, ["write/double-submit": ["req_1", "req_2"]])
        expectEqual(traffic(1_011).found, [])
        expectEqual(traffic(5).found, ["write/double-submit"])
        expectEqual(traffic(500, key: "k").found, [])
        expectEqual(traffic(500, status: 409).found, [])
        expectEqual(traffic(1_011).status("write/double-submit"), .passed)
    }

    @Test func `4 poll too-fast finds the tenth repeat below the interval`() {
        expectEqual(gets(11, every: 999, answers: []).found, ["poll/too-fast"])
        expectEqual(gets(10, every: 999, answers: []).found, [])
        expectEqual(gets(30, every: 1_000, answers: []).found, [])
        expectEqual(gets(30, every: 500, answers: [], headers: [("Range", "bytes=0-1")]).found, [])
        expectEqual(gets(3, answers: []).status("poll/too-fast"), .passed)
        expectEqual(gets(1, answers: []).status("poll/too-fast"), .notExercised)
    }

    private func same(_ times: [Int64]) -> Traffic {
        Traffic.made { for time in times { $0.add("GET /v1/open", at: time, answer: ["n": 1]) } }
    }

    @Test func `4 poll no-slowdown finds twenty answers without news at one pace`() {
        expectEqual(same((0...20).map { $0 * 2_000 }).found, ["poll/no-slowdown"])
        expectEqual(same((0...19).map { $0 * 2_000 }).found, [])
        expectEqual(same((0...25).map { $0 * 30_000 }).found, [])
        expectEqual(same((0...20).map { $0 * 2_000 + ($0 == 20 ? 300 : 0) }).found, [])
        expectEqual(gets(25, every: 2_000, answers: []).found, [])
        expectEqual(same((0...3).map { $0 * 2_000 }).status("poll/no-slowdown"), .passed)
    }

    @Test func `4 poll after-the-end finds a question after the last answer`() {
        func traffic(_ status: String) -> Traffic {
            Traffic.made {
                $0.add("GET /v1/job?id=1", at: 0, answer: ["status": .string(status)])
                $0.add("GET /v1/job?id=1", at: 3_000, answer: ["status": .string(status)])
            }
        }
        expectEqual(traffic("done").proofs, ["poll/after-the-end": ["req_1", "req_2"]])
        expectEqual(traffic("error").found, ["poll/after-the-end"])
        expectEqual(traffic("running").found, [])
        let stopped = Traffic.made {
            $0.add("GET /v1/job?id=1", at: 0, answer: ["status": "done"])
            $0.add("GET /v1/job?id=2", at: 3_000, answer: ["status": "running"])
        }
        expectEqual(stopped.found, [])
        expectEqual(stopped.status("poll/after-the-end"), .passed)
    }
}
