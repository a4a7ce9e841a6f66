import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 4: the calls.
@Suite struct WorldTests {
    @Test func `main is there from the start`() throws {
        let harness = try Harness()
        let answer = try harness.call(.get, "/worlds")
        expectEqual(
            answer.text,
            #"{"items":[{"name":"main","createdAt":"2025-01-01T12:00:00.000Z","clock":{"mode":"frozen","#
                + #""now":"2025-01-01T12:00:00.000Z","rate":1},"requests":0,"bytes":0}]}"#
        )
        expectEqual(answer[.totalCount], "1")
    }

    @Test func `a new world is 201 with its addresses`() throws {
        let harness = try Harness()
        let answer = try harness.call(.post, "/worlds", #"{"name":"a.b_c-9"}"#)
        expectEqual(answer.status, 201)
        expectEqual(answer.text, #"{"name":"a.b_c-9","urls":{"omnichat":"http://127.0.0.1:4683/@a.b_c-9"}}"#)
        try expectEqual(harness.call(.get, "/worlds").items.map { $0.string("name") }, ["main", "a.b_c-9"])
    }

    @Test func `a world without a name gets one that is free`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"world-2"}"#)
        try expectEqual(harness.call(.post, "/worlds").json.string("name"), "world-1")
        try expectEqual(harness.call(.post, "/worlds", "{}").json.string("name"), "world-3")
        try expectEqual(harness.call(.post, "/worlds", #"{"name":null}"#).json.string("name"), "world-4")
    }

    @Test func `a name has 1 to 64 characters`() throws {
        let harness = try Harness()
        for count in [1, 64] {
            let name = String(repeating: "n", count: count)
            try expectEqual(harness.call(.post, "/worlds", #"{"name":"\#(name)"}"#).status, 201)
            try expectEqual(harness.call(.get, "/clock", world: name).status, 200)
        }
        for name in ["", String(repeating: "n", count: 65)] {
            let answer = try harness.call(.post, "/worlds", #"{"name":"\#(name)"}"#)
            expectEqual(answer.problem, "422 invalid-body")
            expectEqual(answer.faults, ["$.name: must be 1 to 64 characters of a-z 0-9 . _ -"])
        }
    }

    @Test(arguments: ["A", "ü", "a b", "a/b", "@a", "a%20b", "a\\u0000", "é"])
    func `a name of other characters is 422`(name: String) throws {
        try expectEqual(Harness().call(.post, "/worlds", #"{"name":"\#(name)"}"#).faultPaths, ["$.name"])
    }

    @Test func `a taken name is 409, main's too`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"a"}"#)
        for name in ["a", "main"] {
            try expectEqual(harness.call(.post, "/worlds", #"{"name":"\#(name)"}"#).problem, "409 name-taken")
        }
        try expectEqual(harness.call(.get, "/worlds").items.count, 2)
    }

    @Test func `the limit of worlds holds at n and refuses n + 1 with 409`() throws {
        let harness = try Harness { $0.maximumWorlds = 3 }
        try expectEqual(harness.call(.post, "/worlds").status, 201)
        try expectEqual(harness.call(.post, "/worlds").status, 201)
        let answer = try harness.call(.post, "/worlds")
        expectEqual(answer.problem, "409 too-many-worlds")
        try expectEqual(harness.call(.delete, "/worlds/world-1").status, 204)
        try expectEqual(harness.call(.post, "/worlds").status, 201)
    }

    @Test func `the default limit is 10000 worlds`() { expectEqual(EmulatorConfiguration().maximumWorlds, 10_000) }

    @Test(arguments: [
        (#"{"name":5}"#, "$.name"), (#"{"from":5}"#, "$.from"), (#"{"seed":"x"}"#, "$.seed"),
        (#"{"seed":-1}"#, "$.seed"),
        (#"{"seed":1.5}"#, "$.seed"), (#"{"clock":"real"}"#, "$.clock"), (#"{"clock":{}}"#, "$.clock.mode"),
        (#"{"clock":{"mode":"offset"}}"#, "$.clock.now"), (#"{"clock":{"mode":"real","x":1}}"#, "$.clock.x"),
        (#"{"scenarios":"omnichat/unicode"}"#, "$.scenarios"),
        (#"{"scenarios":["omnichat/no-such"]}"#, "$.scenarios[0]"),
        (#"{"scenarios":["omnichat/unicode",7]}"#, "$.scenarios[1]"), (#"{"ttlSeconds":-1}"#, "$.ttlSeconds"),
        (#"{"ttlSeconds":"1"}"#, "$.ttlSeconds"), (#"{"from":"main","seed":7}"#, "$.seed"),
    ])
    func `each fault of a new world is 422 with its path, and no world is made`(body: String, path: String) throws {
        let harness = try Harness()
        let answer = try harness.call(.post, "/worlds", body)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faultPaths, [path])
        try expectEqual(harness.call(.get, "/worlds").items.count, 1)
    }

    @Test func `the nearest scenario is told`() throws {
        let answer = try Harness().call(.post, "/worlds", #"{"scenarios":["omnichat/unicod"]}"#)
        expectEqual(answer.faults, ["$.scenarios[0]: there is no such scenario; did you mean omnichat/unicode?"])
    }

    @Test func `a world has its own clock and scenarios`() throws {
        let harness = try Harness()
        let body =
            #"{"name":"w","clock":{"mode":"frozen","now":"2030-06-01T00:00:00Z"},"scenarios":["omnichat/unicode"]}"#
        try expectEqual(harness.call(.post, "/worlds", body).status, 201)
        let row = try #require(try harness.call(.get, "/worlds").items.last)
        expectEqual(row.keys, ["name", "createdAt", "scenario", "clock", "requests", "bytes"])
        expectEqual(row.string("createdAt"), "2030-06-01T00:00:00.000Z")
        expectEqual(row.string("scenario"), "omnichat/unicode")
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
        #expect(try harness.call(.get, "/scenarios").items.allSatisfy { $0["active"] == false })
    }

    @Test func `worlds of one seed give the same ids, of another seed others`() throws {
        let harness = try Harness()
        for (name, seed) in [("a", 7), ("b", 7), ("c", 8)] {
            _ = try harness.call(.post, "/worlds", #"{"name":"\#(name)","seed":\#(seed)}"#)
        }
        func id(_ world: String) throws -> String {
            let token = try harness.token(world: world)
            let made = try harness.chat(.post, "/api/v1/conversations", ["title": "x"], token: token, world: world)
            return made.json.string("id")
        }
        let (a, b, c) = (try id("a"), try id("b"), try id("c"))
        expectEqual(a.count, 21)
        expectEqual(a, b)
        #expect(a != c)
    }

    @Test func `worlds share nothing`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        let (here, there) = (try harness.token(), try harness.token(world: "w"))
        _ = try harness.chat(.post, "/api/v1/conversations", ["title": "only in w"], token: there, world: "w")
        try harness.set(#"{"omnichat":{"dates":"fractional"}}"#, world: "w")
        try harness.advance(60, world: "w")
        let list = try harness.chat(.get, "/api/v1/conversations", token: here)
        #expect(!list.text.contains("only in w"))
        #expect(!list.text.contains(".000Z"))
        expectEqual(list["X-RateLimit-Remaining"], "99")
        try expectEqual(harness.call(.get, "/requests").items.count, 1)
        try expectEqual(harness.call(.get, "/requests", world: "w").items.count, 1)
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
    }

    // MARK: Deleting

    @Test func `deleting is 204, cuts the world's answers and forgets it`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        let key = try harness.hosted("w").key
        let answer = try harness.call(.delete, "/worlds/w")
        expectEqual(answer.status, 204)
        #expect(answer.bytes.isEmpty)
        expectEqual(harness.host.calls, [.cut(world: key, api: nil)])
        try expectEqual(harness.call(.get, "/clock", world: "w").problem, "404 unknown-world")
        try expectEqual(harness.call(.delete, "/worlds/w").problem, "404 unknown-world")
    }

    @Test func `a world made anew under an old name is another one`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        let first = try harness.hosted("w").key
        _ = try harness.call(.delete, "/worlds/w")
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        #expect(try harness.hosted("w").key != first)
    }

    @Test func `main can't be deleted`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.delete, "/worlds/main").problem, "409 protected-world")
        #expect(harness.host.calls.isEmpty)
    }

    // MARK: Time to live

    @Test func `a world goes when its real seconds without use are over, and not before`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w","ttlSeconds":10}"#)
        harness.passRealTime(.seconds(10))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        let key = try harness.hosted("w").key
        harness.passRealTime(.microseconds(1))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime), [key])
        try expectEqual(harness.call(.get, "/clock", world: "w").problem, "404 unknown-world")
    }

    @Test func `use by a client or by a control call makes it last`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w","ttlSeconds":10}"#)
        harness.passRealTime(.seconds(8))
        _ = try harness.chat(.get, "/api/v1/conversations", world: "w")
        harness.passRealTime(.seconds(8))
        _ = try harness.call(.get, "/clock", world: "w")
        harness.passRealTime(.seconds(8))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        harness.passRealTime(.seconds(3))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 1)
    }

    @Test func `the time to live runs on real time, whatever the world's clock does`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w","ttlSeconds":10}"#)
        try harness.advance(100_000, world: "w")
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        harness.passRealTime(.seconds(1_000_000))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 1)
        expectEqual(harness.emulator.worldNames, ["main"])
    }

    @Test func `a fraction of a second is a time to live too`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w","ttlSeconds":0.5}"#)
        harness.passRealTime(.milliseconds(499))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty)
        harness.passRealTime(.milliseconds(2))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 1)
    }

    @Test func `3 of very many unknown members a hundred are named`() throws {
        let harness = try Harness()
        func body(_ count: Int) -> String { "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
        try expectEqual(harness.call(.post, "/worlds", body(100)).faults.count, 100)
        try expectEqual(harness.call(.post, "/worlds", body(101)).faults.count, 100)
        expectEqual(harness.emulator.worldNames, ["main"])
    }

    @Test func `4 a world whose time is over is looked for by the next request, and only then`() throws {
        let harness = try Harness()
        #expect(!harness.emulator.mayExpire(at: harness.hostTime))
        _ = try harness.call(.post, "/worlds", #"{"name":"w","ttlSeconds":10}"#)
        harness.passRealTime(.seconds(8))
        _ = try harness.call(.get, "/clock", world: "w")
        harness.passRealTime(.seconds(2))
        #expect(!harness.emulator.mayExpire(at: harness.hostTime))
        harness.passRealTime(.seconds(1))
        #expect(harness.emulator.mayExpire(at: harness.hostTime))
        #expect(harness.emulator.expireWorlds(at: harness.hostTime).isEmpty, "it was used after 8 s")
        #expect(!harness.emulator.mayExpire(at: harness.hostTime))
        harness.passRealTime(.seconds(8))
        #expect(harness.emulator.mayExpire(at: harness.hostTime))
        expectEqual(harness.emulator.expireWorlds(at: harness.hostTime).count, 1)
        #expect(!harness.emulator.mayExpire(at: harness.hostTime))
    }

    @Test func `4 a clock frozen without an instant stands where a new world's clock would be`() throws {
        let harness = try Harness()
        harness.hostTime.wall = Instant(seconds: 1_800_000_000)
        _ = try harness.call(.post, "/worlds", #"{"name":"w","clock":{"mode":"frozen"}}"#)
        try expectEqual(harness.call(.get, "/clock", world: "w").json.string("now"), "2025-01-01T12:00:00.000Z")
        try harness.advance(60, world: "w")
        _ = try harness.call(.post, "/worlds", #"{"name":"f","from":"w","clock":{"mode":"frozen"}}"#)
        try expectEqual(harness.call(.get, "/clock", world: "f").json.string("now"), "2025-01-01T12:01:00.000Z")
        _ = try harness.call(.post, "/reset", world: "w")
        try expectEqual(harness.call(.get, "/clock", world: "w").json.string("now"), "2025-01-01T12:00:00.000Z")
    }

    // MARK: Forks

    @Test func `a fork has the data, settings, journal and clock of its original`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.post, "/api/v1/conversations", ["title": "before the fork"], token: token)
        try harness.set(#"{"omnichat":{"dates":"fractional"}}"#)
        try harness.advance(60)
        let before = try harness.call(.get, "/requests").items
        let answer = try harness.call(.post, "/worlds", #"{"name":"f","from":"main"}"#)
        expectEqual(answer.status, 201)
        let row = try #require(try harness.call(.get, "/worlds").items.last)
        expectEqual(row.keys, ["name", "createdAt", "forkedFrom", "clock", "requests", "bytes"])
        expectEqual(row.string("forkedFrom"), "main")
        expectEqual(row["requests"]?.intValue, 1)
        try expectEqual(harness.call(.get, "/clock", world: "f").json.string("now"), "2025-01-01T12:01:00.000Z")
        try expectEqual(harness.call(.get, "/requests", world: "f").items, before)
        let list = try harness.chat(.get, "/api/v1/conversations", token: try harness.token(world: "f"), world: "f")
        #expect(list.text.contains("before the fork"))
        #expect(list.text.contains("2025-01-01T12:00:00.000Z"))
    }

    @Test func `a fork takes its own tokens only`() throws {
        let harness = try Harness()
        let (access, refresh) = (try harness.token(), try harness.token("refresh"))
        _ = try harness.call(.post, "/worlds", #"{"name":"f","from":"main"}"#)
        let foreign = try harness.chat(.get, "/api/v1/conversations", token: access, world: "f")
        expectEqual(foreign.error, "401 Invalid or expired token")
        let body: JSON = ["refreshToken": .string(refresh)]
        try expectEqual(
            harness.chat(.post, "/api/v1/auth/refresh", body, world: "f").error,
            "401 Invalid refresh token"
        )
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: access).status, 200)
        let own = try harness.token(world: "f")
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: own, world: "f").status, 200)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: own, world: "main").status, 401)
    }

    @Test func `fork and original go their own ways`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"f","from":"main"}"#)
        let token = try harness.token(world: "f")
        _ = try harness.chat(.delete, "/api/v1/conversations/conv_welcome_00000001", token: token, world: "f")
        try harness.advance(60, world: "f")
        let path = "/api/v1/conversations/conv_welcome_00000001"
        try expectEqual(harness.chat(.get, path, token: token, world: "f").status, 404)
        try expectEqual(harness.chat(.get, path, token: try harness.token()).status, 200)
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
    }

    @Test func `a fork may have another clock`() throws {
        let harness = try Harness()
        let body = #"{"name":"f","from":"main","clock":{"mode":"frozen","now":"2031-01-01T00:00:00Z"}}"#
        try expectEqual(harness.call(.post, "/worlds", body).status, 201)
        try expectEqual(harness.call(.get, "/clock", world: "f").json.string("now"), "2031-01-01T00:00:00.000Z")
        _ = try harness.call(.post, "/clock/advance", #"{"by":"P1D"}"#, world: "f")
        _ = try harness.call(.post, "/reset", world: "f")
        try expectEqual(harness.call(.get, "/clock", world: "f").json.string("now"), "2031-01-01T00:00:00.000Z")
    }

    @Test func `a fork of an unknown world is 404 and makes none`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"f","from":"nowhere"}"#).problem, "404 unknown-world")
        try expectEqual(harness.call(.get, "/worlds").items.count, 1)
    }

    @Test func `a fork keeps its original's scenarios and can switch them off by itself`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/scenarios/omnichat/fractional-dates")
        _ = try harness.call(.post, "/worlds", #"{"name":"f","from":"main"}"#)
        _ = try harness.call(.delete, "/scenarios/omnichat/fractional-dates", world: "f")
        let (here, there) = (try harness.call(.get, "/settings"), try harness.call(.get, "/settings", world: "f"))
        expectEqual(here.json["omnichat"]?.string("dates"), "fractional")
        expectEqual(there.json["omnichat"]?.string("dates"), "whole")
    }
}
