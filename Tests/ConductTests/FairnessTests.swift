import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 1: an innocent client that could have sent the same is never accused, and a guilty one is not passed.
@Suite struct FairnessTests {
    @Test func `2 a credential that a delivered answer hands out again is a new one`() {
        func found(
            _ begin: Int64,
            access: String = "access-1",
            outcome: ConductExchange.Outcome = .delivered
        ) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items", at: 1_000, 401, token: "access-1")
                $0.refresh("refresh-1", at: 1_500, access: access, new: "refresh-2", outcome: outcome)
                $0.add("GET /v1/items", at: begin, token: "access-1")
            }.found
        }
        expectEqual(found(1_510), [])
        // Before its end nobody has it.
        expectEqual(found(1_509), ["auth/repeat-after-401", "auth/stale-token-sent"])
        expectEqual(found(1_510, outcome: .cut), ["auth/repeat-after-401"])
        expectEqual(found(1_510, access: "access-2"), ["auth/repeat-after-401", "auth/stale-token-sent"])
        // The new one counts for itself.
        let again = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, access: "access-1", new: "refresh-2")
            for time in [2_000, 3_000] as [Int64] { $0.add("GET /v1/items", at: time, 401, token: "access-1") }
        }
        expectEqual(again.proofs, ["auth/repeat-after-401": ["req_3", "req_4"]])
    }

    @Test func `2 a token that a later sign-in hands out again belongs to both, and to the one that is left`() {
        func found(agent: String, signsOut: Int) -> [String] {
            Traffic.made {
                $0.signIn(at: 0, access: "the-same-token", refresh: "refresh-a")
                $0.agent = agent
                $0.signIn(at: 1_000, access: "the-same-token", refresh: "refresh-b")
                for (turn, refresh) in ["refresh-a", "refresh-b"].prefix(signsOut).enumerated() {
                    $0.agent = turn == 0 ? "App/1" : agent
                    $0.add(
                        "POST /v1/sign-out",
                        at: 2_000 + Int64(turn) * 100,
                        token: "the-same-token",
                        body: ["refreshToken": .string(refresh)]
                    )
                }
                $0.add("GET /v1/items", at: 9_000, token: "the-same-token")
            }.found
        }
        for agent in ["App/1", "App/2"] {
            expectEqual(found(agent: agent, signsOut: 1), [], "\(agent): the other one goes on")
            expectEqual(found(agent: agent, signsOut: 2), ["auth/used-after-signout"], "\(agent): both have ended")
        }
    }

    @Test func `2 two clients with one token are held to nothing that the other knows`() {
        func found(_ second: String) -> [String] {
            Traffic.made {
                $0.signIn(at: 0, access: "the-same-token", refresh: "refresh-a")
                $0.agent = second
                $0.signIn(at: 1_000, access: "the-same-token", refresh: "refresh-b")
                $0.agent = "App/1"
                $0.add("GET /v1/items/1", at: 2_000, 404, token: "the-same-token")
                for turn in 0..<3 {
                    $0.agent = second
                    $0.add("GET /v1/items/1", at: 3_000 + Int64(turn) * 2_000, 404, token: "the-same-token")
                }
            }.found
        }
        expectEqual(found("App/1"), [], "nobody can tell them apart")
        expectEqual(found("App/2"), ["retry/refusal-repeated"], "the second one repeats by itself")
    }

    @Test func `2 a refresh token that stays is the same credential`() {
        let found = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, new: "refresh-1")
            $0.refresh("refresh-1", at: 60_000, access: "access-3", new: "refresh-1")
            $0.refresh("refresh-1", at: 90_000, 401)
            $0.refresh("refresh-1", at: 99_000, 401)
        }
        expectEqual(found.proofs, ["auth/dead-refresh-retried": ["req_4", "req_5"]])
        // One that a sign-in hands out again is good again.
        let renewed = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, 401)
            $0.signIn(at: 5_000, access: "access-4")
            $0.refresh("refresh-1", at: 60_000, access: "access-5")
        }
        expectEqual(renewed.found, [])
    }

    @Test func `2 an answer is known on other connections after 20 ms on the loopback interface, after 100 elsewhere`()
    {
        func found(_ begin: Int64, isLocal: Bool, grace: Int64? = nil) -> [String] {
            var traffic = Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items", at: 1_000, 401, token: "access-1")
                $0.add("GET /v1/items", at: begin, 401, token: "access-1", connection: 2)
            }
            for place in traffic.exchanges.indices { traffic.exchanges[place].isLocal = isLocal }
            var settings = ConductSettings()
            settings.graceMs = grace
            return traffic.report(settings).findings.map(\.rule)
        }
        let breach = ["auth/repeat-after-401"]
        expectEqual(found(1_029, isLocal: true), [])
        expectEqual(found(1_030, isLocal: true), breach)
        expectEqual(found(1_109, isLocal: false), [])
        expectEqual(found(1_110, isLocal: false), breach)
        expectEqual(found(1_059, isLocal: true, grace: 50), [])
        expectEqual(found(1_060, isLocal: false, grace: 50), breach)
        for (address, isLoopback) in [
            ("127.0.0.1", true), ("127.8.8.8", true), ("[::1]", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("10.0.0.1", false), ("[fe80::1]", false), ("1.127.0.1", false),
        ] {
            expectEqual(ConductExchange.isLoopback(address), isLoopback, address)
        }
    }

    @Test func `4 cache fresh-fetched-again: a 304 says anew how long the copy is fresh`() {
        func found(_ first: String, _ later: String?, pause: Int64 = 10_000, count: Int = 4) -> [String] {
            Traffic.made {
                $0.add(
                    "GET /v1/open",
                    at: 0,
                    answer: ["n": 1],
                    answers: [("ETag", "\"1\""), ("Cache-Control", first)]
                )
                for turn in 0..<count {
                    $0.add(
                        "GET /v1/open",
                        at: pause + Int64(turn) * 2_000,
                        304,
                        headers: [("If-None-Match", "\"1\"")],
                        answers: [("ETag", "\"1\"")] + (later.map { [("Cache-Control", $0)] } ?? [])
                    )
                }
            }.found
        }
        let breach = ["cache/fresh-fetched-again"]
        expectEqual(found("max-age=3600", "no-cache"), [])
        expectEqual(found("max-age=3600", "no-store", pause: 200), [])
        expectEqual(found("max-age=3600", nil), breach)
        expectEqual(found("max-age=1", "max-age=3600"), breach)
        expectEqual(found("max-age=1", "max-age=3600", count: 3), [])
        expectEqual(found("no-cache", "max-age=3600"), breach, "what is kept becomes fresh")
        expectEqual(found("max-age=1", "max-age=1", count: 9), [])
        expectEqual(found("max-age=5", nil), breach, "without a time of its own it is fresh for as long again")
        // A copy from before.
        let warm = Traffic.made {
            for turn in 0..<4 {
                $0.add(
                    "GET /v1/open",
                    at: Int64(turn) * 2_000,
                    304,
                    headers: [("If-None-Match", "\"1\"")],
                    answers: [("ETag", "\"1\""), ("Cache-Control", "max-age=60")]
                )
            }
        }
        expectEqual(warm.found, breach)
    }

    @Test func `4 cache fresh-fetched-again: the latest answer counts, and either clock ends the time`() {
        func found(_ answers: [String], ahead: Int64 = 0, write: Bool = false) -> [String] {
            Traffic.made {
                for (turn, words) in answers.enumerated() {
                    if turn == 1 { $0.ahead += ahead }
                    if write {
                        $0.add("PUT /v1/items/1", at: Int64(turn) * 2_000 + 1_000, body: ["n": .integer(Int64(turn))])
                    }
                    $0.add(
                        "GET /v1/items/1",
                        at: Int64(turn) * 2_000,
                        answer: ["n": .integer(Int64(turn))],
                        answers: [("Cache-Control", words)]
                    )
                }
            }.found
        }
        let breach = ["cache/fresh-fetched-again"]
        expectEqual(found(Array(repeating: "max-age=60", count: 4)), breach)
        expectEqual(found(["max-age=60", "no-cache", "no-cache", "no-cache", "no-cache"]), [])
        expectEqual(found(["max-age=60", "max-age=1", "max-age=1", "max-age=1", "max-age=1"]), [])
        expectEqual(found(Array(repeating: "max-age=60", count: 4), write: true), [])
        // The world's clock stands still while the device's goes on: an hour later by either one.
        let slow = Traffic.made {
            for turn in 0..<5 {
                $0.ahead = -Int64(turn) * 61_000
                $0.add(
                    "GET /v1/open",
                    at: Int64(turn) * 61_000,
                    answer: ["n": .integer(Int64(turn))],
                    answers: [("Cache-Control", "max-age=60")]
                )
            }
        }
        expectEqual(slow.found, [])
    }

    /// A tag that came for one path, and a request for another with it.
    private func tags(
        sent: String = "\"t\"",
        answered status: Int = 304,
        _ tag: String? = "\"t\"",
        first: Int64 = 0,
        firstSends: String? = nil,
        second: Int64 = 2_000
    ) -> [String] {
        Traffic.made {
            $0.add("GET /v1/open?x=2", at: -5_000, answers: [("ETag", "\"own\"")])
            $0.add(
                "GET /v1/open?x=1",
                at: first,
                firstSends == nil ? 200 : 304,
                headers: firstSends.map { [("If-None-Match", $0)] } ?? [],
                answers: [("ETag", "\"t\"")]
            )
            $0.add(
                "GET /v1/open?x=2",
                at: second,
                status,
                headers: [("If-None-Match", sent)],
                answers: tag.map { [("ETag", $0)] } ?? [],
                connection: 2
            )
        }.found
    }

    @Test
    func `4 cache validator-of-another: only what an answer is known to have brought, and what the server denies`() {
        let breach = ["cache/validator-of-another"]
        expectEqual(tags(answered: 200, "\"u\""), breach)
        expectEqual(tags(answered: 200, nil), breach)
        expectEqual(tags(sent: "W/\"t\"", answered: 200, "\"u\""), breach)
        // The server says that it is right.
        expectEqual(tags(), [])
        expectEqual(tags(answered: 304, nil), [])
        expectEqual(tags(answered: 200, "W/\"t\""), [])
        // The answer was not known yet.
        expectEqual(tags(answered: 200, "\"u\"", second: 5), [])
        expectEqual(tags(answered: 200, "\"u\"", second: 109), [])
        expectEqual(tags(answered: 200, "\"u\"", second: 110), breach)
        // The client had it before.
        expectEqual(tags(answered: 200, "\"u\"", firstSends: "\"t\""), [])
        // Such answers say nothing of the tag.
        for status in [401, 404, 429, 500] { #expect(!tags(answered: status, nil).contains(breach[0]), "\(status)") }
    }

    @Test func `4 retry unsafe-repeated: what has a key of the client, or members that are unique, is made once`() {
        var knowledge = Traffic.knowledge
        knowledge.operations["POST /v1/items"]?.distinct = [["id"], ["shop", "number"]]
        func found(_ body: JSON) -> [String] {
            let traffic = Traffic.made {
                $0.signIn()
                for time in [1_000, 5_000] as [Int64] {
                    $0.add(
                        "POST /v1/items",
                        at: time,
                        token: "access-1",
                        body: body,
                        outcome: time == 1_000 ? .cut : .delivered
                    )
                }
            }
            var engine = ConductEngine(.build, knowledge: [knowledge])
            for exchange in traffic.exchanges { engine.take(exchange) }
            let range = JudgementReport.JournalRange(from: 1, to: 3, entries: 3, isComplete: true)
            return engine.report(ReportFilter(), ReportContext(world: "main", journal: range)).findings.map(\.rule)
        }
        expectEqual(found(["id": "loc-1", "n": 1]), [])
        expectEqual(found(["shop": "a", "number": 7]), [])
        expectEqual(found(["shop": "a", "number": ""]), [], "an empty text is a value")
        expectEqual(found(["id": ""]), ["retry/unsafe-repeated"])
        for body: JSON in [["n": 1], ["id": .null], ["shop": "a"], ["shop": "a", "number": .null]] {
            expectEqual(found(body), ["retry/unsafe-repeated"], body.text)
        }
    }

    @Test func `4 auth stale-token-sent finds the old token during a refresh and after it`() {
        func found(
            _ begin: Int64,
            status: Int = 401,
            refreshed: Int = 200,
            connection: Int = 2,
            isTakenAgain: Bool = false
        ) -> [String: [String]] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items/1", at: 1_000, status, token: "access-1")
                if isTakenAgain { $0.add("GET /v1/items/3", at: 1_500, token: "access-1") }
                $0.refresh("refresh-1", at: 2_000, took: 1_000, refreshed, new: "refresh-2")
                $0.add("GET /v1/items/2", at: begin, 401, token: "access-1", connection: connection)
            }.proofs
        }
        // Another cause has refused a token that is taken again.
        expectEqual(found(2_500, isTakenAgain: true), [:])
        let during = ["auth/stale-token-sent": ["req_2", "req_3", "req_4"]]
        let after = ["auth/stale-token-sent": ["req_3", "req_4"]]
        expectEqual(found(2_000), during)
        expectEqual(found(2_999), during)
        expectEqual(found(2_500, refreshed: 503), during)
        expectEqual(found(2_500, status: 200), [:], "nothing says that the token is over")
        // The new one is not known yet.
        expectEqual(found(3_000), [:])
        expectEqual(found(3_099), [:])
        expectEqual(found(3_100), after)
        expectEqual(found(3_000, connection: 1), after)
        expectEqual(found(9_000, status: 200), after)
        expectEqual(found(9_000, refreshed: 503), [:])
    }

    @Test func `4 retry retry-after-ignored: a date half a minute ahead is told as 30 s`() {
        let report = Traffic.made {
            $0.add(
                "GET /v1/open",
                at: 0,
                429,
                answers: [("Retry-After", "Wed, 01 Jan 2025 12:00:30 GMT")]
            )
            $0.add("GET /v1/open", at: 5_000)
        }.report()
        expectEqual(report.findings.map(\.rule), ["retry/retry-after-ignored"])
        #expect(report.findings[0].seen.contains("asked to wait 30 s"), "\(report.findings[0].seen)")
    }

    @Test func `4 privacy personal-in-url: the member that OpenID Connect has for it`() {
        func found(_ target: String) -> [String] {
            Traffic.made { $0.add("GET \(target)", at: 0, known: false) }.found.filter { $0.hasPrefix("privacy") }
        }
        expectEqual(found("/v1/authorize?login_hint=anna%40example.com"), [])
        expectEqual(found("/v1/authorize?hint=anna%40example.com"), ["privacy/personal-in-url"])
    }

    @Test func `4 auth stale-token-sent: a refresh for a part of what there is replaces no token`() {
        func found(_ more: JSONObject, form: String? = nil) -> [String] {
            Traffic.made {
                $0.signIn()
                $0.add("GET /v1/items/1", at: 1_000, token: "access-1")
                var body: JSONObject = ["refreshToken": "refresh-1"]
                for member in more.members { body.append(member.name, member.value) }
                $0.add(
                    "POST /v1/refresh",
                    at: 2_000,
                    bytes: form.map { Array($0.utf8) } ?? JSON.object(body).serialized(),
                    type: form == nil ? "application/json" : "application/x-www-form-urlencoded",
                    answer: ["accessToken": "access-2", "refreshToken": "refresh-1"]
                )
                $0.add("GET /v1/items/2", at: 5_000, token: "access-1")
            }.found
        }
        let breach = ["auth/stale-token-sent"]
        expectEqual(found([:]), breach)
        expectEqual(found(["scope": .null]), breach)
        expectEqual(found([:], form: "refresh_token=refresh-1"), breach)
        for name in ["scope", "resource", "audience"] {
            expectEqual(found([name: "mail"]), [])
            expectEqual(found([:], form: "refresh_token=refresh-1&\(name)=mail"), [])
        }
    }
}
