import CivilTime
import Engine
import Foundation
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 11: the matches that calls find in a journal, however they search it.
@Suite struct JournalSearchTests {
    private static let paths = [
        "/api/v1/conversations", "/api/v1/user/profile", "/api/v1/user/profile?a=1", "/nowhere", "/api/v1/user/usage",
    ]

    /// A journal with exchanges of several kinds, the oldest of which have been removed.
    private func used(count: Int, journalBytes: Int? = nil) throws -> Harness {
        let harness = try Harness { if let journalBytes { $0.journalBytes = journalBytes } }
        try harness.set(#"{"omnichat":{"rateLimits":"off"}}"#)
        let token = try harness.token()
        for number in 0..<count {
            let path = Self.paths[number % Self.paths.count]
            _ = try harness.chat(
                number % 7 == 3 ? .head : .get,
                path,
                token: number % 3 == 0 ? nil : token,
                headers: number % 11 == 0 ? [(.requestID, "mine-\(number)")] : []
            )
        }
        return harness
    }

    /// The entries that a plain walk through the whole journal finds.
    private func plain(_ harness: Harness, _ takes: (JournalEntry) -> Bool) throws -> [String] {
        var found: [String] = []
        try harness.hosted().world.journal.forEachNewestFirst { entry in
            if takes(entry) { found.append(entry.id) }
            return true
        }
        return found
    }

    /// `log` has the server answer such tags.
    @Test func `11 a parameter means what the tag of a filter with its name means`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/filter.json")
        let vectors = try JSONReader.read(Array(Data(contentsOf: file)))
        let harness = try Harness()
        let line = try #require(vectors["line"])
        let entry = try harness.chat(.get, line.string("path"))
        expectEqual(Int64(entry.status), line["status"]?.intValue)
        var tried = 0
        for vector in vectors["cases"]?.arrayValue ?? [] where vector["line"] == nil {
            let parts = vector.string("filter").split(separator: ":", maxSplits: 1).map(String.init)
            // A parameter has one value.
            guard let takes = vector["takes"]?.boolValue, parts.count == 2,
                ["method", "path", "status"].contains(parts[0]),
                !parts[1].contains(where: { "|,".contains($0) }),
                let value = parts[1].addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            else { continue }
            let answer = try harness.call(.get, "/requests?view=line&\(parts[0])=\(value)")
            // The parameter has fewer forms than the tag.
            guard answer.status == 200 else { continue }
            expectEqual(answer.items.count, takes ? 1 : 0, vector.string("filter"))
            tried += 1
        }
        #expect(tried > 25)
    }

    @Test(arguments: [nil, 200_000]) func `11 every filter finds what a plain walk finds`(bytes: Int?) throws {
        let harness = try used(count: 300, journalBytes: bytes)
        let cases: [(String, (JournalEntry) -> Bool)] = [
            ("", { _ in true }), ("method=head", { $0.method == .head }), ("status=404", { $0.status.code == 404 }),
            ("status=2xx", { (200...299).contains($0.status.code) }), ("status=4XX", { $0.status.code / 100 == 4 }),
            ("user=test@icloud.com", { $0.user != nil }), ("path=/api/v1/user/*", { $0.path.contains("/user/") }),
            ("path=/api/v1/user/{what}", { $0.path.contains("/user/") }), ("path=/none/**", { _ in false }),
            ("since=250", { $0.seq > 250 }), ("api=omnichat", { _ in true }),
            ("method=GET&status=4xx&since=100", { $0.method == .get && $0.status.code / 100 == 4 && $0.seq > 100 }),
        ]
        for (query, takes) in cases {
            let expected = try plain(harness, takes)
            for page in [(0, 1_000), (0, 0), (0, 3), (5, 4), (290, 20), (1_000, 1)] {
                let answer = try harness.call(.get, "/requests?\(query)&offset=\(page.0)&limit=\(page.1)")
                expectEqual(answer["X-Total-Count"], "\(expected.count)", "\(query)")
                expectEqual(
                    answer.items.map { $0.string("id") },
                    Array(expected.dropFirst(page.0).prefix(page.1)),
                    "\(query)"
                )
            }
        }
        try expectEqual(harness.hosted().world.journal.count, plain(harness) { _ in true }.count)
    }

    @Test func `11 count and verify agree with a plain walk`() throws {
        let harness = try used(count: 300)
        let cases: [(String, (JournalEntry) -> Bool)] = [
            ("{}", { _ in true }), (#"{"method":"GET"}"#, { $0.method == .get }),
            (#"{"path":"/api/v1/user/*"}"#, { $0.path.contains("/user/") }),
            (#"{"path":"/api/v1/user/profile","query":{"a":"1"}}"#, { $0.query == "a=1" }),
            (#"{"user":"test@icloud.com","method":"HEAD"}"#, { $0.user != nil && $0.method == .head }),
            (#"{"headers":{"X-Request-Id":"mine-11"}}"#, { $0.id == "mine-11" }), (#"{"path":"/x"}"#, { _ in false }),
        ]
        for (match, takes) in cases {
            let expected = Int64(try plain(harness, takes).count)
            try expectEqual(
                harness.call(.post, "/requests/count", #"{"match":\#(match)}"#).json["count"],
                .integer(expected)
            )
            let verdict = try harness.call(.post, "/verify", #"{"match":\#(match),"count":{"exactly":\#(expected)}}"#)
            expectEqual(verdict.json.string("verdict"), "pass", "\(match): \(verdict.text)")
        }
        let order = #"{"order":[{"path":"/nowhere"},{"method":"HEAD"},{"path":"/api/v1/conversations"}]}"#
        try expectEqual(harness.call(.post, "/verify", order).json.string("verdict"), "pass")
        let wrong = #"{"order":[{"path":"/nowhere"},{"path":"/never"}]}"#
        try expectEqual(harness.call(.post, "/verify", wrong).json.string("verdict"), "fail")
    }

    @Test func `11 near misses are the closest of all, however many of a kind there are`() throws {
        let harness = try used(count: 200)
        let order = #"{"match":{"method":"POST","path":"/api/v1/user/profil"}}"#
        let misses = try harness.call(.post, "/verify", order).json["nearMisses"]?.arrayValue ?? []
        // A GET or HEAD of the path that differs by a letter, the newest first.
        let expected = try plain(harness) { $0.path == "/api/v1/user/profile" }.prefix(5)
        expectEqual(misses.map { $0.string("id") }, Array(expected))
        // The same by a matcher that looks at more, which is asked about each.
        let whole = #"{"match":{"method":"POST","path":"/api/v1/user/profil","headers":{"X-None":"1"}}}"#
        let all = try harness.call(.post, "/verify", whole).json["nearMisses"]?.arrayValue ?? []
        expectEqual(all.map { $0.string("id") }, Array(expected))
    }

    @Test func `11 an exchange is found by its key, and is not when it has gone`() throws {
        let harness = try used(count: 300, journalBytes: 100_000)
        let kept = try plain(harness) { _ in true }
        #expect(kept.count < 300)
        for id in kept { try expectEqual(harness.call(.get, "/requests/\(id)").json.string("id"), id) }
        try expectEqual(harness.call(.get, "/requests/mine-0").problem, "404 not-found")
        _ = try harness.call(.delete, "/requests")
        try expectEqual(harness.hosted().world.journal.count, 0)
        try expectEqual(harness.call(.get, "/requests/\(kept[0])").problem, "404 not-found")
        try expectEqual(harness.call(.get, "/requests")["X-Total-Count"], "0")
    }

    @Test func `11 the answer to HEAD and one that forbids content are in the journal without any`() throws {
        let harness = try Harness()
        let token = try harness.token()
        let whole = try harness.chat(.get, "/api/v1/user/profile", token: token).bytes.count
        _ = try harness.chat(.head, "/api/v1/user/profile", token: token)
        let head = try #require(try harness.call(.get, "/requests?limit=1").items.first)
        expectEqual(head["responseBody"]?["bytes"], 0)
        expectEqual(head["responseBody"]?["text"], "")
        // The head says what a GET would have brought.
        let length = head["responseHeaders"]?.arrayValue?.first { $0.arrayValue?.first == "Content-Length" }
        expectEqual(length?.arrayValue?.last, .string("\(whole)"))
        for status in [204, 304] {
            _ = try harness.call(.post, "/faults", #"{"when":{"times":1},"effect":{"status":\#(status)}}"#)
            _ = try harness.chat(.get, "/api/v1/user/profile", token: token)
            let entry = try #require(try harness.call(.get, "/requests?limit=1").items.first)
            expectEqual(entry["status"]?.intValue, Int64(status))
            expectEqual(entry["responseBody"]?["bytes"], 0)
            let archive = try harness.call(.get, "/requests.har?limit=1").json["log"]?["entries"]?.arrayValue?.first
            expectEqual(archive?["response"]?["content"]?["size"], 0)
        }
    }

    @Test func `11 a path to filter by that can be none is refused by its name`() throws {
        let harness = try Harness()
        for (query, reason) in [
            ("path=api/v1", "must begin with / or a star"), ("path=", "must begin with / or a star"),
            ("path=/a/x{id}", "has a brace that is not a whole segment such as {id}"),
        ] {
            let answer = try harness.call(.get, "/requests?\(query)")
            expectEqual(answer.problem, "400 invalid-parameter")
            expectEqual(answer.faults, ["?path: \(reason)"])
        }
        try expectEqual(harness.call(.get, "/requests?path=**").status, 200)
    }
}
