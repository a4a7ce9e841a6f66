import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 2: a request that an HTTP library sends again by itself (RFC 9110, section 9.2.2).
@Suite struct AutomaticRepeatTests {
    /// Tries of an app that are cut, each of which its library repeats once: the begins in milliseconds.
    private func tries(
        _ begins: [Int64],
        _ name: String = "GET /v1/open",
        pause: Int64 = 5,
        repeats: Int = 1,
        outcome: ConductExchange.Outcome = .cut,
        body: JSON? = nil
    ) -> Traffic {
        Traffic.made {
            for begin in begins {
                for turn in 0...Int64(repeats) {
                    $0.add(name, at: begin + turn * pause, took: 0, body: body, outcome: outcome)
                }
            }
        }
    }

    private let growing: [Int64] = [0, 1_000, 3_000, 7_000, 15_000, 31_000]

    @Test func `2 an automatic repeat counts in no chain of repeats`() {
        expectEqual(tries(growing).found, [])
        expectEqual(tries(growing, "PUT /v1/items/1", body: ["a": 1]).found, [])
        expectEqual(tries(growing, "DELETE /v1/items/1").found, [])
        expectEqual(tries([0, 210, 430]).found, [])
        // What the app does is found as without them.
        expectEqual(tries(growing + [50_000]).found, ["retry/unbounded"])
        expectEqual(tries([0, 100, 200, 300]).found, ["retry/no-backoff"])
        expectEqual(tries([0, 2_000, 4_000, 6_000, 8_000]).found, ["retry/no-backoff"])
    }

    @Test func `2 only the first repeat within a second of a cut without an answer is automatic`() {
        expectEqual(tries(growing, pause: 1_000).found, [])
        expectEqual(tries(growing, pause: 1_001).found.contains("retry/unbounded"), true)
        expectEqual(tries(growing, repeats: 2).found.contains("retry/unbounded"), true)
        expectEqual(tries(growing, "PATCH /v1/items/1", body: ["a": 1]).found.contains("retry/unbounded"), true)
        expectEqual(tries(growing, "POST /v1/link", body: ["a": 1]).found.contains("retry/unbounded"), true)
        // An answer that was cut behind its head is none that a library repeats.
        var begun = tries(growing)
        for place in begun.exchanges.indices { begun.exchanges[place].status = 200 }
        expectEqual(begun.found, ["retry/unbounded"])
        // Another credential is not its choice.
        let other = Traffic.made {
            for begin in growing {
                $0.add("GET /v1/open", at: begin, took: 0, outcome: .cut)
                $0.add("GET /v1/open", at: begin + 5, took: 0, authorization: "Basic YTpi", outcome: .cut)
            }
        }
        expectEqual(other.found, ["retry/unbounded"])
    }

    @Test func `2 two requests at once that are cut are each repeated`() {
        let traffic = Traffic.made {
            for begin in [0, 1_000, 3_000] as [Int64] {
                for start in [0, 2, 20, 21] {
                    $0.add("GET /v1/open", at: begin + Int64(start), took: 10, outcome: .cut)
                }
            }
        }
        expectEqual(traffic.found, [])
    }

    @Test func `2 an automatic repeat is held to no answer that its client knew, and counts as no request`() {
        let late = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/items/1", at: 1_000, took: 100, token: "access-1", outcome: .cut)
            $0.add(
                "POST /v1/sign-out",
                at: 1_010,
                took: 5,
                token: "access-1",
                body: ["refreshToken": "refresh-1"],
                connection: 2
            )
            $0.add("GET /v1/items/1", at: 1_200, token: "access-1", connection: 3)
        }
        expectEqual(late.found, [])
        let limited = Traffic.made {
            $0.add("GET /v1/items/1", at: 0, 429)
            $0.add("GET /v1/items/2", at: 2_000, outcome: .cut)
            $0.add("GET /v1/items/2", at: 2_050)
            $0.add("GET /v1/items/3", at: 5_000)
        }
        expectEqual(limited.found, [])
        let atOnce = Traffic.made {
            $0.add("GET /v1/open", at: 0, took: 500)
            $0.add("GET /v1/open", at: 10, took: 20, outcome: .cut)
            $0.add("GET /v1/open", at: 50, took: 500)
            $0.add("GET /v1/open", at: 60, took: 500)
        }
        expectEqual(atOnce.found, [])
        let pages = Traffic.made {
            $0.signIn()
            $0.add("GET /v1/items?limit=200", at: 1_000, token: "access-1", outcome: .cut)
            $0.add("GET /v1/items?limit=200", at: 1_050, token: "access-1")
        }
        expectEqual(pages.found, [])
    }

    @Test func `7 trafikskola config-fallback: an automatic repeat is none of the app's`() {
        func found(_ begins: [Int64]) -> JudgementReport.Status? {
            state("trafikskola/config-fallback") {
                for begin in begins { $0.add("GET", "/api/mobile/config", at: begin, 0, outcome: .cut) }
            }
        }
        expectEqual(found([0, 50, 5_000, 5_050]), .passed)
        expectEqual(found([0, 50, 5_000, 5_050, 9_000]), .failed)
    }
}
