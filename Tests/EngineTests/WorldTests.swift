import Backend
import CivilTime
import Engine
import HTTPMessage
import TestSupport
import Testing
import Worlds

/// Control contract, section 4: a world is a value.
@Suite struct WorldTests {
    private let harness: EngineHarness

    init() throws { harness = try EngineHarness { $0.clock = .frozen(Instant(seconds: 1_735_740_000)) } }

    private func write(_ text: String, in world: String = "main") throws {
        let exchange = try harness.send(
            .post,
            "/notes",
            fields: ["X-Understudy-World": world],
            body: #"{"text":"\#(text)"}"#
        )
        expectEqual(exchange.status, 201)
    }

    private func texts(_ world: String) throws -> [String] { try harness.state(world).notes.rows.map(\.text) }

    @Test func `a fork has everything, and nothing that is written is shared`() throws {
        try write("before")
        try harness.make("fork", from: "main")
        try write("left")
        try write("right", in: "fork")
        try write("right too", in: "fork")
        try expectEqual(texts("main"), ["first", "second", "before", "left"])
        try expectEqual(texts("fork"), ["first", "second", "before", "right", "right too"])
        try expectEqual(harness.hosted("main").world.core.outbox.messages.count, 2)
        try expectEqual(harness.hosted("fork").world.core.outbox.messages.count, 3)
        try expectEqual(harness.journal("main").count, 2)
        try expectEqual(harness.journal("fork").count, 3)
        try expectEqual(harness.hosted("fork").world.forkedFrom, "main")
        try expectEqual(harness.hosted("fork").world.requestCount, 3)
    }

    @Test func `the next ids and random choices are the same in both`() throws {
        try write("x")
        try harness.make("fork", from: "main")
        let left = try harness.send(.post, "/notes", body: #"{"text":"same"}"#)
        let right = try harness.send(.post, "/notes", fields: ["X-Understudy-World": "fork"], body: #"{"text":"same"}"#)
        expectEqual(left.text, right.text)
        expectEqual(left.id, "req_2")
        expectEqual(left.id, right.id)
    }

    @Test func `a fork issues tokens of its own name`() throws {
        try harness.make("fork", from: "main")
        try expectEqual(harness.state("fork").issuer, "https://understudy.invalid/@fork")
        try expectEqual(harness.state("main").issuer, "https://understudy.invalid/@main")
        try harness.make("second", from: "fork")
        try expectEqual(harness.state("second").issuer, "https://understudy.invalid/@second")
        try expectEqual(harness.hosted("second").world.forkedFrom, "fork")
    }

    @Test func `a fork shares rows until one of both writes`() throws {
        // A row holds a class instance, so that sharing can be seen.
        final class Mark: Sendable {}
        struct Marked: Row {
            var id: String
            var mark: Mark
        }
        let table = Table((0..<100_000).map { Marked(id: "\($0)", mark: Mark()) })
        var copy = table
        copy.update("5") { $0.mark = Mark() }
        #expect(copy["5"]?.mark !== table["5"]?.mark)
        #expect(copy["6"]?.mark === table["6"]?.mark)
        #expect(copy["99999"]?.mark === table["99999"]?.mark)
        expectEqual(copy.count, table.count)
    }

    @Test func `a reset returns to the seed`() throws {
        try write("x")
        harness.pass(.seconds(10))
        try harness.hosted("main").world.withCore { $0.clock.advance(by: .days(3), at: harness.hostTime) }
        try harness.hosted("main").world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        try expectEqual(texts("main"), ["first", "second"])
        #expect(try harness.journal().isEmpty)
        #expect(try harness.hosted("main").world.core.outbox.messages.isEmpty)
        try expectEqual(harness.hosted("main").world.requestCount, 0)
        try expectEqual(harness.hosted("main").world.now(harness.hostTime), Instant(seconds: 1_735_740_000))
        try expectEqual(harness.send(.get, "/notes/n1").id, "req_1")
    }

    @Test func `a reset can keep the clock, and T0 is its present moment`() throws {
        try harness.hosted("main").world.withCore { $0.clock.advance(by: .days(3), at: harness.hostTime) }
        try harness.hosted("main").world.reset(harness.emulator.apis, keepClock: true, at: harness.hostTime)
        let expected = Instant(seconds: 1_735_740_000) + .days(3)
        try expectEqual(harness.hosted("main").world.now(harness.hostTime), expected)
        try expectEqual(harness.hosted("main").world.parts[0].epoch.t0, expected)
        // The rows were not touched, yet their times moved.
        #expect(try harness.send(.get, "/notes/n1").text.contains((expected - .hours(2)).iso8601(.milliseconds)))
    }

    @Test func `a reset of one API leaves what is not its own`() throws {
        try write("x")
        let world = try harness.hosted("main")
        world.world.withCore { $0.outbox.post(Outbox.Message(to: "b", kind: .otp, api: "other", at: .epoch)) }
        world.world.reset(harness.emulator.apis, only: 0, keepClock: false, at: harness.hostTime)
        try expectEqual(texts("main"), ["first", "second"])
        expectEqual(world.world.core.outbox.messages.map(\.to), ["b"])
        #expect(try harness.journal().isEmpty)
        // Its requests are numbered anew (control 3).
        try expectEqual(harness.send(.get, "/notes/n1").id, "req_1")
    }

    @Test func `a world frozen at its making returns to that moment`() throws {
        var order = Emulator.WorldOrder()
        order.name = "ice"
        order.clock = .frozen(nil)
        _ = try harness.emulator.makeWorld(order, at: harness.hostTime)
        let hosted = try harness.hosted("ice")
        let made = hosted.world.now(harness.hostTime)
        expectEqual(
            made,
            try harness.hosted("main").world.now(harness.hostTime),
            "as a world without a clock of its own"
        )
        harness.pass(.seconds(60))
        hosted.world.withCore { $0.clock.advance(by: .days(91), at: harness.hostTime) }
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        expectEqual(hosted.world.now(harness.hostTime), made)
    }

    @Test func `a fork with a clock of its own returns to that one`() throws {
        var order = Emulator.WorldOrder()
        order.name = "fork"
        order.from = "main"
        order.clock = .frozen(.epoch)
        _ = try harness.emulator.makeWorld(order, at: harness.hostTime)
        let hosted = try harness.hosted("fork")
        expectEqual(hosted.world.createdAt, .epoch)
        hosted.world.withCore { $0.clock.advance(by: .days(1), at: harness.hostTime) }
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        expectEqual(hosted.world.now(harness.hostTime), .epoch)
        try expectEqual(harness.hosted("main").world.now(harness.hostTime), Instant(seconds: 1_735_740_000))
    }

    @Test func `secrets follow the seed and the purpose, not the name`() {
        func core(_ name: String, _ seed: UInt64) -> WorldCore {
            WorldCore(name: name, seed: seed, clock: WorldClock(.real, at: harness.hostTime), now: .epoch)
        }
        expectEqual(core("a", 1).secret("p"), core("b", 1).secret("p"))
        #expect(core("a", 1).secret("p") != core("a", 2).secret("p"))
        #expect(core("a", 1).secret("p") != core("a", 1).secret("q"))
        expectEqual(core("a", 1).secret("p").count, 32)
    }

    @Test(arguments: [
        "", "https://understudy.invalid/", "https://understudy.invalid/main", "http://understudy.invalid/@main",
    ])
    func `only our issuers name a world`(issuer: String) {
        expectNil(WorldCore.world(ofIssuer: issuer))
        expectEqual(WorldCore.world(ofIssuer: "https://understudy.invalid/@a.b"), "a.b")
    }
}
