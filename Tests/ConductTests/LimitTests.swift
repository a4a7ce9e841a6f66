import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The limits of generic rules that have two sides.
@Suite struct ConductLimitTests {
    @Test func `4 retry spent-limit-ignored: two are none, and room again is room`() {
        func traffic(_ remaining: [String?]) -> Traffic {
            Traffic.made {
                for (number, left) in remaining.enumerated() {
                    $0.add(
                        "GET /v1/open?n=\(number)",
                        at: Int64(number) * 2_000,
                        answers: left.map { [("X-RateLimit-Remaining", $0), ("X-RateLimit-Reset", "60")] } ?? []
                    )
                }
            }
        }
        expectEqual(traffic(["0", nil, nil]).found, [])
        expectEqual(traffic(["0", nil, nil, nil]).found, ["retry/spent-limit-ignored"])
        expectEqual(traffic(["0", "0", "0", "0"]).found, ["retry/spent-limit-ignored"])
        expectEqual(traffic(["0", "5", "4", "3"]).found, [])
        expectEqual(traffic(["0", "5", "0", nil, nil]).found, [])
    }

    @Test func `4 retry no-backoff: pauses of ten seconds are long enough`() {
        func found(_ pause: Int64) -> [String] {
            Traffic.made {
                for number in 0..<5 {
                    $0.add("GET /v1/open", at: Int64(number) * pause, took: 0, number < 4 ? 500 : 200)
                }
            }.found
        }
        expectEqual(found(9_999), ["retry/no-backoff"])
        expectEqual(found(10_000), [])
    }

    @Test func `4 retry idempotency-key-changed: a minute after the end is the last moment`() {
        func found(_ begin: Int64) -> [String] {
            Traffic.made {
                for (time, key) in [(0, "a"), (begin, "b")] {
                    $0.add("POST /v1/items", at: time, 502, headers: [("Idempotency-Key", key)], body: ["x": 1])
                }
            }.found
        }
        expectEqual(found(60_010), ["retry/idempotency-key-changed"])
        expectEqual(found(60_011), [])
    }

    @Test(arguments: [400, 403, 404, 405, 409, 410, 413, 414, 415, 422])
    func `4 retry refusal-repeated holds for each refusal`(status: Int) {
        func found(_ count: Int, last: Int) -> [String] {
            Traffic.made {
                for number in 0..<count {
                    let code = number == count - 1 ? last : status
                    $0.add("GET /v1/open", at: Int64(number) * 5_000, code)
                }
            }.found
        }
        expectEqual(found(3, last: status), ["retry/refusal-repeated"])
        expectEqual(found(2, last: status), [])
        expectEqual(found(3, last: 200), [])
    }

    @Test(arguments: [401, 402, 406, 412, 418, 428, 451, 501])
    func `4 retry refusal-repeated leaves other statuses alone`(status: Int) {
        let traffic = Traffic.made {
            for number in 0..<3 { $0.add("POST /v1/code", at: Int64(number) * 5_000, status, body: ["a": 1]) }
        }
        #expect(!traffic.found.contains("retry/refusal-repeated"))
    }

    @Test func `4 cache fresh-fetched-again: fresh up to the end of its time`() {
        func found(_ last: Int64) -> [String] {
            Traffic.made {
                for (number, time) in [0, 20_000, 40_000, last].enumerated() {
                    $0.add(
                        "GET /v1/open",
                        at: time,
                        answer: ["n": .integer(Int64(number))],
                        answers: [("Cache-Control", "max-age=\(60 - time / 1_000)")]
                    )
                }
            }.found
        }
        expectEqual(found(59_999), ["cache/fresh-fetched-again"])
        expectEqual(found(60_000), [])
    }

    @Test func `4 cache identical-in-flight leaves streams alone`() {
        let traffic = Traffic.made {
            for number in 0..<6 {
                $0.add(
                    "GET /v1/open",
                    at: Int64(number) * 10,
                    took: 500,
                    headers: [("Accept", "text/event-stream")],
                    connection: number + 1
                )
            }
        }
        expectEqual(traffic.found, [])
    }

    @Test func `4 poll no-slowdown: below thirty seconds, and a tenth around the mean`() {
        func found(_ intervals: [Int64]) -> [String] {
            Traffic.made {
                var time: Int64 = 0
                for interval in [0] + intervals {
                    time += interval
                    $0.add("GET /v1/open", at: time, answer: ["n": 1])
                }
            }.found
        }
        expectEqual(found(Array(repeating: 29_999, count: 20)), ["poll/no-slowdown"])
        expectEqual(found(Array(repeating: 30_000, count: 20)), [])
        expectEqual(found(Array(repeating: 2_000, count: 19) + [2_211]), ["poll/no-slowdown"])
        expectEqual(found(Array(repeating: 2_000, count: 19) + [2_212]), [])
    }

    @Test func `4 conn timeout-too-short: ages within a twentieth`() {
        func found(_ last: Int64) -> [String] {
            Traffic.made {
                var time: Int64 = 0
                for age in [2_000, 2_000, last] {
                    $0.add("GET /v1/open", at: time, took: age, outcome: .interrupted)
                    $0.add("GET /v1/open", at: time + age + 1_000)
                    time += age + 90_000
                }
            }.found
        }
        expectEqual(found(2_105), ["conn/timeout-too-short"])
        expectEqual(found(2_106), [])
    }

    @Test func `4 conn not-reused: ten within ten seconds`() {
        func found(_ step: Int64) -> [String] {
            Traffic.made {
                for number in 0..<10 {
                    $0.add("GET /v1/open?n=\(number)", at: Int64(number) * step, connection: number + 1)
                }
            }.found
        }
        expectEqual(found(1_111), ["conn/not-reused"])
        expectEqual(found(1_112), [])
    }

    @Test(arguments: [
        ("{\"a\":-9007199254740991}", true), ("{\"a\":-9007199254740992}", false), ("{\"a\":9007199254740992}", false),
        ("{\"a\":9007199254740991}", true), ("{\"a\":{\"b\":1},\"b\":2}", true), ("[{\"a\":1},{\"a\":1}]", true),
    ])
    func `4 body json-unsafe: the largest safe integers, and names in different objects`(text: String, isClean: Bool) {
        let traffic = Traffic.made { $0.add("POST /v1/code", at: 0, bytes: Array(text.utf8)) }
        expectEqual(traffic.found, isClean ? [] : ["body/json-unsafe"])
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "{\"a\":1}", false), ("text/json", "{\"a\":1}", true), ("text/csv", "a,b", true),
        ("application/problem+json", "{\"a\":1}", true), ("application/problem+json", "a=1", false),
        ("application/octet-stream", "{\"a\":1}", true),
    ])
    func `4 body type-wrong: text that is JSON, and types that end in json`(type: String, text: String, isClean: Bool) {
        let traffic = Traffic.made { $0.add("POST /v1/code", at: 0, bytes: Array(text.utf8), type: type) }
        expectEqual(traffic.found, isClean ? [] : ["body/type-wrong"])
    }
}
