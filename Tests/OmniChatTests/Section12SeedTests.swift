import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Section 12: the seed world.
struct Section12SeedTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func profile(_ user: String) throws -> Played {
        try harness.get("/api/v1/user/profile", token: try harness.mint(user))
    }

    @Test(arguments: [
        ("user_test_icloud_0001", "test@icloud.com", "Test User", "free", 4),
        ("user_empty_account_01", "empty@omnichat.test", "Empty Account", "free", 0),
        ("user_power_account_01", "power@omnichat.test", "Power Account", "paid", 120),
        ("user_other_account_01", "other@omnichat.test", "Other Account", "free", 1),
        ("user_edge_account_001", "edge@omnichat.test", "Edge Account", "paid", 7),
        ("user_lapsed_account_1", "lapsed@omnichat.test", "Lapsed Account", "paid", 0),
    ])
    func `12 the users are these`(id: String, email: String, name: String, tier: String, conversations: Int) throws {
        let reply = try profile(email)
        expectEqual(id.utf8.count, 21)
        expectEqual(reply.text(at: "id"), id)
        expectEqual(reply.text(at: "email"), email)
        expectEqual(reply.text(at: "name"), name)
        expectEqual(reply.text(at: "tier"), tier)
        try expectEqual(harness.conversations(try harness.mint(email)).count, conversations)
        try expectEqual(harness.signIn(as: email).text(at: "user.id"), id)
    }

    @Test func `12 there are six users, and the addresses kept for tests are free`() throws {
        try harness.state { state, _ in
            expectEqual(state.users.count, 6)
            for user in state.users.rows {
                #expect(!user.email.hasSuffix("example.com"))
                #expect(user.email != "user@icloud.com")
            }
        }
    }

    @Test(arguments: [
        ("conv_empty_0000000001", "New Conversation", "gpt-4o-mini", 0, "2025-01-01T11:50:00Z", false),
        ("conv_welcome_00000001", "Conversation Title", "gpt-4o-mini", 2, "2025-01-01T10:00:00Z", false),
        ("conv_longer_000000001", "Planning notes", "claude-3-5-sonnet-20241022", 8, "2024-12-31T12:00:00Z", false),
        ("conv_archived_0000001", "Old draft", "gpt-4o", 4, "2024-12-23T12:00:00Z", true),
    ])
    func `12 the documented user's conversations are these`(
        id: String,
        title: String,
        model: String,
        count: Int64,
        updated: String,
        isArchived: Bool
    ) throws {
        let reply = try harness.get("/api/v1/conversations/\(id)", token: try harness.mint(Harness.test))
        expectEqual(reply.text(at: "title"), title)
        expectEqual(reply.text(at: "model"), model)
        expectEqual(reply.json["messageCount"], .integer(count))
        expectEqual(reply.text(at: "updatedAt"), updated)
        expectEqual(reply.json["isArchived"], .bool(isArchived))
        if count > 0 { expectEqual(reply.text(at: "lastMessage.createdAt"), updated) }
    }

    @Test func `12 batteries and subscriptions are these`() throws {
        let test = try profile(Harness.test)
        expectEqual(test.json["subscription"], .null)
        expectEqual(
            test.json["battery"],
            ["totalBalance": 1_000, "dailyAllowance": 200, "lastDailyReset": "2025-01-01"]
        )
        let power = try profile(Harness.power)
        expectEqual(
            power.json["battery"],
            ["totalBalance": 42_000, "dailyAllowance": 10_000, "lastDailyReset": "2025-01-01"]
        )
        expectEqual(power.text(at: "subscription.planId"), "power")
        expectEqual(power.text(at: "subscription.status"), "active")
        expectEqual(power.text(at: "subscription.billingInterval"), "annual")
        let lapsed = try profile(Harness.lapsed)
        expectEqual(lapsed.text(at: "subscription.status"), "past_due")
        expectEqual(lapsed.json["battery"]?["totalBalance"], 0)
        expectEqual(lapsed.json["battery"]?["dailyAllowance"], 0)
    }

    @Test func `12 the power account has its messages, days and transactions`() throws {
        let token = try harness.mint(Harness.power)
        var counts: [Int] = []
        try harness.state { state, _ in
            counts = state.conversations.rows(in: "user_power_account_01").map { state.messages.count(in: $0.id) }
            expectEqual(state.usage.count(in: "user_power_account_01"), 45)
            expectEqual(state.transactions.count(in: "user_power_account_01"), 14)
        }
        expectEqual(counts.count { $0 == 260 }, 1)
        let usage = try harness.get("/api/v1/user/usage?period=all", token: token)
        expectEqual(usage.json["dailyUsage"]?.arrayValue?.count, 45)
        expectEqual(usage.json["recentTransactions"]?[0]?["balanceAfter"], 42_000)
    }

    @Test func `12 the edge account has what its row says`() throws {
        let token = try harness.mint(Harness.edge)
        let rows = try harness.conversations(token)
        #expect(rows.contains { $0.string("title").unicodeScalars.contains { $0.value > 0x1F000 } })
        #expect(rows.contains { $0.string("model") == "no-such-model" })
        let messages = try rows.flatMap { try harness.messages($0.string("id"), token) }
        #expect(messages.contains { $0.string("content").count == 20_000 })
        #expect(messages.contains { $0.string("content").isEmpty && $0["isComplete"] == false })
        let attachments = messages.compactMap { $0["attachments"]?[0] }
        let attachment = try #require(attachments.first)
        try expectEqual(harness.get(attachment.string("url"), token: token).error, "404 File not found")
    }

    @Test func `12 the plans are these`() throws {
        try harness.state { state, _ in
            expectEqual(state.plans.rows.map(\.id), ["starter", "daily", "power", "ultimate"])
            expectEqual(state.plans.rows.map(\.name), ["Starter", "Daily", "Power", "Ultimate"])
            let sizes = ["10,000 1,000", "50,000 5,000", "100,000 10,000", "500,000 50,000"]
            for (plan, size) in zip(state.plans.rows, sizes) {
                let numbers = size.split(separator: " ")
                expectEqual(plan.features[0], "\(numbers[0]) battery units")
                expectEqual(plan.features[1], "\(numbers[1]) units a day")
            }
        }
    }

    @Test func `12 every identifier of the seed has 21 characters of the alphabet`() throws {
        try harness.state { state, _ in
            let ids =
                state.users.rows.map(\.id) + state.conversations.rows.map(\.id) + state.messages.rows.map(\.id)
                + state.attachments.rows.map(\.id) + state.transactions.rows.map(\.id)
            expectEqual(Set(ids).count, ids.count)
            for id in ids {
                expectEqual(id.utf8.count, 21, "\(id)")
                #expect(id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }, "\(id)")
            }
        }
    }

    @Test func `12 the seed agrees with itself`() throws {
        try harness.state { state, _ in
            for message in state.messages.rows {
                let isReply = message.role == .assistant
                expectEqual(message.model != nil, isReply, "\(message.id)")
                expectEqual(message.tokensGenerated, isReply ? message.content.utf16.count : 0, "\(message.id)")
            }
            for attachment in state.attachments.rows {
                guard let file = state.files[attachment.key] else { continue }
                expectEqual(attachment.fileSize, file.bytes.count)
                expectEqual(attachment.fileName, file.fileName)
                expectEqual(attachment.fileType, file.fileType)
            }
            for day in state.usage.rows {
                expectEqual(day.models.map(\.count).reduce(0, +), day.messages, "\(day.id)")
            }
        }
    }

    @Test func `12 the times follow the start of the world`() throws {
        let later = try Harness(start: Instant(microseconds: 1_740_787_199_999_999))
        let reply = try later.get("/api/v1/conversations/conv_empty_0000000001", token: try later.mint(Harness.test))
        expectEqual(reply.text(at: "updatedAt"), "2025-02-28T23:49:59Z")
        let battery = try later.get("/api/v1/user/profile", token: try later.mint(Harness.test)).json["battery"]
        expectEqual(battery?.string("lastDailyReset"), "2025-02-28")
    }

    @Test(arguments: [
        ("users.json", #"[{"id":"a"}]"#, "email"), ("users.json", "{", "line"), ("models.json", "[1]", "object"),
        ("plans.json", #"[{"id":"p","name":"P","features":[],"extra":1}]"#, "extra"),
        (
            "messages.json",
            #"[{"id":"m","conversationId":"none","role":"user","content":"","isComplete":true,"tokensGenerated":0,"createdAt":"T0"}]"#,
            "conversation"
        ),
        ("files.json", #"[{"key":"k","fileName":"f","fileType":"t"}]"#, "base64"),
    ])
    func `12 a seed that does not fit is refused with its place`(file: String, text: String, word: String) throws {
        let files = try SeedFolder.files(of: "omnichat", replacing: file, with: text)
        let error = #expect(throws: SeedError.self) { _ = try AnyAPI(OmniChatAPI.definition, seed: files) }
        let texts = try #require(error?.items.map(\.text))
        #expect(texts.contains { $0.hasPrefix("seeds/omnichat/\(file):") }, "\(texts)")
        #expect(texts.contains { $0.lowercased().contains(word) } || word == "line", "\(texts)")
    }
}
