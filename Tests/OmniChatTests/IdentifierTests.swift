import Backend
import Conditions
import Engine
import EngineTesting
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Control contract, section 6: each purpose has a random stream of its own.
struct IdentifierTests {
    @Test func `6 one more sign-in or upload form shifts no other identifier`() throws {
        func ids(_ disturb: (Harness, String) throws -> Void) throws -> [String] {
            let harness = try Harness()
            let token = try harness.mint(Harness.test)
            try disturb(harness, token)
            let conversation = try harness.create(token)
            _ = try harness.ask("Hello", in: conversation, token)
            return [conversation] + (try harness.messages(conversation, token)).map { $0.string("id") }
        }
        let plain = try ids { _, _ in }
        let disturbed = try ids { harness, token in
            _ = try harness.signIn(as: Harness.power)
            _ = try harness.get(
                "/api/v1/upload?fileName=a.txt&fileType=text/plain&conversationId=conv_welcome_00000001",
                token: token
            )
        }
        expectEqual(plain, disturbed)
        expectEqual(Set(plain).count, 3)
    }

    @Test func `8.3 a date-time without a zone is UTC`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.power)
        let bare = "/api/v1/user/usage?startDate=2024-12-01T10:00:00&endDate=2024-12-31"
        let zoned = "/api/v1/user/usage?startDate=2024-12-01T10:00:00Z&endDate=2024-12-31T00:00:00Z"
        try expectEqual(harness.get(bare, token: token).status, 200)
        try expectEqual(harness.get(bare, token: token).text, harness.get(zoned, token: token).text)
    }
}
