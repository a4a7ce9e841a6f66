import CivilTime
import Crypto
import Emulation
import HTTPMessage
import JSON
import Testing

@testable import Control

/// Control contract, section 11: the journal as HAR 1.2.
@Suite struct ArchiveTests {
    private func archive(_ harness: Harness, _ query: String = "") throws -> (all: Played, entries: [JSON]) {
        let answer = try harness.call(.get, "/requests.har\(query)")
        #expect(answer.status == 200)
        #expect(ArchiveRules.faults(answer.json) == [])
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
        #expect(all.json["log"]?.keys == ["version", "creator", "pages", "entries"])
        #expect(all[.totalCount] == "1")
        let entry = try #require(entries.first)
        let request = try #require(entry["request"])
        #expect(request.string("url") == "http://127.0.0.1:4683/api/v1/conversations?a=1&b=%C3%A5")
        #expect(pairs(request["queryString"]) == ["a=1", "b=å"])
        #expect(pairs(request["cookies"]) == ["x=1", "y=2"])
        #expect(request["postData"]?.string("text") == #"{"title":"A"}"#)
        #expect(request["postData"]?.string("mimeType") == "application/json")
        #expect(request["bodySize"] == 13)
        let journalled = try harness.call(.get, "/requests").items[0]
        let fields = (journalled["responseHeaders"]?.arrayValue ?? []).map {
            "\($0[0]?.stringValue ?? "")=\($0[1]?.stringValue ?? "")"
        }
        let response = try #require(entry["response"])
        #expect(pairs(response["headers"]) == fields, "as the journal has them, those of the connection too")
        #expect(response["status"] == journalled["status"])
        #expect(response["content"]?.string("text") == journalled["responseBody"]?.string("text"))
        #expect(entry.string("startedDateTime") == journalled.string("startedAt"))
        #expect(entry.string("_virtualTime") == journalled.string("at"))
        #expect(entry.string("_world") == "main")
        #expect(entry["_fault"] == nil)
    }

    @Test func `11 the same selection as the list, the oldest first`() throws {
        let harness = try Harness()
        for path in ["/a", "/b", "/c"] { _ = try harness.chat(.get, path) }
        _ = try harness.chat(.post, "/d")
        func paths(_ query: String) throws -> [String] {
            let (all, entries) = try archive(harness, query)
            let listed = try harness.call(.get, "/requests\(query)")
            #expect(all[.totalCount] == listed[.totalCount])
            let found = entries.map { String($0["request"]?.string("url").suffix(2) ?? "") }
            #expect(found == listed.items.map { $0.string("path") }.reversed())
            return found
        }
        #expect(try paths("") == ["/a", "/b", "/c", "/d"])
        #expect(try paths("?method=GET") == ["/a", "/b", "/c"])
        #expect(try paths("?limit=2") == ["/c", "/d"])
        #expect(try paths("?limit=2&offset=1") == ["/b", "/c"])
        #expect(try paths("?since=2&status=4xx") == ["/c", "/d"])
        #expect(try paths("?path=/c") == ["/c"])
        #expect(try harness.call(.get, "/requests.har?status=x").problem == "400 invalid-parameter")
    }

    @Test func `11 content that is no text is base64, that which is not whole says so`() throws {
        let harness = try Harness()
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: [0xFF, 0x00, 0x61])
        let long = [UInt8](repeating: 0x61, count: 70_000)
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: long)
        let entries = try archive(harness).entries
        let binary = entries[0]["request"]?["postData"]
        #expect(binary?.string("text") == "/wBh")
        #expect(binary?.string("encoding") == "base64")
        let cut = entries[1]["request"]
        #expect(cut?["bodySize"] == 70_000)
        #expect(cut?["postData"]?.string("text").utf8.count == 1_024)
        #expect(cut?["postData"]?.string("comment") == "the first 1024 of 70000 bytes; the journal keeps no more")
    }

    @Test func `11 forms are listed by their parameters`() throws {
        let harness = try Harness()
        let form = Array("a=1&b=x+y".utf8)
        let type: (FieldName, String) = (.contentType, "application/x-www-form-urlencoded")
        _ = try harness.send(.post, "/omnichat/api/v1/auth/apple", body: form, headers: [type])
        let entry = try #require(try archive(harness).entries.first)
        #expect(pairs(entry["request"]?["postData"]?["params"]) == ["a=1", "b=x y"])
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
        #expect(events.map { $0.string("data") } == played.events)
        #expect(events.allSatisfy { $0["offset"]?.doubleValue ?? -1 >= 0 })
        #expect(entry["response"]?["content"]?.string("text") == played.text)
    }

    @Test func `11 a connection that was cut before an answer has status 0, and its fault`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"name":"n","effect":{"connection":"reset"}}"#)
        _ = try harness.chat(.get, "/api/v1/models")
        let entry = try #require(try archive(harness).entries.first)
        #expect(entry["response"]?["status"] == 0)
        #expect(entry["response"]?.string("_error") == "the connection was cut before an answer")
        #expect(entry["response"]?["headers"] == [])
        #expect(entry["_fault"]?.string("name") == "n")
    }

    @Test func `11 an answer that was cut in its content says after how much`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"effect":{"connection":"truncate","afterBytes":5}}"#)
        _ = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        let response = try #require(try archive(harness).entries.first?["response"])
        #expect(response["status"] == 200)
        #expect(response["content"]?["size"] == 5)
        #expect(response.string("_error") == "the answer was cut after 5 bytes of content")
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
        #expect(ArchiveRules.faults(redirect) == [])
        let first = redirect["log"]?["entries"]?[0]
        #expect(first?["response"]?.string("redirectURL") == "/home")
        #expect(
            first?["response"]?["cookies"]?.text
                == #"[{"name":"a","value":"1","path":"/","httpOnly":true}]"#
        )
        #expect(first?["response"]?.string("statusText") == "Found")
        // "HTTP/1.1 302 Found", the fields, each with its line end, and the empty line.
        let fields = entry.sentFields.pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        #expect(first?["response"]?["headersSize"]?.intValue == Int64(20 + fields + 2))
        #expect(first?["time"]?.doubleValue == 28)
        #expect(first?["timings"]?["send"]?.doubleValue == 2)
        #expect(first?["timings"]?["wait"]?.doubleValue == 21)
        #expect(first?["timings"]?["receive"]?.doubleValue == 5)

        var binary = Self.entry(status: .ok, fields: [.contentType: "image/png"])
        binary.responseBody = JournalEntry.Body([0x89, 0x50, 0xFF])
        let picture = try Self.document([binary], urls: ["omnichat": "http://127.0.0.1:4683"], version: "1")
        #expect(ArchiveRules.faults(picture) == [])
        let content = picture["log"]?["entries"]?[0]?["response"]?["content"]
        #expect(content?.string("encoding") == "base64")
        #expect(content?.string("text") == Base64.encode([0x89, 0x50, 0xFF]))
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
