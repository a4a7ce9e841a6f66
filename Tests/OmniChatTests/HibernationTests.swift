import EngineTesting
import TestSupport
import Testing

@testable import OmniChat

@Suite struct HibernationTests {
    @Test func `3.1 a token and a list are the same after the world has rested`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.power)
        let before = try harness.get("/api/v1/conversations", token: token)
        expectEqual(before.status, 200)
        try harness.state { state, _ in OmniChatAPI.dropCaches(&state) }
        let after = try harness.get("/api/v1/conversations", token: token)
        expectEqual(after.status, 200)
        expectEqual(after.text, before.text)
        try expectEqual(harness.get("/api/v1/conversations", token: token + "x").status, 401)
    }
}
