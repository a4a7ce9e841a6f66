import HTTPMessage
import Testing

@testable import Emulation

/// The users behind credentials in a part that no endpoint has worked on.
struct SeedUsersTests {
    @Test func `what is remembered is what the part would say, and a reset forgets it`() throws {
        let bench = try Bench()
        let hosted = try bench.hosted("main")
        let api = bench.emulator.apis[0]
        let token = NotesAPI.token(issuer: "https://understudy.invalid/@main")
        func user(_ credential: String) -> CallUser? {
            bench.emulator.seedUsers.user(of: credential, in: hosted.world, of: hosted.key, 0, api)
        }
        let expected = api.user(hosted.world, 0, token)
        #expect(hosted.world.isUntouched(0))
        for _ in 1...2 {
            #expect(user(token) == expected)
            #expect(user("nobody") == nil)
        }
        // More credentials than are remembered.
        for number in 0...300 {
            #expect(user("nobody \(number)") == nil)
        }
        #expect(user(token) == expected)
        try bench.send(.get, "/notes/n1")
        #expect(!hosted.world.isUntouched(0))
    }
}
