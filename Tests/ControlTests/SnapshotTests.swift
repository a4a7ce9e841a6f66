import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 4: snapshots.
@Suite struct SnapshotTests {
    private func title(_ harness: Harness, _ token: String, world: String? = nil) throws -> [String] {
        let list = try harness.chat(.get, "/api/v1/conversations", token: token, world: world)
        return (list.json["conversations"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }

    private func make(_ title: String, _ harness: Harness, _ token: String) throws {
        let answer = try harness.chat(.post, "/api/v1/conversations", ["title": .string(title)], token: token)
        #expect(answer.status < 300, "\(answer.text)")
    }

    @Test func `4 a snapshot is taken, listed, restored and deleted`() throws {
        let harness = try Harness()
        let token = try harness.token()
        try make("before", harness, token)
        let before = try title(harness, token)
        let taken = try harness.call(.post, "/snapshots", #"{"name":"s1"}"#)
        expectEqual(taken.status, 201)
        let clock = #"{"mode":"frozen","now":"2025-01-01T12:00:00.000Z","rate":1}"#
        let item = #"{"name":"s1","createdAt":"2025-01-01T12:00:00.000Z","clock":\#(clock),"requests":2}"#
        expectEqual(taken.text, item)
        let list = try harness.call(.get, "/snapshots")
        expectEqual(list.text, #"{"items":[\#(item)]}"#)
        expectEqual(list[.totalCount], "1")

        try make("after", harness, token)
        try harness.advance(60)
        #expect(try title(harness, token) != before)
        harness.host.underWay = 3
        harness.host.calls = []
        let restored = try harness.call(.post, "/snapshots/s1/restore")
        expectEqual(restored.status, 200)
        expectEqual(restored.text, #"{"world":"main","snapshot":"s1","cancelled":3,"clock":\#(clock)}"#)
        expectEqual(harness.host.calls, [.cut(world: 0, api: nil), .moved(world: 0, now: Harness.noon, speed: 0)])
        try expectEqual(title(harness, token), before)

        try expectEqual(harness.call(.delete, "/snapshots/s1").status, 204)
        try expectEqual(harness.call(.get, "/snapshots").text, #"{"items":[]}"#)
        try expectEqual(harness.call(.delete, "/snapshots/s1").status, 404)
    }

    @Test func `4 restoring twice gives the same world twice, whatever happened between`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
        func walk() throws -> String {
            try make("x", harness, token)
            try harness.set(#"{"omnichat":{"dates":"fractional"}}"#)
            _ = try harness.call(.put, "/scenarios/omnichat/unicode")
            guard case .object(var document) = try harness.call(.get, "/state").json else { return "" }
            // A restore writes a note.
            document["notes"] = nil
            return JSON.object(document).text
        }
        let first = try walk()
        _ = try harness.call(.post, "/snapshots/s/restore")
        try expectEqual(walk(), first)
    }

    @Test func `4 a snapshot survives resets and belongs to its world`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#, world: "w")
        try expectEqual(harness.call(.get, "/snapshots").text, #"{"items":[]}"#)
        try expectEqual(harness.call(.post, "/snapshots/s/restore").status, 404)
        _ = try harness.call(.post, "/reset", world: "w")
        try expectEqual(harness.call(.get, "/snapshots", world: "w").items.count, 1)
        try expectEqual(harness.call(.post, "/snapshots/s/restore", world: "w").status, 200)
    }

    @Test func `4 names are 1 to 64 of the alphabet, and taken once`() throws {
        let harness = try Harness()
        let longest = String(repeating: "a", count: 64)
        try expectEqual(harness.call(.post, "/snapshots", #"{"name":"\#(longest)"}"#).status, 201)
        try expectEqual(harness.call(.post, "/snapshots", #"{"name":"\#(longest)a"}"#).status, 422)
        try expectEqual(harness.call(.post, "/snapshots", #"{"name":"\#(longest)"}"#).status, 409)
        for body in [
            #"{"name":""}"#, #"{"name":"A"}"#, #"{}"#, #"{"name":"a","x":1}"#, #"{"name":5}"#, #"{"name":"."}"#,
            #"{"name":".."}"#,
        ] {
            try expectEqual(harness.call(.post, "/snapshots", body).status, 422, "\(body)")
        }
        try expectEqual(
            harness.call(.post, "/snapshots/nobody/restore").json["type"],
            "/__admin/problems/unknown-snapshot"
        )
    }

    @Test func `4 a world keeps 1,000 snapshots and refuses the next`() throws {
        let harness = try Harness()
        for number in 1...1_000 {
            try expectEqual(harness.call(.post, "/snapshots", #"{"name":"s\#(number)"}"#).status, 201)
        }
        try expectEqual(harness.call(.post, "/snapshots", #"{"name":"one-more"}"#).status, 409)
        _ = try harness.call(.delete, "/snapshots/s5")
        try expectEqual(harness.call(.post, "/snapshots", #"{"name":"one-more"}"#).status, 201)
    }

    @Test func `4 a running clock goes on from where the snapshot stood`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-06-01T00:00:00Z","rate":2}"#)
        harness.passRealTime(.seconds(10))
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
        harness.passRealTime(.seconds(1_000))
        _ = try harness.call(.put, "/clock", #"{"mode":"real"}"#)
        let restored = try harness.call(.post, "/snapshots/s/restore").json
        expectEqual(restored["clock"]?.text, #"{"mode":"offset","now":"2030-06-01T00:00:20.000Z","rate":2}"#)
        harness.passRealTime(.seconds(5))
        try expectEqual(harness.call(.get, "/clock").json["now"], "2030-06-01T00:00:30.000Z")
    }

    @Test func `4 a world is made from a snapshot of the chosen world, or from a world of that name`() throws {
        let harness = try Harness()
        let token = try harness.token()
        try make("kept", harness, token)
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
        try make("later", harness, token)
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"copy","from":"s"}"#).status, 201)
        let fresh = try harness.token(world: "copy")
        let titles = try title(harness, fresh, world: "copy")
        #expect(titles.contains("kept"))
        #expect(!titles.contains("later"))
        let item = try harness.call(.get, "/worlds").items.first { $0["name"] == "copy" }
        expectEqual(item?["forkedFrom"], "s")
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"other","from":"nobody"}"#).status, 404)
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"other","from":"s"}"#, world: "copy").status, 404)
        _ = try harness.call(.post, "/worlds", #"{"name":"s"}"#)
        _ = try harness.call(.post, "/worlds", #"{"name":"third","from":"s"}"#)
        #expect(!(try title(harness, try harness.token(world: "third"), world: "third")).contains("kept"))
    }

    @Test func `4 what began before a restore changes nothing after it`() throws {
        let harness = try Harness()
        let hosted = try harness.hosted()
        let before = hosted.world.parts[0].generation
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
        _ = try harness.call(.post, "/reset")
        _ = try harness.call(.post, "/snapshots/s/restore")
        #expect(hosted.world.parts[0].generation > before + 1)
    }

    @Test func `4 taking and restoring cost the same however much data there is`() throws {
        let harness = try Harness()
        let token = try harness.token()
        try harness.set(#"{"omnichat":{"rateLimits":"off"}}"#)
        func cost() throws -> Duration {
            var best = Duration.seconds(100)
            for _ in 0..<5 {
                let taken = try ProcessorTime.measure {
                    _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
                    _ = try harness.call(.post, "/snapshots/s/restore")
                }
                _ = try harness.call(.delete, "/snapshots/s")
                best = min(best, taken)
            }
            return best
        }
        let small = try cost()
        for number in 0..<5_000 { try make("conversation \(number)", harness, token) }
        let large = try cost()
        // Five thousand rows more, and no more than a few times the cost: the machine is shared.
        #expect(large < small * 8 + .milliseconds(2), "\(small) \(large)")
    }
}
