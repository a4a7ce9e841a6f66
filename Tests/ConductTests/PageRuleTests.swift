import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of the groups `page`, `conn`, `body`, `url`, `privacy` and `head` (section 4).
@Suite struct PageRuleTests {
    private func pages(_ target: String) -> Traffic {
        Traffic.made {
            $0.signIn()
            $0.add(
                "GET /v1/feed?kind=a&limit=2",
                at: 1_000,
                token: "access-1",
                answer: ["items": [1], "nextCursor": "c1"]
            )
            $0.add(target, at: 2_000, token: "access-1", answer: ["items": [2]])
        }
    }

    @Test func `4 page cursor-changed finds a cursor that was not given`() {
        expectEqual(pages("GET /v1/feed?kind=a&limit=2&cursor=c2").proofs, ["page/cursor-changed": ["req_3"]])
        expectEqual(pages("GET /v1/feed?kind=b&limit=2&cursor=c1").found, ["page/cursor-changed"])
        expectEqual(pages("GET /v1/feed?limit=9&cursor=c1&kind=a").found, [])
        expectEqual(pages("GET /v1/feed?limit=9&cursor=c1&kind=a").status("page/cursor-changed"), .passed)
        expectEqual(pages("GET /v1/feed?kind=b").status("page/cursor-changed"), .notExercised)
        let changes = Traffic.made {
            $0.add("GET /v1/changes?since=0", at: 0, answer: ["next": 7])
            $0.add("GET /v1/changes?since=7", at: 5_000, answer: ["next": 7])
        }
        expectEqual(changes.found, [])
        // A client that kept its place in the feed from before, and one that makes a place up.
        for (former, found) in [(Int64(0), ["page/cursor-changed"]), (5, []), (6, ["page/cursor-changed"])] {
            let feed = Traffic.made {
                $0.add("GET /v1/changes?since=\(former)", at: 0, answer: ["next": 7])
                $0.add("GET /v1/changes?since=\(former == 5 ? 7 : 5)", at: 5_000, answer: ["next": 7])
            }
            expectEqual(feed.found, found, "since \(former)")
        }
    }

    private func ends(_ offset: Int, at begin: Int64 = 5_000, write: Bool = false) -> Traffic {
        Traffic.made {
            $0.signIn()
            $0.add(
                "GET /v1/items?offset=10",
                at: 1_000,
                token: "access-1",
                answer: ["items": [1, 2], "hasMore": false]
            )
            if write { $0.add("POST /v1/items", at: 2_000, 201, token: "access-1", body: ["a": 1]) }
            $0.add(
                "GET /v1/items?offset=\(offset)",
                at: begin,
                token: "access-1",
                answer: ["items": [], "hasMore": false]
            )
        }
    }

    @Test func `4 page past-the-end finds a page behind the last`() {
        expectEqual(ends(12).proofs, ["page/past-the-end": ["req_2", "req_3"]])
        expectEqual(ends(11).found, [])
        expectEqual(ends(12, at: 61_010).found, ["page/past-the-end"])
        expectEqual(ends(12, at: 61_011).found, [])
        expectEqual(ends(12, write: true).found, [])
        expectEqual(ends(0).status("page/past-the-end"), .passed)
    }

    @Test func `4 page limit-above-maximum finds the second`() {
        func traffic(_ limits: [Int]) -> Traffic {
            Traffic.made {
                for (number, limit) in limits.enumerated() {
                    $0.add(
                        "GET /v1/items?limit=\(limit)&p=\(number)",
                        at: Int64(number) * 5_000,
                        authorization: "Bearer x"
                    )
                }
            }
        }
        expectEqual(traffic([101, 101]).proofs, ["page/limit-above-maximum": ["req_1", "req_2"]])
        expectEqual(traffic([101, 100]).found, [])
        expectEqual(traffic([100]).status("page/limit-above-maximum"), .passed)
    }

    @Test func `4 conn timeout-too-short finds the third of one age`() {
        func traffic(_ ages: [Int64], followed: Bool = true) -> Traffic {
            Traffic.made {
                var time: Int64 = 0
                for (number, age) in ages.enumerated() {
                    $0.add(
                        "GET /v1/items/\(number)",
                        at: time,
                        took: age,
                        authorization: "Bearer x",
                        outcome: .interrupted
                    )
                    time += age + 1_000
                    if followed { $0.add("GET /v1/items/\(number)", at: time, authorization: "Bearer x") }
                    time += 5_000
                }
            }
        }
        expectEqual(traffic([2_000, 2_100, 2_050]).found, ["conn/timeout-too-short"])
        expectEqual(traffic([2_000, 2_000]).found, [])
        expectEqual(traffic([2_000, 2_500, 2_000]).found, [])
        expectEqual(traffic([2_000, 2_000, 2_000], followed: false).found, [])
        expectEqual(traffic([99, 99, 99]).status("conn/timeout-too-short"), .notExercised)
        expectEqual(traffic([100, 100, 100]).found, ["conn/timeout-too-short"])
        expectEqual(traffic([10_000, 10_000, 10_000]).found, ["conn/timeout-too-short"])
        expectEqual(traffic([10_001, 10_001, 10_001]).found, [])
        expectEqual(traffic([100]).status("conn/timeout-too-short"), .passed)
    }

    private func connections(
        _ count: Int,
        every step: Int64 = 1_000,
        answers: [(String, String)] = [],
        one: Bool = false
    )
        -> Traffic
    {
        Traffic.made {
            for number in 0..<count {
                $0.add(
                    "GET /v1/items/\(number)",
                    at: Int64(number) * step,
                    authorization: "Bearer x",
                    answers: answers,
                    connection: one ? 1 : number + 1
                )
            }
        }
    }

    @Test func `4 conn not-reused finds ten connections in a row`() {
        expectEqual(connections(10).found, ["conn/not-reused"])
        expectEqual(connections(9).found, [])
        expectEqual(connections(10, every: 1_112).found, [])
        expectEqual(connections(10, answers: [("Connection", "close")]).found, [])
        expectEqual(connections(10, one: true).found, [])
        expectEqual(connections(10, one: true).status("conn/not-reused"), .passed)
        expectEqual(connections(9, one: true).status("conn/not-reused"), .notExercised)
    }

    private func sent(_ bytes: [UInt8], _ type: String?, outcome: ConductExchange.Outcome = .delivered) -> Traffic {
        Traffic.made { $0.add("POST /v1/sign-in", at: 0, bytes: bytes, type: type, outcome: outcome) }
    }

    @Test func `4 body type-missing finds content without a type`() {
        expectEqual(sent([0x7B, 0x7D], nil).found, ["body/type-missing"])
        expectEqual(sent([0x7B, 0x7D], "application/json").found, [])
        expectEqual(sent([], nil).status("body/type-missing"), .notExercised)
    }

    @Test func `4 body type-wrong finds content of another type`() {
        expectEqual(sent(Array("a=b".utf8), "application/json").found, ["body/type-wrong"])
        expectEqual(sent(Array("{\"a\":1}".utf8), "application/x-www-form-urlencoded").found, ["body/type-wrong"])
        expectEqual(sent(Array("[1]".utf8), "text/plain").found, ["body/type-wrong"])
        expectEqual(sent(Array("--x\r\n".utf8), "multipart/form-data").found, ["body/type-wrong"])
        expectEqual(sent(Array("--y\r\n".utf8), "multipart/form-data; boundary=x").found, ["body/type-wrong"])
        expectEqual(sent(Array("--x\r\n".utf8), "multipart/form-data; boundary=x").found, [])
        expectEqual(sent(Array("a=b".utf8), "application/x-www-form-urlencoded").found, [])
        expectEqual(sent(Array("{\"a\":".utf8), "application/json", outcome: .interrupted).found, [])
        expectEqual(sent(Array("12".utf8), "text/plain").status("body/type-wrong"), .passed)
    }

    @Test func `4 body json-unsafe finds what readers understand differently`() {
        expectEqual(sent([0xEF, 0xBB, 0xBF] + Array("{}".utf8), "application/json").found, ["body/json-unsafe"])
        expectEqual(
            sent(Array("{\"a\":\"".utf8) + [0xE9] + Array("\"}".utf8), "application/json").found,
            ["body/json-unsafe"]
        )
        expectEqual(sent(Array("{\"a\":{\"b\":1,\"b\":2}}".utf8), "application/json").found, ["body/json-unsafe"])
        expectEqual(sent(Array("{\"a\":9007199254740992}".utf8), "application/json").found, ["body/json-unsafe"])
        expectEqual(sent(Array("{\"a\":-99999999999999999999}".utf8), "application/json").found, ["body/json-unsafe"])
        expectEqual(sent(Array("{\"a\":9007199254740991,\"b\":1e300}".utf8), "application/json").found, [])
        expectEqual(sent(Array("{}".utf8), "application/json").status("body/json-unsafe"), .passed)
    }

    @Test func `4 body on-get finds content of a GET and DELETE`() {
        expectEqual(Traffic.made { $0.add("GET /v1/open", at: 0, body: ["a": 1]) }.found, ["body/on-get"])
        let delete = Traffic.made { $0.add("DELETE /v1/items/1", at: 0, authorization: "Bearer x", body: ["a": 1]) }
        expectEqual(delete.found, ["body/on-get"])
        expectEqual(Traffic.made { $0.add("GET /v1/open", at: 0) }.status("body/on-get"), .passed)
        expectEqual(Traffic.made { $0.add("POST /v1/sign-in", at: 0, body: [:]) }.status("body/on-get"), .notExercised)
    }

    @Test func `4 url unknown-route finds paths and methods that are not there`() {
        expectEqual(Traffic.made { $0.add("GET /v1/itemz", at: 0, 404) }.found, ["url/unknown-route"])
        expectEqual(Traffic.made { $0.add("PUT /v1/items", at: 0, 405) }.found, ["url/unknown-route"])
        for path in ["/favicon.ico", "/robots.txt", "/apple-touch-icon-120x120.png", "/.well-known/a/b"] {
            expectEqual(Traffic.made { $0.add("GET \(path)", at: 0, 404) }.found, [])
        }
        expectEqual(Traffic.made { $0.add("GET /v1/open", at: 0) }.status("url/unknown-route"), .passed)
    }

    @Test func `4 url double-encoded finds what was encoded twice`() {
        expectEqual(Traffic.made { $0.add("GET /v1/open?q=a%2520b", at: 0) }.found, ["url/double-encoded"])
        expectEqual(Traffic.made { $0.add("GET /v1/open?q=100%25", at: 0) }.found, [])
        expectEqual(Traffic.made { $0.add("GET /v1/open?q=100%25zz", at: 0) }.status("url/double-encoded"), .passed)
        expectEqual(Traffic.made { $0.add("GET /v1/open?q=a", at: 0) }.status("url/double-encoded"), .notExercised)
    }

    @Test func `4 privacy personal-in-url finds mail addresses, and hides them`() {
        for target in ["/v1/open?user=anna%40example.com", "/v1/items/anna@example.com"] {
            let traffic = Traffic.made { $0.add("GET \(target)", at: 0, authorization: "Bearer x") }
            expectEqual(traffic.found, ["privacy/personal-in-url"])
            #expect(traffic.report().findings.allSatisfy { $0.seen.contains("a…@…") && !$0.seen.contains("anna") })
        }
        expectEqual(Traffic.made { $0.add("GET /v1/public?email=anna%40example.com", at: 0) }.found, [])
        expectEqual(Traffic.made { $0.add("GET /v1/open?at=@home", at: 0) }.status("privacy/personal-in-url"), .passed)
    }

    @Test func `4 head request-id-reused finds one id for two requests`() {
        func traffic(_ second: String, id: String = "a") -> Traffic {
            Traffic.made {
                $0.add("GET /v1/items/1", at: 0, authorization: "Bearer x", headers: [("X-Request-Id", "a")])
                $0.add("GET \(second)", at: 5_000, authorization: "Bearer x", headers: [("X-Request-Id", id)])
            }
        }
        expectEqual(traffic("/v1/items/2").found, ["head/request-id-reused"])
        expectEqual(traffic("/v1/items/1").found, [])
        expectEqual(traffic("/v1/items/2", id: "b").found, [])
        expectEqual(traffic("/v1/items/1").status("head/request-id-reused"), .passed)
    }

    @Test func `4 auth used-after-signout finds a token of the session`() {
        func traffic(_ use: (inout Traffic) -> Void) -> Traffic {
            Traffic.made {
                $0.signIn()
                $0.signIn(at: 500, access: "access-9", refresh: "refresh-9")
                $0.add("POST /v1/sign-out", at: 1_000, token: "access-1", body: ["refreshToken": "refresh-1"])
                use(&$0)
            }
        }
        expectEqual(
            traffic { $0.add("GET /v1/items", at: 2_000, 401, token: "access-1") }.found,
            ["auth/used-after-signout"]
        )
        expectEqual(traffic { $0.refresh("refresh-1", at: 2_000, 401) }.found, ["auth/used-after-signout"])
        let other = traffic { $0.add("GET /v1/items", at: 2_000, token: "access-9") }
        expectEqual(other.found, [])
        expectEqual(other.status("auth/used-after-signout"), .passed)
        expectEqual(traffic { $0.add("POST /v1/sign-out", at: 2_000, token: "access-1") }.found, [])
    }

    @Test func `4 auth one-time-code-reused finds the second use`() {
        func link(_ status: Int) -> [String] {
            Traffic.made {
                $0.add("POST /v1/link", at: 0, status, body: ["token": "t-1"])
                $0.add("POST /v1/link", at: 2_000, 400, body: ["token": "t-1"])
            }.found
        }
        expectEqual(link(200), ["auth/one-time-code-reused"])
        expectEqual(link(400), ["auth/one-time-code-reused"])
        expectEqual(link(500), [])
        func code(_ status: Int, asked: Bool = false) -> Traffic {
            Traffic.made {
                $0.add("POST /v1/verify", at: 0, status, body: ["email": "a@example.com", "code": "123456"])
                if asked { $0.add("POST /v1/code", at: 1_000, body: ["email": "a@example.com"]) }
                $0.add("POST /v1/verify", at: 2_000, 400, body: ["email": "a@example.com", "code": "123456"])
            }
        }
        expectEqual(code(200).found, ["auth/one-time-code-reused"])
        expectEqual(code(400).found, [])
        expectEqual(code(200, asked: true).found, [])
        expectEqual(code(200, asked: true).status("auth/one-time-code-reused"), .passed)
    }
}
