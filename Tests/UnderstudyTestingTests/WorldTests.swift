import Foundation
import TestSupport
import Testing
import UnderstudyClient
import UnderstudyServer

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
        try await expectEqual(world.now, Date(timeIntervalSince1970: 1_735_732_800))
        try await world.advance(days: 1)
        try await expectEqual(world.now, Date(timeIntervalSince1970: 1_735_819_200))
    }

    @Test func `a token opens the API, and ends by the clock`() async throws {
        let world = try World.current
        let url = world.url(.omnichat).appendingPathComponent("api/v1/conversations")
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        try await expectEqual(get(url, token: token).status, 200)
        try await world.advance(by: .seconds(900))
        try await expectEqual(get(url, token: token).status, 401)
        let seen = try await world.requests(.omnichat)
        expectEqual(seen.map(\.status), [401, 200])
        expectEqual(seen[0].user, "test@icloud.com")
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
        try await expectEqual(gate.waitUntilHeld(1).held, [held[0]])
        try await gate.release(held: [held[0]], effect: .status(503))
        try await expectEqual(Set([first.status, second.status]), [200, 503])
        await #expect(throws: ControlError.self) { try await gate.release(held: ["no-such"]) }
    }

    @Test func `9 a wait on the world's clock ends only by it`() async throws {
        let world = try World.current
        let url = world.url(.omnichat).appendingPathComponent("api/v1/user/profile")
        try await world.add(Fault(.delay(.milliseconds(20)), on: Match(.omnichat), clock: .world))
        async let answer = get(url)
        let seen = try await world.verify(Match(.omnichat), .exactly(1), within: 90)
        #expect(seen.isPass)
        try await expectEqual(world.advance(by: .milliseconds(20)), 1)
        try await expectEqual(answer.status, 401)
    }

    @Test func `11 a wait of a fraction of a second is told as one`() async throws {
        let world = try World.current
        try await expectEqual(world.verify(Match(.omnichat), within: 0).isPass, false)
        for seconds in [0.00001, 0.05] {
            // A busy machine may take longer for the verdict than the time that a call adds to its limit.
            let limit = Duration.seconds(seconds)
            let verdict = try await world.verify(Match(.omnichat), within: limit, answeringWithin: .seconds(60))
            #expect(!verdict.isPass)
        }
    }

    @Test func `3 a reset may keep the clock, and mean one backend`() async throws {
        let world = try World.current
        try await world.advance(days: 1)
        try await world.set(["omnichat": ["rateLimits": "off"], "trendy": ["rateLimits": "off"]])
        try await world.reset(.trendy, keepingClock: true)
        try await expectEqual(world.now, Date(timeIntervalSince1970: 1_735_819_200))
        try await world.reset()
        try await expectEqual(world.now, Date(timeIntervalSince1970: 1_735_732_800))
    }

    @Test func `9 latency is a profile for some, or a rate alone`() async throws {
        let world = try World.current
        try await world.set(Latency(.lte, on: Match(.trendy), clock: .world))
        try await world.set(Latency(bytesPerSecond: 1_000_000))
        try await world.set(Latency(.none))
    }

    @Test func `7 a stub answers as it is written, one answer after the other`() async throws {
        let world = try World.current
        let offers = world.url(.omnichat).appendingPathComponent("offers/7")
        let made = try await world.stub(
            Match(.omnichat, "GET", "/offers/{id}"),
            .init(200, headers: ["X-A": "b"], body: ["id": "{{path.id}}"])
        )
        #expect(made.id == "stb_1" && made.enabled && made.source == "call")
        try await expectEqual(get(offers).status, 200)
        let stub = Stub(
            Match(.omnichat, nil, "/offers/*"),
            .init(text: "a", delay: .milliseconds(1)),
            .init(410),
            after: .cycle
        )
        try await world.add(stub)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await get(offers).status) }
        expectEqual(statuses, [200, 410, 200])
        try await expectEqual(world.stubs.map(\.hits), [3, 1])
        try await expectEqual(world.stub("stb_1").hits, 1)
        try await world.remove(made)
        try await world.removeStubs()
        #expect(try await world.stubs.isEmpty)
        try await expectEqual(get(offers).status, 404)
    }

    @Test func `11 the journal is asked by each of its filters, and shows the fault that acted`() async throws {
        let world = try World.current
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        let profile = world.url(.omnichat).appendingPathComponent("api/v1/user/profile")
        let fault = try await world.fail(.status(503), on: Match(.omnichat, "GET"), times: 1)
        try await expectEqual(get(profile, token: token).status, 503)
        try await expectEqual(get(profile, token: token).status, 200)
        try await expectEqual(get(world.url(.omnichat).appendingPathComponent("api/v1/user/profil")).status, 404)
        try await expectEqual(world.faults.map(\.hits), [1])
        let all = try await world.requests()
        expectEqual(all.map(\.status), [404, 200, 503])
        expectEqual(all.map(\.world), [world.name, world.name, world.name])
        expectEqual(all[2].fault?["id"]?.string, fault.id)
        expectEqual(all[2].decisions?.count, 1)
        expectNil(all[1].fault)
        #expect(all[1].timings.handle >= 0)
        expectEqual(all[1].responseBody.sha256?.count, 64)
        #expect(all[1].wallAt > all[1].at, "the world's clock stands in 2025")
        try await expectEqual(world.requests(status: "4xx").map(\.id), [all[0].id])
        try await expectEqual(world.requests(user: "test@icloud.com").count, 2)
        #expect(try await world.requests(method: "POST").isEmpty)
        try await expectEqual(world.requests(since: all[1].seq).map(\.id), [all[0].id])
        try await expectEqual(world.request(all[2].id).status, 503)
        let lost = try await world.unmatched(.omnichat)
        expectEqual(lost.map(\.path), ["/api/v1/user/profil"])
        expectEqual(lost[0].nearest[0].path, "/api/v1/user/profile")
        try await world.clearRequests(.trendy)
        try await expectEqual(world.requests().count, 3)
        try await world.clearRequests()
        #expect(try await world.requests().isEmpty)
    }

    @Test func `7 scenarios and settings are read`() async throws {
        let world = try World.current
        try await world.activate("omnichat/unicode")
        let scenarios = try await world.scenarios(.omnichat)
        expectEqual(scenarios.filter(\.active).map(\.name), ["omnichat/unicode"])
        #expect(scenarios.allSatisfy { !$0.title.isEmpty && !$0.expect.isEmpty })
        try await world.set(["omnichat": ["rateLimits": "off"]])
        try await expectEqual(world.settings["omnichat"]?["rateLimits"]?.string, "off")
    }

    @Test func `12 what a user holds ends in so many seconds of the world's clock`() async throws {
        let world = try World.current
        let url = world.url(.omnichat).appendingPathComponent("api/v1/user/profile")
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        try await world.expire(of: "test@icloud.com", on: .omnichat, inSeconds: 10)
        try await expectEqual(get(url, token: token).status, 200)
        try await world.advance(by: .seconds(10))
        try await expectEqual(get(url, token: token).status, 401)
    }

    @Test func `4 a world goes out as a document and comes back, a snapshot is forgotten`() async throws {
        let world = try World.current
        let document = try await world.export()
        try await world.advance(days: 3)
        try await world.snapshot("later")
        try await world.restore(document: document)
        try await expectEqual(world.now, Date(timeIntervalSince1970: 1_735_732_800))
        await #expect(throws: ControlError.self) { try await world.restore(document: Data("{}".utf8)) }
        try await world.restore("later")
        try await expectEqual(world.now, Date(timeIntervalSince1970: 1_735_732_800 + 3 * 86_400))
        try await world.removeSnapshot("later")
        await #expect(throws: ControlError.self) { try await world.restore("later") }
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
        try await expectEqual(world.requests().count, number)
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
