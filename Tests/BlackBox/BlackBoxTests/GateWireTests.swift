import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 10: gates, from the sockets of those they hold.
@Suite(.serialized) struct GateWireTests {
    private static let refresh = "/api/v1/auth/refresh"

    private func startRefresh(_ served: Served, _ token: String, id: String) throws -> Wire {
        let wire = try Wire(port: served.api)
        try wire.send(
            Wire.request(
                "POST",
                Self.refresh,
                body: Array(#"{"refreshToken":"\#(token)"}"#.utf8),
                fields: ["X-Request-Id: \(id)"]
            )
        )
        return wire
    }

    private func held(_ served: Served, _ gate: String, count: Int) throws {
        try Deadline().wait(for: "\(count) held requests") {
            try served.control("GET", "/gates/\(gate)").json["held"]?.arrayValue?.count == count
        }
    }

    @Test(arguments: [["a", "b"], ["b", "a"]])
    func `10 two refreshes with one rotating token, released in either order`(order: [String]) throws {
        let served = try Served()
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"tokens":{"rotation":"on"}}}"#)
        let token = try served.token("refresh")
        let gate = #"{"name":"g1","match":{"method":"POST","path":"/api/v1/auth/*"},"phase":"before"}"#
        let made = try served.control("POST", "/gates", gate)
        expectEqual(made.status, 201)
        expectEqual(made.json["held"], [])
        let wires = ["a": try startRefresh(served, token, id: "a"), "b": try startRefresh(served, token, id: "b")]
        try held(served, "g1", count: 2)
        for entry in try served.control("GET", "/requests").json["items"]?.arrayValue ?? [] {
            expectEqual(entry["outcome"], "held")
            expectEqual(entry["status"], 0)
        }
        for (place, id) in order.enumerated() {
            let answer = try served.control("POST", "/gates/g1/release", #"{"held":["\#(id)"]}"#)
            expectEqual(answer.json["released"], [.string(id)])
            expectEqual(answer.json["passed"]?.intValue, Int64(place + 1))
            let got = try #require(wires[id]).answer()
            // The endpoint runs at the release, so that whoever is let go first has the token.
            expectEqual(got.status, place == 0 ? 200 : 401, "\(id): \(got.text)")
            expectEqual(got["X-Request-Id"], id)
        }
        let items = try served.control("GET", "/requests").json["items"]
        expectEqual(items?.arrayValue?.compactMap { $0["outcome"]?.stringValue }, ["delivered", "delivered"])
    }

    @Test(arguments: ["before", "after"])
    func `console 1 the effect of a release is the gate's and no fault's, also after a restart`(phase: String) throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--allow-prefer", "--state", folder.url.path]
        var served = try Served(flags)
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"api":"omnichat"},"phase":"\#(phase)"}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/models"))
        try held(served, "g1", count: 1)
        _ = try served.control("POST", "/gates/g1/release", #"{"effect":{"status":503}}"#)
        try expectEqual(wire.answer().status, 503)
        _ = try served.control("DELETE", "/gates/g1")
        let preferring = try Wire(port: served.api)
        try preferring.send(Wire.request("GET", "/api/v1/models", fields: ["Prefer: code=429"]))
        _ = try preferring.answer()
        for _ in 0..<2 {
            let lines = try served.control("GET", "/requests?view=line").json["items"]?.arrayValue ?? []
            #expect(lines.last?["gate"] == "g1" && lines.last?["fault"] == nil && lines.last?["status"] == 503)
            expectEqual(lines.first?["fault"], "prefer", "\(lines)")
            expectNil(lines.first?["gate"], "\(lines)")
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
            served = try Served(flags)
        }
    }

    @Test(arguments: ["before", "after"])
    func `console 1 a fault that acted beside the effect of a release is named`(phase: String) throws {
        let served = try Served()
        let fault = #"{"match":{"path":"/api/v1/models"},"effect":{"delay":{"ms":1}}}"#
        try expectEqual(served.control("POST", "/faults", fault).status, 201)
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"api":"omnichat"},"phase":"\#(phase)"}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/models"))
        try held(served, "g1", count: 1)
        _ = try served.control("POST", "/gates/g1/release", #"{"effect":{"status":418}}"#)
        try expectEqual(wire.answer().status, 418)
        let line = try served.control("GET", "/requests?view=line").json["items"]?[0]
        expectEqual(line?["gate"], "g1")
        expectEqual(line?["fault"], "flt_1")
        expectEqual(line?["status"], 418)
    }

    @Test func `console 28.11 the ends of requests that one call lets go are in its order`() throws {
        let served = try Served()
        let token = try served.token("access")
        for _ in 0..<20 {
            _ = try served.control("DELETE", "/requests")
            _ = try served.control("POST", "/gates", #"{"name":"g","match":{"path":"/api/v1/user/usage"}}"#)
            let wires = try (1...3).map { count in
                let wire = try Wire(port: served.api)
                let fields = ["X-Request-Id: r\(count)", "Authorization: Bearer \(token)"]
                try wire.send(Wire.request("GET", "/api/v1/user/usage", fields: fields))
                try held(served, "g", count: count)
                return wire
            }
            let order = ["r3", "r1", "r2"]
            let answer = try served.control("POST", "/gates/g/release", #"{"held":["r3","r1","r2"]}"#)
            expectEqual(answer.json["released"]?.arrayValue?.compactMap(\.stringValue), order)
            for wire in wires { try expectEqual(wire.answer().status, 200) }
            let items = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
            let ends = order.compactMap { id in items.first { $0["id"]?.stringValue == id }?["endedAt"]?.stringValue }
            #expect(ends.count == 3 && ends == ends.sorted(), "\(ends)")
            _ = try served.control("DELETE", "/gates/g")
        }
    }

    @Test func `11 the time at a gate is waiting, not receiving, whether it is let go or cut`() throws {
        let served = try Served()
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/v1/user/usage"}}"#)
        _ = try served.control("POST", "/gates", #"{"name":"g2","match":{"path":"/api/v1/**"},"phase":"after"}"#)
        func timings(_ id: String) throws -> (receive: Double, wait: Double) {
            let timings = try served.control("GET", "/requests/\(id)").json["timings"]
            return (timings?["receive"]?.doubleValue ?? -1, timings?["wait"]?.doubleValue ?? -1)
        }
        /// Real time passes while a call waits in vain for a second request.
        func pass() throws {
            _ = try served.control("POST", "/verify", #"{"match":{"path":"/none"},"within":"PT0.15S"}"#)
        }
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/user/usage", fields: ["X-Request-Id: let-go"]))
        try held(served, "g1", count: 1)
        try pass()
        _ = try served.control("POST", "/gates/g1/release")
        try held(served, "g2", count: 1)
        try pass()
        _ = try served.control("POST", "/gates/g2/release")
        try expectEqual(wire.answer().status, 401)
        let answered = try timings("let-go")
        #expect(answered.wait >= 290)
        #expect(answered.receive < answered.wait / 2)
        try wire.send(Wire.request("GET", "/api/v1/user/usage", fields: ["X-Request-Id: left"]))
        try held(served, "g1", count: 1)
        try pass()
        wire.abort()
        try Deadline().wait(for: "the end") { try timings("left").wait > 0 }
        #expect(try timings("left").wait >= 140)
        #expect(try timings("left").receive < 70)
    }

    @Test func `11 what is held here is cut in a copy: in a fork, and in a snapshot that is restored or forked`() throws
    {
        let served = try Served()
        func outcomes(_ world: String? = nil) throws -> [String] {
            let list = try served.control("GET", "/requests", world: world)
            return (list.json["items"]?.arrayValue ?? []).compactMap { $0["outcome"]?.stringValue }
        }
        try expectEqual(served.chat("GET", "/conversations", token: served.token()).status, 200)
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/v1/user/usage"}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/user/usage"))
        try held(served, "g1", count: 1)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"main"}"#)
        _ = try served.control("POST", "/snapshots", #"{"name":"s"}"#)
        _ = try served.control("POST", "/worlds", #"{"name":"late","from":"s"}"#)
        try expectEqual(outcomes(), ["held", "delivered"], "here it goes on")
        try expectEqual(outcomes("fork"), ["cut", "delivered"], "nothing would ever end it there")
        try expectEqual(served.control("GET", "/gates/g1", world: "fork").json["held"], [])
        try expectEqual(outcomes("late"), ["cut", "delivered"])
        _ = try served.control("POST", "/gates/g1/release")
        try expectEqual(wire.answer().status, 401)
        try expectEqual(outcomes(), ["delivered", "delivered"])
        try expectEqual(outcomes("fork"), ["cut", "delivered"])
        _ = try served.control("POST", "/snapshots/s/restore")
        try expectEqual(outcomes(), ["cut", "delivered"])
    }

    @Test func `10 a call with wait answers when something is held, or when its time is up`() throws {
        let served = try Served()
        try expectEqual(served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/**"}}"#).status, 201)
        let start = Date()
        let empty = try served.control("GET", "/gates/g1?wait=0.3")
        #expect(Date().timeIntervalSince(start) >= 0.28)
        expectEqual(empty.json, ["name": "g1", "held": [], "passed": 0])
        let waiting = try Wire(port: served.hub)
        try waiting.send(Wire.request("GET", "/__admin/gates/g1?wait=60"))
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations", fields: ["X-Request-Id: mine"]))
        try expectEqual(waiting.answer().json, ["name": "g1", "held": ["mine"], "passed": 0])
        try expectEqual(
            served.control("GET", "/gates/g1?wait=60").json["held"],
            ["mine"],
            "at once: it holds something"
        )
        for (query, status) in [("wait=60", 200), ("wait=61", 400), ("wait=-1", 400), ("wait=x", 400), ("wiat=1", 400)]
        {
            try expectEqual(served.control("GET", "/gates/g1?\(query)").status, status, "\(query)")
        }
        try expectEqual(served.control("DELETE", "/gates/g1").status, 204)
        try expectEqual(wire.answer().status, 401)
        try expectEqual(served.control("GET", "/gates/g1").status, 404)
    }

    @Test func `10 a waiting call whose client leaves, or whose gate goes, hangs nobody`() throws {
        let served = try Served()
        _ = try served.control("POST", "/gates", #"{"name":"g1"}"#)
        let gone = try Wire(port: served.hub)
        try gone.send(Wire.request("GET", "/__admin/gates/g1?wait=60"))
        gone.close()
        let waiting = try Wire(port: served.hub)
        try waiting.send(Wire.request("GET", "/__admin/gates/g1?wait=60"))
        // So that the call is there before the gate goes.
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = try served.control("DELETE", "/gates/g1")
        try expectEqual(waiting.answer().status, 404)
        try expectEqual(served.control("GET", "/health").status, 200)
    }

    @Test(arguments: ["before", "after"])
    func `8 a status at a gate's release comes as late as a delay has the answer`(phase: String) throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":3600000}},"on":"world"}"#)
        _ = try served.control("POST", "/gates", #"{"name":"g1","phase":"\#(phase)"}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/user/usage", fields: ["Prefer: wait=1"]))
        try held(served, "g1", count: 1)
        _ = try served.control("POST", "/gates/g1/release", #"{"effect":{"status":418}}"#)
        let advanced = try served.control("POST", "/clock/advance", #"{"seconds":3601}"#)
        #expect((advanced.json["fired"]?.intValue ?? 0) > 0)
        let answer = try wire.answer()
        expectEqual(answer.status, 418)
        expectEqual(answer["Preference-Applied"], "wait=1")
    }

    @Test func `10 an after gate holds the answer to a change that was made, and a release can break it`() throws {
        let served = try Served()
        let token = try served.token()
        let match = #"{"method":"POST","path":"/api/v1/conversations"}"#
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":\#(match),"phase":"after"}"#)
        let wires = try (0..<3).map { _ in
            let wire = try Wire(port: served.api)
            try wire.send(
                Wire.request(
                    "POST",
                    "/api/v1/conversations",
                    body: Array(#"{"title":"held","model":"gpt-4o"}"#.utf8),
                    token: token
                )
            )
            return wire
        }
        try held(served, "g1", count: 3)
        let list = try served.chat("GET", "/conversations", token: token)
        expectEqual(list.text.ranges(of: #""title":"held""#).count, 3)
        let first = try served.control("POST", "/gates/g1/release", #"{"count":1,"effect":{"status":503}}"#)
        expectEqual(first.json["released"]?.arrayValue?.count, 1)
        expectEqual(first.json["held"]?.arrayValue?.count, 2)
        try expectEqual(wires[0].answer().status, 503)
        _ = try served.control("POST", "/gates/g1/release", #"{"count":1,"effect":{"connection":"reset"}}"#)
        try wires[1].waitForEnd()
        #expect(wires[1].wasReset)
        _ = try served.control("POST", "/gates/g1/release")
        try expectEqual(wires[2].answer().status, 200)
    }

    @Test func `10 a request goes through one gate after the other`() throws {
        let served = try Served()
        for (name, phase) in [("one", "before"), ("two", "before"), ("three", "after")] {
            let body = #"{"name":"\#(name)","match":{"path":"/api/v1/conversations"},"phase":"\#(phase)"}"#
            try expectEqual(served.control("POST", "/gates", body).status, 201)
        }
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations", token: try served.token()))
        for name in ["one", "two", "three"] {
            try held(served, name, count: 1)
            #expect(wire.text.isEmpty)
            _ = try served.control("POST", "/gates/\(name)/release")
        }
        try expectEqual(wire.answer().status, 200)
        try expectEqual(served.control("GET", "/requests").json["items"]?.arrayValue?.count, 1)
    }

    @Test func `10 a reset cuts what gates hold, and counts it; the clock at the release counts`() throws {
        let served = try Served()
        let token = try served.token()
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/v1/conversations"}}"#)
        func start() throws -> Wire {
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", "/api/v1/conversations", token: token))
            return wire
        }
        let cut = try start()
        try held(served, "g1", count: 1)
        try expectEqual(served.control("POST", "/reset").json["cancelled"], 1)
        try cut.waitForEnd()
        #expect(cut.received.isEmpty)
        try expectEqual(served.control("GET", "/gates").json["items"], [])
        let fresh = try served.token()
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/v1/conversations"}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations", token: fresh))
        try held(served, "g1", count: 1)
        _ = try served.control("POST", "/clock/advance", #"{"by":"PT1H"}"#)
        _ = try served.control("POST", "/gates/g1/release")
        try expectEqual(wire.answer().error, "401 Invalid or expired token")
    }
}
