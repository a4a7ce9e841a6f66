import DrivingSchool
import Foundation
import Testing
import UnderstudyTesting

@Suite(.understudy(clock: .frozen(at: Date(timeIntervalSince1970: 1_735_732_800))))
struct TokenTests {
    static let refresh = Match(.trafikskola, "POST", "/api/mobile/auth/refresh")

    private func signedIn() async throws -> Client {
        let client = Client(base: try World.current.url(.trafikskola)) { _ in }
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        return client
    }

    @Test func `an access token that ends is refreshed`() async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.advance(by: .seconds(3_600))
        #expect(try await client.profile().firstName == "Anna")
        let profile = Match(.trafikskola, "GET", "/api/mobile/student/profile")
        let verdict = try await world.verify(profile, .exactly(2), order: [profile, Self.refresh, profile])
        #expect(verdict.isPass, "\(verdict)")
    }

    @Test func `what ends next is known`() async throws {
        let world = try World.current
        _ = try await signedIn()
        let token = try await world.token(.trafikskola, user: "anna@example.com", lifetime: 60)
        #expect(!token.isEmpty)
        try await world.expire(.access, of: "anna@example.com", on: .trafikskola, inSeconds: 30)
        try await world.advance(by: .seconds(30))
        #expect(try await world.requests(.trafikskola, status: "401").isEmpty)
    }

    @Test func `three calls share one refresh`() async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.advance(by: .seconds(3_600))
        let gate = try await world.gate("refresh", on: Self.refresh)
        async let first = client.profile()
        async let second = client.profile()
        async let third = client.bookings()
        try await gate.waitUntilHeld(1)
        try await gate.remove()
        _ = try await (first, second, third)
        let verdict = try await world.verify(Self.refresh, .exactly(1))
        #expect(verdict.isPass, "\(verdict)")
    }

    @Test func `a refresh that fails does not sign anybody out by itself`() async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.advance(by: .seconds(3_600))
        try await world.fail(.status(503), on: Self.refresh)
        await #expect(throws: (any Error).self) { try await client.profile() }
        #expect(await client.isSignedIn)
        try await world.removeFaults()
        #expect(try await client.profile().firstName == "Anna")
    }

    @Test func `a session that was revoked leads to the sign-in, without a loop`() async throws {
        let world = try World.current
        let client = try await signedIn()
        try await world.revoke(of: "anna@example.com", on: .trafikskola)
        await #expect(throws: Client.Failure.signedOut) { try await client.profile() }
        let verdict = try await world.verify(Self.refresh, .atMost(1))
        #expect(verdict.isPass, "\(verdict)")
    }
}
