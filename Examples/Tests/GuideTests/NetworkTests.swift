import DrivingSchool
import Foundation
import Testing
import UnderstudyTesting

@Suite(.understudy())
struct NetworkTests {
    static let profile = Match(.trafikskola, "GET", "/api/mobile/student/profile")
    static let booking = Match(.trafikskola, "POST", "/api/mobile/bookings")

    private func signedIn() async throws -> Client {
        let client = Client(base: try World.current.url(.trafikskola)) { _ in }
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        return client
    }

    @Test func `a slow answer arrives when the clock says so, without a sleep`() async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.freeze()
        try await world.set(Latency(delay: .milliseconds(30_000), on: Self.profile, clock: .world))
        async let profile = client.profile()
        let verdict = try await world.verify(Self.profile, .exactly(1), within: 60)
        #expect(verdict.isPass, "\(verdict)")
        try await world.advance(by: .seconds(30))
        #expect(try await profile.firstName == "Anna")
    }

    @Test(arguments: [Effect.connection(.reset), .connection(.truncate), .body(.truncatedJSON), .body(.html)])
    func `a broken answer is an error and no sign-out`(effect: Effect) async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.fail(effect, on: Self.profile)
        await #expect(throws: (any Error).self) { try await client.profile() }
        try await world.removeFaults()
        #expect(try await client.profile().firstName == "Anna")
    }

    @Test func `a lost response is not a second booking`() async throws {
        let world = try World.current
        // A Wednesday: at weekends the school is closed.
        try await world.freeze(at: Date(timeIntervalSince1970: 1_735_732_800))
        let client = try await signedIn()
        try await world.fail(.connection(.empty), on: Self.booking, times: 1, phase: .after)
        _ = try await client.book(lesson: "lt_45", start: "2025-01-02T08:00:00Z", duration: 45)
        let verdict = try await world.verify(Self.booking, .exactly(1))
        #expect(verdict.isPass, "\(verdict)")
    }

    @Test func `a network is a profile with a name`() async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.set(Latency(.wifi))
        #expect(try await client.profile().firstName == "Anna")
        try await world.set(Latency(.none))
    }
}
