import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// OmniChat contract, section 11: the effects of each scenario on a client, before, during and after it.
@Suite struct ScenarioEffectTests {
    /// A world with tokens that were made before the scenario.
    final class Scene {
        let harness: Harness
        let access: String
        let refresh: String

        init() throws {
            harness = try Harness()
            access = try harness.token()
            refresh = try harness.token("refresh")
        }

        func get(_ path: String) throws -> Played { try harness.chat(.get, "/api/v1" + path, token: access) }

        func list() throws -> [JSON] { try get("/conversations").json["conversations"]?.arrayValue ?? [] }

        func stream(_ content: String = "Hello there") throws -> Played {
            let path = "/api/v1/conversations/conv_welcome_00000001/messages"
            return try harness.chat(.post, path, ["content": .string(content)], token: access)
        }

        /// How a download of a file ends, and the status of one that asks for its rest.
        func download() throws -> String {
            let files = try harness.call(.get, "/state/omnichat/files").items
            let path = "/files/" + (files.first?.string("id") ?? "none")
            let first = try get(path)
            let rest = try harness.chat(.get, "/api/v1" + path, token: access, headers: [(.range, "bytes=10-")])
            return "\(first.ending) \(rest.status)"
        }

        func upload(_ size: Int) throws -> Played {
            var body = Array(
                "--b\r\nContent-Disposition: form-data; name=\"conversationId\"\r\n\r\nconv_welcome_00000001\r\n".utf8
            )
            body += Array("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n".utf8)
            body += Array("Content-Type: text/plain\r\n\r\n".utf8) + [UInt8](repeating: 0x61, count: size)
            body += Array("\r\n--b--\r\n".utf8)
            return try harness.send(
                .post,
                "/omnichat/api/v1/upload",
                body: body,
                headers: [(.authorization, "Bearer \(access)"), (.contentType, "multipart/form-data; boundary=b")]
            )
        }

        func signIn() throws -> Played {
            try harness.chat(.post, "/api/v1/auth/apple", ["idToken": "mock_apple_token"])
        }

        func refreshed() throws -> Played {
            try harness.chat(.post, "/api/v1/auth/refresh", ["refreshToken": .string(refresh)])
        }

        /// The status, or the error behind it.
        func told(_ played: Played) -> String { played.status < 400 ? "\(played.status)" : played.error }
    }

    enum Kind {
        /// The settings are restored when it is deactivated.
        case settings
        /// Rows of that table stay changed, and are listed.
        case rows(String)
        /// Neither: the clock has moved, or a window is spent.
        case lasting
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var kind: Kind
        var off: String
        var on: String
        var look: @Sendable (Scene) throws -> String

        var testDescription: String { name }

        init(_ name: String, _ kind: Kind, off: String, on: String, look: @escaping @Sendable (Scene) throws -> String)
        {
            self.name = name
            self.kind = kind
            self.off = off
            self.on = on
            self.look = look
        }
    }

    static let cases: [Case] = sessionCases + streamCases + rowCases + otherCases

    private static let sessionCases: [Case] = [
        Case("apple-token-rejected", .settings, off: "200", on: "401 Invalid Apple ID token") {
            $0.told(try $0.signIn())
        },
        Case("no-email-first-sign-in", .settings, off: "200", on: "400 Email required for new users") {
            $0.told(try $0.signIn())
        },
        Case("bad-signature", .settings, off: "200", on: "401 Invalid or expired token") {
            let fresh = try $0.harness.token()
            return $0.told(try $0.harness.chat(.get, "/api/v1/conversations", token: fresh))
        },
        Case("user-deleted", .settings, off: "200, 200", on: "401 User not found, 404 User not found") {
            "\($0.told(try $0.get("/conversations"))), \($0.told(try $0.refreshed()))"
        },
        Case("expired-access-token", .lasting, off: "200, 200", on: "401 Invalid or expired token, 200") {
            "\($0.told(try $0.get("/conversations"))), \($0.told(try $0.refreshed()))"
        },
        Case("expired-refresh-token", .lasting, off: "200", on: "401 Invalid refresh token") {
            $0.told(try $0.refreshed())
        },
        Case("revoked-refresh-token", .rows("refreshSessions"), off: "200", on: "401 Refresh token not found") {
            $0.told(try $0.refreshed())
        },
        Case("clock-skew", .lasting, off: "2025-01-01T12:00:00Z", on: "2025-01-01T12:10:00Z") {
            let made = try $0.harness.chat(.post, "/api/v1/conversations", ["title": "now"], token: $0.access)
            return made.json.string("createdAt")
        },
        Case("rate-limited", .lasting, off: "200", on: "429 Too many requests, 0 left until 2025-01-01T12:01:00.000Z") {
            let answer = try $0.get("/conversations")
            guard answer.status == 429 else { return $0.told(answer) }
            return
                "\(answer.error), \(answer["X-RateLimit-Remaining"] ?? "") left until \(answer["X-RateLimit-Reset"] ?? "")"
        },
        Case("upload-rate-limited", .lasting, off: "200, 200", on: "429 Too many requests, 200") {
            "\($0.told(try $0.upload(1))), \($0.told(try $0.get("/conversations")))"
        },
        Case("server-error", .settings, off: "200 200 200 200", on: "500 500 500 200") { scene in
            try (0..<4).map { _ in "\(try scene.get("/conversations").status)" }.joined(separator: " ")
        },
    ]

    private static func pieces(_ played: Played) -> Int { played.eventTypes.count { $0 == "content_chunk" } }

    private static let streamCases: [Case] = [
        Case("slow-first-token", .settings, off: "0 and 60 ms", on: "0 and 12000 ms") {
            let played = try $0.stream()
            return
                "\(played.time(ofEvent: "message_start") ?? -1) and \(played.time(ofEvent: "content_chunk") ?? -1) ms"
        },
        Case("stalled-stream", .settings, off: "ended after [DONE]", on: "held after content_chunk, 5 pieces") {
            let played = try $0.stream()
            let last = played.eventTypes.last ?? ""
            return "\(played.ending) after \(last)" + (played.ending == .ended ? "" : ", \(pieces(played)) pieces")
        },
        Case("stream-cut-midway", .settings, off: "ended after [DONE]", on: "closed after content_chunk, 5 pieces") {
            let played = try $0.stream()
            let last = played.eventTypes.last ?? ""
            return "\(played.ending) after \(last)" + (played.ending == .ended ? "" : ", \(pieces(played)) pieces")
        },
        Case("stream-error-event", .settings, off: "message_complete [DONE] ended", on: "content_chunk error ended") {
            let played = try $0.stream()
            return played.eventTypes.suffix(2).joined(separator: " ") + " \(played.ending)"
        },
        Case("stream-no-done", .settings, off: "[DONE] ended", on: "message_complete ended") {
            let played = try $0.stream()
            return "\(played.eventTypes.last ?? "") \(played.ending)"
        },
        Case(
            "stream-split-utf8",
            .settings,
            off: "whole, 4 events of the same text",
            on: "cut, 4 events of the same text"
        ) {
            let played = try $0.stream("日本語 🏳️‍🌈 é")
            let isCut = played.chunks.contains { String(validating: $0.bytes, as: UTF8.self) == nil }
            let same = played.text.contains("日本語") && played.eventTypes.first == "message_start"
            return "\(isCut ? "cut" : "whole"), 4 events of \(same ? "the same" : "another") text"
        },
        Case("stream-coalesced", .settings, off: "1 event in a chunk", on: "3 events in a chunk") {
            let most = try $0.stream().chunks.map { Played.count(of: "data: ", in: $0.bytes) }.max() ?? 0
            return "\(most) event\(most == 1 ? "" : "s") in a chunk"
        },
        Case("stream-one-byte", .settings, off: "many bytes", on: "1 byte") {
            let most = try $0.stream().chunks.map(\.bytes.count).max() ?? 0
            return most == 1 ? "1 byte" : "many bytes"
        },
        Case("stream-unknown-type", .settings, off: "message_start content_chunk", on: "message_start ping") {
            try $0.stream().eventTypes.prefix(2).joined(separator: " ")
        },
        Case("long-reply", .settings, off: "under 100 pieces", on: "4000 pieces") {
            let count = pieces(try $0.stream())
            return count < 100 ? "under 100 pieces" : "\(count) pieces"
        },
        Case("double-framed-chunks", .settings, off: "plain", on: "framed") {
            let chunk = try $0.stream().events.first { $0.contains("content_chunk") } ?? ""
            return (try? JSONReader.read(text: chunk))?.string("content").hasPrefix("data: {\"content\":") == true
                ? "framed" : "plain"
        },
        Case(
            "unknown-model",
            .settings,
            off: "200, [DONE] at the end, 200",
            on: "200, message_start error, 500 Failed to generate response"
        ) {
            let made = try $0.harness.chat(.post, "/api/v1/conversations", ["title": "x"], token: $0.access)
            let types = try $0.stream().eventTypes
            let path = "/api/v1/conversations/conv_welcome_00000001/messages"
            let whole = try $0.harness.chat(.post, path, ["content": "x", "stream": false], token: $0.access)
            let shown = types.count > 2 ? "\(types.last ?? "") at the end" : types.joined(separator: " ")
            return "\(made.status), \(shown), \($0.told(whole))"
        },
    ]

    private static let rowCases: [Case] = [
        Case(
            "archived-elsewhere",
            .rows("conversations"),
            off: "conv_empty_0000000001 false",
            on: "conv_empty_0000000001 true"
        ) {
            let first = try $0.list().first
            return "\(first?.string("id") ?? "") \(first?["isArchived"]?.boolValue ?? false)"
        },
        Case("deleted-elsewhere", .rows("conversations"), off: "200", on: "404 Conversation not found") {
            $0.told(try $0.get("/conversations/conv_empty_0000000001"))
        },
        Case("empty-account", .rows("users"), off: "4 null object", on: "0 null null, zeros") {
            let profile = try $0.get("/user/profile").json
            let total = try $0.get("/user/usage").json["summary"]?["totalBatteryUsed"]?.intValue ?? -1
            func type(_ name: String) -> String { profile[name]?.typeName ?? "absent" }
            let isEmpty = try $0.list().isEmpty
            return "\(try $0.list().count) \(type("subscription")) \(type("battery"))"
                + (isEmpty && total == 0 ? ", zeros" : "")
        },
        Case("file-gone", .rows("files"), off: "200", on: "404 File not found") {
            let messages =
                try $0.get("/conversations/conv_longer_000000001/messages").json["messages"]?.arrayValue ?? []
            let url = messages.compactMap { $0["attachments"]?[0]?.string("url") }.first ?? "none"
            // The url keeps the hub's mount.
            return $0.told(try $0.harness.send(.get, url, headers: [(.authorization, "Bearer \($0.access)")]))
        },
        Case("file-resume", .settings, off: "ended 206", on: "closed 206") { try $0.download() },
        Case("file-no-ranges", .settings, off: "ended 206", on: "closed 200") { try $0.download() },
        Case("huge-account", .rows("conversations"), off: "4, 8", on: "504, 1000") { scene in
            let rows = try scene.list()
            let ids = rows.prefix(3).map { $0.string("id") } + ["conv_longer_000000001"]
            let most =
                try ids.map { try scene.get("/conversations/\($0)").json["messageCount"]?.intValue ?? 0 }.max() ?? 0
            return "\(rows.count), \(most)"
        },
        Case("incomplete-message", .rows("messages"), off: "true with text", on: "false without text") {
            let path = "/conversations/conv_welcome_00000001/messages"
            let last = try $0.get(path).json["messages"]?.arrayValue?.last
            let isComplete = last?["isComplete"]?.boolValue ?? false
            return "\(isComplete) \(last?.string("content").isEmpty == false ? "with" : "without") text"
        },
        Case("null-last-message", .rows("messages"), off: "object", on: "null") {
            try $0.list().first { $0.string("id") == "conv_welcome_00000001" }?["lastMessage"]?.typeName ?? "absent"
        },
        Case("unicode", .rows("conversations"), off: "absent", on: "present") { scene in
            let titles = try scene.list().map { $0.string("title") }
            return titles.contains { $0.contains("👩‍👩‍👧‍👦") && $0.unicodeScalars.contains("\u{2028}") } ? "present" : "absent"
        },
    ]

    private static let otherCases: [Case] = [
        Case("fractional-dates", .settings, off: "2025-01-01T11:50:00Z", on: "2025-01-01T11:50:00.000Z") {
            try $0.list().first?.string("updatedAt") ?? ""
        },
        Case("future-endpoints-off", .settings, off: "200 200 200 200 200 200", on: "200 404 404 404 404 404") {
            scene in
            let id = "/conversations/conv_longer_000000001"
            var statuses = try ["/conversations", id, id + "/messages", "/user/profile", "/user/usage"]
                .map { "\(try scene.get($0).status)" }
            statuses.append("\(try scene.upload(1).status)")
            return statuses.joined(separator: " ")
        },
        Case(
            "html-errors",
            .settings,
            off: "application/json application/json application/json",
            on: "text/html; charset=utf-8 none none"
        ) {
            let answers = [
                try $0.get("/nowhere"), try $0.harness.chat(.put, "/api/v1/conversations", token: $0.access),
                try $0.harness.send(.post, "/omnichat/api/v1/auth/apple", body: Array("{".utf8)),
            ]
            let types = answers.map { $0.bytes.isEmpty ? "none" : $0.contentType }
            return answers.map(\.status) == [404, 405, 400] ? types.joined(separator: " ") : "\(answers.map(\.status))"
        },
        Case("openapi-shapes", .settings, off: "false false id", on: "true true success") {
            let row = try $0.list().first { $0["lastMessage"]?.isNull == false }
            let hasUser = row?.keys.contains("userId") ?? false
            let hasConversation = row?["lastMessage"]?.keys.contains("conversationId") ?? false
            return "\(hasUser) \(hasConversation) \(try $0.upload(1).json.keys.first ?? "")"
        },
        Case("past-due", .settings, off: "absent", on: "past_due") {
            try $0.get("/user/profile").json["subscription"]?["status"]?.stringValue ?? "absent"
        },
        Case("upload-too-large", .settings, off: "200 200", on: "200 400 File size exceeds 10MB limit") {
            "\($0.told(try $0.upload(1_024))) \($0.told(try $0.upload(1_025)))"
        },
    ]

    @Test(arguments: cases)
    func `a scenario does what the contract says, and no more once it is off`(scenario: Case) throws {
        let scene = try Scene()
        let path = "/scenarios/omnichat/\(scenario.name)"
        try expectEqual(scenario.look(scene), scenario.off, "before")
        let put = try scene.harness.call(.put, path)
        expectEqual(put.status, 200)
        expectEqual(put.json["active"], true)
        try expectEqual(scenario.look(scene), scenario.on, "while it is on")
        let delete = try scene.harness.call(.delete, path)
        expectEqual(delete.status, 200)
        expectEqual(delete.json.keys, ["name", "active", "changed"])
        let changed = (delete.json["changed"]?.arrayValue ?? []).compactMap(\.stringValue)
        switch scenario.kind {
        case .settings:
            #expect(changed.isEmpty)
            try expectEqual(scenario.look(scene), scenario.off, "after")
        case .rows(let table):
            #expect(changed.contains { $0.hasPrefix(table + "/") }, "\(changed)")
            try expectEqual(scenario.look(scene), scenario.on, "what it changed stays")
        case .lasting:
            #expect(changed.isEmpty)
        }
    }

    @Test func `rate-limit-nearly-spent leaves two requests after the next`() throws {
        let scene = try Scene()
        _ = try scene.harness.call(.put, "/scenarios/omnichat/rate-limit-nearly-spent")
        let seen = try (0..<4).map { _ in
            let answer = try scene.get("/conversations")
            return "\(answer.status) \(answer["X-RateLimit-Remaining"] ?? "")"
        }
        expectEqual(seen, ["200 2", "200 1", "200 0", "429 0"])
        try scene.harness.advance(60)
        try expectEqual(scene.get("/conversations").status, 429, "a window ends strictly after its reset time")
        try scene.harness.advance(1)
        try expectEqual(scene.get("/conversations").status, 200)
    }

    @Test func `every scenario of the contract has a test and is listed`() throws {
        let listed = try Harness().call(.get, "/scenarios").items.map { $0.string("name") }
        // Those of connections and framing are seen on the wire alone: `Tests/RealClients` has them.
        let onTheWire = ["file-without-length", "idle-connection-dead", "keep-alive-closed"]
        let tested = Self.cases.map(\.name) + ["rate-limit-nearly-spent"] + onTheWire
        expectEqual(listed.count, 43)
        expectEqual(Set(listed), Set(tested.map { "omnichat/\($0)" }))
        expectEqual(listed, listed.sorted())
    }
}

extension Played {
    /// The number of occurrences of a text in bytes.
    static func count(of text: String, in bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).ranges(of: text).count
    }
}
