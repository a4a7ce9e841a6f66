import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 11.
@Suite struct JournalTests {
    private static let keys = [
        "id", "seq", "at", "wallAt", "startedAt", "endedAt", "peer", "world", "api", "route", "user", "method", "path",
        "query", "headers", "body",
        "status",
        "responseHeaders", "responseBody", "timings", "outcome",
    ]

    /// Four exchanges: a list, an unknown path, a creation and a refused call.
    private func used() throws -> Harness {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/api/v1/conversations?x=%41&x", token: token)
        _ = try harness.chat(.get, "/api/v1/nowhere/at/all")
        try harness.advance(1)
        _ = try harness.chat(
            .post,
            "/api/v1/conversations",
            ["title": "A"],
            token: token,
            headers: [("X-Client", "one"), ("x-client", "two")]
        )
        _ = try harness.chat(.get, "/api/v1/user/profile", token: "rubbish")
        return harness
    }

    private func ids(_ harness: Harness, _ query: String) throws -> [String] {
        try harness.call(.get, "/requests\(query)").items.map { $0.string("id") }
    }

    @Test func `newest first, whole, members in order`() throws {
        let harness = try used()
        let items = try harness.call(.get, "/requests").items
        expectEqual(items.map { $0.string("id") }, ["req_4", "req_3", "req_2", "req_1"])
        expectEqual(items.compactMap { $0["seq"]?.intValue }, [4, 3, 2, 1])
        expectEqual(items[3].keys, Self.keys)
        expectEqual(items[2].keys, Self.keys.filter { $0 != "user" })
        let first = items[3]
        expectEqual(first.string("at"), "2025-01-01T12:00:00.000Z")
        expectEqual(first.string("world"), "main")
        expectEqual(first.string("api"), "omnichat")
        expectEqual(first.string("route"), "/api/v1/conversations")
        expectEqual(first.string("user"), "test@icloud.com")
        expectEqual(first.string("method"), "GET")
        expectEqual(first.string("path"), "/api/v1/conversations", "without mount and world prefix")
        expectEqual(first.string("query"), "x=%41&x", "the raw text")
        expectEqual(first["status"]?.intValue, 200)
        expectEqual(first["timings"]?.keys, ["receive", "handle", "wait", "send"])
        expectEqual(first.string("outcome"), "delivered")
        expectEqual(items[2]["route"], .null)
        expectEqual(items[1].string("at"), "2025-01-01T12:00:01.000Z")
    }

    @Test func `fields are pairs in the order seen, spelling and repeats kept`() throws {
        let entry = try used().call(.get, "/requests/req_3").json
        let names = (entry["headers"]?.arrayValue ?? []).compactMap { $0[0]?.stringValue }
        expectEqual(names, ["Host", "X-Client", "x-client", "Authorization"])
        expectEqual(entry["headers"]?[1]?[1], "one")
        expectEqual(entry["headers"]?[2]?[1], "two")
        expectEqual(
            entry["responseHeaders"]?.arrayValue?.contains(["X-Request-Id", "req_3"]),
            true,
            "\(entry["responseHeaders"]?.text ?? "")"
        )
    }

    @Test func `a body has length, digest and text`() throws {
        let entry = try used().call(.get, "/requests/req_3").json
        expectEqual(
            entry["body"]?.text,
            #"{"bytes":13,"sha256":"3529d0a41555dcce5409451ca186444db8e972ff8d5867546e0e7928f37408f5","text":"{\"title\":\"A\"}"}"#
        )
        let empty = try used().call(.get, "/requests/req_1").json["body"]
        expectEqual(
            empty?.text,
            #"{"bytes":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","text":""}"#
        )
    }

    @Test func `a body that is not UTF-8 is base64`() throws {
        let harness = try Harness()
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: [0xFF, 0x00, 0x61])
        let body = try harness.call(.get, "/requests").items[0]["body"]
        expectEqual(body?.keys, ["bytes", "sha256", "base64"])
        expectEqual(body?.string("base64"), "/wBh")
    }

    @Test func `a body of 64 KiB is kept whole, one byte more as length, digest and head`() throws {
        let harness = try Harness()
        for (size, isWhole) in [(65_536, true), (65_537, false)] {
            _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: [UInt8](repeating: 0x61, count: size))
            let body = try #require(try harness.call(.get, "/requests?limit=1").items[0]["body"])
            expectEqual(body["bytes"]?.intValue, Int64(size))
            expectEqual(body.keys, isWhole ? ["bytes", "sha256", "text"] : ["bytes", "sha256", "text", "truncated"])
            expectEqual(body.string("text").utf8.count, isWhole ? size : 1_024)
            expectEqual(body["truncated"], isWhole ? nil : true)
            expectEqual(body.string("sha256"), isWhole ? Self.wholeDigest : Self.longDigest)
        }
    }

    @Test func `11 the head of a long text ends with a whole character, that of other content does not mind`() throws {
        let harness = try Harness()
        let accents = Array(("a" + String(repeating: "é", count: 40_000)).utf8)
        let faces = Array(("abc" + String(repeating: "😀", count: 20_000)).utf8)
        var binary = accents
        binary[5] = 0xFF
        for (content, kept) in [(accents, 1_023), (faces, 1_023), (Array(accents.dropFirst()), 1_024)] {
            _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: content)
            let body = try #require(try harness.call(.get, "/requests?limit=1").items[0]["body"])
            expectEqual(body.keys, ["bytes", "sha256", "text", "truncated"])
            expectEqual(Array(body.string("text").utf8), Array(content.prefix(kept)))
        }
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: binary)
        let body = try #require(try harness.call(.get, "/requests?limit=1").items[0]["body"])
        expectEqual(body.keys, ["bytes", "sha256", "base64", "truncated"])
        expectEqual(body.string("base64").utf8.count, 1_368, "1,024 bytes")
    }

    /// SHA-256 of 65,536 and of 65,537 letters a.
    private static let wholeDigest = "bf718b6f653bebc184e1479f1935b8da974d701b893afcf49e701f3e2f9f9c5a"
    private static let longDigest = "008ffc88d3c96a9f307524eb361e47c5222a887fc45fa0c1fb8d429c5c23b430"

    @Test(arguments: [
        ("", [4, 3, 2, 1]), ("?api=omnichat", [4, 3, 2, 1]), ("?method=GET", [4, 2, 1]), ("?method=post", [3]),
        ("?method=DELETE", []), ("?status=200", [3, 1]), ("?status=4xx", [4, 2]), ("?status=4XX", [4, 2]),
        ("?status=404", [2]),
        ("?status=0", []), ("?user=TEST@iCloud.com", [3, 1]), ("?user=USER_TEST_ICLOUD_0001", []),
        ("?status=5xx", []), ("?user=test@icloud.com", [3, 1]), ("?user=test%40icloud.com", [3, 1]),
        ("?user=user_test_icloud_0001", [3, 1]), ("?user=nobody", []), ("?since=0", [4, 3, 2, 1]),
        ("?since=2", [4, 3]),
        ("?since=4", []), ("?since=99", []), ("?limit=2", [4, 3]), ("?limit=2&offset=1", [3, 2]), ("?limit=0", []),
        ("?path=/api/v1/conversations", [3, 1]), ("?path=/api/v1/*", [3, 1]), ("?path=/api/**", [4, 3, 2, 1]),
        ("?path=/**/all", [2]), ("?path=**", [4, 3, 2, 1]), ("?path=/api/v1/user/{what}", [4]),
        ("?path=/api/v1/nowhere/{rest…}", [2]),
        ("?path=/api/v1/*/*", [4]), ("?path=/api/v1/**/at/**", [2]), ("?path=/", []),
        ("?method=GET&status=200&user=test@icloud.com", [1]), ("?path=/api/**&limit=1&status=4xx", [4]),
    ])
    func `each filter selects`(query: String, expected: [Int]) throws {
        try expectEqual(ids(try used(), query), expected.map { "req_\($0)" })
    }

    @Test func `the total counts the selection, not the page`() throws {
        let harness = try used()
        try expectEqual(harness.call(.get, "/requests?method=GET&limit=1")[.totalCount], "3")
        try expectEqual(harness.call(.get, "/requests?since=3")[.totalCount], "1")
    }

    @Test(arguments: [
        "status=abc", "status=20", "status=2000", "status=0xx", "status=", "status=2x", "since=-1", "since=x",
        "since=1.5",
    ])
    func `a filter that does not fit is 400`(query: String) throws {
        let answer = try used().call(.get, "/requests?\(query)")
        expectEqual(answer.problem, "400 invalid-parameter")
        expectEqual(answer.faultPaths, ["?" + query.prefix { $0 != "=" }])
    }

    @Test func `many ** in a path cost no time`() throws {
        let pattern = String(repeating: "/**/a", count: 200) + "/b"
        #expect(try ids(try used(), "?path=\(pattern)").isEmpty)
    }

    @Test func `one is found by its key, an unknown key is 404`() throws {
        let harness = try used()
        try expectEqual(harness.call(.get, "/requests/req_2").json, try harness.call(.get, "/requests").items[2])
        try expectEqual(harness.call(.get, "/requests/req_9").problem, "404 not-found")
    }

    @Test func `the caller's id is the key, and one seen before gets a suffix`() throws {
        let harness = try Harness()
        let id: [(FieldName, String)] = [(.requestID, "my-id")]
        for _ in 0..<2 {
            let answer = try harness.chat(.get, "/api/v1/conversations", headers: id)
            expectEqual(answer.fields.values(.requestID), ["my-id"])
        }
        try expectEqual(ids(harness, ""), ["my-id-2", "my-id"])
        try expectEqual(harness.call(.get, "/requests/my-id-2").status, 200)
    }

    @Test(arguments: [1, 128, 129])
    func `a sane id has 1 to 128 visible characters`(length: Int) throws {
        let harness = try Harness()
        let id = String(repeating: "i", count: length)
        let answer = try harness.chat(.get, "/api/v1/conversations", headers: [(.requestID, id)])
        expectEqual(answer[.requestID], length <= 128 ? id : "req_1")
        let spaced = try harness.chat(.get, "/api/v1/conversations", headers: [(.requestID, "a b")])
        expectEqual(spaced[.requestID]?.hasPrefix("req_"), true)
    }

    @Test func `clearing is 204 and takes all, or one API's`() throws {
        for path in ["/requests", "/requests?api=omnichat"] {
            let harness = try used()
            try expectEqual(harness.call(.delete, path).status, 204)
            #expect(try ids(harness, "").isEmpty)
            _ = try harness.chat(.get, "/api/v1/nowhere")
            try expectEqual(
                harness.call(.get, "/requests").items[0]["seq"]?.intValue,
                5,
                "numbers are never given twice"
            )
        }
    }

    @Test func `control calls are not journalled`() throws {
        let harness = try used()
        for path in ["/clock", "/worlds", "/requests", "/nowhere"] { _ = try harness.call(.get, path) }
        try expectEqual(ids(harness, "").count, 4)
    }

    @Test func `the bound in bytes lets the oldest go first`() throws {
        let harness = try Harness { $0.journalBytes = 20_000 }
        for _ in 0..<50 { _ = try harness.chat(.get, "/api/v1/nowhere") }
        let items = try harness.call(.get, "/requests").items
        expectEqual(items[0].string("id"), "req_50")
        #expect((2..<50).contains(items.count))
        try expectEqual(harness.call(.get, "/requests/req_1").problem, "404 not-found")
        let bytes = try #require(try harness.call(.get, "/worlds").items[0]["bytes"]?.intValue)
        #expect(bytes <= 20_000)
    }

    @Test func `the outcome tells how the answer ended`() throws {
        let harness = try Harness()
        let token = try harness.token()
        let path = "/api/v1/conversations/conv_welcome_00000001/messages"
        func outcome(leaveAfter: Int64? = nil) throws -> JSON {
            let played = try harness.chat(.post, path, ["content": "Hi"], token: token, leaveAfter: leaveAfter)
            let entry = try harness.call(.get, "/requests?limit=1").items[0]
            expectEqual(entry["responseBody"]?["bytes"]?.intValue, Int64(played.bytes.count))
            expectEqual(entry["responseBody"]?.string("text"), played.text)
            return entry["outcome"] ?? .null
        }
        try expectEqual(outcome(), "delivered")
        try expectEqual(outcome(leaveAfter: 100), "interrupted")
        _ = try harness.call(.put, "/scenarios/omnichat/stream-cut-midway")
        try expectEqual(outcome(), "cut")
        _ = try harness.call(.put, "/scenarios/omnichat/stalled-stream")
        _ = try harness.call(.delete, "/scenarios/omnichat/stream-cut-midway")
        try expectEqual(outcome(), "held")
    }
}
