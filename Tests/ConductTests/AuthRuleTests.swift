import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of the group `auth` (section 4).
@Suite struct AuthRuleTests {
    @Test func `4 auth credential-missing finds a refused call without a credential`() {
        let breach = Traffic.made { $0.add("GET /v1/items", at: 0, 401) }
        expectEqual(breach.proofs, ["auth/credential-missing": ["req_1"]])
        // Answered otherwise, it was no call that the credential was missed in.
        expectEqual(Traffic.made { $0.add("GET /v1/items", at: 0, 500) }.found, [])
        let passed = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/items", at: 1_000, token: "access-1")
        }
        expectEqual(passed.status("auth/credential-missing"), .passed)
        expectEqual(passed.found, [])
        expectEqual(Traffic.made { $0.add("GET /v1/public", at: 0) }.status("auth/credential-missing"), .notExercised)
    }

    @Test(arguments: [
        "Bearer ", "Bearer null", "Bearer nil", "Bearer undefined", "Bearer (null)", "Bearer Optional(\"x\")",
        "Bearer [object Object]", "Bearer \"abc\"", "Bearer a b", "Bearer {\"a\":1}", "Bearer Bearer abc",
        "bearer null", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
    ])
    func `4 auth malformed-credential finds what is no token`(value: String) {
        let traffic = Traffic.made { $0.add("GET /v1/open", at: 0, authorization: value) }
        expectEqual(traffic.found, ["auth/malformed-credential"])
    }

    @Test(arguments: ["Bearer abc", "Basic bnVsbA==", "Bearer nullable", "Token null", "Bearer undefined1"])
    func `4 auth malformed-credential leaves tokens and other schemes alone`(value: String) {
        let traffic = Traffic.made { $0.add("GET /v1/open", at: 0, authorization: value) }
        expectEqual(traffic.found, [])
        expectEqual(traffic.status("auth/malformed-credential"), .passed)
    }

    @Test(arguments: [
        "GET /v1/open?password=x", "GET /v1/open?otpCode=123456", "GET /v1/open?client_secret=abc",
        "GET /v1/open?token=eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl", "GET /v1/open?q=access-1-long",
        "GET /v1/items/access-1-long", "GET /v1/open?x=access%2D1-long",
        "GET /v1/open?next=/access-1-long", "GET /v1/open?x=access-1-long%3D",
        "GET /v1/open?x=https://a/b?t=access-1-long",
    ])
    func `4 auth secret-in-url finds secrets`(target: String) {
        let traffic = Traffic.made {
            $0.signIn(access: "access-1-long")
            $0.add(target, at: 1_000, token: "access-1-long")
        }
        expectEqual(traffic.found, ["auth/secret-in-url"])
        #expect(!traffic.report().json.text.contains("access-1-long"))
    }

    @Test(arguments: ["GET /v1/open?password=", "GET /v1/open?token=device-1", "GET /v1/files/a?token=access-1-long"])
    func `4 auth secret-in-url leaves empty values, plain tokens and handed out addresses alone`(target: String) {
        let traffic = Traffic.made {
            $0.signIn(access: "access-1-long")
            $0.add(target, at: 1_000)
        }
        expectEqual(traffic.found, [])
    }

    @Test(arguments: [
        #"{"upload":"https://files.example.com/v1/up?token=access-1-long"}"#,
        #"{"a":{"b":["/v1/up?token=access-1-long"]}}"#, #"<a href="http://x/v1/up?token=access-1-long">here</a>"#,
    ])
    func `4 auth secret-in-url leaves an address alone that any answer handed out`(answer: String) {
        func found(_ content: String) -> [String] {
            var traffic = Traffic.made {
                $0.signIn(access: "access-1-long")
                $0.add("GET /v1/open", at: 1_000, token: "access-1-long")
                $0.add("PUT /v1/up?token=access-1-long", at: 2_000, known: false)
            }
            traffic.exchanges[1].responseBody = ConductExchange.Body(Array(content.utf8))
            traffic.exchanges[2].isEmulated = false
            return traffic.found
        }
        expectEqual(found(answer), [])
        expectEqual(found(answer.replacing("access-1-long", with: "another-token")), ["auth/secret-in-url"])
    }

    @Test func `4 auth secret-in-url leaves an address alone to which an answer redirected`() {
        let traffic = Traffic.made {
            $0.signIn(access: "access-1-long")
            $0.add("GET /v1/open", at: 1_000, 302, answers: [("Location", "https://x/v1/files/access-1-long/a")])
            $0.add("GET /v1/files/access-1-long/a", at: 2_000, known: false)
        }
        #expect(!traffic.found.contains("auth/secret-in-url"))
    }

    @Test func `4 auth wrong-token-kind finds the other kind`() {
        let asBearer = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/items", at: 1_000, 401, token: "refresh-1")
        }
        expectEqual(asBearer.proofs, ["auth/wrong-token-kind": ["req_2"]])
        let toRefresh = Traffic.made {
            $0.signIn()
            $0.refresh("access-1", at: 1_000, 401)
        }
        expectEqual(toRefresh.proofs, ["auth/wrong-token-kind": ["req_2"]])
        let right = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000)
            $0.add("GET /v1/items", at: 2_000, token: "access-2")
        }
        expectEqual(right.found, [])
        expectEqual(right.status("auth/wrong-token-kind"), .passed)
    }

    @Test func `4 auth credential-where-none-asked finds a token on a public call`() {
        let breach = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/public", at: 1_000, token: "access-1")
        }
        expectEqual(breach.proofs, ["auth/credential-where-none-asked": ["req_2"]])
        let excused = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/open", at: 1_000, token: "access-1")
            $0.add("GET /v1/public", at: 2_000, authorization: "Key of-another-kind")
            $0.add("GET /v1/public", at: 3_000)
        }
        expectEqual(excused.found, [])
        expectEqual(excused.status("auth/credential-where-none-asked"), .passed)
    }

    @Test func `4 auth repeat-after-401 finds the first repeat`() {
        let breach = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/items", at: 1_000, 401, token: "access-1")
            $0.add("GET /v1/items", at: 2_000, 401, token: "access-1")
        }
        expectEqual(breach.proofs, ["auth/repeat-after-401": ["req_2", "req_3"]])
        let innocent = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/items", at: 1_000, took: 500, 401, token: "access-1")
            // Begun before the refusal was known.
            $0.add("GET /v1/items", at: 1_400, took: 10, 401, token: "access-1", connection: 2)
            $0.refresh("refresh-1", at: 2_000)
            $0.add("GET /v1/items", at: 3_000, token: "access-2")
        }
        expectEqual(innocent.found, [])
        expectEqual(innocent.status("auth/repeat-after-401"), .passed)
    }

    @Test func `2 an answer on another connection is known after the grace`() {
        func found(_ begin: Int64, connection: Int) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items", at: 1_000, 401, token: "access-1")
                $0.add("GET /v1/items", at: begin, 401, token: "access-1", connection: connection)
            }.found
        }
        expectEqual(found(1_109, connection: 2), [])
        expectEqual(found(1_110, connection: 2), ["auth/repeat-after-401"])
        expectEqual(found(1_010, connection: 1), ["auth/repeat-after-401"])
    }

    @Test func `4 auth no-refresh-after-401 finds the third request more`() {
        func traffic(_ count: Int) -> Traffic {
            Traffic.made {
                $0.signIn()
                for number in 0...count {
                    $0.add("GET /v1/items/\(number)", at: 1_000 + Int64(number) * 1_000, 401, token: "access-1")
                }
            }
        }
        expectEqual(traffic(2).found, [])
        expectEqual(traffic(3).proofs, ["auth/no-refresh-after-401": ["req_2", "req_3", "req_4", "req_5"]])
        expectEqual(traffic(0).status("auth/no-refresh-after-401"), .passed)
        let refreshed = Traffic.made {
            $0.signIn()
            for number in 0..<2 { $0.add("GET /v1/items/\(number)", at: 1_000 + Int64(number), 401, token: "access-1") }
            $0.refresh("refresh-1", at: 2_000)
            for number in 2..<5 {
                $0.add("GET /v1/items/\(number)", at: 3_000 + Int64(number) * 1_000, 401, token: "access-1")
            }
        }
        expectEqual(refreshed.found, ["auth/stale-token-sent"])
    }

    @Test func `4 auth rotated-refresh-token-reused finds the old token`() {
        let breach = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, new: "refresh-2")
            $0.refresh("refresh-1", at: 2_000, 401)
        }
        expectEqual(breach.proofs, ["auth/rotated-refresh-token-reused": ["req_2", "req_3"]])
        let lost = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, new: "refresh-2", outcome: .cut)
            $0.refresh("refresh-1", at: 2_000, 401)
        }
        expectEqual(lost.found, [])
        let right = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, new: "refresh-2")
            $0.refresh("refresh-2", at: 9_000, access: "access-3", new: "refresh-3")
        }
        expectEqual(right.found, [])
        expectEqual(right.status("auth/rotated-refresh-token-reused"), .passed)
    }

    @Test func `4 auth parallel-refresh finds overlap, and haste where tokens stay`() {
        let overlap = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, took: 100, new: "refresh-2")
            $0.refresh("refresh-1", at: 1_050, took: 100, 401, connection: 2)
        }
        expectEqual(overlap.proofs, ["auth/parallel-refresh": ["req_2", "req_3"]])
        func haste(_ begin: Int64) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.refresh("refresh-1", at: 1_000)
                $0.refresh("refresh-1", at: begin, access: "access-3")
            }.found
        }
        expectEqual(haste(2_010), ["auth/parallel-refresh"])
        expectEqual(haste(2_011), [])
        let failed = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, took: 50, 503)
            $0.refresh("refresh-1", at: 1_500)
        }
        expectEqual(failed.found, [])
    }

    @Test func `4 auth dead-refresh-retried finds the refused token`() {
        let breach = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, 401)
            $0.refresh("refresh-1", at: 5_000, 401)
        }
        expectEqual(breach.found, ["auth/dead-refresh-retried"])
        let again = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, 401)
            $0.signIn(at: 5_000, access: "access-9", refresh: "refresh-9")
            $0.refresh("refresh-9", at: 6_000)
        }
        expectEqual(again.found, [])
        expectEqual(again.status("auth/dead-refresh-retried"), .passed)
    }

    @Test func `4 auth refresh-loop finds the third refresh without a success between`() {
        func traffic(_ last: Int64, success: Bool = false) -> Traffic {
            Traffic.made {
                $0.signIn()
                $0.refresh("refresh-1", at: 1_000, new: "refresh-2")
                $0.refresh("refresh-2", at: 4_000, access: "access-3", new: "refresh-3")
                if success { $0.add("GET /v1/items", at: 5_000, token: "access-3") }
                $0.refresh("refresh-3", at: last, access: "access-4", new: "refresh-4")
            }
        }
        expectEqual(traffic(61_000).proofs, ["auth/refresh-loop": ["req_2", "req_3", "req_4"]])
        expectEqual(traffic(61_001).found, [])
        expectEqual(traffic(9_000, success: true).found, [])
        expectEqual(traffic(61_001).status("auth/refresh-loop"), .passed)
    }
}
