import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Sections 6.3 and 11: the switches of the stream, each with what it shows on the wire.
struct SettingsStreamTests {
    private static let id = "conv_welcome_00000001"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    private func stream(_ settings: JSON, _ content: String = "Hi é 👩‍👩‍👧‍👦") throws -> Played {
        try harness.set(["stream": settings])
        return try harness.stream(content, to: Self.id, token)
    }

    private func reply() throws -> JSON { try #require(try harness.messages(Self.id, token).last) }

    @Test func `stream.firstTokenMs moves the first piece, stream.gapMs the others`() throws {
        let played = try stream(["firstTokenMs": 12_000, "gapMs": 5])
        expectEqual(played.events.prefix(4).map(\.at), [0, 12_000, 12_005, 12_010])
        let pieces = played.events.count - 3
        expectEqual(played.duration, Int64(12_000 + 5 * pieces))
        let atOnce = try stream(["firstTokenMs": 0, "gapMs": 0])
        expectEqual(atOnce.duration, 0)
        expectEqual(atOnce.events.last?.payload, "[DONE]")
        try harness.set(["stream": ["firstTokenMs": 100, "gapMs": 7]])
        let whole = try harness.ask("Hi", in: Self.id, token)
        expectEqual(whole.headAt, Int64(100 + 7 * Reply.pieces(of: whole.text(at: "content")).count))
    }

    @Test(arguments: [0, 1, 3])
    func `stream.failAfterPieces sends the error event and a clean end`(count: Int) throws {
        let played = try stream(["failAfterPieces": .integer(Int64(count))])
        expectEqual(
            played.events.map(\.type),
            ["message_start"] + Array(repeating: "content_chunk", count: count) + ["error"]
        )
        expectEqual(played.events.last?.payload, #"{"type":"error","error":"Failed to generate response"}"#)
        expectEqual(played.ending, .ended)
        try expectEqual(reply()["isComplete"], false)
        let whole = try harness.ask("Hi", in: Self.id, token)
        expectEqual(whole.error, "500 Failed to generate response")
        #expect(whole.remaining != nil)
    }

    @Test(arguments: [0, 2])
    func `stream.cutAfterPieces drops the connection without an end`(count: Int) throws {
        let played = try stream(["cutAfterPieces": .integer(Int64(count))])
        expectEqual(played.events.map(\.type), ["message_start"] + Array(repeating: "content_chunk", count: count))
        expectEqual(played.ending, .closed)
        try expectEqual(reply()["isComplete"], false)
        let whole = try harness.ask("Hi", in: Self.id, token)
        expectEqual(whole.headAt, -1)
        expectEqual(whole.ending, .closed)
    }

    @Test(arguments: [0, 2])
    func `stream.stallAfterPieces falls silent on an open connection`(count: Int) throws {
        let played = try stream(["stallAfterPieces": .integer(Int64(count))])
        expectEqual(played.events.map(\.type), ["message_start"] + Array(repeating: "content_chunk", count: count))
        expectEqual(played.ending, .held)
        try expectEqual(reply()["isComplete"], false)
        let whole = try harness.ask("Hi", in: Self.id, token)
        expectEqual(whole.headAt, -1)
        expectEqual(whole.ending, .held)
    }

    @Test func `the earliest of several breaks wins`() throws {
        let played = try stream(["failAfterPieces": 5, "cutAfterPieces": 2, "stallAfterPieces": 4])
        expectEqual(played.ending, .closed)
        expectEqual(played.events.count, 3)
    }

    @Test func `null takes a break away again`() throws {
        _ = try stream(["failAfterPieces": 1])
        try expectEqual(stream(["failAfterPieces": .null]).events.last?.payload, "[DONE]")
    }

    @Test(arguments: ["Fixed.", "", "one two three four five six seven eight nine"])
    func `stream.replyText fixes the text`(text: String) throws {
        let played = try stream(["replyText": .string(text)])
        expectEqual(played.events.dropLast().last?.content, text)
        #expect(played.events.count { $0.type == "content_chunk" } >= 8)
        try expectEqual(reply()["content"], .string(text))
        try expectEqual(reply()["isComplete"], true)
    }

    @Test(arguments: [8, 9, 4_000])
    func `stream.pieces makes replies of that length`(count: Int) throws {
        let played = try stream(["pieces": .integer(Int64(count)), "gapMs": 1])
        expectEqual(played.events.count { $0.type == "content_chunk" }, count)
        let hosted = try harness.hosted()
        #expect(!harness.emulator.apis[0].writeSettings(&hosted.world, 0, ["stream": ["pieces": 7]]).isEmpty)
    }

    @Test func `stream.framing splitUtf8 cuts inside characters and inside data`() throws {
        let played = try stream(["framing": "splitUtf8"])
        expectEqual(played.chunks.first?.bytes, Array("dat".utf8))
        #expect(played.chunks.contains { String(validating: $0.bytes, as: UTF8.self) == nil })
        expectEqual(played.events.last?.payload, "[DONE]")
        expectEqual(played.events.dropLast().last?.json["content"], (try reply())["content"])
    }

    @Test func `stream.framing coalesced puts several events into one chunk`() throws {
        let played = try stream(["framing": "coalesced"])
        #expect(played.chunks.count * 2 < played.events.count)
        expectEqual(played.chunks[0].bytes.split(separator: 0x0A).count, 3)
        expectEqual(played.events.last?.payload, "[DONE]")
        expectEqual(played.ending, .ended)
    }

    @Test func `stream.framing coalesced stores the reply before message_complete is sent all the same`() throws {
        try harness.set(["stream": ["framing": "coalesced"]])
        _ = try harness.stream("Hi", to: Self.id, token) { chunk in
            let isLast = String(decoding: chunk.bytes, as: UTF8.self).contains("message_complete")
            let reply = try self.reply()
            expectEqual(reply["isComplete"], .bool(isLast))
        }
    }

    @Test func `stream.framing oneByte sends one byte for each chunk`() throws {
        let played = try stream(["framing": "oneByte"])
        #expect(played.chunks.allSatisfy { $0.bytes.count == 1 })
        expectEqual(played.events.last?.payload, "[DONE]")
    }

    @Test func `every framing carries the same bytes at the same end`() throws {
        var texts: [String] = []
        for framing in ["event", "splitUtf8", "coalesced", "oneByte"] {
            let world = try Harness()
            try world.set(["stream": ["framing": .string(framing)]])
            let played = try world.stream("Hi é", to: Self.id, try world.mint(Harness.test))
            texts.append(played.text + " \(played.duration)")
        }
        expectEqual(Set(texts).count, 1)
    }

    @Test func `stream.done missing ends after message_complete`() throws {
        let played = try stream(["done": "missing"])
        expectEqual(played.events.last?.type, "message_complete")
        expectEqual(played.ending, .ended)
        try expectEqual(reply()["isComplete"], true)
    }

    @Test func `stream.extraEvents ping adds an event of an unknown type`() throws {
        let played = try stream(["extraEvents": "ping"])
        expectEqual(played.events.filter { $0.payload == #"{"type":"ping"}"# }.count, 1)
        expectEqual(played.events.last?.payload, "[DONE]")
    }

    @Test func `D23 stream.content doubleFramed puts the provider's framing inside content`() throws {
        let played = try stream(["content": "doubleFramed", "replyText": "a b c d e f g h"])
        expectEqual(played.events[1].content, "data: {\"content\":\"a\"}\n\n")
        expectEqual(played.events[2].content, "data: {\"content\":\" b\"}\n\n")
        expectEqual(played.events.count, 11)
    }

    @Test func `settings are read back as they were set, and a wrong value changes nothing`() throws {
        let hosted = try harness.hosted()
        let api = harness.emulator.apis[0]
        let before = api.readSettings(hosted.world, 0)
        expectEqual(before["stream"]?["firstTokenMs"], 60)
        expectEqual(before["stream"]?["failAfterPieces"], .null)
        expectEqual(before["apple"]?["mode"], "lenient")
        let faults = api.writeSettings(&hosted.world, 0, ["stream": ["gapMs": 5, "framing": "twoByte"], "nothing": 1])
        expectEqual(faults.count, 2)
        expectEqual(api.readSettings(hosted.world, 0), before)
        #expect(api.writeSettings(&hosted.world, 0, before).isEmpty)
        expectEqual(api.readSettings(hosted.world, 0), before)
    }
}
