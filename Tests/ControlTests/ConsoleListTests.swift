import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Console contract, sections 1 and 2: lists of the journal, lines, pages, searches, and the members of an entry.
@Suite struct ConsoleListTests {
    private func used(_ count: Int, _ change: (inout EmulatorConfiguration) -> Void = { _ in }) throws -> Harness {
        let harness = try Harness(change)
        try harness.set(#"{"omnichat":{"rateLimits":"off"}}"#)
        for number in 1...count { _ = try harness.chat(.get, "/page/\(number)") }
        return harness
    }

    private func seqs(_ harness: Harness, _ query: String) throws -> [Int64] {
        let answer = try harness.call(.get, "/requests\(query)")
        guard answer.status == 200 else { throw Harness.TestError(text: answer.text) }
        return answer.items.compactMap { $0["seq"]?.intValue }
    }

    @Test func `console 1 before selects smaller numbers, and the total counts them all`() throws {
        let harness = try used(9)
        try expectEqual(seqs(harness, "?before=4"), [3, 2, 1])
        try expectEqual(seqs(harness, "?before=1"), [])
        try expectEqual(seqs(harness, "?before=0"), [])
        try expectEqual(seqs(harness, "?before=10&limit=2"), [9, 8])
        try expectEqual(seqs(harness, "?before=99999999999999999&limit=1"), [9])
        try expectEqual(seqs(harness, "?before=8&since=3"), [7, 6, 5, 4])
        for (query, total) in [
            ("before=4&limit=1", "3"), ("before=8&since=3&limit=2&offset=1", "4"), ("since=9", "0"),
            ("before=4&path=/page/2", "1"), ("view=line&limit=1", "9"), ("before=3&since=5", "0"),
        ] {
            try expectEqual(harness.call(.get, "/requests?\(query)")["X-Total-Count"], total, "\(query)")
        }
        let archived = try harness.call(.get, "/requests.har?before=4&q=PAGE/2").json["log"]?["entries"]?.arrayValue
        expectEqual(archived?.map { $0["request"]?.string("url") }, ["http://127.0.0.1:4683/page/2"])
    }

    @Test(arguments: 1...4) func `console 1 paging never shifts while requests arrive`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let harness = try used(40) { $0.journalBytes = seed == 4 ? 30_000 : 10_000_000 }
        let journal = { try harness.hosted().world.journal }
        let first = try journal().range?.upperBound ?? 0
        var seen: [Int64] = []
        var before = ""
        while true {
            let size = random.below(5) + 1
            let query = "?view=line&limit=\(size)\(before)"
            let page = try seqs(harness, query)
            seen += page
            for _ in 0..<random.below(4) { _ = try harness.chat(.get, "/more") }
            if page.count < size { break }
            before = "&before=\(page.last ?? 0)"
        }
        expectEqual(seen, seen.sorted(by: >))
        expectEqual(Set(seen).count, seen.count)
        // Entries may drop out behind the page, never shift before it.
        expectEqual(seen.first, Int64(first))
        if seed < 4 { expectEqual(seen.count, 40) }
        let kept = try #require(try journal().range)
        let missing = (kept.lowerBound...first).filter { !seen.contains(Int64($0)) }
        #expect(missing.isEmpty, "seed \(seed)")
    }

    @Test func `console 1 a line is short, has its members in order, and no header or body`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/api/v1/models")
        _ = try harness.call(.post, "/faults", #"{"match":{"path":"/api/v1/user/profile"},"effect":{"status":503}}"#)
        _ = try harness.call(.put, "/scenarios/omnichat/quota-warning")
        _ = try harness.chat(.get, "/api/v1/user/profile?a=1", token: token)
        let items = try harness.call(.get, "/requests?view=line").items
        expectEqual(
            items[1].keys,
            [
                "id", "seq", "at", "startedAt", "api", "route", "method", "path", "query", "status", "outcome", "ms",
                "timings", "requestBytes", "responseBytes",
            ]
        )
        #expect(items[1].text.utf8.count <= 450, "\(items[1].text)")
        expectEqual(items[0].string("user"), Harness.user)
        expectEqual(items[0].string("fault"), "flt_1")
        expectEqual(items[0].string("query"), "a=1")
        expectEqual(items[0]["status"], 503)
        expectEqual(items[0].keys.firstIndex(of: "user"), 6)
        let whole = try harness.call(.get, "/requests").items[0]
        for name in ["id", "seq", "at", "startedAt", "api", "route", "user", "method", "path", "query", "timings"] {
            expectEqual(items[0][name], whole[name], "\(name)")
        }
        expectEqual(items[0]["responseBytes"], whole["responseBody"]?["bytes"])
        _ = try harness.send(.get, "/omnichat/api/v1/models?__code=500")
        try expectEqual(harness.call(.get, "/requests?view=line&limit=1").items[0].string("fault"), "prefer")
    }

    @Test func `console 1 five thousand lines at most, five hundred without a limit`() throws {
        let harness = try used(501)
        try expectEqual(seqs(harness, "?view=line").count, 500)
        try expectEqual(seqs(harness, "?view=line&limit=5000").count, 501)
        try expectEqual(seqs(harness, "?view=whole").count, 501)
        try expectEqual(seqs(harness, "?view=whole&limit=0"), [])
        for limit in ["0", "5001", "x", "-1", ""] {
            let refusal = try harness.call(.get, "/requests?view=line&limit=\(limit)")
            expectEqual(refusal.problem, "400 invalid-parameter", "\(limit)")
            expectEqual(refusal.json["errors"]?[0]?["path"], "?limit")
        }
    }

    @Test func `console 1 fields selects members in the order of the view`() throws {
        let harness = try used(1)
        func keys(_ query: String) throws -> [String] { try harness.call(.get, "/requests?\(query)").items[0].keys }
        try expectEqual(keys("fields=status,path"), ["id", "seq", "path", "status"])
        try expectEqual(keys("fields=body&view=whole"), ["id", "seq", "body"])
        try expectEqual(keys("view=line&fields=ms,id,api,ms"), ["id", "seq", "api", "ms"])
        try expectEqual(keys("view=line&fields=user"), ["id", "seq"], "there is none")
        for (query, hint) in [
            ("fields=statsu", "status"), ("view=line&fields=body", nil), ("fields=", nil), ("fields=path,,id", nil),
            ("fields=ms", nil), ("fields=startedat", "startedAt"),
        ] {
            let refusal = try harness.call(.get, "/requests?\(query)")
            expectEqual(refusal.problem, "400 invalid-parameter", "\(query)")
            expectEqual(refusal.json["errors"]?[0]?["path"], "?fields")
            if let hint { #expect(refusal.json.string("detail").contains("Did you mean \(hint)?"), "\(query)") }
        }
    }

    @Test func `console 1 a parameter that does not fit, or is given twice, is named`() throws {
        let harness = try used(1)
        let long = String(repeating: "x", count: 257)
        for (query, name) in [
            ("before=x", "before"), ("before=-1", "before"), ("before=", "before"), ("before=1&before=2", "before"),
            ("q=", "q"), ("q=\(long)", "q"), ("q=a&q=b", "q"), ("view=short", "view"), ("view=", "view"),
            ("view=line&view=line", "view"), ("fields=id&fields=seq", "fields"),
        ] {
            let refusal = try harness.call(.get, "/requests?\(query)")
            expectEqual(refusal.problem, "400 invalid-parameter", "\(query)")
            expectEqual(refusal.json["errors"]?[0]?.string("path"), "?\(name)", "\(query)")
        }
        for query in ["view=line", "fields=id"] {
            try expectEqual(harness.call(.get, "/requests.har?\(query)").problem, "400 invalid-parameter")
        }
        try expectEqual(seqs(harness, "?q=\(long.dropLast())"), [])
    }

    @Test func `console 1 q looks at path, query, headers and bodies, ASCII letters in either case`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/api/v1/models?Needle=1")
        _ = try harness.chat(.get, "/api/v1/models", headers: [("X-Mark", "a nEEdle here")])
        _ = try harness.chat(.get, "/api/v1/models", headers: [("X-Needle", "1")])
        _ = try harness.chat(
            .post,
            "/api/v1/conversations",
            ["title": "the NEEDLE, Ärger"],
            token: token,
            headers: [(.contentType, "application/json")]
        )
        _ = try harness.chat(.get, "/needle")
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: Array("needle".utf8) + [0xFF])
        _ = try harness.chat(.get, "/api/v1/models")
        try expectEqual(seqs(harness, "?q=needle"), [5, 4, 3, 2, 1], "not in bytes that are no text")
        try expectEqual(seqs(harness, "?q=NEEDLE"), [5, 4, 3, 2, 1])
        try expectEqual(seqs(harness, "?q=%C3%84rger"), [4])
        try expectEqual(seqs(harness, "?q=%C3%A4rger"), [], "other letters are as they are")
        try expectEqual(seqs(harness, "?q=x-needle:%201"), [], "never across a name and its value")
        try expectEqual(seqs(harness, "?q=X-NEEDLE"), [3])
        try expectEqual(seqs(harness, "?q=needle&method=POST"), [4])
        try expectEqual(seqs(harness, "?q=needle&before=4&limit=1"), [3])
        try expectEqual(harness.call(.get, "/requests?q=needle&before=4&limit=1")["X-Total-Count"], "3")
        try expectEqual(seqs(harness, "?q=01%20Jan%202025").count, 7, "the date that the connection adds")
        try expectEqual(seqs(harness, "?q=content-LENGTH").count, 7)
        let answered = try harness.call(.get, "/requests?limit=1").items[0]["responseBody"]?.string("text") ?? ""
        try expectEqual(seqs(harness, "?q=claude").contains(7), answered.lowercased().contains("claude"))
    }

    @Test(arguments: 1...6) func `console 1 q finds what a plain search finds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("aAbB-:1".utf8)
        func text(_ length: Int) -> [UInt8] { (0..<length).map { _ in letters[random.below(letters.count)] } }
        func lower(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }
        for _ in 0..<500 {
            let (needle, hay) = (text(random.below(5) + 1), text(random.below(40)))
            let found = JournalText(String(decoding: needle, as: UTF8.self)).isIn(hay)
            expectEqual(found, lower(hay).contains(lower(needle)), "\(lower(needle)) in \(lower(hay))")
        }
    }

    @Test func `console 1 the journal tells its bounds, on every port`() throws {
        let harness = try used(5) { $0.journalBytes = 4_000 }
        let bounds = try harness.call(.get, "/journal").json
        expectEqual(bounds.keys, ["from", "to", "entries", "bytes", "limitBytes", "dropped"])
        let entries = try #require(bounds["entries"]?.intValue)
        expectEqual(bounds["to"], 5)
        expectEqual(bounds["from"]?.intValue, 6 - entries)
        expectEqual(bounds["dropped"]?.intValue, 5 - entries)
        expectEqual(bounds["limitBytes"], 4_000)
        try expectEqual(harness.call(.get, "/journal", entryPoint: .api(0)).json, bounds)
        _ = try harness.call(.delete, "/requests")
        try expectEqual(
            harness.call(.get, "/journal").text,
            #"{"from":null,"to":null,"entries":0,"bytes":0,"limitBytes":4000,"dropped":0}"#
        )
    }

    @Test func `console 2 an entry tells the machine's times, and a gate shows the answer that waits`() throws {
        let harness = try Harness()
        _ = try harness.call(
            .post,
            "/gates",
            #"{"name":"g1","match":{"path":"/api/v1/conversations"},"phase":"after"}"#
        )
        _ = try harness.call(.post, "/gates", #"{"name":"g0","match":{"path":"/early"},"phase":"before"}"#)
        _ = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        _ = try harness.chat(.get, "/early")
        _ = try harness.chat(.get, "/other")
        let items = try harness.call(.get, "/requests").items
        expectEqual(items[0].keys[3...6], ["wallAt", "startedAt", "endedAt", "peer"])
        expectEqual(items[0].string("peer"), "127.0.0.1")
        expectNil(items[0]["gate"])
        expectEqual(items[2]["status"], 200, "the answer that waits")
        expectEqual(items[2]["responseHeaders"]?.text.contains("Content-Length"), true)
        expectEqual(items[2].keys.last, "gate")
        expectEqual(items[2].string("gate"), "g1")
        expectEqual(items[1]["status"], 0)
        expectEqual(items[1].string("gate"), "g0")
        let archived = try harness.call(.get, "/requests.har").json["log"]?["entries"]?.arrayValue ?? []
        expectEqual(archived.map { $0.string("_gate") }, ["g1", "g0", ""])
        expectEqual(archived[2].string("startedDateTime"), items[0].string("startedAt"))
        expectEqual(archived[2].string("_peer"), "127.0.0.1")
    }
}
