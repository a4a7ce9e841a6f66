import Backend
import CivilTime
import Crypto
import Engine
import HTTPMessage
import Journal
import TestSupport
import Testing
import Worlds

/// Control contract, sections 3, 4, 11 and 17: the life of worlds and of exchanges.
@Suite struct EmulatorTests {
    // MARK: Worlds

    @Test func `main is there, and the others come in order of creation`() throws {
        let harness = try EngineHarness()
        expectEqual(harness.emulator.worldNames, ["main"])
        try harness.make("b")
        try harness.make("a")
        expectEqual(harness.emulator.worldNames, ["main", "b", "a"])
        try expectEqual(harness.hosted("a").world.name, "a")
    }

    @Test func `names are made up where none is given`() throws {
        let harness = try EngineHarness()
        try harness.make("world-2")
        try expectEqual([harness.make(nil), harness.make(nil)], ["world-1", "world-3"])
    }

    @Test func `a taken name is 409, a bad one 422, an unknown source 404`() throws {
        let harness = try EngineHarness()
        try harness.make("a")
        expectEqual(fault { try harness.make("a") }?.slug, .nameTaken)
        expectEqual(fault { try harness.make("main") }?.slug.status, .conflict)
        for name in ["", "A", "a b", String(repeating: "a", count: 65)] {
            expectEqual(fault { try harness.make(name) }?.items.map(\.path), ["$.name"])
        }
        try harness.make(String(repeating: "a", count: 64))
        expectEqual(fault { try harness.make("b", from: "c") }?.slug, .unknownWorld)
        expectNil(harness.emulator[world: "b"])
        expectEqual(harness.emulator.worldNames.count, 3)
    }

    @Test func `the limit is 10,000 worlds, and another can be set`() throws {
        expectEqual(EmulatorConfiguration().maximumWorlds, 10_000)
        let harness = try EngineHarness { $0.maximumWorlds = 3 }
        try harness.make("a")
        try harness.make("b")
        expectEqual(fault { try harness.make("c") }?.slug, .tooManyWorlds)
        expectEqual(fault { try harness.make("c") }?.slug.status, .conflict)
        _ = try harness.emulator.deleteWorld("a")
        try harness.make("c")
        expectEqual(harness.emulator.worldNames, ["main", "b", "c"])
    }

    @Test func `ten thousand worlds fit, one more does not, and they can all expire at once`() throws {
        let harness = try EngineHarness()
        for _ in 1..<10_000 { try harness.make(nil, ttl: .seconds(1)) }
        expectEqual(fault { try harness.make(nil) }?.slug, .tooManyWorlds)
        harness.pass(.seconds(2))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 9_999)
        expectEqual(harness.emulator.worldNames, ["main"])
    }

    @Test func `main can't be deleted, an unknown world is 404`() throws {
        let harness = try EngineHarness()
        expectEqual(fault { _ = try harness.emulator.deleteWorld("main") }?.slug, .protectedWorld)
        expectEqual(fault { _ = try harness.emulator.deleteWorld("x") }?.slug, .unknownWorld)
    }

    @Test func `a key is never used again`() throws {
        let harness = try EngineHarness()
        var keys: Set<Int> = [try harness.hosted("main").key]
        for _ in 0..<20 {
            try harness.make("a")
            #expect(keys.insert(try harness.hosted("a").key).inserted)
            let key = try harness.emulator.deleteWorld("a")
            #expect(keys.contains(key))
            expectNil(harness.emulator.now(worldKey: key, at: harness.hostTime))
            expectNil(harness.emulator.speed(worldKey: key))
        }
    }

    @Test func `a world goes when its time without use is over, not at its end`() throws {
        let harness = try EngineHarness()
        try harness.make("short", ttl: .seconds(10))
        try harness.make("kept")
        harness.pass(.seconds(10))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        harness.pass(.microseconds(1))
        let key = try harness.hosted("short").key
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime), [key])
        expectEqual(harness.emulator.worldNames, ["main", "kept"])
    }

    @Test func `use keeps a world, and so does an answer under way`() throws {
        let harness = try EngineHarness()
        try harness.make("a", ttl: .seconds(10))
        harness.pass(.seconds(8))
        try harness.send(.get, "/@a/notes/n1")
        harness.pass(.seconds(8))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        let slow = try harness.begin(.post, "/@a/slow")
        harness.pass(.seconds(100))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        harness.finish(slow)
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 1)
    }

    @Test func `4 the last use of a world is the end of its last answer, not the start`() throws {
        let harness = try EngineHarness()
        try harness.make("a", ttl: .seconds(10))
        let slow = try harness.begin(.post, "/@a/slow")
        harness.pass(.seconds(100))
        harness.finish(slow, at: harness.hostTime.monotonic)
        harness.pass(.seconds(10))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        harness.pass(.microseconds(1))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 1)
    }

    // MARK: Exchanges

    @Test func `an answer carries its world and API, and the world's time`() throws {
        let harness = try EngineHarness { $0.clock = .offset(.epoch, rate: 4) }
        harness.pass(.seconds(2))
        let answer = try harness.begin(.get, "/notes/n1").answer
        expectEqual(answer.group, ExchangeGroup(world: 0, api: 0))
        expectEqual(answer.call.now, Instant(seconds: 8))
        expectEqual(answer.hosted.world.core.clock.speed, 4)
        expectEqual(harness.emulator.now(worldKey: 0, at: harness.hostTime), Instant(seconds: 8))
    }

    @Test func `an exchange is in the journal before it is finished`() throws {
        let harness = try EngineHarness()
        let exchange = try harness.begin(.post, "/notes", body: #"{"text":"é"}"#)
        let entry = try #require(try harness.journal().first)
        expectEqual(entry.id, "req_1")
        expectEqual(entry.seq, 1)
        expectNil(entry.outcome)
        expectEqual(entry.method, .post)
        expectEqual(entry.path, "/notes")
        expectEqual(entry.route, "/notes")
        expectEqual(entry.api, "notes")
        expectEqual(entry.world, "main")
        expectEqual(entry.status, .created)
        expectEqual(entry.body.kept, Array(#"{"text":"é"}"#.utf8))
        expectEqual(entry.responseBody.kept, exchange.answer.response.body.content)
        harness.finish(exchange)
        try expectEqual(harness.journal().first?.outcome, .delivered)
        try expectEqual(harness.journal().first?.timings.send, 1)
    }

    @Test func `requests that no route takes are in the journal too`() throws {
        let harness = try EngineHarness()
        try expectEqual(harness.send(.get, "/nowhere").status, 404)
        let other = try harness.send(.delete, "/notes/n1")
        expectEqual(other.status, 405)
        expectEqual(other.answer.response.fields[.allow], "GET")
        try expectEqual(harness.send(.head, "/notes/n1").status, 200)
        try expectEqual(harness.send(.get, "/notes/n1/").status, 404)
        try expectEqual(harness.journal().map(\.route), [nil, nil, "/notes/{id}", nil])
    }

    @Test func `the user behind a credential is noted, whether or not it was asked for`() throws {
        let harness = try EngineHarness()
        let token = NotesAPI.token(issuer: "https://understudy.invalid/@main", subject: "eve")
        try harness.send(.get, "/nowhere", fields: ["Authorization": "bearer \(token)"])
        try harness.send(.get, "/nowhere", fields: ["Authorization": "Basic \(token)"])
        try expectEqual(harness.journal().map(\.user?.label), ["eve", nil])
    }

    @Test func `a part that was sent is what the journal keeps`() throws {
        let harness = try EngineHarness()
        harness.finish(try harness.begin(.post, "/slow"), .interrupted, sent: 4)
        harness.finish(try harness.begin(.post, "/slow"), .cut, sent: 0)
        harness.finish(try harness.begin(.post, "/slow"), .delivered, sent: 6)
        let journal = try harness.journal()
        expectEqual(journal.map(\.outcome), [.interrupted, .cut, .delivered])
        expectEqual(journal.map { String(decoding: $0.responseBody.kept, as: UTF8.self) }, ["onet", "", "onetwo"])
        expectEqual(journal.map(\.responseBody.length), [4, 0, 6])
    }

    @Test func `an effect changes the world when it is reached, at the world's time of then`() throws {
        let harness = try EngineHarness { $0.clock = .offset(.epoch, rate: 1) }
        let exchange = try harness.begin(.post, "/slow")
        #expect(try harness.state().delivered.isEmpty)
        harness.pass(.seconds(5))
        harness.emulator.perform(effect: 0, of: exchange.number, at: harness.hostTime)
        try expectEqual(harness.state().delivered, ["main 5"])
    }

    @Test func `an effect that does not exist, or of an exchange that has ended, does nothing`() throws {
        let harness = try EngineHarness()
        let exchange = try harness.begin(.post, "/slow")
        for effect in [-1, 1, .max, .min] {
            harness.emulator.perform(effect: effect, of: exchange.number, at: harness.hostTime)
        }
        harness.emulator.perform(effect: 0, of: 999, at: harness.hostTime)
        harness.finish(exchange)
        harness.emulator.perform(effect: 0, of: exchange.number, at: harness.hostTime)
        harness.finish(exchange)
        #expect(try harness.state().delivered.isEmpty)
    }

    @Test func `what began in a deleted world does not reach its successor`() throws {
        let harness = try EngineHarness()
        try harness.make("a")
        let exchange = try harness.begin(.post, "/@a/slow")
        _ = try harness.emulator.deleteWorld("a")
        try harness.make("a")
        try harness.send(.get, "/@a/notes/n1")
        harness.emulator.perform(effect: 0, of: exchange.number, at: harness.hostTime)
        harness.finish(exchange, .cut, sent: 0)
        #expect(try harness.state("a").delivered.isEmpty)
        try expectEqual(harness.journal("a").map(\.outcome), [.delivered])
    }

    @Test func `what began before a reset changes nothing after it`() throws {
        let harness = try EngineHarness()
        for api in [nil, 0] as [Int?] {
            let exchange = try harness.begin(.post, "/slow")
            try harness.hosted("main").world.reset(
                harness.emulator.apis,
                only: api,
                keepClock: false,
                at: harness.hostTime
            )
            // It has the number in the journal that the one before the reset had.
            try harness.send(.get, "/notes/n1")
            harness.emulator.perform(effect: 0, of: exchange.number, at: harness.hostTime)
            harness.finish(exchange, .cut, sent: 0)
            #expect(try harness.state().delivered.isEmpty)
            try expectEqual(harness.journal().map(\.outcome), [.delivered])
            #expect(try harness.journal().first?.responseBody.length != 0)
        }
    }

    @Test func `what began before a restore changes nothing after it`() throws {
        let harness = try EngineHarness()
        let hosted = try harness.hosted("main")
        let snapshot = hosted.world
        let exchange = try harness.begin(.post, "/slow")
        var restored = snapshot
        restored.supersede(hosted.world)
        hosted.world = restored
        try harness.send(.get, "/notes/n1")
        harness.emulator.perform(effect: 0, of: exchange.number, at: harness.hostTime)
        harness.finish(exchange, .cut, sent: 0)
        #expect(try harness.state().delivered.isEmpty)
        try expectEqual(harness.journal().map(\.outcome), [.delivered])
    }

    @Test func `an answer under way when the journal is cleared leaves no trace, its effect still counts`() throws {
        let harness = try EngineHarness()
        let exchange = try harness.begin(.post, "/slow")
        try harness.hosted("main").world.journal.removeAll()
        try harness.send(.get, "/notes/n1")
        harness.emulator.perform(effect: 0, of: exchange.number, at: harness.hostTime)
        harness.finish(exchange, .interrupted, sent: 0)
        try expectEqual(harness.state().delivered.count, 1)
        try expectEqual(harness.journal().map(\.outcome), [.delivered])
        try expectEqual(harness.journal().map(\.seq), [2])
    }

    // MARK: Request ids

    @Test(arguments: ["a", "!", "~", "ABC-123_.:/", String(repeating: "x", count: 128)])
    func `a sane id of the caller's is sent back and is the journal's key`(id: String) throws {
        let harness = try EngineHarness()
        let exchange = try harness.send(.get, "/nowhere", fields: Fields().filled(id))
        expectEqual(exchange.id, id)
        try expectEqual(harness.journal().map(\.id), [id])
    }

    @Test(arguments: ["", "a b", "é", "a\tb", String(repeating: "x", count: 129)])
    func `another gets one of ours`(id: String) throws {
        let harness = try EngineHarness()
        let exchange = try harness.send(.get, "/nowhere", fields: Fields().filled(id))
        expectEqual(exchange.id, "req_1")
        expectEqual(exchange.answer.response.fields.values(.requestID).count, 1)
    }

    @Test func `an id sent twice is sent back plain, and has a suffix in the journal`() throws {
        let harness = try EngineHarness()
        for _ in 0..<3 { try expectEqual(harness.send(.get, "/notes/n1", fields: ["X-Request-Id": "same"]).id, "same") }
        try expectEqual(harness.journal().map(\.id), ["same", "same-2", "same-3"])
    }

    @Test func `an API's own rule for the id wins, in the journal too`() throws {
        let harness = try EngineHarness()
        let exchange = try harness.send(.get, "/numbered", fields: ["X-Request-Id": "mine"])
        expectEqual(exchange.answer.response.fields.values(.requestID), ["own-1"])
        try expectEqual(harness.journal().map(\.id), ["own-1"])
    }

    // MARK: The rest

    @Test func `the limit for a body is the endpoint's own`() throws {
        let harness = try EngineHarness()
        func limit(_ method: HTTPMessage.HTTPMethod, _ path: String, _ entryPoint: EntryPoint = .api(0)) throws -> Int?
        {
            let head = RequestHead(method: method, target: RequestTarget(rawPath: path))
            let address = try #require(harness.emulator.address(of: head, entryPoint: entryPoint))
            return harness.emulator.bodyLimit(
                of: harness.emulator.open(head, address: address, peer: "", id: 1, at: harness.hostTime)
            )
        }
        try expectEqual(limit(.post, "/notes"), 1_000)
        try expectEqual(limit(.post, "/@a/notes"), 1_000)
        try expectEqual(limit(.post, "/notes/notes", .hub), 1_000)
        try expectNil(limit(.put, "/notes"))
        try expectNil(limit(.post, "/__admin/notes"))
        expectNil(
            harness.emulator.address(
                of: RequestHead(method: .get, target: RequestTarget(rawPath: "/%")),
                entryPoint: .hub
            )
        )
    }

    @Test func `the journal's bound is a setting`() throws {
        let harness = try EngineHarness { $0.journalBytes = 5_000 }
        for _ in 0..<100 { try harness.send(.get, "/notes/n1") }
        let journal = try harness.hosted("main").world.journal
        #expect(journal.bytes <= 5_000)
        #expect(journal.count > 1)
        expectEqual(journal.lastSeq, 100)
    }

    @Test func `two emulators of one seed say the same, byte for byte`() throws {
        func transcript() throws -> [String] {
            let harness = try EngineHarness { $0.clock = .offset(Instant(seconds: 1_735_740_000), rate: 2) }
            var random = SeededGenerator(seed: 99)
            var lines: [String] = []
            for step in 0..<500 {
                harness.pass(.milliseconds(Int64(random.below(5_000))))
                let world = harness.emulator.worldNames[random.below(harness.emulator.worldNames.count)]
                let exchange: EngineHarness.Exchange
                switch random.below(6) {
                case 0: exchange = try harness.send(.get, "/@\(world)/notes/n\(random.below(4))")
                case 1: exchange = try harness.send(.post, "/@\(world)/slow", body: "{}")
                case 2 where step % 10 == 0:
                    lines.append(try harness.make(nil, from: world))
                    continue
                case 3: exchange = try harness.send(.get, "/@\(world)/numbered", fields: ["X-Request-Id": "i"])
                default: exchange = try harness.send(.post, "/@\(world)/notes", body: #"{"text":"\#(step)"}"#)
                }
                lines.append("\(exchange.status) \(exchange.answer.response.fields.pairs) \(exchange.text)")
            }
            for name in harness.emulator.worldNames {
                for entry in try harness.journal(name) {
                    lines.append("\(name) \(entry.id) \(entry.seq) \(entry.at.microseconds) \(entry.responseBody.kept)")
                }
            }
            return lines
        }
        let first = try transcript()
        expectEqual(first, try transcript())
        #expect(first.count > 800)
        // The same in another process too, whose hashes have another seed. It changes with what is emulated only.
        let digest = Hex.encode(SHA256.digest(Array(first.joined(separator: "\n").utf8)))
        expectEqual(digest, "da1cf873b632f0e35fe0965dff448adef72eadd8527fbb3171cc462ce653374e")
    }
}

extension Fields {
    /// With the request id of that text, raw as a client may send it.
    fileprivate func filled(_ id: String) -> Fields {
        var copy = Fields()
        let line = Array("X-Request-Id: \(id)\r\n".utf8)
        copy.appendChecked(line: line[...], name: 0..<12, value: 14..<(line.count - 2))
        return copy
    }
}
