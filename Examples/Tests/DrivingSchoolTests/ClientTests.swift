import DrivingSchool
import Foundation
import Testing
import UnderstudyServer

/// 2025-01-01T12:00:00Z, a Wednesday.
private let noon = Date(timeIntervalSince1970: 1_735_732_800)

/// Ten bugs of mobile clients, each staged in a world of its own.
@Suite(.understudy(clock: .frozen(at: noon)))
struct ClientTests {
    static let refresh = Match(.trafikskola, "POST", "/api/mobile/auth/refresh")
    static let profile = Match(.trafikskola, "GET", "/api/mobile/student/profile")
    static let booking = Match(.trafikskola, "POST", "/api/mobile/bookings")

    /// A signed-in client in the test's world.
    private func client(_ change: (inout Client.Habits) -> Void = { _ in }) async throws -> Client {
        var habits = Client.Habits()
        change(&habits)
        let client = Client(base: try World.current.url(.trafikskola), habits: habits) { _ in }
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        return client
    }

    @Test func `a refresh stampede signs everybody out`() async throws {
        let world = try World.current
        let client = try await client { $0.sharesRefresh = false }
        try await world.advance(by: .seconds(3_600))
        let gate = try await world.gate("stampede", on: Self.refresh)
        async let first = client.profile()
        async let second = client.profile()
        try await gate.waitUntilHeld(2)
        try await gate.remove()
        _ = try? await first
        _ = try? await second
        // The second refresh came with a token that was rotated already: to the server that is theft.
        #expect(try await world.count(Self.refresh) == 2)
        await #expect(throws: Client.Failure.signedOut) { try await client.profile() }
    }

    @Test func `one refresh serves many calls`() async throws {
        let world = try World.current
        let client = try await client()
        try await world.advance(by: .seconds(3_600))
        let gate = try await world.gate("stampede", on: Self.refresh)
        async let first = client.profile()
        async let second = client.profile()
        async let third = client.profile()
        try await gate.waitUntilHeld(1)
        try await gate.remove()
        #expect(try await [first, second, third].map(\.id) == ["usr_123", "usr_123", "usr_123"])
        let verdict = try await world.verify(Self.refresh, .exactly(1))
        #expect(verdict.isPass, "\(verdict)")
    }

    @Test(arguments: [true, false])
    func `the new refresh token is kept`(keeps: Bool) async throws {
        let world = try World.current
        let client = try await client { $0.keepsNewRefreshToken = keeps }
        for _ in 1...2 {
            try await world.advance(by: .seconds(3_600))
            _ = try? await client.profile()
        }
        #expect(await client.isSignedIn == keeps)
    }

    @Test(arguments: [true, false])
    func `a lost response is not a lost booking`(checks: Bool) async throws {
        let world = try World.current
        let client = try await client { $0.checksBeforeRetry = checks }
        // The booking is made and committed; only the answer is lost.
        try await world.fail(.connection(.empty), on: Self.booking, times: 1, phase: .after)
        let start = "2025-01-02T08:00:00Z"
        if checks {
            let id = try await client.book(lesson: "lt_45", start: start, duration: 45)
            #expect(try await client.bookings().contains { $0.id == id })
            #expect(try await world.count(Self.booking) == 1)
        } else {
            // The slot is taken, by the client itself.
            await #expect(throws: Client.Failure.server(409)) {
                try await client.book(lesson: "lt_45", start: start, duration: 45)
            }
        }
    }

    @Test func `a server in trouble is not made busier`() async throws {
        let world = try World.current
        let client = try await client()
        try await world.fail(.status(500), on: Self.profile)
        await #expect(throws: Client.Failure.server(500)) { try await client.profile() }
        let verdict = try await world.verify(Self.profile, .atMost(2))
        #expect(verdict.isPass, "\(verdict)")
        #expect(await client.isSignedIn)
    }

    @Test func `Retry-After is honoured`() async throws {
        let world = try World.current
        try await world.fail(.status(429, retryAfter: 30), on: Self.profile, times: 1)
        // Instead of sleeping, the client's pause moves the world's clock.
        let client = Client(base: world.url(.trafikskola)) { seconds in
            _ = try? await world.advance(by: .seconds(seconds))
        }
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        #expect(try await client.profile().firstName == "Anna")
        #expect(try await world.now == noon.addingTimeInterval(30))
    }

    @Test func `an expired refresh token leads to the sign-in, once`() async throws {
        let world = try World.current
        let client = try await client()
        try await world.advance(days: 91)
        await #expect(throws: Client.Failure.signedOut) { try await client.profile() }
        await #expect(throws: Client.Failure.signedOut) { try await client.profile() }
        #expect(try await world.count(Self.refresh) == 1)
    }

    @Test func `a contract that moved is an error and no crash`() async throws {
        let world = try World.current
        let client = try await client()
        let added = try await world.fail(.driftAdd("data.nickname", "Annie"), on: Self.profile)
        #expect(try await client.profile().firstName == "Anna")
        try await world.remove(added)
        try await world.fail(.driftRemove("data.email"), on: Self.profile)
        do {
            _ = try await client.profile()
            Issue.record("a profile without an e-mail was read")
        } catch Client.Failure.unreadable(let text) {
            #expect(text.contains("email"))
        }
    }

    @Test func `half an answer signs nobody out`() async throws {
        let world = try World.current
        let client = try await client()
        try await world.fail(.connection(.truncate), on: Self.profile, times: 1)
        await #expect(throws: (any Error).self) { try await client.profile() }
        #expect(try await client.profile().id == "usr_123")
        #expect(try await world.count(Self.refresh) == 0)
    }

    @Test func `without a config the app starts with what it knew`() async throws {
        let world = try World.current
        let client = try await client()
        try await world.activate("trafikskola/config-500")
        #expect(await client.bookingsAreOn(domain: "localhost"))
        #expect(try await client.profile().id == "usr_123")
    }
}
