import CivilTime
import Compression
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

@Suite struct WritingTests {
    private static func captured(_ type: String, _ body: [UInt8], fields: Fields = Fields()) -> CapturedExchange {
        var request = Fields()
        request.append("Host", "api.example.com")
        request.append("X-Many", "2")
        request.append("x-many", "1")
        request.append("Cookie", "a=1; b=2")
        var capture = CapturedExchange(
            started: Instant(seconds: 1_735_732_800),
            method: "GET",
            url: "https://api.example.com/a/b?x=1&x=2",
            fields: request,
            body: []
        )
        capture.status = 200
        capture.reason = "OK"
        capture.responseFields = fields
        capture.responseFields.append(.contentType, type)
        capture.responseHeadLength = 77
        capture.marks.resolved = .milliseconds(2)
        capture.marks.connected = .milliseconds(5)
        capture.marks.secured = .milliseconds(9)
        capture.marks.sent = .milliseconds(10)
        capture.marks.firstByte = .milliseconds(30)
        capture.received(body, at: .milliseconds(31))
        capture.marks.ended = .milliseconds(33)
        capture.world = "main"
        capture.virtualTime = Instant(seconds: 1_735_732_800)
        return capture
    }

    private static func json(_ capture: CapturedExchange, keepsUndecoded: Bool = false) -> JSON {
        capture.entry(keepsUndecoded: keepsUndecoded).json
    }

    @Test func `13 members stand in the order of the specification, own ones last`() throws {
        let entry = try #require(Self.json(Self.captured("text/plain", Array("hi".utf8))).objectValue)
        expectEqual(
            entry.members.map(\.name),
            [
                "startedDateTime", "time", "request", "response", "cache", "timings", "_world", "_virtualTime",
            ]
        )
        expectEqual(entry["startedDateTime"], "2025-01-01T12:00:00.000Z")
        expectEqual(entry["_virtualTime"], "2025-01-01T12:00:00.000Z")
        let request = try #require(entry["request"])
        expectEqual(
            request["headers"]?.arrayValue?.map { $0["name"]?.stringValue },
            ["Host", "X-Many", "x-many", "Cookie"]
        )
        expectEqual(request["queryString"], [["name": "x", "value": "1"], ["name": "x", "value": "2"]])
        expectEqual(request["cookies"], [["name": "a", "value": "1"], ["name": "b", "value": "2"]])
        expectEqual(request["bodySize"], 0)
    }

    @Test func `13 ssl lies inside connect and the time is the sum of the rest`() throws {
        let entry = Self.json(Self.captured("text/plain", Array("hi".utf8)))
        expectEqual(
            entry["timings"],
            [
                "blocked": -1, "dns": 2, "connect": 7, "send": 1, "wait": 20, "receive": 3, "ssl": 4,
            ]
        )
        expectEqual(entry["time"], 33)
    }

    @Test func `13 compressed content is decoded, with what the coding saved`() throws {
        let plain = Array(String(repeating: "text ", count: 200).utf8)
        let packed = try #require(Deflate.compress(plain, .gzip))
        let content = Self.json(Self.captured("text/plain", packed, fields: ["Content-Encoding": "gzip"]))["response"]?[
            "content"
        ]
        expectEqual(content?["text"]?.stringValue, String(decoding: plain, as: UTF8.self))
        expectEqual(content?["size"], 1_000)
        expectEqual(content?["compression"], .integer(Int64(1_000 - packed.count)))
    }

    @Test func `13 content in an unknown coding is base64 without redaction, and left out with it`() throws {
        let capture = Self.captured("text/plain", [1, 2, 0xFF], fields: ["Content-Encoding": "br"])
        let kept = Self.json(capture, keepsUndecoded: true)["response"]?["content"]
        expectEqual(kept?["text"], "AQL/")
        expectEqual(kept?["encoding"], "base64")
        let left = Self.json(capture)["response"]?["content"]
        expectNil(left?["text"])
        expectEqual(left?["comment"]?.stringValue?.contains("br"), true)
        // Read again it goes out as it came.
        let bytes = HARText.file([capture.entry(keepsUndecoded: true)], version: "1")
        let entry = try #require(try Archives.read(bytes).entries.first?.entry)
        #expect(entry.response.content.isEncoded)
        let answer = ReplayAnswer().response(entry, requestID: nil, isHead: false)
        expectEqual(answer.fields["Content-Encoding"], "br")
    }

    @Test func `13 bytes that are no text are base64`() throws {
        let content = Self.json(Self.captured("image/png", [0x89, 0x50]))["response"]?["content"]
        expectEqual(content?["text"], "iVA=")
        expectEqual(content?["encoding"], "base64")
    }

    @Test func `13 server-sent events are listed with their offsets beside the plain body`() throws {
        var capture = Self.captured("text/event-stream", Array("data: 1\n\n".utf8))
        capture.received(Array("id: 7\nevent: x\nda".utf8), at: .milliseconds(50))
        capture.received(Array("ta: 2\n\n".utf8), at: .milliseconds(80))
        let entry = Self.json(capture)
        let events = try #require(entry["_eventSourceMessages"]?.arrayValue)
        expectEqual(events.map { $0["offset"]?.doubleValue }, [31, 80])
        expectEqual(events.map { $0["eventName"]?.stringValue }, ["message", "x"])
        expectEqual(events.map { $0["data"]?.stringValue }, ["1", "2"])
        expectEqual(events[1]["eventId"], "7")
        expectEqual(events[1]["time"], 1735732800.08)
        expectEqual(entry["response"]?["content"]?["text"]?.stringValue, "data: 1\n\nid: 7\nevent: x\ndata: 2\n\n")
    }

    @Test func `13 redirects, failures and cut answers are entries too`() throws {
        var redirect = Self.captured(
            "text/html",
            [],
            fields: ["Location": "/next", "Set-Cookie": "s=1; Path=/; HttpOnly"]
        )
        redirect.status = 302
        expectEqual(Self.json(redirect)["response"]?["redirectURL"], "/next")
        let cookie = Self.json(redirect)["response"]?["cookies"]?[0]
        expectEqual(cookie, ["name": "s", "value": "1", "path": "/", "httpOnly": true])
        var failed = CapturedExchange(started: .epoch, method: "GET", url: "https://x/", fields: Fields(), body: [])
        failed.error = "connection refused"
        expectEqual(Self.json(failed)["response"]?["status"], 0)
        expectEqual(Self.json(failed)["response"]?["_error"], "connection refused")
    }

    @Test func `13 a body of the limit is kept and one byte more left out`() throws {
        var capture = Self.captured("application/octet-stream", [])
        capture.received([UInt8](repeating: 0x41, count: CapturedExchange.bodyLimit), at: .zero)
        expectEqual(capture.entry(keepsUndecoded: true).response.content.bytes?.count, CapturedExchange.bodyLimit)
        capture.received([0x41], at: .zero)
        let content = capture.entry(keepsUndecoded: true).response.content
        expectNil(content.bytes)
        expectEqual(content.size, CapturedExchange.bodyLimit + 1)
    }

    @Test func `13 what is written reads as it was`() throws {
        let entries = [
            Self.captured("text/plain", Array("hi \"there\"\n".utf8)).entry(keepsUndecoded: false),
            Self.captured("image/png", [0, 1, 0xFF]).entry(keepsUndecoded: false),
            Self.captured("text/event-stream", Array("data: a\n\n".utf8)).entry(keepsUndecoded: false),
        ]
        let bytes = HARText.file(entries, version: "0.1.0", comment: "a comment")
        let (found, reader) = try Archives.read(bytes)
        expectEqual(found.map(\.entry), entries)
        expectEqual(reader.creator, "Understudy")
        #expect(reader.oddities.items.isEmpty)
        let end = try #require(reader.endOfEntries)
        expectEqual(Array(bytes[end...]), HARText.closing)
    }

    @Test func `13 a crash loses at most the entry being written, wherever it comes`() throws {
        let entry = Self.captured("text/plain", Array("hi".utf8)).entry(keepsUndecoded: false)
        var file = HARText.opening(version: "1", comment: nil) + HARText.closing
        for number in 0..<2 {
            let end = file.count - HARText.closing.count
            let before = file
            let next = HARText.entry(entry, isFirst: number == 0) + HARText.closing
            for count in 0...next.count {
                // The write got so far; behind it stands what the file held before.
                let torn =
                    Array(file[..<end]) + next[..<count] + (end + count < before.count ? before[(end + count)...] : [])
                let (found, reader) = try Archives.read(torn)
                #expect(found.count >= number)
                #expect(found.allSatisfy { $0.entry == entry })
                #expect(reader.endOfEntries != nil)
            }
            file = Array(file[..<end]) + next
        }
    }
}
