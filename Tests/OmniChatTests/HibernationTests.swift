import EmulationTesting
import Testing

@testable import OmniChat

@Suite struct HibernationTests {
    @Test func `3.1 a token and a list are the same after the world has rested`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.power)
        let before = try harness.get("/api/v1/conversations", token: token)
        #expect(before.status == 200)
        try harness.state { state, _ in OmniChatAPI.dropCaches(&state) }
        let after = try harness.get("/api/v1/conversations", token: token)
        #expect(after.status == 200 && after.text == before.text)
        #expect(try harness.get("/api/v1/conversations", token: token + "x").status == 401)
    }
}
