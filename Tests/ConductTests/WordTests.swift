import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// What the words of section 2 excuse, and epochs.
@Suite struct ConductWordTests {
    @Test func `2 a client with four requests under way is held to nothing`() {
        func found(_ count: Int, until end: Int64 = 2_450) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items", at: 1_000, 401, token: "access-1")
                for number in 0..<count {
                    $0.add(
                        "GET /v1/items/\(number)",
                        at: 1_200,
                        took: end - 1_200,
                        token: "access-1",
                        connection: number + 2
                    )
                }
                $0.add("GET /v1/items", at: 2_500, 401, token: "access-1")
            }.found
        }
        #expect(found(3).contains("auth/repeat-after-401"))
        #expect(!found(4).contains("auth/repeat-after-401"))
        // Ended 100 ms before, and one millisecond later.
        #expect(found(4, until: 2_400).contains("auth/repeat-after-401"))
        #expect(!found(4, until: 2_401).contains("auth/repeat-after-401"))
    }

    @Test func `1 exchanges of two epochs are never compared`() {
        func found(_ epoch: Int) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items", at: 1_000, 401, token: "access-1")
                $0.epoch = epoch
                $0.add("GET /v1/items", at: 2_000, 401, token: "access-1")
            }.found
        }
        expectEqual(found(0), ["auth/repeat-after-401"])
        expectEqual(found(1), [])
    }

    @Test func `1 what was found in an earlier epoch stays`() {
        let found = Traffic.made {
            $0.add("GET /v1/nothing", at: 0, 404)
            $0.epoch = 1
            $0.add("GET /v1/public", at: 1_000)
        }.found
        expectEqual(found, ["url/unknown-route"])
    }

    @Test func `4 auth dead-refresh-retried: a failure is no refusal, and a refusal has to be known`() {
        func found(_ status: Int, at begin: Int64 = 5_000) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.refresh("refresh-1", at: 1_000, status)
                $0.refresh("refresh-1", at: begin, 401, connection: 2)
            }.found.filter { $0 == "auth/dead-refresh-retried" }
        }
        for status in [400, 401, 403] { expectEqual(found(status), ["auth/dead-refresh-retried"]) }
        for status in [404, 408, 429, 500, 503] { expectEqual(found(status), []) }
        expectEqual(found(401, at: 1_109), [])
        expectEqual(found(401, at: 1_110), ["auth/dead-refresh-retried"])
    }

    @Test func `4 auth rotated-refresh-token-reused: from the moment at which the new one is known`() {
        func found(_ begin: Int64) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.refresh("refresh-1", at: 1_000, new: "refresh-2")
                $0.refresh("refresh-1", at: begin, 401)
            }.found
        }
        expectEqual(found(1_009), ["auth/parallel-refresh"])
        expectEqual(found(1_010), ["auth/rotated-refresh-token-reused"])
    }

    @Test func `4 auth refresh-loop: two are none`() {
        let traffic = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, new: "refresh-2")
            $0.refresh("refresh-2", at: 2_000, access: "access-3", new: "refresh-3")
        }
        expectEqual(traffic.found, [])
    }

    @Test func `4 auth used-after-signout: from the moment at which it is known, once for each route`() {
        func traffic(_ begins: [Int64]) -> Traffic {
            Traffic.made {
                $0.signIn()
                $0.add("POST /v1/sign-out", at: 1_000, token: "access-1", body: ["refreshToken": "refresh-1"])
                for (number, begin) in begins.enumerated() {
                    let path = number == 1 ? "feed" : "items"
                    $0.add("GET /v1/\(path)", at: begin, 403, token: "access-1")
                }
            }
        }
        expectEqual(traffic([1_009]).found, [])
        expectEqual(traffic([1_010]).found, ["auth/used-after-signout"])
        let report = traffic([9_000, 90_000, 170_000]).report()
        expectEqual(report.findings.map(\.route), ["/v1/items", "/v1/feed"])
        expectEqual(report.findings.map(\.count), [1, 1])
    }

    @Test func `4 auth one-time-code-reused: a refused link was judged`() {
        let traffic = Traffic.made { $0.add("POST /v1/link", at: 0, 400, body: ["token": "t-1"]) }
        expectEqual(traffic.status("auth/one-time-code-reused"), .passed)
    }

    @Test(arguments: [
        "GET /v1/open?access-1-long", "GET /v1/open?next=https%3A%2F%2Fa.example%2F%3Ft%3Daccess-1-long%26a%3D1",
    ])
    func `4 auth secret-in-url finds a token without a name, and one in an address inside of the address`(
        target: String
    ) {
        let traffic = Traffic.made {
            $0.signIn(access: "access-1-long")
            $0.add(target, at: 1_000)
        }
        expectEqual(traffic.found, ["auth/secret-in-url"])
    }
}
