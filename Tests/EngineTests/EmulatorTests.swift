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
        let bench = try Bench()
        expectEqual(bench.emulator.worldNames, ["main"])
        try bench.make("b")
        try bench.make("a")
        expectEqual(bench.emulator.worldNames, ["main", "b", "a"])
        try expectEqual(bench.hosted("a").world.name, "a")
    }

    @Test func `names are made up where none is given`() throws {
        let bench = try Bench()
        try bench.make("world-2")
        try expectEqual([bench.make(nil), bench.make(nil)], ["world-1", "world-3"])
    }

    @Test func `a taken name is 409, a bad one 422, an unknown source 404`() throws {
        let bench = try Bench()
        try bench.make("a")
        expectEqual(fault { try bench.make("a") }?.slug, .nameTaken)
        expectEqual(fault { try bench.make("main") }?.slug.status, .conflict)
        for name in ["", "A", "a b", String(repeating: "a", count: 65)] {
            expectEqual(fault { try bench.make(name) }?.items.map(\.path), ["$.name"])
        }
        try bench.make(String(repeating: "a", count: 64))
        expectEqual(fault { try bench.make("b", from: "c") }?.slug, .unknownWorld)
        expectNil(bench.emulator[world: "b"])
        expectEqual(bench.emulator.worldNames.count, 3)
    }

    @Test func `the limit is 10,000 worlds, and another can be set`() throws {
        expectEqual(EmulatorConfiguration().maximumWorlds, 10_000)
        let bench = try Bench { $0.maximumWorlds = 3 }
        try bench.make("a")
        try bench.make("b")
        expectEqual(fault { try bench.make("c") }?.slug, .tooManyWorlds)
        expectEqual(fault { try bench.make("c") }?.slug.status, .conflict)
        _ = try bench.emulator.deleteWorld("a")
        try bench.make("c")
        expectEqual(bench.emulator.worldNames, ["main", "b", "c"])
    }

    @Test func `ten thousand worlds fit, one more does not, and they can all expire at once`() throws {
        let bench = try Bench()
        for _ in 1..<10_000 { try bench.make(nil, ttl: .seconds(1)) }
        expectEqual(fault { try bench.make(nil) }?.slug, .tooManyWorlds)
        bench.pass(.seconds(2))
        expectEqual(bench.emulator.expireWorlds(at: bench.hostTime).count, 9_999)
        expectEqual(bench.emulator.worldNames, ["main"])
    }

    @Test func `main can't be deleted, an unknown world is 404`() throws {
        let bench = try Bench()
        expectEqual(fault { _ = try bench.emulator.deleteWorld("main") }?.slug, .protectedWorld)
        expectEqual(fault { _ = try bench.emulator.deleteWorld("x") }?.slug, .unknownWorld)
    }

    @Test func `a key is never used again`() throws {
        let bench = try Bench()
        var keys: Set<Int> = [try bench.hosted("main").key]
        for _ in 0..<20 {
            try bench.make("a")
            #expect(keys.insert(try bench.hosted("a").key).inserted)
            let key = try bench.emulator.deleteWorld("a")
            #expect(keys.contains(key))
            expectNil(bench.emulator.now(worldKey: key, at: bench.hostTime))
            expectNil(bench.emulator.speed(worldKey: key))
        }
    }

    @Test func `a world goes when its time without use is over, not at its end`() throws {
        let bench = try Bench()
        try bench.make("short", ttl: .seconds(10))
        try bench.make("kept")
        bench.pass(.seconds(10))
        #expect(bench.emulator.expireWorlds(at: bench.hostTime).isEmpty)
        bench.pass(.microseconds(1))
        let key = try bench.hosted("short").key
        expectEqual(bench.emulator.expireWorlds(at: bench.hostTime), [key])
        expectEqual(bench.emulator.worldNames, ["main", "kept"])
    }

    @Test func `use keeps a world, and so does an answer under way`() throws {
        let bench = try Bench()
        try bench.make("a", ttl: .seconds(10))
        bench.pass(.seconds(8))
        try bench.send(.get, "/@a/notes/n1")
        bench.pass(.seconds(8))
        #expect(bench.emulator.expireWorlds(at: bench.hostTime).isEmpty)
        let slow = try bench.begin(.post, "/@a/slow")
        bench.pass(.seconds(100))
        #expect(bench.emulator.expireWorlds(at: bench.hostTime).isEmpty)
        bench.finish(slow)
        expectEqual(bench.emulator.expireWorlds(at: bench.hostTime).count, 1)
    }

    @Test func `4 the last use of a world is the end of its last answer, not the start`() throws {
        let bench = try Bench()
        try bench.make("a", ttl: .seconds(10))
        let slow = try bench.begin(.post, "/@a/slow")
        bench.pass(.seconds(100))
        bench.finish(slow, at: bench.hostTime.monotonic)
        bench.pass(.seconds(10))
        #expect(bench.emulator.expireWorlds(at: bench.hostTime).isEmpty)
        bench.pass(.microseconds(1))
        expectEqual(bench.emulator.expireWorlds(at: bench.hostTime).count, 1)
    }

    // MARK: Exchanges

    @Test func `an answer carries its world and API, and the world's time`() throws {
        let bench = try Bench { $0.clock = .offset(.epoch, rate: 4) }
        bench.pass(.seconds(2))
        let answer = try bench.begin(.get, "/notes/n1").answer
        expectEqual(answer.group, ExchangeGroup(world: 0, api: 0))
        expectEqual(answer.call.now, Instant(seconds: 8))
        expectEqual(answer.hosted.world.core.clock.speed, 4)
        expectEqual(bench.emulator.now(worldKey: 0, at: bench.hostTime), Instant(seconds: 8))
    }

    @Test func `an exchange is in the journal before it is finished`() throws {
        let bench = try Bench()
        let exchange = try bench.begin(.post, "/notes", body: #"{"text":"é"}"#)
        let entry = try #require(try bench.journal().first)
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
        bench.finish(exchange)
        try expectEqual(bench.journal().first?.outcome, .delivered)
        try expectEqual(bench.journal().first?.timings.send, 1)
    }

    @Test func `requests that no route takes are in the journal too`() throws {
        let bench = try Bench()
        try expectEqual(bench.send(.get, "/nowhere").status, 404)
        let other = try bench.send(.delete, "/notes/n1")
        expectEqual(other.status, 405)
        expectEqual(other.answer.response.fields[.allow], "GET")
        try expectEqual(bench.send(.head, "/notes/n1").status, 200)
        try expectEqual(bench.send(.get, "/notes/n1/").status, 404)
        try expectEqual(bench.journal().map(\.route), [nil, nil, "/notes/{id}", nil])
    }

    @Test func `the user behind a credential is noted, whether or not it was asked for`() throws {
        let bench = try Bench()
        let token = NotesAPI.token(issuer: "https://understudy.invalid/@main", subject: "eve")
        try bench.send(.get, "/nowhere", fields: ["Authorization": "bearer \(token)"])
        try bench.send(.get, "/nowhere", fields: ["Authorization": "Basic \(token)"])
        try expectEqual(bench.journal().map(\.user?.label), ["eve", nil])
    }

    @Test func `a part that was sent is what the journal keeps`() throws {
        let bench = try Bench()
        bench.finish(try bench.begin(.post, "/slow"), .interrupted, sent: 4)
        bench.finish(try bench.begin(.post, "/slow"), .cut, sent: 0)
        bench.finish(try bench.begin(.post, "/slow"), .delivered, sent: 6)
        let journal = try bench.journal()
        expectEqual(journal.map(\.outcome), [.interrupted, .cut, .delivered])
        expectEqual(journal.map { String(decoding: $0.responseBody.kept, as: UTF8.self) }, ["onet", "", "onetwo"])
        expectEqual(journal.map(\.responseBody.length), [4, 0, 6])
    }

    @Test func `an effect changes the world when it is reached, at the world's time of then`() throws {
        let bench = try Bench { $0.clock = .offset(.epoch, rate: 1) }
        let exchange = try bench.begin(.post, "/slow")
        #expect(try bench.state().delivered.isEmpty)
        bench.pass(.seconds(5))
        bench.emulator.perform(effect: 0, of: exchange.number, at: bench.hostTime)
        try expectEqual(bench.state().delivered, ["main 5"])
    }

    @Test func `an effect that does not exist, or of an exchange that has ended, does nothing`() throws {
        let bench = try Bench()
        let exchange = try bench.begin(.post, "/slow")
        for effect in [-1, 1, .max, .min] {
            bench.emulator.perform(effect: effect, of: exchange.number, at: bench.hostTime)
        }
        bench.emulator.perform(effect: 0, of: 999, at: bench.hostTime)
        bench.finish(exchange)
        bench.emulator.perform(effect: 0, of: exchange.number, at: bench.hostTime)
        bench.finish(exchange)
        #expect(try bench.state().delivered.isEmpty)
    }

    @Test func `what began in a deleted world does not reach its successor`() throws {
        let bench = try Bench()
        try bench.make("a")
        let exchange = try bench.begin(.post, "/@a/slow")
        _ = try bench.emulator.deleteWorld("a")
        try bench.make("a")
        try bench.send(.get, "/@a/notes/n1")
        bench.emulator.perform(effect: 0, of: exchange.number, at: bench.hostTime)
        bench.finish(exchange, .cut, sent: 0)
        #expect(try bench.state("a").delivered.isEmpty)
        try expectEqual(bench.journal("a").map(\.outcome), [.delivered])
    }

    @Test func `what began before a reset changes nothing after it`() throws {
        let bench = try Bench()
        for api in [nil, 0] as [Int?] {
            let exchange = try bench.begin(.post, "/slow")
            try bench.hosted("main").world.reset(bench.emulator.apis, only: api, keepClock: false, at: bench.hostTime)
            // It has the number in the journal that the one before the reset had.
            try bench.send(.get, "/notes/n1")
            bench.emulator.perform(effect: 0, of: exchange.number, at: bench.hostTime)
            bench.finish(exchange, .cut, sent: 0)
            #expect(try bench.state().delivered.isEmpty)
            try expectEqual(bench.journal().map(\.outcome), [.delivered])
            #expect(try bench.journal().first?.responseBody.length != 0)
        }
    }

    @Test func `what began before a restore changes nothing after it`() throws {
        let bench = try Bench()
        let hosted = try bench.hosted("main")
        let snapshot = hosted.world
        let exchange = try bench.begin(.post, "/slow")
        var restored = snapshot
        restored.supersede(hosted.world)
        hosted.world = restored
        try bench.send(.get, "/notes/n1")
        bench.emulator.perform(effect: 0, of: exchange.number, at: bench.hostTime)
        bench.finish(exchange, .cut, sent: 0)
        #expect(try bench.state().delivered.isEmpty)
        try expectEqual(bench.journal().map(\.outcome), [.delivered])
    }

    @Test func `an answer under way when the journal is cleared leaves no trace, its effect still counts`() throws {
        let bench = try Bench()
        let exchange = try bench.begin(.post, "/slow")
        try bench.hosted("main").world.journal.removeAll()
        try bench.send(.get, "/notes/n1")
        bench.emulator.perform(effect: 0, of: exchange.number, at: bench.hostTime)
        bench.finish(exchange, .interrupted, sent: 0)
        try expectEqual(bench.state().delivered.count, 1)
        try expectEqual(bench.journal().map(\.outcome), [.delivered])
        try expectEqual(bench.journal().map(\.seq), [2])
    }

    // MARK: Request ids

    @Test(arguments: ["a", "!", "~", "ABC-123_.:/", String(repeating: "x", count: 128)])
    func `a sane id of the caller's is sent back and is the journal's key`(id: String) throws {
        let bench = try Bench()
        let exchange = try bench.send(.get, "/nowhere", fields: Fields().filled(id))
        expectEqual(exchange.id, id)
        try expectEqual(bench.journal().map(\.id), [id])
    }

    @Test(arguments: ["", "a b", "é", "a\tb", String(repeating: "x", count: 129)])
    func `another gets one of ours`(id: String) throws {
        let bench = try Bench()
        let exchange = try bench.send(.get, "/nowhere", fields: Fields().filled(id))
        expectEqual(exchange.id, "req_1")
        expectEqual(exchange.answer.response.fields.values(.requestID).count, 1)
    }

    @Test func `an id sent twice is sent back plain, and has a suffix in the journal`() throws {
        let bench = try Bench()
        for _ in 0..<3 { try expectEqual(bench.send(.get, "/notes/n1", fields: ["X-Request-Id": "same"]).id, "same") }
        try expectEqual(bench.journal().map(\.id), ["same", "same-2", "same-3"])
    }

    @Test func `an API's own rule for the id wins, in the journal too`() throws {
        let bench = try Bench()
        let exchange = try bench.send(.get, "/numbered", fields: ["X-Request-Id": "mine"])
        expectEqual(exchange.answer.response.fields.values(.requestID), ["own-1"])
        try expectEqual(bench.journal().map(\.id), ["own-1"])
    }

    // MARK: The rest

    @Test func `the limit for a body is the endpoint's own`() throws {
        let bench = try Bench()
        func limit(_ method: HTTPMessage.HTTPMethod, _ path: String, _ entryPoint: EntryPoint = .api(0)) throws -> Int?
        {
            let head = RequestHead(method: method, target: RequestTarget(rawPath: path))
            let address = try #require(bench.emulator.address(of: head, entryPoint: entryPoint))
            return bench.emulator.bodyLimit(
                of: bench.emulator.open(head, address: address, peer: "", id: 1, at: bench.hostTime)
            )
        }
        try expectEqual(limit(.post, "/notes"), 1_000)
        try expectEqual(limit(.post, "/@a/notes"), 1_000)
        try expectEqual(limit(.post, "/notes/notes", .hub), 1_000)
        try expectNil(limit(.put, "/notes"))
        try expectNil(limit(.post, "/__admin/notes"))
        expectNil(
            bench.emulator.address(
                of: RequestHead(method: .get, target: RequestTarget(rawPath: "/%")),
                entryPoint: .hub
            )
        )
    }

    @Test func `the journal's bound is a setting`() throws {
        let bench = try Bench { $0.journalBytes = 5_000 }
        for _ in 0..<100 { try bench.send(.get, "/notes/n1") }
        let journal = try bench.hosted("main").world.journal
        #expect(journal.bytes <= 5_000)
        #expect(journal.count > 1)
        expectEqual(journal.lastSeq, 100)
    }

    @Test func `two emulators of one seed say the same, byte for byte`() throws {
        func transcript() throws -> [String] {
            let bench = try Bench { $0.clock = .offset(Instant(seconds: 1_735_740_000), rate: 2) }
            var random = SeededGenerator(seed: 99)
            var lines: [String] = []
            for step in 0..<500 {
                bench.pass(.milliseconds(Int64(random.below(5_000))))
                let world = bench.emulator.worldNames[random.below(bench.emulator.worldNames.count)]
                let exchange: Bench.Exchange
                switch random.below(6) {
                case 0: exchange = try bench.send(.get, "/@\(world)/notes/n\(random.below(4))")
                case 1: exchange = try bench.send(.post, "/@\(world)/slow", body: "{}")
                case 2 where step % 10 == 0:
                    lines.append(try bench.make(nil, from: world))
                    continue
                case 3: exchange = try bench.send(.get, "/@\(world)/numbered", fields: ["X-Request-Id": "i"])
                default: exchange = try bench.send(.post, "/@\(world)/notes", body: #"{"text":"\#(step)"}"#)
                }
                lines.append("\(exchange.status) \(exchange.answer.response.fields.pairs) \(exchange.text)")
            }
            for name in bench.emulator.worldNames {
                for entry in try bench.journal(name) {
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
