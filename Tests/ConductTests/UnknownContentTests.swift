import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 1: what content says that nobody has whole, no rule guesses.
@Suite struct UnknownContentTests {
    private static let unknown = ConductExchange.Body([], length: 50)
    private static let access = Calls.token("access")

    /// The rules that are found of calls, where all content is known and where that of one answer or request is not.
    private func expectExcused(
        _ rule: String,
        _ calls: Calls,
        answer: Int? = nil,
        request: Int? = nil,
        excuses: Bool = true,
        file: StaticString = #filePath
    ) {
        #expect(calls.report.findings.contains { $0.rule == rule }, "\(rule) with all content")
        var calls = calls
        if let answer { calls.exchanges[answer].responseBody = Self.unknown }
        if let request { calls.exchanges[request].body = Self.unknown }
        expectEqual(calls.report.findings.contains { $0.rule == rule }, !excuses, "\(rule) without it")
    }

    private func calls(_ api: String, _ build: (inout Calls) -> Void) -> Calls {
        var calls = Calls(api)
        build(&calls)
        return calls
    }

    @Test func `1 content that nobody has whole accuses nobody: rules of the APIs`() {
        let base = "/api/mobile/v1"
        expectExcused(
            "carbscan/keeps-server-timestamp",
            calls("carbscan") {
                for (turn, sent) in [nil, "2025-01-01T12:00:00.000Z", "2025-01-01T13:00:00.000Z"].enumerated() {
                    $0.add(
                        "POST",
                        "\(base)/meals/sync",
                        at: Int64(turn) * 9_000,
                        token: Self.access,
                        body: ["lastSyncTimestamp": sent.map { .string($0) } ?? .null],
                        answer: ["data": ["serverTimestamp": "2025-01-01T12:00:00.000Z"]]
                    )
                }
            },
            answer: 1
        )
        expectExcused(
            "omnichat/complete-conversation",
            calls("omnichat") {
                for (turn, id) in ["gpt", "new"].enumerated() {
                    $0.add(
                        "GET",
                        "/api/models",
                        at: Int64(turn) * 9_000,
                        answer: ["providers": ["openai": [["id": .string(id)]]]]
                    )
                }
                let body: JSON = ["title": "a", "model": "other"]
                $0.add("POST", "/api/v1/conversations", at: 20_000, 201, token: Self.access, body: body)
            },
            answer: 1
        )
        let lost = calls("trendy") {
            for (turn, body) in [["a": 1], ["b": 2], ["c": 3]].enumerated() as EnumeratedSequence<[JSON]> {
                $0.add(
                    "PATCH",
                    "/api/v1/users/onboarding",
                    at: Int64(turn) * 90_000,
                    turn == 0 ? 500 : 200,
                    token: Self.access,
                    body: body
                )
            }
        }
        for request in 0...2 { expectExcused("trendy/pushes-until-they-arrive", lost, request: request) }
        expectExcused(
            "trafikskola/server-trouble-is-no-logout",
            calls("trafikskola") {
                let base = "/api/mobile"
                let refresh: JSON = ["refreshToken": .string(Calls.token("refresh"))]
                $0.add("GET", "\(base)/bookings", at: -9_000, token: Self.access, user: "a@b.example")
                $0.add("POST", "\(base)/auth/refresh", at: 0, user: "a@b.example", body: refresh, answer: "no tokens")
                $0.add("POST", "\(base)/auth/login", at: 9_000, 500, body: ["email": "a@b.example"])
            },
            answer: 1
        )
    }

    /// The rules that are found, where all content is known and where that of one answer or request is not.
    private func found(_ traffic: Traffic, answer: Int? = nil, request: Int? = nil) -> [[String]] {
        var changed = traffic
        if let answer { changed.exchanges[answer].responseBody = Self.unknown }
        if let request { changed.exchanges[request].body = Self.unknown }
        return [traffic.found, changed.found]
    }

    @Test func `1 content that nobody has whole accuses nobody: rules of all APIs`() {
        let id = [("X-Request-Id", "r1")]
        let reused = Traffic.made {
            $0.add("PUT /v1/items/1", at: 0, headers: id, body: ["a": 1])
            $0.add("PUT /v1/items/1", at: 5_000, headers: id, body: ["a": 2])
        }
        for place in 0...1 { expectEqual(found(reused, request: place), [["head/request-id-reused"], []]) }
        let overlapping = Traffic.made {
            $0.add("PUT /v1/items/1", at: 0, took: 500, body: ["a": 1])
            $0.add("PUT /v1/items/1", at: 100, took: 50, body: ["a": 2], connection: 2)
        }
        for place in 0...1 { expectEqual(found(overlapping, request: place), [["write/overlapping"], []]) }
        let paged = Traffic.made {
            $0.add("GET /v1/feed", at: 0, answer: ["nextCursor": "c1"])
            $0.add("GET /v1/feed?cursor=c1", at: 5_000, answer: ["nextCursor": "c2"])
            $0.add("GET /v1/feed?cursor=c3", at: 9_000, answer: ["nextCursor": "c4"])
        }
        expectEqual(found(paged, answer: 1), [["page/cursor-changed"], []])
        let refused = Traffic.made {
            $0.signIn()
            for turn in 0...3 {
                if turn == 2 { $0.refresh("another", at: 2_500, 503) }
                $0.add("GET /v1/items/\(turn)", at: 1_000 + Int64(turn) * 1_000, 401, token: "access-1")
            }
        }
        expectEqual(found(refused, request: 3), [["auth/no-refresh-after-401"], []])
        var polls = Traffic.made { for turn in 0...20 { $0.add("GET /v1/open", at: Int64(turn) * 2_000, answer: [1]) } }
        expectEqual(polls.found, ["poll/no-slowdown"])
        for place in polls.exchanges.indices { polls.exchanges[place].responseBody = Self.unknown }
        expectEqual(polls.found, [])
        // What has the same digest is the same, though nobody can read it.
        for place in polls.exchanges.indices {
            polls.exchanges[place].responseBody = .init([], length: 50, digest: Array(repeating: 7, count: 32))
        }
        expectEqual(polls.found, ["poll/no-slowdown"])
    }

    @Test func `4 retry unsafe-repeated: long content whose members nobody can see`() {
        func found(_ distinct: [[String]]) -> [String] {
            var knowledge = Traffic.knowledge
            knowledge.operations["POST /v1/items"]?.distinct = distinct
            var traffic = Traffic.made {
                $0.add("POST /v1/items", at: 1_000, body: ["n": 1], outcome: .cut)
                $0.add("POST /v1/items", at: 5_000, 409, body: ["n": 1])
            }
            for place in 0...1 {
                let digest = [UInt8](repeating: 9, count: 32)
                traffic.exchanges[place].body = .init(Array("{".utf8), length: 90_000, digest: digest)
            }
            var engine = ConductEngine(.build, knowledge: [knowledge])
            for exchange in traffic.exchanges { engine.take(exchange) }
            let range = JudgementReport.JournalRange(from: 1, to: 2, entries: 2, isComplete: true)
            return engine.report(ReportFilter(), ReportContext(world: "main", journal: range)).findings.map(\.rule)
        }
        expectEqual(found([]), ["retry/unsafe-repeated"])
        expectEqual(found([["id"]]), [])
    }

    @Test func `4 retry unsafe-repeated: what Trendy refuses to make twice`() {
        func found(_ path: String, _ body: JSON) -> Bool {
            let calls = calls("trendy") {
                for time in [0, 5_000] as [Int64] {
                    $0.add(
                        "POST",
                        "/api/v1/\(path)",
                        at: time,
                        500,
                        route: path.hasSuffix("properties") ? "/api/v1/event-types/{id}/properties" : nil,
                        token: Self.access,
                        body: body,
                        outcome: time == 0 ? .cut : .delivered
                    )
                }
            }
            return calls.report.findings.contains { $0.rule == "retry/unsafe-repeated" }
        }
        for (path, body, isUnsafe) in [
            ("event-types", ["name": "Run", "color": "#fff", "icon": "i"], false),
            ("event-types", ["name": "", "color": "#fff"], false), ("event-types", ["color": "#fff"], true),
            ("geofences", ["name": "Home", "latitude": 1], false), ("geofences", ["latitude": 1], true),
            ("event-types/7/properties", ["key": "k", "label": "l"], false),
            ("event-types/7/properties", ["label": "l"], true),
            ("events", ["event_type_id": "t", "timestamp": "2025-01-01T12:00:00Z"], false),
            ("events", ["event_type_id": "t"], true), ("events", ["id": "x"], false),
            ("events/batch", ["events": [["id": "x"], ["event_type_id": "t", "timestamp": "now"]]], false),
            ("events/batch", ["events": [["id": "x"], ["notes": "n"]]], true), ("events/batch", ["events": []], true),
        ] as [(String, JSON, Bool)] {
            expectEqual(found(path, body), isUnsafe, "\(path) \(body.text)")
        }
    }
}
