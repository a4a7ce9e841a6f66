import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Conduct

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
}
