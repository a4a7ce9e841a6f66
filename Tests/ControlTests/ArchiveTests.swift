import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing

@testable import Control

/// Control contract, section 11: the journal as HAR 1.2.
@Suite struct ArchiveTests {
    private func archive(_ harness: Harness, _ query: String = "") throws -> (all: Played, entries: [JSON]) {
        let answer = try harness.call(.get, "/requests.har\(query)")
        expectEqual(answer.status, 200)
        expectEqual(ArchiveRules.faults(answer.json), [])
        return (answer, answer.json["log"]?["entries"]?.arrayValue ?? [])
    }

    private func pairs(_ json: JSON?) -> [String] {
        (json?.arrayValue ?? []).map { "\($0.string("name"))=\($0.string("value"))" }
    }

    @Test func `11 an exchange with everything that importers ask for`() throws {
        let harness = try Harness()
        _ = try harness.chat(
            .post,
            "/api/v1/conversations?a=1&b=%C3%A5",
            ["title": "A"],
            token: try harness.token(),
            headers: [(.contentType, "application/json"), ("Cookie", "x=1; y=2")]
        )
        let (all, entries) = try archive(harness)
        expectEqual(all.json["log"]?.keys, ["version", "creator", "pages", "entries"])
        expectEqual(all[.totalCount], "1")
        let entry = try #require(entries.first)
        let request = try #require(entry["request"])
        expectEqual(request.string("url"), "http://127.0.0.1:4683/api/v1/conversations?a=1&b=%C3%A5")
        expectEqual(pairs(request["queryString"]), ["a=1", "b=å"])
        expectEqual(pairs(request["cookies"]), ["x=1", "y=2"])
        expectEqual(request["postData"]?.string("text"), #"{"title":"A"}"#)
        expectEqual(request["postData"]?.string("mimeType"), "application/json")
        expectEqual(request["bodySize"], 13)
        let journalled = try harness.call(.get, "/requests").items[0]
        let fields = (journalled["responseHeaders"]?.arrayValue ?? []).map {
            "\($0[0]?.stringValue ?? "")=\($0[1]?.stringValue ?? "")"
        }
        let response = try #require(entry["response"])
        expectEqual(pairs(response["headers"]), fields, "as the journal has them, those of the connection too")
        expectEqual(response["status"], journalled["status"])
        expectEqual(response["content"]?.string("text"), journalled["responseBody"]?.string("text"))
        expectEqual(entry.string("startedDateTime"), journalled.string("startedAt"))
        expectEqual(entry.string("_virtualTime"), journalled.string("at"))
        expectEqual(entry.string("_world"), "main")
        expectNil(entry["_fault"])
    }

    @Test func `11 the same selection as the list, the oldest first`() throws {
        let harness = try Harness()
        for path in ["/a", "/b", "/c"] { _ = try harness.chat(.get, path) }
        _ = try harness.chat(.post, "/d")
        func paths(_ query: String) throws -> [String] {
            let (all, entries) = try archive(harness, query)
            let listed = try harness.call(.get, "/requests\(query)")
            expectEqual(all[.totalCount], listed[.totalCount])
            let found = entries.map { String($0["request"]?.string("url").suffix(2) ?? "") }
            expectEqual(found, listed.items.map { $0.string("path") }.reversed())
            return found
        }
        try expectEqual(paths(""), ["/a", "/b", "/c", "/d"])
        try expectEqual(paths("?method=GET"), ["/a", "/b", "/c"])
        try expectEqual(paths("?limit=2"), ["/c", "/d"])
        try expectEqual(paths("?limit=2&offset=1"), ["/b", "/c"])
        try expectEqual(paths("?since=2&status=4xx"), ["/c", "/d"])
        try expectEqual(paths("?path=/c"), ["/c"])
        try expectEqual(harness.call(.get, "/requests.har?status=x").problem, "400 invalid-parameter")
    }

    @Test func `11 content that is no text is base64, that which is not whole says so`() throws {
        let harness = try Harness()
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: [0xFF, 0x00, 0x61])
        let long = [UInt8](repeating: 0x61, count: 70_000)
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: long)
        let entries = try archive(harness).entries
        let binary = entries[0]["request"]?["postData"]
        expectEqual(binary?.string("text"), "/wBh")
        expectEqual(binary?.string("encoding"), "base64")
        let cut = entries[1]["request"]
        expectEqual(cut?["bodySize"], 70_000)
        expectEqual(cut?["postData"]?.string("text").utf8.count, 1_024)
        expectEqual(cut?["postData"]?.string("comment"), "the first 1024 of 70000 bytes; the journal keeps no more")
    }

    @Test func `11 forms are listed by their parameters`() throws {
        let harness = try Harness()
        let form = Array("a=1&b=x+y".utf8)
        let type: (FieldName, String) = (.contentType, "application/x-www-form-urlencoded")
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: form, headers: [type])
        let entry = try #require(try archive(harness).entries.first)
        expectEqual(pairs(entry["request"]?["postData"]?["params"]), ["a=1", "b=x y"])
    }

    @Test func `11 server-sent events are listed beside the plain content`() throws {
        let harness = try Harness()
        let played = try harness.chat(
            .post,
            "/api/v1/conversations/conv_welcome_00000001/messages",
            ["content": "Hi"],
            token: try harness.token()
        )
        let entry = try #require(try archive(harness).entries.first)
        let events = entry["_eventSourceMessages"]?.arrayValue ?? []
        expectEqual(events.map { $0.string("data") }, played.events)
        #expect(events.allSatisfy { $0["offset"]?.doubleValue ?? -1 >= 0 })
        expectEqual(entry["response"]?["content"]?.string("text"), played.text)
    }

    @Test func `11 a connection that was cut before an answer has status 0, and its fault`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"name":"n","effect":{"connection":"reset"}}"#)
        _ = try harness.chat(.get, "/api/v1/models")
        let entry = try #require(try archive(harness).entries.first)
        expectEqual(entry["response"]?["status"], 0)
        expectEqual(entry["response"]?.string("_error"), "the connection was cut before an answer")
        expectEqual(entry["response"]?["headers"], [])
        expectEqual(entry["_fault"]?.string("name"), "n")
    }

    @Test func `11 an answer that was cut in its content says after how much`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"effect":{"connection":"truncate","afterBytes":5}}"#)
        _ = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        let response = try #require(try archive(harness).entries.first?["response"])
        expectEqual(response["status"], 200)
        expectEqual(response["content"]?["size"], 5)
        expectEqual(response.string("_error"), "the answer was cut after 5 bytes of content")
    }

    private static func document(_ entries: [JournalEntry], urls: [String: String], version: String) throws -> JSON {
        let response = JournalArchive.response(entries, urls: urls, version: version, total: entries.count)
        return try JSONReader.read(response.body.content)
    }

    @Test func `11 redirects, cookies and binary answers`() throws {
        var entry = Self.entry(
            status: Status(302),
            fields: ["Location": "/home", "Set-Cookie": "a=1; Path=/; HttpOnly"]
        )
        entry.query = "x=1"
        entry.timings = JournalEntry.Timings(receive: 3, handle: 1, wait: 20, send: 5)
        let redirect = try Self.document([entry], urls: ["omnichat": "http://127.0.0.1:4683"], version: "1")
        expectEqual(ArchiveRules.faults(redirect), [])
        let first = redirect["log"]?["entries"]?[0]
        expectEqual(first?["response"]?.string("redirectURL"), "/home")
        expectEqual(first?["response"]?["cookies"]?.text, #"[{"name":"a","value":"1","path":"/","httpOnly":true}]"#)
        expectEqual(first?["response"]?.string("statusText"), "Found")
        // "HTTP/1.1 302 Found", the fields, each with its line end, and the empty line.
        let fields = entry.sentFields.pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        expectEqual(first?["response"]?["headersSize"]?.intValue, Int64(20 + fields + 2))
        expectEqual(first?["time"]?.doubleValue, 28)
        expectEqual(first?["timings"]?["send"]?.doubleValue, 2)
        expectEqual(first?["timings"]?["wait"]?.doubleValue, 21)
        expectEqual(first?["timings"]?["receive"]?.doubleValue, 5)

        var binary = Self.entry(status: .ok, fields: [.contentType: "image/png"])
        binary.responseBody = JournalEntry.Body([0x89, 0x50, 0xFF])
        let picture = try Self.document([binary], urls: ["omnichat": "http://127.0.0.1:4683"], version: "1")
        expectEqual(ArchiveRules.faults(picture), [])
        let content = picture["log"]?["entries"]?[0]?["response"]?["content"]
        expectEqual(content?.string("encoding"), "base64")
        expectEqual(content?.string("text"), Base64.encode([0x89, 0x50, 0xFF]))
    }

    @Test func `11 the rules themselves refuse what importers would`() throws {
        let good = try Self.document(
            [Self.entry(status: .ok, fields: [:])],
            urls: ["omnichat": "http://127.0.0.1:4683"],
            version: "1"
        )
        for (part, broken) in [
            (#""pages":[],"#, ""), (#""wait":0"#, #""wait":-1"#), (#""headersSize""#, #""headerSize""#),
            (#""startedDateTime":"2025-01-01T12:00:00.000000Z""#, #""startedDateTime":"yesterday""#),
            (#""queryString":[]"#, #""queryString":[{}]"#), (#""cache":{},"#, ""),
        ] {
            let parts = good.text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
            try #require(parts.count == 2, "\(part) is not in \(good.text)")
            let text = String(parts[0]) + broken + String(parts[1])
            #expect(!ArchiveRules.faults(try JSONReader.read(text: text)).isEmpty, "\(broken)")
        }
    }

    private static func entry(status: Status, fields: Fields) -> JournalEntry {
        JournalEntry(
            id: "req_1",
            seq: 1,
            at: Harness.noon,
            wallAt: Harness.noon,
            world: "main",
            api: "omnichat",
            route: nil,
            user: nil,
            method: .get,
            path: "/x",
            query: nil,
            headers: [.host: "127.0.0.1"],
            body: JournalEntry.Body([]),
            status: status,
            responseHeaders: fields,
            responseBody: JournalEntry.Body([]),
            timings: JournalEntry.Timings()
        )
    }
}
