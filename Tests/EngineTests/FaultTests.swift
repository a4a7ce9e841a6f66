import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

extension EngineHarness {
    /// Adds a fault to a world.
    @discardableResult
    func fault(_ text: String, world: String = "main") throws -> Fault {
        var check = BodyCheck(try #require(JSONReader.read(text: text).objectValue))
        let spec = FaultSpec.read(&check, apis: ["notes"], scope: nil)
        check.refuseUnknown()
        #expect(check.items.isEmpty, "\(text): \(check.items)")
        return try hosted(world).world.faults.add(try #require(spec), .control)
    }

    /// Statuses of that many plain requests.
    func statuses(_ count: Int, world: String = "main") throws -> [Int] {
        try (0..<count).map { _ in try send(.get, world == "main" ? "/notes/n1" : "/@\(world)/notes/n1").status }
    }
}

/// Control contract, section 8: the conditions of faults, their order, and their effects on the response.
@Suite struct FaultTests {
    @Test func `8 times counts hits`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"times":2},"effect":{"status":500}}"#)
        try expectEqual(harness.statuses(4), [500, 500, 200, 200])
        try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, 2)
    }

    @Test func `8 skip, then every acts on the first match and each n-th`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"skip":2,"every":3,"times":2},"effect":{"status":500}}"#)
        try expectEqual(harness.statuses(9), [200, 200, 500, 200, 200, 500, 200, 200, 200])
        let reasons = try harness.journal().map { $0.decisions.first?.reason ?? ($0.fault == nil ? "none" : "acted") }
        expectEqual(reasons.prefix(6), ["skip", "skip", "acted", "every", "every", "acted"])
        expectEqual(reasons.suffix(3), ["none", "none", "none"])
    }

    @Test func `8 from and until open a window in the world's time`() throws {
        let harness = try EngineHarness { $0.clock = .frozen(Instant(seconds: 1_735_732_800)) }
        try harness.fault(
            #"{"when":{"from":"2025-01-01T12:01:00Z","until":"T0+PT2M","skip":1},"effect":{"status":500}}"#
        )
        try expectEqual(harness.statuses(2), [200, 200])
        func advance(_ seconds: Int64) throws {
            try harness.hosted("main").world.withCore { $0.clock.advance(by: .seconds(seconds), at: harness.hostTime) }
        }
        try advance(60)
        // What came before the window is not counted.
        try expectEqual(harness.statuses(3), [200, 500, 500])
        try advance(60)
        try expectEqual(harness.statuses(1), [200])
    }

    @Test func `8 probability is seeded, never at 0, and each decision is in the journal`() throws {
        func run(_ seed: UInt64, _ probability: String) throws -> [Int] {
            let harness = try EngineHarness { $0.seed = seed }
            try harness.fault(#"{"when":{"probability":\#(probability)},"effect":{"status":500}}"#)
            let statuses = try harness.statuses(200)
            for (entry, status) in zip(try harness.journal(), statuses) {
                expectEqual(entry.decisions.count, 1)
                expectEqual(entry.decisions[0].acted, status == 500)
                expectEqual(entry.fault == nil, status == 200)
            }
            return statuses
        }
        let first = try run(1, "0.3")
        try expectEqual(run(1, "0.3"), first)
        #expect(try run(2, "0.3") != first)
        #expect((40...85).contains(first.count { $0 == 500 }), "\(first.count { $0 == 500 }) of 200")
        #expect(try run(1, "0").allSatisfy { $0 == 200 })
        #expect(try run(1, "1").allSatisfy { $0 == 500 })
    }

    @Test func `8 one fault's chance does not shift another's`() throws {
        let alone = try EngineHarness()
        try alone.fault(#"{"match":{"method":"PUT"},"effect":{"status":500}}"#)
        try alone.fault(#"{"when":{"probability":0.5},"effect":{"status":500}}"#)
        let both = try EngineHarness()
        try both.fault(#"{"when":{"probability":0.5},"effect":{"delay":{"ms":1}}}"#)
        try both.fault(#"{"when":{"probability":0.5},"effect":{"status":500}}"#)
        try expectEqual(alone.statuses(64), both.statuses(64))
    }

    @Test func `8 the first that acts wins, and the next has its turn when it is used up`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"times":1},"effect":{"status":500}}"#)
        try harness.fault(#"{"when":{"times":1},"effect":{"status":503}}"#)
        try expectEqual(harness.statuses(3), [500, 503, 200])
        try expectEqual(harness.hosted("main").world.faults.faults.map(\.hits), [1, 1])
    }

    @Test func `8 delays and throttles add up with one other effect, wherever they stand`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"delay":{"ms":100}}}"#)
        try harness.fault(#"{"effect":{"status":500}}"#)
        try harness.fault(#"{"effect":{"delay":{"ms":50}}}"#)
        try harness.fault(#"{"effect":{"status":502}}"#)
        try harness.fault(#"{"effect":{"throttle":{"bytesPerSecond":1000}}}"#)
        let answer = try harness.send(.get, "/notes/n1")
        expectEqual(answer.status, 500)
        let waits = answer.answer.response.prelude.compactMap { step -> Int64? in
            guard case .wait(let length, _) = step else { return nil }
            return length.wholeMilliseconds
        }
        expectEqual(waits.sorted(), [50, 100])
        if case .steps = answer.answer.response.body {} else { Issue.record("the body is not throttled") }
        let entry = try #require(try harness.journal().last)
        expectEqual(entry.fault?.id, "flt_2", "the one that won")
        expectEqual(entry.decisions.map { $0.id ?? "" }, ["flt_1", "flt_2", "flt_3", "flt_5"])
    }

    @Test(arguments: [#"{"throttle":{"bytesPerSecond":1}}"#, #"{"dribble":{"chunks":4,"overMs":60000}}"#])
    func `8 an answer to HEAD has no content that could be slow`(effect: String) throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":\#(effect)}"#)
        for (method, isSlow) in [(HTTPMessage.HTTPMethod.get, true), (.head, false)] {
            let response = try harness.send(method, "/notes/n1").answer.response
            guard case .steps(let steps) = response.body else {
                #expect(!isSlow)
                continue
            }
            let hasWait = steps.contains { if case .wait = $0 { true } else { false } }
            expectEqual(hasWait, isSlow)
        }
    }

    @Test func `8 a fork has the faults and their counts, and goes its own way; a reset clears them`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"times":2},"effect":{"status":500}}"#)
        try expectEqual(harness.statuses(1), [500])
        try harness.make("fork", from: "main")
        try expectEqual(harness.statuses(2), [500, 200])
        try expectEqual(harness.statuses(2, world: "fork"), [500, 200])
        let hosted = try harness.hosted("main")
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        #expect(hosted.world.faults.isEmpty)
        try expectEqual(harness.fault(#"{"effect":{"status":500}}"#).id, "flt_1")
    }

    @Test func `8 an effect that needs an answer and comes before changes nothing on the server`() throws {
        for (phase, grows) in [("before", 0), ("after", 1)] {
            for effect in [
                #"{"body":"invalid-json"}"#, #"{"drift":{"remove":"id"}}"#, #"{"connection":"truncate"}"#,
                #"{"connection":"malformed-chunk"}"#, #"{"connection":"reset","afterBytes":3}"#,
            ] {
                let harness = try EngineHarness()
                let count = try harness.state().notes.count
                try harness.fault(#"{"phase":"\#(phase)","effect":\#(effect)}"#)
                let answer = try harness.send(.post, "/notes", body: #"{"text":"a"}"#)
                expectEqual(answer.status, 201, "\(effect)")
                try expectEqual(harness.state().notes.count, count + grows, "\(phase) \(effect)")
            }
        }
    }

    @Test func `8 before, a streamed answer's change on delivery is not made either`() throws {
        for (phase, made) in [("before", 0), ("after", 1)] {
            let harness = try EngineHarness()
            try harness.fault(#"{"phase":"\#(phase)","effect":{"body":"wrong-content-type"}}"#)
            let exchange = try harness.begin(.post, "/slow")
            for step in exchange.answer.response.timeline {
                if case .effect(let number) = step {
                    harness.emulator.perform(effect: number, of: exchange.number, at: harness.hostTime)
                }
            }
            harness.finish(exchange)
            try expectEqual(harness.state().delivered.count, made, "\(phase)")
        }
    }

    @Test func `8 without its own effect a delay lets the write happen`() throws {
        let harness = try EngineHarness()
        let count = try harness.state().notes.count
        try harness.fault(#"{"effect":{"delay":{"ms":5}}}"#)
        try expectEqual(harness.send(.post, "/notes", body: #"{"text":"a"}"#).status, 201)
        try expectEqual(harness.state().notes.count, count + 1)
    }

    @Test func `8 a fault acts on unknown paths and wrong methods too`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"status":503}}"#)
        try expectEqual(harness.send(.get, "/nowhere").status, 503)
        try expectEqual(harness.send(.delete, "/notes").status, 503)
    }

    @Test func `8 the journal and the id of a faulted exchange are as always`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"name":"n","effect":{"connection":"empty"}}"#)
        let exchange = try harness.begin(.get, "/notes/n1", fields: ["X-Request-Id": "mine"])
        harness.finish(exchange, .cut, sent: 0)
        let entry = try #require(try harness.journal().first)
        expectEqual(entry.id, "mine")
        expectEqual(entry.status, .unanswered)
        expectEqual(entry.outcome, .cut)
        expectEqual(entry.route, "/notes/{id}")
        expectEqual(entry.fault?.name, "n")
    }

    @Test func `8 the numbers of a fault list are bounded`() throws {
        for (text, path) in [
            (#"{"effect":{"status":199}}"#, "$.effect.status"), (#"{"effect":{"status":600}}"#, "$.effect.status"),
            (#"{"effect":{"delay":{"ms":86400001}}}"#, "$.effect.delay.ms"),
            (#"{"effect":{"delay":{"ms":1e400}}}"#, "$.effect.delay.ms"),
            (#"{"effect":{"delay":{"uniform":[5,1]}}}"#, "$.effect.delay.uniform"),
            (#"{"effect":{"delay":{"lognormal":{"median":10,"p95":5}}}}"#, "$.effect.delay.lognormal.p95"),
            (#"{"effect":{"delay":{"ms":1,"uniform":[1,2]}}}"#, "$.effect.delay"),
            (#"{"effect":{"throttle":{"bytesPerSecond":0}}}"#, "$.effect.throttle.bytesPerSecond"),
            (#"{"effect":{"dribble":{"chunks":10001,"overMs":1}}}"#, "$.effect.dribble.chunks"),
            (#"{"effect":{"dribble":{"chunks":2}}}"#, "$.effect.dribble.overMs"),
            (#"{"effect":{"connection":"rest"}}"#, "$.effect.connection"),
            (#"{"effect":{"connection":"empty","afterBytes":1}}"#, "$.effect.afterBytes"),
            (#"{"effect":{"body":"xml"}}"#, "$.effect.body"),
            (#"{"effect":{"drift":{"set":"a"}}}"#, "$.effect.drift.to"),
            (#"{"effect":{"drift":{"remove":"a..b"}}}"#, "$.effect.drift.remove"),
            (#"{"effect":{"drift":{"retype":"a","as":"text"}}}"#, "$.effect.drift.as"),
            (#"{"effect":{"stream":{"duplicate":0}}}"#, "$.effect.stream.duplicate"),
            (#"{"effect":{"upload":{"rejectEarly":200}}}"#, "$.effect.upload.rejectEarly"),
            (#"{"effect":{"tokens":"delete"}}"#, "$.effect.tokens"),
            (#"{"effect":{"status":500,"delay":{"ms":1}}}"#, "$.effect"), (#"{"effect":{}}"#, "$.effect"),
            (#"{"effect":{"stat":500}}"#, "$.effect"), (#"{}"#, "$.effect"), (#"{"effect":7}"#, "$.effect"),
            (#"{"status":500}"#, "$.effect"), (#"{"phase":"during","effect":{"status":500}}"#, "$.phase"),
            (#"{"on":"mars","effect":{"status":500}}"#, "$.on"),
            (#"{"when":{"times":0},"effect":{"status":500}}"#, "$.when.times"),
            (#"{"when":{"probability":1.1},"effect":{"status":500}}"#, "$.when.probability"),
            (#"{"when":{"from":"noon"},"effect":{"status":500}}"#, "$.when.from"),
            (#"{"when":{"evry":2},"effect":{"status":500}}"#, "$.when.evry"),
        ] {
            var check = BodyCheck(try #require(JSONReader.read(text: text).objectValue))
            _ = FaultSpec.read(&check, apis: ["notes"], scope: nil)
            check.refuseUnknown()
            expectEqual(check.items.first?.path, path, "\(text): \(check.items)")
        }
    }
}
