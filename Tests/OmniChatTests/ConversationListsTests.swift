import Backend
import CivilTime
import EngineTesting
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// The cached lists of section 5.1, each of which equals the list written anew.
struct ConversationListsTests {
    @Test(arguments: 1...6)
    func `5.1 a kept list is the one that would be written now, whatever happened before`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed, purpose: "conversation lists", ordinal: 0)
        let harness = try Harness()
        let token = try harness.mint(Harness.test)
        try harness.set(["rateLimits": "off"])
        for step in 0..<120 {
            let ids = try harness.conversations(token).map { $0.string("id") }
            let some = ids.isEmpty ? "none" : ids[chance.below(ids.count)]
            switch chance.below(8) {
            case 0: _ = try harness.create(token, title: "Step \(step)")
            case 1: _ = try harness.patch("/api/v1/conversations/\(some)", token: token, json: ["isArchived": true])
            case 2: _ = try harness.delete("/api/v1/conversations/\(some)", token: token)
            case 3: _ = try harness.ask("Step \(step)", in: some, token)
            case 4: _ = try harness.ask("Step \(step)", in: some, token, leaveAfter: 100)
            case 5: try harness.set(["dates": chance.below(2) == 0 ? "whole" : "fractional"])
            case 6: try harness.set(["shapes": chance.below(2) == 0 ? "document" : "openapi"])
            default: try harness.advance(.seconds(Int64(chance.below(5))))
            }
            let fresh = try harness.mint(Harness.test)
            let kept = try harness.get("/api/v1/conversations", token: fresh).text
            try harness.state { state, _ in state.lists = ConversationLists() }
            let anew = try harness.get("/api/v1/conversations", token: fresh).text
            expectEqual(kept, anew, "seed \(seed), step \(step)")
        }
    }

    @Test func `5.1 a fork that goes its own way keeps its own list`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.test)
        let before = try harness.get("/api/v1/conversations", token: token).text
        try harness.makeWorld("fork", from: "main")
        harness.world = "fork"
        let forked = try harness.mint(Harness.test)
        _ = try harness.delete("/@fork/api/v1/conversations/conv_welcome_00000001", token: forked)
        harness.world = "main"
        _ = try harness.delete("/api/v1/conversations/conv_longer_000000001", token: token)
        let main = try harness.get("/api/v1/conversations", token: token).text
        let fork = try harness.get("/@fork/api/v1/conversations", token: forked).text
        #expect(main != before)
        #expect(!main.contains("conv_longer_000000001") && main.contains("conv_welcome_00000001"))
        #expect(fork.contains("conv_longer_000000001") && !fork.contains("conv_welcome_00000001"))
    }
}
