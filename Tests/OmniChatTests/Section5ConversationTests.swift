import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 5: conversations.
struct Section5ConversationTests {
    private static let list = "/api/v1/conversations"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    private func ids() throws -> [String] { try harness.conversations(token).map { $0.string("id") } }

    // MARK: 5.1 The list

    @Test func `5.1 all conversations are listed, archived ones too, most recently updated first`() throws {
        try expectEqual(
            ids(),
            [
                "conv_empty_0000000001", "conv_welcome_00000001", "conv_longer_000000001", "conv_archived_0000001",
            ]
        )
    }

    @Test func `5.1 the first two rows are these bytes`() throws {
        let text = try harness.get(Self.list, token: token).text
        #expect(
            text.hasPrefix(
                [
                    #"{"conversations":[{"id":"conv_empty_0000000001","title":"New Conversation","model":"gpt-4o-mini","#,
                    #""isArchived":false,"createdAt":"2025-01-01T11:50:00Z","updatedAt":"2025-01-01T11:50:00Z","lastMessage":null},"#,
                    #"{"id":"conv_welcome_00000001","title":"Conversation Title","model":"gpt-4o-mini","isArchived":false,"#,
                    #""createdAt":"2025-01-01T09:59:00Z","updatedAt":"2025-01-01T10:00:00Z","lastMessage":"#,
                    #"{"id":"msg_welcome_000000002","role":"assistant","content":"Hello! I can answer questions, help you write, "#,
                    #"and look at the files you send me.","createdAt":"2025-01-01T10:00:00Z"}},"#,
                ].joined()
            )
        )
    }

    @Test func `5.1 parameters are ignored and an empty account has an empty list`() throws {
        let plain = try harness.get(Self.list, token: token).text
        try expectEqual(harness.get(Self.list + "?limit=1&offset=2&archived=false", token: token).text, plain)
        try expectEqual(harness.get(Self.list, token: try harness.mint(Harness.empty)).text, #"{"conversations":[]}"#)
    }

    @Test func `5.1 ties: later created first, then later made first`() throws {
        let older = try harness.create(token, title: "older")
        try harness.advance(.seconds(1))
        let newer = try harness.create(token, title: "newer")
        let newest = try harness.create(token, title: "newest")
        _ = try harness.patch("\(Self.list)/\(older)", token: token, json: ["isArchived": true])
        try expectEqual(ids().prefix(3), [newest, newer, older])
    }

    @Test func `5.1 the last message is the newest whatever its role, even an incomplete reply`() throws {
        let edge = try harness.mint(Harness.edge)
        let row = try harness.conversations(edge).first { $0.string("id") == "conv_edge_incomplete1" }
        expectEqual(
            row?["lastMessage"],
            [
                "id": "msg_edgeinc_000000002", "role": "assistant", "content": "",
                "createdAt": "2025-01-01T02:00:00Z",
            ]
        )
        try harness.state { state, _ in
            state.messages.insert(
                Message(
                    id: "msg_system_0000000001",
                    conversationId: "conv_edge_incomplete1",
                    role: .system,
                    content: "Be brief.",
                    isComplete: true,
                    tokensGenerated: 0,
                    createdAt: .sinceT0(.hours(-10))
                )
            )
        }
        let later = try harness.conversations(edge).first { $0.string("id") == "conv_edge_incomplete1" }
        expectEqual(later?["lastMessage"]?.string("role"), "system")
    }

    @Test func `5.1 D28 the last message goes by its time before its place`() throws {
        try harness.setClock(Harness.noon - .days(3))
        _ = try harness.ask("earlier", in: "conv_welcome_00000001", try harness.mint(Harness.test))
        try harness.setClock(Harness.noon)
        let reply = try harness.get("\(Self.list)/conv_welcome_00000001", token: token)
        expectEqual(reply.text(at: "lastMessage.id"), "msg_welcome_000000002")
        expectEqual(reply.json["messageCount"], 4)
        let first = try harness.messages("conv_welcome_00000001", token).first
        expectEqual(first?.string("content"), "earlier")
    }

    // MARK: 5.2 Creating

    @Test func `5.2 a creation answers exactly these fields`() throws {
        let reply = try harness.post(Self.list, token: token, json: ["title": "T", "model": "any model at all"])
        expectEqual(reply.keys, ["id", "title", "model", "isArchived", "createdAt", "updatedAt"])
        expectEqual(reply.text(at: "model"), "any model at all")
        expectEqual(reply.text(at: "createdAt"), reply.text(at: "updatedAt"))
        try expectEqual(ids().first, reply.text(at: "id"))
    }

    @Test(arguments: ["   ", "\n", "👩‍👩‍👧‍👦 e\u{301} مرحبا \u{2028}\u{0}\u{1F}", "<b>\"\\/"])
    func `5.2 a title is kept verbatim`(title: String) throws {
        let reply = try harness.post(Self.list, token: token, json: ["title": .string(title)])
        expectEqual(reply.json["title"], .string(title))
        try expectEqual(harness.conversations(token).first?["title"], .string(title))
    }

    @Test func `5.2 a title has no upper limit but the body's`() throws {
        let title = String(repeating: "é", count: 500_000)
        try expectEqual(
            harness.post(Self.list, token: token, json: ["title": .string(title)]).json["title"],
            .string(title)
        )
    }

    @Test(arguments: [#"{}"#, #"{"title":null}"#, #"{"title":""}"#, #"{"model":"gpt-4o"}"#])
    func `5.2 a missing title is 400`(body: String) throws {
        try expectEqual(harness.post(Self.list, token: token, text: body).error, "400 Title is required")
    }

    @Test func `5.2 an empty model is 400, an absent one is the default`() throws {
        let empty = try harness.post(Self.list, token: token, json: ["title": "x", "model": ""])
        expectEqual(empty.error, "400 model must be a non-empty string")
        try expectEqual(harness.post(Self.list, token: token, json: ["title": "x"]).text(at: "model"), "gpt-4o-mini")
    }

    // MARK: 5.3 One conversation

    @Test func `5.3 one conversation is these bytes`() throws {
        let reply = try harness.get("\(Self.list)/conv_empty_0000000001", token: token)
        expectEqual(
            reply.text,
            [
                #"{"id":"conv_empty_0000000001","title":"New Conversation","model":"gpt-4o-mini","isArchived":false,"#,
                #""createdAt":"2025-01-01T11:50:00Z","updatedAt":"2025-01-01T11:50:00Z","messageCount":0,"lastMessage":null}"#,
            ].joined()
        )
        let longer = try harness.get("\(Self.list)/conv_longer_000000001", token: token)
        expectEqual(longer.json["messageCount"], 8)
        expectEqual(longer.json["lastMessage"]?.keys, ["id", "role", "content", "createdAt"])
    }

    @Test(arguments: ["GET", "PATCH", "DELETE", "GET /messages", "POST /messages"])
    func `5.3 an unknown id and another user's are both 404`(call: String) throws {
        let parts = call.split(separator: " ").map(String.init)
        let body: JSON = ["title": "x", "content": "x"]
        for id in [
            "nothing", "conv_other_account_01", "CONV_EMPTY_0000000001", "conv_empty_0000000001%20", "%F0%9F%98%80",
        ] {
            let path = "\(Self.list)/\(id)" + (parts.count > 1 ? parts[1] : "")
            let reply = try harness.send(HTTPMethod(rawValue: parts[0]), path, token: token, body: body.serialized())
            expectEqual(reply.error, "404 Conversation not found")
        }
        let others = try harness.mint(Harness.other)
        try expectEqual(
            harness.get("\(Self.list)/conv_other_account_01", token: others).text(at: "title"),
            "Private notes"
        )
    }

    // MARK: 5.4 Changing

    @Test(arguments: [
        (#"{"title":"N"}"#, ["id", "updatedAt", "title"]),
        (#"{"isArchived":true}"#, ["id", "updatedAt", "isArchived"]),
        (#"{"isArchived":false,"title":"N"}"#, ["id", "updatedAt", "title", "isArchived"]),
        (#"{"title":"","isArchived":true}"#, ["id", "updatedAt", "isArchived"]),
        (#"{"title":"N","model":"gpt-4o","id":"x"}"#, ["id", "updatedAt", "title"]),
    ])
    func `5.4 D14 a change answers what was sent and nothing else`(body: String, keys: [String]) throws {
        try harness.advance(.seconds(5))
        let reply = try harness.send(.patch, "\(Self.list)/conv_longer_000000001", token: token, body: Array(body.utf8))
        expectEqual(reply.keys, keys)
        expectEqual(reply.text(at: "id"), "conv_longer_000000001")
        expectEqual(reply.text(at: "updatedAt"), "2025-01-01T12:00:05Z")
        let stored = try harness.get("\(Self.list)/conv_longer_000000001", token: token)
        expectEqual(stored.text(at: "title"), keys.contains("title") ? "N" : "Planning notes")
        expectEqual(stored.text(at: "model"), "claude-3-5-sonnet-20241022")
        expectEqual(stored.text(at: "updatedAt"), "2025-01-01T12:00:05Z")
        expectEqual(stored.text(at: "createdAt"), "2024-12-31T10:00:00Z")
        try expectEqual(ids().first, "conv_longer_000000001")
    }

    @Test(arguments: [#"{}"#, #"{"title":""}"#, #"{"title":null,"isArchived":null}"#, #"{"model":"x"}"#])
    func `5.4 nothing usable is 400 and changes nothing`(body: String) throws {
        let before = try harness.get(Self.list, token: token).text
        let reply = try harness.send(.patch, "\(Self.list)/conv_longer_000000001", token: token, body: Array(body.utf8))
        expectEqual(reply.error, "400 No fields to update")
        try expectEqual(harness.get(Self.list, token: token).text, before)
    }

    // MARK: 5.5 Removing

    @Test func `5.5 a removal takes messages and attachment records along, files stay`() throws {
        let id = "conv_longer_000000001"
        let url = try #require(try harness.messages(id, token)[4]["attachments"]?[0]).string("url")
        let reply = try harness.delete("\(Self.list)/\(id)", token: token)
        expectEqual(reply.text, #"{"success":true}"#)
        try expectEqual(harness.delete("\(Self.list)/\(id)", token: token).error, "404 Conversation not found")
        try expectEqual(harness.get("\(Self.list)/\(id)/messages", token: token).error, "404 Conversation not found")
        #expect(try !ids().contains(id))
        try harness.state { state, _ in
            expectEqual(state.messages.count(in: id), 0)
            expectNil(state.messages["msg_longer_0000000005"])
            expectNil(state.attachments["att_notes_00000000001"])
        }
        #expect(try harness.get(url, token: token).text.hasPrefix("Garden notes"))
    }
}
