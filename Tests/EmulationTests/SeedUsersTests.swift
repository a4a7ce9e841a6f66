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
        let expected = api.user(hosted.world, 0, token)
        #expect(hosted.world.isUntouched(0))
        for _ in 1...2 {
            #expect(hosted.seedUsers.user(of: token, in: hosted.world, 0, api) == expected)
            #expect(hosted.seedUsers.user(of: "nobody", in: hosted.world, 0, api) == nil)
        }
        // More credentials than are remembered.
        for number in 0...200 {
            #expect(hosted.seedUsers.user(of: "nobody \(number)", in: hosted.world, 0, api) == nil)
        }
        #expect(hosted.seedUsers.user(of: token, in: hosted.world, 0, api) == expected)
        try bench.send(.get, "/notes/n1")
        #expect(!hosted.world.isUntouched(0))
    }
}
