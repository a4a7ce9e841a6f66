import Emulation
import HTTPMessage
import JSON
import Testing

@testable import Control

/// Own-API contract, section 8: the calls for stubs.
@Suite struct StubCallTests {
    private static let hello =
        #"{"match":{"api":"omnichat","path":"/hello/{id}"},"response":{"text":"hi {{path.id}}"}}"#

    @Test func `8 a stub is added in front, listed, read and taken away`() throws {
        let harness = try Harness()
        let made = try harness.call(.post, "/stubs", Self.hello)
        #expect(made.status == 201)
        #expect(made.json.keys == ["id", "match", "response", "enabled", "hits", "source"])
        #expect(made.json.string("id") == "stb_1")
        #expect(made.json.string("source") == "call")
        #expect(try harness.call(.post, "/stubs", Self.hello).json.string("id") == "stb_2")
        #expect(try harness.chat(.get, "/hello/you").text == "hi you")
        let list = try harness.call(.get, "/stubs")
        #expect(list.items.map { $0.string("id") } == ["stb_2", "stb_1"])
        #expect(list.items.map { $0["hits"] } == [1, 0])
        #expect(list["X-Total-Count"] == "2")
        #expect(try harness.call(.get, "/stubs?limit=1&offset=1").items.map { $0.string("id") } == ["stb_1"])
        #expect(try harness.call(.get, "/stubs/stb_2").json["hits"] == 1)
        #expect(try harness.call(.delete, "/stubs/stb_2").status == 204)
        #expect(try harness.call(.get, "/stubs/stb_2").problem == "404 not-found")
        #expect(try harness.call(.delete, "/stubs/stb_2").problem == "404 not-found")
        #expect(try harness.call(.delete, "/stubs?source=file").problem == "400 invalid-parameter")
        #expect(try harness.call(.delete, "/stubs?source=call").status == 204)
        #expect(try harness.call(.get, "/stubs").items.isEmpty)
        #expect(try harness.call(.post, "/stubs", Self.hello).json.string("id") == "stb_3", "never given twice")
    }

    @Test func `8 on the hub a stub has to name its API`() throws {
        let harness = try Harness()
        let nameless = #"{"response":{"text":"all"}}"#
        let refused = try harness.call(.post, "/stubs", nameless)
        #expect(refused.problem == "422 invalid-body")
        #expect(refused.faults == ["$.match.api: is required on the hub, unless the query has api"])
        #expect(
            try harness.call(.post, "/stubs", #"{"match":{"api":"omnichatt"},"response":{}}"#).faults
                == ["$.match.api: must be one of omnichat; did you mean omnichat?"]
        )
        let made = try harness.call(.post, "/stubs?api=omnichat", nameless)
        #expect(made.json["match"] == ["api": "omnichat"])
        #expect(try harness.call(.post, "/stubs", nameless, entryPoint: .api(0)).status == 201)
        #expect(try harness.chat(.get, "/anything").text == "all")
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
        #expect(try order() == ["stb_3", "stb_2", "stb_1"])
        #expect(try add(2).status == 201)
        #expect(try add(5).status == 201)
        #expect(try order() == ["stb_3", "stb_4", "stb_2", "stb_1", "stb_5"])
        #expect(try add(7).faults == ["$.position: must be at most 6, the number of stubs and one"])
        #expect(try add(0).faults == ["$.position: must be a whole number from 1 to 10000"])
        #expect(try harness.call(.patch, "/stubs/stb_5", #"{"position":1}"#).status == 200)
        #expect(try order() == ["stb_5", "stb_3", "stb_4", "stb_2", "stb_1"])
        #expect(try harness.call(.patch, "/stubs/stb_5", #"{"position":5}"#).status == 200)
        #expect(try order() == ["stb_3", "stb_4", "stb_2", "stb_1", "stb_5"])
        #expect(try harness.call(.patch, "/stubs/stb_5", #"{"position":6}"#).problem == "422 invalid-body")
    }

    @Test func `8 PUT puts a whole new stub in its place`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        _ = try harness.call(.post, "/stubs?api=omnichat", #"{"match":{"path":"/other"},"response":{}}"#)
        _ = try harness.chat(.get, "/hello/you")
        let put = try harness.call(.put, "/stubs/stb_1", #"{"match":{"path":"/bye"},"response":{"text":"bye"}}"#)
        #expect(put.status == 200)
        #expect(put.json["hits"] == 0)
        #expect(put.json["match"] == ["api": "omnichat", "path": "/bye"])
        #expect(try harness.call(.get, "/stubs").items.map { $0.string("id") } == ["stb_2", "stb_1"])
        #expect(try harness.chat(.get, "/bye").text == "bye")
        #expect(try harness.call(.put, "/stubs/stb_9", Self.hello).problem == "404 not-found")
        #expect(try harness.call(.put, "/stubs/stb_1", "{}").problem == "422 invalid-body")
    }

    @Test func `8 PATCH changes what it names, and starts hits anew with a new match, window or answer`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        func patch(_ text: String) throws -> Played { try harness.call(.patch, "/stubs/stb_1", text) }
        func hit() throws { _ = try harness.chat(.get, "/hello/you") }
        try hit()
        #expect(try patch(#"{"name":"n","enabled":false}"#).json["hits"] == 1)
        #expect(try harness.chat(.get, "/hello/you").status == 404)
        #expect(try patch(#"{"enabled":true,"after":"cycle"}"#).json["hits"] == 1)
        try hit()
        let changed = try patch(#"{"name":null,"responses":[{"text":"a"},{"text":"b"}]}"#).json
        #expect(changed.keys == ["id", "match", "responses", "after", "enabled", "hits", "source"])
        #expect(changed["hits"] == 0)
        #expect(try (0..<3).map { _ in try harness.chat(.get, "/hello/you").text } == ["a", "b", "a"])
        #expect(try patch(#"{"when":{"skip":1}}"#).json["hits"] == 0)
        #expect(try patch(#"{"match":null}"#).json["match"] == ["api": "omnichat"])
        #expect(try patch("{}").faults == ["$: must have a member that is to be changed"])
        #expect(try patch(#"{"nam":"x"}"#).problem == "422 invalid-body")
        #expect(try patch(#"{"responses":null}"#).faults == ["$: must have exactly one of response and responses"])
        #expect(try patch(#"{"response":{"status":1}}"#).problem == "422 invalid-body")
        #expect(try harness.call(.get, "/stubs/stb_1").json["when"] == ["skip": 1])
    }

    @Test func `22 a world holds 10,000 stubs, one more is 409`() throws {
        let harness = try Harness()
        let hosted = try #require(harness.emulator[world: "main"])
        _ = try harness.call(.post, "/stubs", Self.hello)
        let spec = try #require(hosted.world.stubs.stubs.first).spec
        for _ in 0..<9_998 { hosted.world.stubs.add(spec, .call) }
        #expect(try harness.call(.post, "/stubs", Self.hello).status == 201)
        #expect(try harness.call(.post, "/stubs", Self.hello).problem == "409 too-many-stubs")
        #expect(try harness.call(.post, "/stubs", "{}").problem == "422 invalid-body")
    }

    @Test func `8 each write is told as an event`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        _ = try harness.call(.patch, "/stubs/stb_1", #"{"enabled":false}"#)
        _ = try harness.call(.delete, "/stubs/stb_1")
        let hosted = try #require(harness.emulator[world: "main"])
        let events = hosted.events.since(0).filter { $0.kind == .change }.map(\.json)
        #expect(events.map { $0.string("action") } == ["added", "changed", "deleted"])
        #expect(events.map { $0.string("part") } == ["stubs", "stubs", "stubs"])
        #expect(events.map { $0.string("name") } == ["stb_1", "stb_1", "stb_1"])
    }

    @Test func `8 a check tells what a match would have met, and changes nothing`() throws {
        let harness = try Harness()
        for path in ["/a/1", "/a/2", "/b/1"] { _ = try harness.chat(.get, path) }
        let found = try harness.call(.post, "/faults/check", #"{"match":{"path":"/a/{id}"},"limit":1}"#).json
        #expect(found["checked"] == 3)
        #expect(found["count"] == 2)
        #expect(found["requests"] == ["req_2"])
        #expect(found["nearMisses"]?[0]?["id"] == "req_3")
        #expect(found["nearMisses"]?[0]?["differences"] == ["path: expected /a/{id}, found /b/1"])
        #expect(try harness.call(.post, "/faults/check", "{}").faults == ["$.match: is required"])
        for (limit, status) in [(0, 422), (1, 200), (100, 200), (101, 422)] {
            #expect(try harness.call(.post, "/faults/check", #"{"match":{},"limit":\#(limit)}"#).status == status)
        }
        #expect(try harness.call(.get, "/requests").items.count == 3)
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
        #expect(nearest.first?.string("stub") == "stb_1")
        #expect(nearest.first?.string("path") == "/offers/{id}")
        #expect(nearest.first?.string("differs") == #"query.tier: expected "gold", found "silver""#)
        #expect(nearest.count == 3)
    }

    @Test func `4 an entry and its archive name source and stub`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/stubs", Self.hello)
        _ = try harness.chat(.get, "/hello/you")
        let entry = try #require(try harness.call(.get, "/requests").items.first)
        #expect(entry.string("source") == "stub")
        #expect(entry.string("stub") == "stb_1")
        #expect(entry.string("route") == "/hello/{id}")
        let archived = try harness.call(.get, "/requests.har").json["log"]?["entries"]?[0]
        #expect(archived?.string("_source") == "stub")
        #expect(archived?.string("_stub") == "stb_1")
    }
}
