import Foundation
import Testing
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The library as a client's test would use it.
@Suite(.understudy(clock: .frozen(at: Date(timeIntervalSince1970: 1_735_732_800))))
struct WorldTests {
    private func get(_ url: URL, token: String? = nil) async throws -> (status: Int, body: JSONValue) {
        var request = URLRequest(url: url)
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, (try? JSONValue(data: data)) ?? .null)
    }

    @Test func `a test has a world of its own, with its clock`() async throws {
        let world = try World.current
        #expect(world.name != "main")
        #expect(try await world.now == Date(timeIntervalSince1970: 1_735_732_800))
        try await world.advance(days: 1)
        #expect(try await world.now == Date(timeIntervalSince1970: 1_735_819_200))
    }

    @Test func `a token opens the API, and ends by the clock`() async throws {
        let world = try World.current
        let url = world.url(.omnichat).appendingPathComponent("api/v1/conversations")
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        #expect(try await get(url, token: token).status == 200)
        try await world.advance(by: .seconds(900))
        #expect(try await get(url, token: token).status == 401)
        let seen = try await world.requests(.omnichat)
        #expect(seen.map(\.status) == [401, 200])
        #expect(seen[0].user == "test@icloud.com")
    }

    @Test func `a refused call says why`() async throws {
        let world = try World.current
        await #expect(throws: ControlError.self) { try await world.activate("omnichat/no-such") }
        do {
            try await world.activate("omnichat/unicod")
            Issue.record("the scenario does not exist")
        } catch {
            #expect("\(error)".contains("unicode"), "\(error)")
        }
    }

    @Test func `scenarios and settings are switched on and off`() async throws {
        let world = try World.current
        try await world.activate("omnichat/unicode")
        try await world.deactivate("omnichat/unicode")
        try await world.set(["omnichat": ["rateLimits": "off"]])
        await #expect(throws: ControlError.self) { try await world.set(["omnichat": ["rateLimit": "off"]]) }
    }

    @Test func `10 two held requests are let go in either order`() async throws {
        let world = try World.current
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        let url = world.url(.omnichat).appendingPathComponent("api/v1/user/profile")
        let gate = try await world.gate("race", on: Match(.omnichat))
        async let first = get(url, token: token)
        async let second = get(url, token: token)
        let held = try await gate.waitUntilHeld(2).held
        try await gate.release(held: [held[1]])
        #expect(try await gate.waitUntilHeld(1).held == [held[0]])
        try await gate.release(held: [held[0]], effect: .status(503))
        #expect(try await Set([first.status, second.status]) == [200, 503])
        await #expect(throws: ControlError.self) { try await gate.release(held: ["no-such"]) }
    }

    @Test func `9 a wait on the world's clock ends only by it`() async throws {
        let world = try World.current
        let url = world.url(.omnichat).appendingPathComponent("api/v1/user/profile")
        try await world.add(Fault(.delay(.milliseconds(20)), on: Match(.omnichat), clock: .world))
        async let answer = get(url)
        let seen = try await world.verify(Match(.omnichat), .exactly(1), within: 90)
        #expect(seen.isPass)
        #expect(try await world.advance(by: .milliseconds(20)) == 1)
        #expect(try await answer.status == 401)
    }

    @Test func `11 a wait of a fraction of a second is told as one`() async throws {
        let world = try World.current
        for seconds in [0, 0.00001, 0.05] {
            let verdict = try await world.verify(Match(.omnichat), within: seconds)
            #expect(!verdict.isPass)
        }
    }

    @Test func `3 a reset may keep the clock, and mean one backend`() async throws {
        let world = try World.current
        try await world.advance(days: 1)
        try await world.set(["omnichat": ["rateLimits": "off"], "trendy": ["rateLimits": "off"]])
        try await world.reset(.trendy, keepingClock: true)
        #expect(try await world.now == Date(timeIntervalSince1970: 1_735_819_200))
        try await world.reset()
        #expect(try await world.now == Date(timeIntervalSince1970: 1_735_732_800))
    }

    @Test func `9 latency is a profile for some, or a rate alone`() async throws {
        let world = try World.current
        try await world.set(Latency(.lte, on: Match(.trendy), clock: .world))
        try await world.set(Latency(bytesPerSecond: 1_000_000))
        try await world.set(Latency(.none))
    }

    @Test func `a fork is apart from what it came from`() async throws {
        let world = try World.current
        let fork = try await world.fork()
        try await fork.advance(days: 2)
        #expect(try await fork.now != world.now)
        try await fork.delete()
        await #expect(throws: ControlError.self) { try await fork.now }
    }

    @Test(arguments: 1...5)
    func `each case of a test has a world of its own`(number: Int) async throws {
        let world = try World.current
        for _ in 0..<number { _ = try await get(world.url(.omnichat).appendingPathComponent("api/v1/models")) }
        #expect(try await world.requests().count == number)
    }
}

/// Without the trait.
@Suite struct NoWorldTests {
    @Test func `without the trait there is no world, and the error says what to do`() {
        #expect(throws: ControlError.self) { try World.current }
        #expect("\(ControlError.noWorld)".contains(".understudy()"))
    }

    @Test func `an attached server is the same server`() async throws {
        let own = try UnderstudyServer.start([.omnichat])
        let world = try await own.world("shared-by-name")
        let attached = UnderstudyServer.attach(to: own.hub)
        await #expect(throws: ControlError.self) { try await attached.world("shared-by-name") }
        try await world.delete()
        try await attached.world("shared-by-name").delete()
        // It stops with the last reference.
        withExtendedLifetime(own) {}
    }
}
