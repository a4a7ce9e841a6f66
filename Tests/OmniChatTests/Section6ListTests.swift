import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Section 6.1: the list of messages.
struct Section6ListTests {
    private static let path = "/api/v1/conversations/conv_power_0000000002/messages"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.power)
    }

    @Test func `6.1 a message is these bytes`() throws {
        let reply = try harness.get(
            "/api/v1/conversations/conv_welcome_00000001/messages",
            token: try harness.mint(Harness.test)
        )
        expectEqual(
            reply.text,
            [
                #"{"messages":[{"id":"msg_welcome_000000001","conversationId":"conv_welcome_00000001","role":"user","#,
                #""content":"Hello, what can you do?","model":null,"parentId":null,"isComplete":true,"tokensGenerated":0,"#,
                #""createdAt":"2025-01-01T09:59:30Z","attachments":[]},{"id":"msg_welcome_000000002","#,
                #""conversationId":"conv_welcome_00000001","role":"assistant","content":"Hello! I can answer questions, help you "#,
                #"write, and look at the files you send me.","model":"gpt-4o-mini","parentId":null,"isComplete":true,"#,
                #""tokensGenerated":81,"createdAt":"2025-01-01T10:00:00Z","attachments":[]}],"total":2,"hasMore":false}"#,
            ].joined()
        )
    }

    @Test func `6.1 an attachment is these bytes`() throws {
        let reply = try harness.get(
            "/api/v1/conversations/conv_longer_000000001/messages?limit=1&offset=4",
            token: try harness.mint(Harness.test)
        )
        let attachment = try #require(reply.json["messages"]?[0]?["attachments"]?[0])
        let key = "user_test_icloud_0001/conv_longer_000000001/msg_longer_0000000005/file_notes_0000000001.txt"
        expectEqual(
            attachment.text,
            [
                #"{"id":"att_notes_00000000001","messageId":"msg_longer_0000000005","fileName":"garden-notes.txt","#,
                #""fileType":"text/plain","fileSize":99,"r2Key":"\#(key)","#,
                #""url":"/api/v1/files/\#(key.replacing("/", with: "%2F"))","createdAt":"2024-12-31T11:29:00Z"}"#,
            ].joined()
        )
    }

    @Test func `6.1 D25 every message carries its own attachments`() throws {
        let test = try harness.mint(Harness.test)
        let counts = try harness.messages("conv_longer_000000001", test).map { $0["attachments"]?.arrayValue?.count }
        expectEqual(counts, [0, 0, 0, 0, 1, 0, 0, 0])
    }

    @Test(
        arguments: [
            ("", 50, 0, true), ("limit=", 50, 0, true), ("limit=&offset=&order=", 50, 0, true), ("limit=1", 1, 0, true),
            ("limit=260", 260, 0, false), ("limit=259", 259, 0, true), ("limit=261", 260, 0, false),
            ("limit=100000", 260, 0, false), ("offset=259", 1, 259, false), ("offset=260", 0, 260, false),
            ("offset=210", 50, 210, false), ("offset=209", 50, 209, true), ("offset=99999", 0, 260, false),
            ("limit=9223372036854775807", 260, 0, false), ("offset=9223372036854775807", 0, 260, false),
            ("limit=9223372036854775807&offset=9223372036854775807", 0, 260, false), ("limit=007", 7, 0, true),
            ("limit=3&limit=9", 3, 0, true), ("before=x&limit=2", 2, 0, true),
        ] as [(String, Int, Int, Bool)]
    )
    func `6.1 D15 pages are cut as asked`(query: String, count: Int, start: Int, hasMore: Bool) throws {
        let all = try harness.messages("conv_power_0000000002", token)
        expectEqual(all.count, 260)
        let reply = try harness.get("\(Self.path)?\(query)", token: token)
        expectEqual(reply.keys, ["messages", "total", "hasMore"])
        expectEqual(reply.json["messages"]?.arrayValue, Array(all[start..<start + count]))
        expectEqual(reply.json["total"], 260)
        expectEqual(reply.json["hasMore"], .bool(hasMore))
    }

    @Test(arguments: [
        "limit=0", "limit=-1", "limit=1.0", "limit=abc", "limit=1e2", "limit=%2B5", "limit=+5", "limit=%20", "limit=5x",
        "limit=9223372036854775808", "limit=99999999999999999999999", "limit=%D9%A3", "offset=-1", "offset=x",
        "offset=0.5",
        "offset=9223372036854775808", "limit=10&offset=-0",
    ])
    func `6.1 what is no number in range is 400`(query: String) throws {
        try expectEqual(harness.get("\(Self.path)?\(query)", token: token).error, "400 Invalid pagination parameters")
    }

    @Test func `6.1 desc is the exact reverse, any other order is asc`() throws {
        let all = try harness.messages("conv_power_0000000002", token)
        let reversed = try harness.messages("conv_power_0000000002", token, query: "limit=1000&order=desc")
        expectEqual(reversed, all.reversed())
        let page = try harness.messages("conv_power_0000000002", token, query: "limit=3&offset=2&order=desc")
        expectEqual(page, Array(all.reversed()[2..<5]))
        for order in ["asc", "DESC", "descending", "x"] {
            try expectEqual(harness.messages("conv_power_0000000002", token, query: "limit=1000&order=\(order)"), all)
        }
    }

    @Test func `6.1 D28 messages of the same second keep the order in which they came`() throws {
        let test = try harness.mint(Harness.test)
        let id = try harness.create(test)
        for content in ["one", "two", "three"] { _ = try harness.ask(content, in: id, test) }
        let rows = try harness.messages(id, test)
        expectEqual(rows.map { $0.string("role") }, ["user", "assistant", "user", "assistant", "user", "assistant"])
        expectEqual(rows.filter { $0.string("role") == "user" }.map { $0.string("content") }, ["one", "two", "three"])
        expectEqual(Set(rows.map { $0.string("createdAt") }), ["2025-01-01T12:00:00Z"])
        try expectEqual(harness.messages(id, test, query: "order=desc"), rows.reversed())
    }

    @Test func `6.1 messages are ordered by their time when the clock was set back`() throws {
        let test = try harness.mint(Harness.test, life: .days(2))
        let id = try harness.create(test)
        _ = try harness.ask("late", in: id, test)
        try harness.setClock(Harness.noon - .hours(1))
        _ = try harness.ask("early", in: id, try harness.mint(Harness.test))
        try expectEqual(
            harness.messages(id, test).map { $0.string("role") },
            ["user", "assistant", "user", "assistant"]
        )
        try expectEqual(harness.messages(id, test).first?.string("content"), "early")
    }
}
