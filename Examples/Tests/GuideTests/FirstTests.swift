import DrivingSchool
import Foundation
import GuideApp
import Testing
import UnderstudyTesting

@Suite(.understudy())
struct FirstTests {
    @Test func `the profile of who signed in is read once`() async throws {
        let world = try World.current
        let client = Client(base: world.url(.trafikskola))
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        #expect(try await client.profile().firstName == "Anna")
        let verdict = try await world.verify(Match(.trafikskola, "GET", "/api/mobile/student/profile"), .exactly(1))
        #expect(verdict.isPass, "\(verdict)")
    }
}

extension FirstTests {
    @Test func `a server in trouble is an error that the screen can show`() async throws {
        let world = try World.current
        let client = Client(base: world.url(.trafikskola)) { _ in }
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        try await world.fail(.status(503), on: Match(.trafikskola, "GET", "/api/mobile/student/profile"))
        await #expect(throws: Client.Failure.server(503)) { try await client.profile() }
    }
}

extension FirstTests {
    @Test func `the app takes the address that its launch names, else production`() throws {
        let world = try World.current
        #expect(BackendAddress.current(world.launchEnvironment) == world.url(.trafikskola))
        #expect(BackendAddress.current([:]) == BackendAddress.production)
    }
}
