import CivilTime
import EngineTesting
import JSON
import TestSupport
import Testing

@testable import Trendy

/// Tokens of the future (wire contract, section 10).
@Suite struct FutureIssueTests {
    @Test(arguments: [
        (30, "refuse", "200"), (31, "refuse", "401 PGRST303 JWT issued at future"), (31, "accept", "200"),
        (86_400, "accept", "200"), (30, "accept", "200"),
    ])
    func `10 futureIat decides on a JWT whose iat is over 30 s ahead`(ahead: Int64, setting: String, expected: String)
        throws
    {
        let harness = try Harness()
        try harness.set(["futureIat": .string(setting)])
        let issued = try harness.now.seconds + ahead
        let token = try harness.mint(Harness.mail("new"), claims: ["iat": .integer(issued)])
        let reply = try harness.get("/rest/v1/profiles", token: token)
        let words = [reply.json["code"], reply.json["message"]].compactMap { $0?.stringValue }
        expectEqual((["\(reply.status)"] + words).joined(separator: " "), expected)
    }

    @Test func `10 the setting is refuse at first`() throws {
        try expectEqual(Harness().state { state, _ in state.settings.futureIat }, .refuse)
        #expect(throws: (any Error).self) { try Harness().set(["futureIat": "later"]) }
    }
}
