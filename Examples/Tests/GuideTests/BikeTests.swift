import GuideApp
import Testing
import UnderstudyTesting

@Suite(.understudy())
struct BikeTests {
    @Test func `an expired token is refreshed once`() async throws {
        let world = try World.current
        let client = BikeClient(base: world.url(API("bikes")))
        try await client.signIn(email: "ada@example.com", password: "correct-horse-1A")
        try await world.advance(by: .seconds(15 * 60))
        #expect(try await client.bikes().prefix(3).map(\.name) == ["Blue 7", "Red 12", "Green 3"])
        #expect(try await world.count(Match(API("bikes"), "POST", "/v2/sessions/refresh")) == 1)
    }
}

extension BikeTests {
    @Test func `a password that is wrong is a failure, and nothing is refreshed`() async throws {
        let world = try World.current
        let client = BikeClient(base: world.url(API("bikes")))
        await #expect(throws: BikeClient.Failure(status: 401)) {
            try await client.signIn(email: "ada@example.com", password: "not-hers")
        }
        await #expect(throws: BikeClient.Failure(status: 401)) { try await client.bikes() }
        #expect(try await world.count(Match(API("bikes"), "POST", "/v2/sessions/refresh")) == 0)
    }
}
