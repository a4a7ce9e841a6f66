import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, sections 7 to 10: the calls for faults, latency and gates.
@Suite struct FaultCallTests {
    private static let status = #"{"effect":{"status":503}}"#

    @Test func `8 a fault is added, listed with its hits, read, and taken away`() throws {
        let harness = try Harness()
        let order =
            #"{"name":"n","match":{"api":"omnichat","method":"GET","path":"/api/v1/**","query":{},"headers":{},"user":"test@icloud.com"},"when":{"skip":0,"times":2,"every":1,"probability":1},"phase":"before","effect":{"status":500}}"#
        let made = try harness.call(.post, "/faults", order)
        expectEqual(made.status, 201)
        expectEqual(made.json.keys, ["id", "name", "match", "when", "phase", "effect", "hits", "enabled", "source"])
        expectEqual(made.json.string("id"), "flt_1")
        try expectEqual(harness.call(.post, "/faults", Self.status).json.string("id"), "flt_2")
        _ = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        try expectEqual(harness.call(.get, "/faults/flt_1").json["hits"], 1)
        let list = try harness.call(.get, "/faults")
        expectEqual(list.items.map { $0.string("id") }, ["flt_1", "flt_2"])
        expectEqual(list["X-Total-Count"], "2")
        try expectEqual(harness.call(.get, "/faults?limit=1&offset=1").items.map { $0.string("id") }, ["flt_2"])
        try expectEqual(harness.call(.delete, "/faults/flt_1").status, 204)
        try expectEqual(harness.call(.get, "/faults/flt_1").problem, "404 not-found")
        try expectEqual(harness.call(.delete, "/faults/flt_1").problem, "404 not-found")
        try expectEqual(harness.call(.delete, "/faults").status, 204)
        #expect(try harness.call(.get, "/faults").items.isEmpty)
        try expectEqual(harness.call(.post, "/faults", Self.status).json.string("id"), "flt_3", "never given twice")
    }

    @Test func `8 what does not fit is 422 with its path and the nearest name, and nothing is added`() throws {
        let harness = try Harness()
        for (body, fault) in [
            (
                #"{"match":{"pth":"/x"},"effect":{"status":500}}"#,
                "$.match.pth: unknown member; allowed: api, method, path, query, headers, user, body, bodyText, connection; "
                    + "did you mean path?"
            ),
            (#"{"efect":{"status":500}}"#, "$.effect: is required"),
            (
                #"{"match":{"api":"omnichatt"},"effect":{"status":500}}"#,
                "$.match.api: must be one of omnichat; did you mean omnichat?"
            ),
            (
                #"{"when":{"times":0},"effect":{"status":500}}"#,
                "$.when.times: must be a whole number from 1 to 1000000000"
            ),
            (
                #"{"effect":{"connection":"rest"}}"#,
                "$.effect.connection: must be one of reset, empty, stall, truncate, garbage, malformed-chunk, close; did you mean reset?"
            ),
        ] {
            let answer = try harness.call(.post, "/faults", body)
            expectEqual(answer.problem, "422 invalid-body")
            expectEqual(answer.faults.first, fault)
        }
        try expectEqual(harness.call(.post, "/faults", "[]").problem, "422 invalid-body")
        try expectEqual(harness.call(.post, "/faults", "{").problem, "400 invalid-json")
        try expectEqual(harness.call(.post, "/faults", Self.status, type: "text/plain").status, 415)
        #expect(try harness.call(.get, "/faults").items.isEmpty)
    }

    @Test func `17 a world holds 1,000 faults, one more is 409`() throws {
        let harness = try Harness { $0.maximumFaults = 3 }
        for _ in 0..<3 { try expectEqual(harness.call(.post, "/faults", Self.status).status, 201) }
        try expectEqual(harness.call(.post, "/faults", Self.status).problem, "409 too-many-faults")
        try expectEqual(harness.call(.post, "/faults", #"{"effect":{}}"#).status, 422)
        try expectEqual(harness.call(.delete, "/faults/flt_2").status, 204)
        try expectEqual(harness.call(.post, "/faults", Self.status).status, 201)
        let standard = try Harness()
        for _ in 0..<1_000 { try expectEqual(standard.call(.post, "/faults", Self.status).status, 201) }
        try expectEqual(standard.call(.post, "/faults", Self.status).status, 409)
        try expectEqual(standard.chat(.get, "/api/v1/conversations").status, 503)
    }

    @Test func `17 a world holds 1,000 gates, one more is 409`() throws {
        let harness = try Harness()
        for _ in 0..<1_000 { try expectEqual(harness.call(.post, "/gates", "{}").status, 201) }
        try expectEqual(harness.call(.post, "/gates", "{}").problem, "409 too-many-gates")
        try expectEqual(harness.call(.delete, "/gates/gate-7").status, 204)
        try expectEqual(harness.call(.post, "/gates", "{}").status, 201)
        let few = try Harness { $0.maximumGates = 1 }
        try expectEqual(few.call(.post, "/gates", #"{"name":"a"}"#).status, 201)
        try expectEqual(few.call(.post, "/gates", #"{"name":"a"}"#).problem, "409 name-taken")
        try expectEqual(few.call(.post, "/gates", #"{"name":"b"}"#).problem, "409 too-many-gates")
    }

    @Test func `3 on an API's port a fault means that API`() throws {
        let harness = try Harness()
        let made = try harness.call(.post, "/faults", Self.status, entryPoint: .api(0))
        expectEqual(made.json["match"], ["api": "omnichat"])
        try expectEqual(harness.call(.post, "/faults", Self.status).json["match"], .object(JSONObject()))
        try expectEqual(harness.call(.get, "/faults", entryPoint: .api(0)).items.count, 2)
        try expectEqual(harness.call(.delete, "/faults", entryPoint: .api(0)).status, 204)
        try expectEqual(harness.call(.get, "/faults").items.map { $0.string("id") }, ["flt_2"])
        try expectEqual(harness.call(.put, "/latency?api=omnichat", #"{"profile":"3g"}"#).json.string("profile"), "3g")
        try expectEqual(harness.call(.get, "/latency").json, ["profile": "none"])
        try expectEqual(harness.call(.get, "/latency", entryPoint: .api(0)).json.string("profile"), "3g")
        // Set on the hub it means all APIs, those with one of their own too.
        try expectEqual(harness.call(.put, "/latency", #"{"profile":"lte"}"#).json.string("profile"), "lte")
        try expectEqual(harness.call(.get, "/latency", entryPoint: .api(0)).json.string("profile"), "lte")
        try expectEqual(harness.call(.put, "/latency?api=omnichat", #"{"profile":"3g"}"#).json.string("profile"), "3g")
        try expectEqual(harness.call(.get, "/latency").json.string("profile"), "lte")
        try expectEqual(harness.call(.put, "/latency", #"{"profile":"none"}"#).json.string("profile"), "none")
        try expectEqual(harness.call(.get, "/latency", entryPoint: .api(0)).json.string("profile"), "none")
        try expectEqual(harness.call(.put, "/latency?api=omnichat", #"{"profile":"3g"}"#).json.string("profile"), "3g")
    }

    @Test func `4 worlds have faults, latency and gates of their own, and a fork takes them along`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"a"}"#)
        _ = try harness.call(.post, "/faults", Self.status, world: "a")
        _ = try harness.call(.put, "/latency", #"{"profile":"lte"}"#, world: "a")
        _ = try harness.call(.post, "/gates", #"{"name":"g","match":{"method":"PUT"}}"#, world: "a")
        _ = try harness.call(.post, "/worlds", #"{"name":"b","from":"a"}"#)
        for (world, count) in [("main", 0), ("a", 1), ("b", 1)] {
            try expectEqual(harness.call(.get, "/faults", world: world).items.count, count)
            try expectEqual(harness.call(.get, "/gates", world: world).items.count, count)
            try expectEqual(
                harness.call(.get, "/latency", world: world).json.string("profile"),
                count == 0 ? "none" : "lte"
            )
        }
        _ = try harness.call(.post, "/reset", world: "a")
        #expect(try harness.call(.get, "/faults", world: "a").items.isEmpty)
        try expectEqual(harness.call(.get, "/faults", world: "b").items.count, 1)
    }

    @Test func `11 the journal has the fault that acted and every decision`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"name":"slow","when":{"skip":1},"effect":{"delay":{"ms":1}}}"#)
        _ = try harness.call(.post, "/faults", #"{"effect":{"status":418}}"#)
        for _ in 0..<2 { _ = try harness.chat(.get, "/api/v1/conversations") }
        let (second, first) = (
            try #require(try harness.call(.get, "/requests").items.first),
            try #require(try harness.call(.get, "/requests").items.last)
        )
        expectEqual(first["fault"], ["id": "flt_2", "phase": "before", "effect": ["status": 418]])
        expectEqual(first["decisions"]?[0]?["acted"], false)
        expectEqual(first["decisions"]?[0]?.string("reason"), "skip")
        expectEqual(second["decisions"]?[0]?["acted"], true)
        expectEqual(second["decisions"]?.arrayValue?.count, 2)
        expectEqual(second["fault"]?.string("id"), "flt_2")
    }

    @Test func `9 latency is read and set, none clears, and what does not fit is refused`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.get, "/latency").json, ["profile": "none"])
        for profile in LatencyProfile.all.map(\.name) {
            let answer = try harness.call(.put, "/latency", #"{"profile":"\#(profile)"}"#)
            expectEqual(answer.json, ["profile": .string(profile)])
        }
        let own =
            #"{"delay":{"lognormal":{"median":80,"p95":300},"max":900},"bytesPerSecond":100,"match":{"method":"GET"},"on":"world"}"#
        try expectEqual(harness.call(.put, "/latency", own).text, own)
        try expectEqual(harness.call(.get, "/latency").text, own)
        for (body, path) in [
            ("{}", "$.profile"), (#"{"profile":"LTE5"}"#, "$.profile"),
            (#"{"profile":"lte","delay":{"ms":1}}"#, "$.profile"),
            (#"{"delay":{"ms":-1}}"#, "$.delay.ms"), (#"{"delay":800}"#, "$.delay"),
            (#"{"delay":{"ms":1},"bytesPerSecond":0}"#, "$.bytesPerSecond"), (#"{"delay":{"ms":1},"on":"x"}"#, "$.on"),
            (#"{"delay":{"ms":1},"when":{}}"#, "$.when"), (#"{"profile":"none","on":"world"}"#, "$.profile"),
            (#"{"delay":{"exponential":{"mean":0}}}"#, "$.delay.exponential.mean"),
            (#"{"uploadBytesPerSecond":0}"#, "$.uploadBytesPerSecond"),
            (#"{"uploadBytesPerSecond":1,"match":{"body":{"a":1}}}"#, "$.match.body"),
        ] {
            let answer = try harness.call(.put, "/latency", body)
            expectEqual(answer.problem, "422 invalid-body", "\(body)")
            expectEqual(answer.faultPaths.first, path, "\(body): \(answer.faults)")
        }
        try expectEqual(harness.call(.get, "/latency").text, own, "nothing was changed")
        try expectEqual(harness.call(.put, "/latency", #"{"profile":"none"}"#).json, ["profile": "none"])
    }

    @Test func `9 each answer waits as drawn, the same in every run`() throws {
        func waits() throws -> [Int64] {
            let harness = try Harness()
            _ = try harness.call(.put, "/latency", #"{"delay":{"uniform":[10,500]},"match":{"method":"GET"}}"#)
            return try (0..<20).map { _ in
                let before = harness.hostTime.monotonic
                _ = try harness.chat(.get, "/api/v1/conversations")
                return (harness.hostTime.monotonic - before).wholeMilliseconds
            }
        }
        let first = try waits()
        try expectEqual(waits(), first)
        #expect(Set(first).count > 10)
        #expect(first.allSatisfy { (10...500).contains($0) })
    }

    @Test func `10 a gate is put up, refused where it does not fit, and unknown ones are 404`() throws {
        let harness = try Harness()
        let made = try harness.call(.post, "/gates", #"{"name":"g1","match":{"path":"/api/models"},"phase":"after"}"#)
        expectEqual(made.status, 201)
        let gate = #"{"name":"g1","match":{"path":"/api/models"},"phase":"after","held":[],"passed":0,"enabled":true}"#
        expectEqual(made.text, gate)
        try expectEqual(harness.call(.get, "/gates/g1").text, #"{"name":"g1","held":[],"passed":0}"#)
        for (body, path) in [
            (#"{"name":"a b"}"#, "$.name"), (#"{"name":""}"#, "$.name"), (#"{"phase":"during"}"#, "$.phase"),
            (#"{"match":{"x":1}}"#, "$.match.x"), (#"{"effect":{"status":500}}"#, "$.effect"),
            (#"{"name":"."}"#, "$.name"), (#"{"name":".."}"#, "$.name"),
        ] {
            try expectEqual(harness.call(.post, "/gates", body).faultPaths.first, path, "\(body)")
        }
        for (body, path) in [
            (#"{"count":0}"#, "$.count"), (#"{"effect":{"stat":1}}"#, "$.effect"), (#"{"held":["x"]}"#, "$.held[0]"),
            (#"{"effect":{"upload":{"rejectEarly":413}}}"#, "$.effect"), (#"{"cnt":1}"#, "$.cnt"),
        ] {
            try expectEqual(harness.call(.post, "/gates/g1/release", body).faultPaths.first, path, "\(body)")
        }
        try expectEqual(harness.call(.post, "/gates/g2/release").problem, "404 not-found")
        try expectEqual(harness.call(.delete, "/gates/g2").problem, "404 not-found")
        try expectEqual(harness.call(.get, "/gates/g1?wait=5").status, 200, "without a loop nobody waits")
    }

    @Test func `10 held requests are of one world: a fork has the gate and holds nothing`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/gates", #"{"name":"g1","match":{"path":"/api/v1/conversations"}}"#)
        let held = try harness.send(.get, "/omnichat/api/v1/conversations")
        expectEqual(held.ending, .held)
        try expectEqual(harness.call(.get, "/gates/g1").json["held"], [])
    }

    @Test func `8 what was not answered is found by its status, 0`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"effect":{"connection":"empty"},"when":{"times":1}}"#)
        for _ in 0..<2 { _ = try harness.chat(.get, "/api/v1/conversations") }
        let list = try harness.call(.get, "/requests?status=0")
        expectEqual(list.items.map { $0.string("id") }, ["req_1"])
        expectEqual(list.items.map { $0.string("outcome") }, ["cut"])
    }
}
