import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 6.2: sending a message.
struct Section6SendTests {
    private static let id = "conv_welcome_00000001"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    private func post(_ json: JSON) throws -> Played {
        try harness.post("/api/v1/conversations/\(Self.id)/messages", token: token, json: json)
    }

    private func newest() throws -> [JSON] { try harness.messages(Self.id, token).suffix(2) }

    private func reply(in world: Harness? = nil) throws -> JSON {
        try #require(try (world ?? harness).messages(Self.id, token).last)
    }

    // MARK: Forms of the answer

    @Test func `6.2 a streamed answer has these fields`() throws {
        let stream = try harness.stream("Hi", to: Self.id, token)
        expectEqual(stream.status, 200)
        expectEqual(stream.fields.values(.contentType), ["text/event-stream"])
        expectEqual(stream.fields.values(.cacheControl), ["no-cache"])
        expectEqual(stream.fields.values(.connection), ["keep-alive"])
        expectNil(stream["Content-Length"])
        expectEqual(stream.ending, .ended)
        expectEqual(stream.headAt, 0)
    }

    @Test(arguments: [
        (#"{"content":"x"}"#, true), (#"{"content":"x","stream":true}"#, true),
        (#"{"content":"x","stream":false}"#, false),
        (#"{"content":"x","stream":null}"#, false),
    ])
    func `6.2 stream absent or true is a stream, false or null is JSON`(body: String, isStream: Bool) throws {
        let reply = try harness.post("/api/v1/conversations/\(Self.id)/messages", token: token, text: body)
        expectEqual(reply[.contentType], isStream ? "text/event-stream" : "application/json")
    }

    @Test func `6.2 the answer in one piece has exactly these fields and waits for the whole timeline`() throws {
        let reply = try harness.ask("Hello", in: Self.id, token)
        expectEqual(reply.keys, ["id", "conversationId", "role", "content", "model", "createdAt"])
        expectEqual(reply.text(at: "conversationId"), Self.id)
        expectEqual(reply.text(at: "role"), "assistant")
        expectEqual(reply.text(at: "model"), "gpt-4o-mini")
        expectEqual(reply.text(at: "createdAt"), "2025-01-01T12:00:00Z")
        let stored = try self.reply()
        expectEqual(stored["id"], reply.json["id"])
        expectEqual(stored["content"], reply.json["content"])
        let pieces = Reply.pieces(of: reply.text(at: "content")).count
        expectEqual(reply.headAt, Int64(60 + 20 * pieces))
    }

    // MARK: Events

    @Test func `6.2 the events are start, pieces, complete and done, each with its keys in order`() throws {
        let stream = try harness.stream("Hi", to: Self.id, token)
        let events = stream.events
        let id = try self.reply().string("id")
        expectEqual(events.first?.payload, "{\"id\":\"\(id)\",\"type\":\"message_start\",\"content\":\"\"}")
        let pieces = events.dropFirst().dropLast(2)
        #expect(pieces.count >= 8)
        for piece in pieces {
            expectEqual(piece.type, "content_chunk")
            expectEqual(piece.json.keys, ["id", "type", "content"])
            expectEqual(piece.json["id"], .string(id))
        }
        let complete = try #require(events.dropLast().last)
        expectEqual(complete.type, "message_complete")
        expectEqual(complete.json.keys, ["id", "type", "content"])
        expectEqual(complete.content, pieces.map(\.content).joined())
        expectEqual(events.last?.payload, "[DONE]")
        #expect(stream.text.hasSuffix("data: [DONE]\n\n"))
    }

    @Test func `6.2 each event is one data line, a blank line and an HTTP chunk of its own`() throws {
        let stream = try harness.stream("Line\r\none\ntwo", to: Self.id, token)
        expectEqual(stream.chunks.count, stream.events.count)
        for chunk in stream.chunks {
            let text = try #require(String(validating: chunk.bytes, as: UTF8.self))
            #expect(text.hasPrefix("data: "))
            #expect(text.hasSuffix("\n\n"))
            #expect(text.dropLast(2).utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D })
        }
    }

    @Test func `6.2 line separators are escaped in payloads and raw in lists`() throws {
        let content = "a\u{85}b\u{2028}c\u{2029}d"
        let stream = try harness.stream(content, to: Self.id, token)
        #expect(stream.text.unicodeScalars.allSatisfy { !["\u{85}", "\u{2028}", "\u{2029}"].contains($0) })
        #expect(stream.text.contains(#"a\u0085b\u2028c\u2029d"#))
        let stored = try #require(try newest().first)
        expectEqual(stored["content"], .string(content))
        let list = try harness.get("/api/v1/conversations/\(Self.id)/messages", token: token).text
        #expect(list.unicodeScalars.contains("\u{2028}"))
        expectEqual(stream.events.dropLast().last?.json["content"], (try self.reply())["content"])
    }

    // MARK: Errors

    @Test(arguments: [
        #"{}"#, #"{"content":null}"#, #"{"content":""}"#, #"{"content":"  \t\n "}"#,
        #"{"content":"\u00a0\u2028\ufeff\u3000"}"#,
        #"{"content":"","stream":true}"#, #"{"content":" ","stream":false}"#,
    ])
    func `6.2 blank content is 400 in JSON`(body: String) throws {
        let reply = try harness.post("/api/v1/conversations/\(Self.id)/messages", token: token, text: body)
        expectEqual(reply.error, "400 Message content is required")
        try expectEqual(harness.messages(Self.id, token).count, 2)
    }

    @Test(arguments: ["\u{200B}", " \u{301}", "\u{0}", ".", "  x  "])
    func `6.2 other content is kept verbatim`(content: String) throws {
        _ = try harness.ask(content, in: Self.id, token)
        try expectEqual(newest().first?["content"], .string(content))
    }

    @Test func `6.2 an unknown conversation is 404 in JSON even with a stream`() throws {
        let reply = try harness.stream("x", to: "missing", token)
        expectEqual(reply.error, "404 Conversation not found")
    }

    // MARK: State effects

    @Test func `6.2 both messages carry the instant of the request`() throws {
        try harness.advance(.seconds(7))
        _ = try post(["content": "Hi", "role": "system", "model": "gpt-4o", "parentId": "x"])
        let rows = try newest()
        expectEqual(rows.map { $0.string("createdAt") }, ["2025-01-01T12:00:07Z", "2025-01-01T12:00:07Z"])
        expectEqual(rows.map { $0.string("role") }, ["user", "assistant"])
        expectEqual(rows[0]["model"], .null)
        expectEqual(rows[1]["model"], "gpt-4o-mini")
        expectEqual(rows[0]["isComplete"], true)
        expectEqual(rows[0]["tokensGenerated"], 0)
        #expect(rows.allSatisfy { $0["parentId"] == .null })
    }

    @Test func `6.2 the reply is stored empty first and complete before message_complete is sent`() throws {
        var seen: [String: JSON] = [:]
        let stream = try harness.stream("Hi", to: Self.id, token) { chunk in
            let text = String(decoding: chunk.bytes, as: UTF8.self)
            for type in ["message_start", "content_chunk", "message_complete"] where text.contains("\"\(type)\"") {
                seen[type] = try self.reply()
            }
        }
        expectEqual(seen["message_start"]?["content"], "")
        expectEqual(seen["message_start"]?["isComplete"], false)
        expectEqual(seen["content_chunk"]?["content"], "")
        expectEqual(seen["content_chunk"]?["isComplete"], false)
        let whole = try #require(stream.events.dropLast().last).content
        expectEqual(seen["message_complete"]?["content"], .string(whole))
        expectEqual(seen["message_complete"]?["isComplete"], true)
        expectEqual(seen["message_complete"]?["tokensGenerated"], .integer(Int64(whole.utf16.count)))
    }

    @Test func `6.2 tokensGenerated counts UTF-16 units`() throws {
        try harness.set(["stream": ["replyText": "👩‍👩‍👧‍👦 é and seven more words to be sure"]])
        _ = try harness.ask("x", in: Self.id, token)
        try expectEqual(reply()["tokensGenerated"], .integer(Int64("👩‍👩‍👧‍👦 é and seven more words to be sure".utf16.count)))
    }

    @Test func `6.2 D16 updatedAt moves at both stores`() throws {
        try harness.advance(.seconds(10))
        var middle = ""
        _ = try harness.stream("Hi", to: Self.id, token) { chunk in
            guard middle.isEmpty else { return }
            middle = try harness.get("/api/v1/conversations/\(Self.id)", token: token).text(at: "updatedAt")
            try harness.advance(.seconds(5))
        }
        expectEqual(middle, "2025-01-01T12:00:10Z")
        let after = try harness.get("/api/v1/conversations/\(Self.id)", token: token)
        expectEqual(after.text(at: "updatedAt"), "2025-01-01T12:00:15Z")
        try expectEqual(newest().last?.string("createdAt"), "2025-01-01T12:00:10Z")
        try expectEqual(harness.conversations(token).first?.string("id"), Self.id)
    }

    @Test func `6.2 a client that leaves midway leaves the reply empty and incomplete, and nothing is booked`() throws {
        let before = try harness.get("/api/v1/user/usage", token: token).text
        let stream = try harness.stream("Hi", to: Self.id, token, leaveAfter: 100)
        expectEqual(stream.ending, .left)
        expectEqual(stream.events.map(\.at), [0, 60, 80, 100])
        let rows = try newest()
        expectEqual(rows[0]["content"], "Hi")
        expectEqual(rows[1]["content"], "")
        expectEqual(rows[1]["isComplete"], false)
        expectEqual(rows[1]["tokensGenerated"], 0)
        let after = try harness.get("/api/v1/user/usage", token: token)
        expectEqual(after.json["dailyUsage"], (try JSONReader.read(text: before))["dailyUsage"])
    }

    @Test func `6.2 a client that leaves while it waits for the answer in one piece leaves the same`() throws {
        let reply = try harness.ask("Hi", in: Self.id, token, leaveAfter: 100)
        expectEqual(reply.ending, .left)
        expectEqual(reply.headAt, -1)
        try expectEqual(self.reply()["isComplete"], false)
    }

    @Test func `6.2 a conversation that is removed meanwhile is no harm`() throws {
        let stream = try harness.stream("Hi", to: Self.id, token) { chunk in
            if chunk.at == 60 { _ = try harness.delete("/api/v1/conversations/\(Self.id)", token: token) }
        }
        expectEqual(stream.events.last?.payload, "[DONE]")
        try expectEqual(harness.state { state, _ in state.messages.count(in: Self.id) }, 0)
    }

    // MARK: Failures

    @Test func `6.2 D13 an unknown model streams start and error and keeps an empty reply`() throws {
        let edge = try harness.mint(Harness.edge)
        let stream = try harness.stream("Hi", to: "conv_edge_nomodel_001", edge)
        expectEqual(stream.status, 200)
        expectEqual(stream.ending, .ended)
        expectEqual(stream.events.map(\.type), ["message_start", "error"])
        expectEqual(stream.events.last?.payload, #"{"type":"error","error":"Failed to generate response"}"#)
        expectEqual(stream.duration, 0)
        let rows = try harness.messages("conv_edge_nomodel_001", edge)
        expectEqual(rows.map { $0.string("content") }, ["Hi", ""])
        expectEqual(rows.last?["isComplete"], false)
        expectEqual(rows.last?["model"], "no-such-model")
    }

    @Test func `6.2 an unknown model in one piece is 500 and both messages stay`() throws {
        let edge = try harness.mint(Harness.edge)
        try expectEqual(harness.ask("Hi", in: "conv_edge_nomodel_001", edge).error, "500 Failed to generate response")
        let rows = try harness.messages("conv_edge_nomodel_001", edge)
        expectEqual(rows.map { $0["isComplete"] }, [true, false])
    }

    // MARK: Attachments

    @Test func `6.2 D25 the caller's attachments are linked, others are ignored`() throws {
        let target: [Part] = [.field("conversationId", Self.id)]
        let mine = try (1...2).map { number in
            try harness.upload([.file("\(number).txt")] + target, token: token).text(at: "id")
        }
        let sent = try post([
            "content": "See",
            "attachmentIds": [.string(mine[1]), "att_gone_000000000001", "nothing", .string(mine[0])],
            "stream": false,
        ])
        expectEqual(sent.status, 200)
        let rows = try newest()
        let attachments = try #require(rows[0]["attachments"]?.arrayValue)
        // In the order in which they were uploaded.
        expectEqual(attachments.map { $0.string("id") }, mine)
        #expect(attachments.allSatisfy { $0["messageId"] == rows[0]["id"] })
        expectEqual(rows[1]["attachments"], [])
        try expectEqual(
            harness.state { state, _ in state.attachments["att_gone_000000000001"]?.messageId },
            "msg_edgefile_00000001"
        )
    }

    @Test func `6.2 an attachment sent again moves to the newer message`() throws {
        let upload = try harness.upload([.file("a.txt"), .field("conversationId", Self.id)], token: token)
        let ids: JSON = [upload.json["id"] ?? .null, upload.json["id"] ?? .null]
        for _ in 0..<2 { _ = try post(["content": "See", "attachmentIds": ids, "stream": false]) }
        let counts = try harness.messages(Self.id, token).map { $0["attachments"]?.arrayValue?.count }
        expectEqual(counts, [0, 0, 0, 0, 1, 0])
    }
}
