import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Own-API contract, section 8: the calls for stubs.
@Suite struct StubCallTests {
    private static let hello =
        #"{"match":{"api":"omnichat","path":"/hello/{id}"},"response":{"text":"hi {{path.id}}"}}"#

    @Test func `8 a stub is added in front, listed, read and taken away`() throws {
        let harness = try Harness()
        let made = try harness.call(.post, "/stubs", Self.hello)
        expectEqual(made.status, 201)
        expectEqual(made.json.keys, ["id", "match", "response", "enabled", "hits", "source"])
        expectEqual(made.json.string("id"), "stb_1")
        expectEqual(made.json.string("source"), "call")
        try expectEqual(harness.call(.post, "/stubs", Self.hello).json.string("id"), "stb_2")
        try expectEqual(harness.chat(.get, "/hello/you").text, "hi you")
        let list = try harness.call(.get, "/stubs")
        expectEqual(list.items.map { $0.string("id") }, ["stb_2", "stb_1"])
        expectEqual(list.items.map { $0["hits"] }, [1, 0])
        expectEqual(list["X-Total-Count"], "2")
        try expectEqual(harness.call(.get, "/stubs?limit=1&offset=1").items.map { $0.string("id") }, ["stb_1"])
        try expectEqual(harness.call(.get, "/stubs/stb_2").json["hits"], 1)
        try expectEqual(harness.call(.delete, "/stubs/stb_2").status, 204)
        try expectEqual(harness.call(.get, "/stubs/stb_2").problem, "404 not-found")
        try expectEqual(harness.call(.delete, "/stubs/stb_2").problem, "404 not-found")
        try expectEqual(harness.call(.delete, "/stubs?source=file").problem, "400 invalid-parameter")
        try expectEqual(harness.call(.delete, "/stubs?source=call").status, 204)
        #expect(try harness.call(.get, "/stubs").items.isEmpty)
        try expectEqual(harness.call(.post, "/stubs", Self.hello).json.string("id"), "stb_3", "never given twice")
    }

    @Test func `8 on the hub a stub has to name its API`() throws {
        let harness = try Harness()
        let nameless = #"{"response":{"text":"all"}}"#
        let refused = try harness.call(.post, "/stubs", nameless)
        expectEqual(refused.problem, "422 invalid-body")
        expectEqual(refused.faults, ["$.match.api: is required on the hub, unless the query names an API"])
        try expectEqual(
            harness.call(.post, "/stubs", #"{"match":{"api":"omnichatt"},"response":{}}"#).faults,
            ["$.match.api: must be one of omnichat; did you mean omnichat?"]
        )
        let made = try harness.call(.post, "/stubs?api=omnichat", nameless)
        expectEqual(made.json["match"], ["api": "omnichat"])
        try expectEqual(harness.call(.post, "/stubs", nameless, entryPoint: .api(0)).status, 201)
        try expectEqual(harness.chat(.get, "/anything").text, "all")
    }

    @Test func `8 position puts a stub elsewhere`() throws {
        let harness = try Harness()
        for _ in 0..<3 { _ = try harness.call(.post, "/stubs", Self.hello) }
        func order() throws -> [String] { try harness.call(.get, "/stubs").items.map { $0.string("id") } }
        func add(_ position: Int) throws -> Played {
            try harness.call(
                .post,
                "/stubs?api=omnichat",
                #"{"position":\#(position),"response":{}}"#
            )
        }
        try expectEqual(order(), ["stb_3", "stb_2", "stb_1"])
        try expectEqual(add(2).status, 201)
        try expectEqual(add(5).status, 201)
        try expectEqual(order(), ["stb_3", "stb_4", "stb_2", "stb_1", "stb_5"])
        try expectEqual(add(7).faults, ["$.position: must be at most 6, one more than the number of stubs"])
        try expectEqual(add(0).faults, ["$.position: must be a whole number from 1 to 10000"])
        try expectEqual(harness.call(.patch, "/stubs/stb_5", #"{"position":1}"#).status, 200)
        try expectEqual(order(), ["stb_5", "stb_3", "stb_4", "stb_2", "stb_1"])
        try expectEqual(harness.call(.patch, "/stubs/stb_5", #"{"position":5}"#).status, 200)
        try expectEqual(order(), ["stb_3", "stb_4", "stb_2", "stb_1", "stb_5"])
        try expectEqual(harness.call(.patch, "/stubs/stb_5", #"{"position":6}"#).problem, "422 invalid-body")
    }

    @Test func `8 PUT puts a whole new stub in its place`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        _ = try harness.call(.post, "/stubs?api=omnichat", #"{"match":{"path":"/other"},"response":{}}"#)
        _ = try harness.chat(.get, "/hello/you")
        let put = try harness.call(.put, "/stubs/stb_1", #"{"match":{"path":"/bye"},"response":{"text":"bye"}}"#)
        expectEqual(put.status, 200)
        expectEqual(put.json["hits"], 0)
        expectEqual(put.json["match"], ["api": "omnichat", "path": "/bye"])
        try expectEqual(harness.call(.get, "/stubs").items.map { $0.string("id") }, ["stb_2", "stb_1"])
        try expectEqual(harness.chat(.get, "/bye").text, "bye")
        try expectEqual(harness.call(.put, "/stubs/stb_9", Self.hello).problem, "404 not-found")
        try expectEqual(harness.call(.put, "/stubs/stb_1", "{}").problem, "422 invalid-body")
    }

    @Test func `8 PATCH changes what it names, and starts hits anew with a new match, window or answer`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        func patch(_ text: String) throws -> Played { try harness.call(.patch, "/stubs/stb_1", text) }
        func hit() throws { _ = try harness.chat(.get, "/hello/you") }
        try hit()
        try expectEqual(patch(#"{"name":"n","enabled":false}"#).json["hits"], 1)
        try expectEqual(harness.chat(.get, "/hello/you").status, 404)
        try expectEqual(patch(#"{"enabled":true,"after":"cycle"}"#).json["hits"], 1)
        try hit()
        let changed = try patch(#"{"name":null,"responses":[{"text":"a"},{"text":"b"}]}"#).json
        expectEqual(changed.keys, ["id", "match", "responses", "after", "enabled", "hits", "source"])
        expectEqual(changed["hits"], 0)
        try expectEqual((0..<3).map { _ in try harness.chat(.get, "/hello/you").text }, ["a", "b", "a"])
        try expectEqual(patch(#"{"when":{"skip":1}}"#).json["hits"], 0)
        try expectEqual(patch(#"{"match":null}"#).json["match"], ["api": "omnichat"])
        try expectEqual(patch("{}").faults, ["$: must have at least one member to change"])
        try expectEqual(patch(#"{"nam":"x"}"#).problem, "422 invalid-body")
        try expectEqual(patch(#"{"responses":null}"#).faults, ["$: must have exactly one of response and responses"])
        try expectEqual(patch(#"{"response":{"status":1}}"#).problem, "422 invalid-body")
        try expectEqual(harness.call(.get, "/stubs/stb_1").json["when"], ["skip": 1])
    }

    @Test func `22 a world holds 10,000 stubs, one more is 409`() throws {
        let harness = try Harness()
        let hosted = try #require(harness.emulator[world: "main"])
        _ = try harness.call(.post, "/stubs", Self.hello)
        let spec = try #require(hosted.world.stubs.stubs.first).spec
        for _ in 0..<9_998 { hosted.world.stubs.add(spec, .call) }
        try expectEqual(harness.call(.post, "/stubs", Self.hello).status, 201)
        try expectEqual(harness.call(.post, "/stubs", Self.hello).problem, "409 too-many-stubs")
        try expectEqual(harness.call(.post, "/stubs", "{}").problem, "422 invalid-body")
    }

    @Test func `8 each write is told as an event`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        _ = try harness.call(.patch, "/stubs/stb_1", #"{"enabled":false}"#)
        _ = try harness.call(.delete, "/stubs/stb_1")
        let hosted = try #require(harness.emulator[world: "main"])
        let events = hosted.events.since(0).filter { $0.kind == .change }.map(\.json)
        expectEqual(events.map { $0.string("action") }, ["added", "changed", "deleted"])
        expectEqual(events.map { $0.string("part") }, ["stubs", "stubs", "stubs"])
        expectEqual(events.map { $0.string("name") }, ["stb_1", "stb_1", "stb_1"])
    }

    @Test func `8 a check tells what a match would have met, and changes nothing`() throws {
        let harness = try Harness()
        for path in ["/a/1", "/a/2", "/b/1"] { _ = try harness.chat(.get, path) }
        let found = try harness.call(.post, "/faults/check", #"{"match":{"path":"/a/{id}"},"limit":1}"#).json
        expectEqual(found["checked"], 3)
        expectEqual(found["count"], 2)
        expectEqual(found["requests"], ["req_2"])
        expectEqual(found["nearMisses"]?[0]?["id"], "req_3")
        expectEqual(found["nearMisses"]?[0]?["differences"], ["path: expected /a/{id}, found /b/1"])
        try expectEqual(harness.call(.post, "/faults/check", "{}").faults, ["$.match: is required"])
        for (limit, status) in [(0, 422), (1, 200), (100, 200), (101, 422)] {
            try expectEqual(harness.call(.post, "/faults/check", #"{"match":{},"limit":\#(limit)}"#).status, status)
        }
        try expectEqual(harness.call(.get, "/requests").items.count, 3)
    }

    @Test func `4 unmatched names the nearest stub, and what differed`() throws {
        let harness = try Harness()
        _ = try harness.call(
            .post,
            "/stubs?api=omnichat",
            #"{"match":{"method":"GET","path":"/offers/{id}","query":{"tier":"gold"}},"response":{}}"#
        )
        _ = try harness.chat(.get, "/offers/7?tier=silver")
        let nearest = try #require(try harness.call(.get, "/unmatched").items.first?["nearest"]?.arrayValue)
        expectEqual(nearest.first?.string("stub"), "stb_1")
        expectEqual(nearest.first?.string("path"), "/offers/{id}")
        expectEqual(nearest.first?.string("differs"), #"query.tier: expected "gold", found "silver""#)
        expectEqual(nearest.count, 3)
    }

    @Test func `4 an entry and its archive name source and stub`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        _ = try harness.chat(.get, "/hello/you")
        let entry = try #require(try harness.call(.get, "/requests").items.first)
        expectEqual(entry.string("source"), "stub")
        expectEqual(entry.string("stub"), "stb_1")
        expectEqual(entry.string("route"), "/hello/{id}")
        let archived = try harness.call(.get, "/requests.har").json["log"]?["entries"]?[0]
        expectEqual(archived?.string("_source"), "stub")
        expectEqual(archived?.string("_stub"), "stb_1")
    }
}
