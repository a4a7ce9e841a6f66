import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 13: what archives leave out accuses nobody.
@Suite struct FileKnowledgeTests {
    private static let bearer = [("authorization", "Bearer abcdefghijkl")]

    private static func contentless(_ members: JSONObject, bodySize: Int64 = -1) -> [(String, JSON)] {
        [("content", .object(members)), ("bodySize", .integer(bodySize))]
    }

    @Test func `2 a body that the file does not have is the same as no other`() throws {
        func found(_ headers: [(String, String)]) throws -> [String] {
            try FileTests.judge(
                (0..<3).map {
                    FileTests.entry("POST", "https://api.example.com/v1/items", at: Double($0) * 0.3, headers: headers)
                },
                api: FileTests.api
            ).found
        }
        let key = [("idempotency-key", "k")] + Self.bearer
        try expectEqual(found(key + [("content-type", "application/json")]), [])
        // Without a type there was no content, so the three are the same.
        #expect(try found(Self.bearer).contains("write/double-submit"))
    }

    @Test(
        arguments: [
            ["size": 500, "mimeType": "application/json"], ["size": -1, "mimeType": "application/json"],
        ] as [JSONObject]
    )
    func `4 poll no-slowdown takes an answer without content for no repetition`(_ content: JSONObject) throws {
        let entries = (0..<25).map {
            FileTests.entry(at: Double($0) * 2, headers: Self.bearer, response: Self.contentless(content))
        }
        #expect(try !FileTests.judge(entries).found.contains("poll/no-slowdown"))
        let known = (0..<25).map { FileTests.entry(at: Double($0) * 2, headers: Self.bearer, answer: "[]") }
        #expect(try FileTests.judge(known).found.contains("poll/no-slowdown"))
    }

    @Test func `13 the names of the loopback interface are one backend without an API too`() throws {
        let hosts = ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "127.0.0.1:8080"]
        let entries = hosts.enumerated().map { turn, host in
            FileTests.entry("GET", "http://\(host)/v1/items", at: Double(turn) * 0.15, 500)
        }
        let findings = try FileTests.judge(entries).report.findings
        expectEqual(findings.map(\.rule), ["retry/no-backoff"])
        expectEqual(findings.map(\.api), ["127.0.0.1:8080"])
    }

    @Test func `13 a route that the backend has answered is known, with any method and for every exchange`() throws {
        func found(_ entries: [JSON]) throws -> [String] { try FileTests.judge(entries, api: FileTests.api).found }
        let items = "https://api.example.com/v1/items"
        try expectEqual(
            found([
                FileTests.entry("GET", items, headers: Self.bearer),
                FileTests.entry("PUT", items, at: 5, headers: Self.bearer, body: "{}"),
            ]),
            []
        )
        func extra(_ number: Int, _ status: Int) -> JSON {
            FileTests.entry("GET", "https://api.example.com/v1/extra/\(number)", at: Double(number) * 5, status)
        }
        let own = FileTests.entry("GET", items, headers: Self.bearer)
        try expectEqual(found([own, extra(1, 200), extra(2, 404)]), [])
        try expectEqual(found([own, extra(1, 404), extra(2, 302)]), [])
        try expectEqual(found([own, extra(1, 404), extra(2, 404)]), ["url/unknown-route"])
    }

    @Test func `13 control calls below a mount of the hub are left out`() throws {
        let judgement = try FileTests.judge(
            [
                FileTests.entry("GET", "http://127.0.0.1:4680/shop/v1/items", headers: Self.bearer),
                FileTests.entry("GET", "http://127.0.0.1:4680/shop/__admin/clocks", at: 2, 404),
                FileTests.entry("POST", "http://127.0.0.1:4680/@w/shop/__admin/clock", at: 3, 422),
            ],
            api: FileTests.api
        )
        expectEqual(judgement.found, [])
        expectEqual(judgement.report.journal.entries, 1)
    }

    @Test func `13 a file of Chrome's without credentials judges no group auth, whatever the others have`() throws {
        let without = FileTests.archive([FileTests.entry(at: 0, 401)], creator: "WebInspector")
        let with = FileTests.archive([FileTests.entry(at: 4, headers: Self.bearer)])
        for files in [[without, with], [with, without]] {
            let judgement = try FileTests.judge(files, api: FileTests.api)
            expectEqual(judgement.found, [])
            expectEqual(judgement.status("auth/credential-missing"), "notJudged no-credentials")
        }
        let sound = FileTests.archive([FileTests.entry(at: 0, headers: Self.bearer)], creator: "WebInspector")
        try expectEqual(FileTests.judge([sound], api: FileTests.api).status("auth/credential-missing"), "passed ")
    }

    @Test func `13 worlds of a file are not compared, whatever names them, nor are several backends of an API`() throws
    {
        let items = "/v1/items"
        func found(_ urls: [String], _ name: String? = nil, worlds: [String] = []) throws -> [String] {
            try FileTests.judge(
                urls.enumerated().map { turn, url in
                    FileTests.entry(
                        "POST",
                        url,
                        at: Double(turn) * 5,
                        turn == 0 ? 500 : 201,
                        headers: bearer + (name.map { [($0, worlds[turn])] } ?? []),
                        body: "{}",
                        answer: "{}",
                        more: name == nil && !worlds.isEmpty ? [("_world", .string(worlds[turn]))] : []
                    )
                },
                api: FileTests.api
            ).found.filter { $0 == "retry/unsafe-repeated" }
        }
        let bearer = Self.bearer
        let breach = ["retry/unsafe-repeated"]
        let hub = "http://127.0.0.1:4680"
        try expectEqual(found(["\(hub)/@a\(items)", "\(hub)/@a\(items)"]), breach)
        try expectEqual(found(["\(hub)/@a\(items)", "\(hub)/@b\(items)"]), [])
        try expectEqual(found(["\(hub)/@a/shop\(items)", "\(hub)/@b/shop\(items)"]), [])
        try expectEqual(found(["\(hub)/shop\(items)", "\(hub)/@main/shop\(items)"]), breach)
        let same = ["\(hub)\(items)", "\(hub)\(items)"]
        try expectEqual(found(same), breach)
        for name in ["X-Understudy-World", nil] {
            try expectEqual(found(same, name, worlds: ["a", "b"]), [])
            try expectEqual(found(same, name, worlds: ["a", "a"]), breach)
        }
        try expectEqual(found(["https://dev.example.com\(items)", "https://example.com\(items)"]), [])
        try expectEqual(found(["http://a.localhost:4680\(items)", "http://b.localhost:4680\(items)"]), [])
        // The names of the loopback interface lead to one backend, unless the ports differ.
        let names = ["localhost", "127.0.0.1", "[::1]"]
        for (place, name) in names.enumerated() {
            let other = names[(place + 1) % 3]
            try expectEqual(found(["http://\(name):4680\(items)", "http://\(other):4680\(items)"]), breach)
            try expectEqual(found(["http://\(name)\(items)", "https://\(other)\(items)"]), breach)
            try expectEqual(found(["http://\(name):4680\(items)", "http://\(other):4681\(items)"]), [])
        }
        try expectEqual(found(["http://localhost:4680\(items)", "http://192.0.2.1:4680\(items)"]), [])
        // The same text of a token in two worlds is two sessions, and requests keep their order in each.
        func tokens(_ world: String, _ seconds: Double) -> [JSON] {
            let answer = #"{"accessToken":"access-one","refreshToken":"refresh-one"}"#
            let renewed = #"{"accessToken":"access-two","refreshToken":"refresh-two"}"#
            let base = "\(hub)/@\(world)/v1"
            return [
                FileTests.entry("POST", "\(base)/sign-in", at: seconds, body: #"{"a":1}"#, answer: answer),
                FileTests.entry(
                    "GET",
                    "\(base)/items/1",
                    at: seconds + 3,
                    headers: [("authorization", "Bearer access-one")]
                ),
                FileTests.entry(
                    "POST",
                    "\(base)/refresh",
                    at: seconds + 4,
                    body: #"{"refreshToken":"refresh-one"}"#,
                    answer: renewed
                ),
            ]
        }
        try expectEqual(FileTests.judge(tokens("a", 0) + tokens("b", 2), api: FileTests.api).found, [])
        let stale = FileTests.entry(
            "GET",
            "\(hub)/@a/v1/items/2",
            at: 9,
            headers: [("authorization", "Bearer access-one")]
        )
        try expectEqual(
            FileTests.judge(tokens("a", 0) + tokens("b", 2) + [stale], api: FileTests.api).found,
            ["auth/stale-token-sent"]
        )
    }

    @Test func `13 content in a coding that our own files have not decoded is content that nobody knows`() throws {
        func found(_ comment: String?, isOwn: Bool = false) throws -> [String] {
            var post: JSONObject = ["mimeType": "application/json", "text": "xx"]
            if let comment { post.append("comment", .string(comment)) }
            guard
                case .object(var entry) = FileTests.entry(
                    "POST",
                    "https://api.example.com/v1/items",
                    headers: [("content-type", "application/json"), ("content-encoding", "zstd")]
                ), case .object(var request)? = entry["request"]
            else { return [] }
            request["postData"] = .object(post)
            entry["request"] = .object(request)
            if isOwn { entry.append("_virtualTime", "2026-05-01T08:00:00Z") }
            return try FileTests.judge([.object(entry)]).found
        }
        try expectEqual(found("still coded (zstd)", isOwn: true), [])
        try expectEqual(found(nil, isOwn: true), [])
        try expectEqual(found("decoded (zstd)", isOwn: true), ["body/type-wrong"])
        try expectEqual(found("cut off after 2 bytes"), [])
        try expectEqual(found(nil), ["body/type-wrong"])
    }
}
