import HTTPMessage
import TestSupport
import Testing

@testable import Backend
@testable import Engine
@testable import Worlds

/// The users behind credentials in a part that no endpoint has worked on.
struct SeedUsersTests {
    @Test func `what is remembered is what the part would say, and a reset forgets it`() throws {
        let harness = try EngineHarness()
        let hosted = try harness.hosted("main")
        let api = harness.emulator.apis[0]
        let token = NotesAPI.token(issuer: "https://understudy.invalid/@main")
        func user(_ credential: String) -> CallUser? {
            harness.emulator.seedUsers.user(of: credential, in: hosted.world, of: hosted.key, 0, api)
        }
        let expected = api.user(hosted.world, 0, token)
        #expect(hosted.world.isUntouched(0))
        for _ in 1...2 {
            expectEqual(user(token), expected)
            expectNil(user("nobody"))
        }
        // More credentials than are remembered.
        for number in 0...300 {
            expectNil(user("nobody \(number)"))
        }
        expectEqual(user(token), expected)
        try harness.send(.get, "/notes/n1")
        #expect(!hosted.world.isUntouched(0))
    }
}
