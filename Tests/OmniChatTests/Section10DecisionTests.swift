import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Section 10: the decisions that a setting can reverse (the tests of the other sections name the rest).
struct Section10DecisionTests {
    private static let list = "/api/v1/conversations"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    @Test func `D1 fractional dates have milliseconds everywhere in bodies but in days`() throws {
        try harness.set(["dates": "fractional"])
        try harness.advance(.microseconds(123_999))
        let created = try harness.post(Self.list, token: token, json: ["title": "x"])
        expectEqual(created.text(at: "createdAt"), "2025-01-01T12:00:00.123Z")
        let seeded = try harness.get("\(Self.list)/conv_welcome_00000001", token: token)
        expectEqual(seeded.text(at: "lastMessage.createdAt"), "2025-01-01T10:00:00.000Z")
        let usage = try harness.get("/api/v1/user/usage", token: try harness.mint(Harness.power))
        expectEqual(usage.text(at: "period.end"), "2025-01-01T12:00:00.123Z")
        expectEqual(usage.json["dailyUsage"]?[0]?.string("date"), "2025-01-01")
    }

    @Test func `D2 futureEndpoints off answers 404 for rows 5 to 11 and leaves the others`() throws {
        harness.checksAnswers = false
        try harness.set(["futureEndpoints": "off"])
        let id = "\(Self.list)/conv_welcome_00000001"
        for (method, path) in [
            (HTTPMethod.get, id), (.delete, id), (.get, id + "/messages"), (.post, id + "/messages"),
            (.post, "/api/v1/upload"),
            (.get, "/api/v1/user/profile"), (.get, "/api/v1/user/usage"),
        ] {
            let reply = try harness.send(method, path, token: token, body: Array(#"{"content":"x"}"#.utf8))
            expectEqual(reply.error, "404 Not found", "\(method.rawValue) \(path)")
            expectNil(reply.remaining)
        }
        try expectEqual(harness.get(Self.list, token: token).status, 200)
        try expectEqual(harness.patch(id, token: token, json: ["title": "x"]).status, 200)
        try expectEqual(harness.patch("/api/v1/user/profile", token: token, json: ["name": "x"]).status, 200)
        try expectEqual(harness.get("/api/v1/upload", token: token).status, 400)
        try expectEqual(harness.get("/api/v1/files/user_test_icloud_0001/x", token: token).error, "404 File not found")
        try expectEqual(harness.get("/api/models", token: token).status, 200)
    }

    @Test func `D12 the OpenAPI shapes add userId, conversationId and the wrapped upload`() throws {
        harness.checksAnswers = false
        try harness.set(["shapes": "openapi"])
        let row = try #require(try harness.conversations(token).dropFirst().first)
        expectEqual(row["userId"], "user_test_icloud_0001")
        expectEqual(row["lastMessage"]?["conversationId"], "conv_welcome_00000001")
        let one = try harness.get("\(Self.list)/conv_welcome_00000001", token: token)
        expectEqual(one.text(at: "userId"), "user_test_icloud_0001")
        expectEqual(one.text(at: "lastMessage.conversationId"), "conv_welcome_00000001")
        let created = try harness.post(Self.list, token: token, json: ["title": "x"])
        expectEqual(created.text(at: "userId"), "user_test_icloud_0001")
        let upload = try harness.upload(
            [.file("a.txt"), .field("conversationId", "conv_welcome_00000001")],
            token: token
        )
        expectEqual(upload.keys, ["success", "attachment"])
        expectEqual(upload.json["success"], true)
        expectEqual(upload.json["attachment"]?.keys, ["id", "url", "fileName", "fileType", "fileSize", "key"])
    }

    @Test func `D24 html errors are a page, or nothing`() throws {
        harness.checksAnswers = false
        try harness.set(["errors": "html"])
        let missing = try harness.get("/api/v1/nothing", token: token)
        expectEqual(missing.status, 404)
        expectEqual(missing[.contentType]?.hasPrefix("text/html"), true)
        #expect(missing.text.hasPrefix("<!DOCTYPE html>"))
        let method = try harness.delete(Self.list, token: token)
        expectEqual(method.status, 405)
        #expect(method.bytes.isEmpty)
        expectEqual(method[.allow], "GET, POST")
        let broken = try harness.post(Self.list, token: token, text: "{")
        expectEqual(broken.status, 400)
        #expect(broken.bytes.isEmpty)
        // Errors of the handlers stay JSON.
        try expectEqual(harness.get("\(Self.list)/x", token: token).error, "404 Conversation not found")
        try expectEqual(harness.post(Self.list, token: token, text: "{}").error, "400 Title is required")
        try expectEqual(harness.get(Self.list).error, "401 Missing or invalid authorization header")
    }

    @Test func `D22 seeded lists are not empty`() throws {
        try expectEqual(harness.conversations(token).count, 4)
        try expectEqual(harness.messages("conv_archived_0000001", token).count, 4)
    }

    // MARK: Switches of section 11

    @Test func `tokens.access refused answers 401 although nothing is expired`() throws {
        try harness.set(["tokens": ["access": "refused"]])
        try expectEqual(harness.get(Self.list, token: token).error, "401 Invalid or expired token")
        try harness.set(["tokens": ["access": "checked"]])
        try expectEqual(harness.get(Self.list, token: token).status, 200)
    }

    @Test func `accounts deleted is 401 on calls and 404 on the refresh`() throws {
        let refresh = try harness.mint(Harness.test, .refresh)
        try harness.set(["accounts": "deleted"])
        try expectEqual(harness.get(Self.list, token: token).error, "401 User not found")
        try expectEqual(harness.refresh(refresh).error, "404 User not found")
    }

    @Test func `apple.tokens refused and apple.email withheld stop the sign-in`() throws {
        try harness.set(["apple": ["tokens": "refused"]])
        try expectEqual(harness.signIn(as: "new@example.com").error, "401 Invalid Apple ID token")
        try harness.set(["apple": ["tokens": "checked", "email": "withheld"]])
        try expectEqual(harness.signIn(as: "new@example.com").error, "400 Email required for new users")
        try harness.set(["apple": ["email": "shared"]])
        try expectEqual(harness.signIn(as: "new@example.com").status, 200)
    }

    @Test func `generation off fails every reply`() throws {
        try harness.set(["generation": "off"])
        try expectEqual(harness.ask("x", in: "conv_welcome_00000001", token).error, "500 Failed to generate response")
        let stream = try harness.stream("x", to: "conv_welcome_00000001", token)
        expectEqual(stream.events.map(\.type), ["message_start", "error"])
    }

    @Test(arguments: ["past_due", "incomplete"])
    func `subscription shows another status`(status: String) throws {
        try harness.set(["subscription": .string(status)])
        let power = try harness.get("/api/v1/user/profile", token: try harness.mint(Harness.power))
        expectEqual(power.text(at: "subscription.status"), status)
        try harness.set(["subscription": "stored"])
        let stored = try harness.get("/api/v1/user/profile", token: try harness.mint(Harness.power))
        expectEqual(stored.text(at: "subscription.status"), "active")
    }

    @Test func `upload.limitBytes lowers the limit`() throws {
        try harness.set(["upload": ["limitBytes": 5]])
        let here = Part.field("conversationId", "conv_welcome_00000001")
        try expectEqual(harness.upload([.file("a.txt", Array("12345".utf8)), here], token: token).status, 200)
        let over = try harness.upload([.file("a.txt", Array("123456".utf8)), here], token: token)
        expectEqual(over.error, "400 File size exceeds 10MB limit")
    }

    @Test func `serverErrors answers 500 so many times and then works`() throws {
        try harness.set(["serverErrors": 2])
        for _ in 0..<2 { try expectEqual(harness.get(Self.list, token: token).error, "500 Internal server error") }
        try expectEqual(harness.get(Self.list, token: token).status, 200)
    }
}
