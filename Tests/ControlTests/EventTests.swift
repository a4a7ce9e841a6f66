import Backend
import Engine
import Foundation
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 15: events and metrics; section 11: requests without a route.
@Suite struct EventTests {
    /// The frames of a stream, as id, name and data.
    private func frames(_ played: Played) throws -> [(id: Int, name: String, data: JSON)] {
        try played.text.components(separatedBy: "\n\n").compactMap { frame in
            let lines = frame.split(separator: "\n").map(String.init)
            guard lines.count == 3 else { return nil }
            let id = try #require(Int(lines[0].dropFirst("id: ".count)))
            return (
                id, String(lines[1].dropFirst("event: ".count)),
                try JSONReader.read(text: String(lines[2].dropFirst(6)))
            )
        }
    }

    private func all(_ harness: Harness, after seq: Int = 0, path: String = "/events", world: String? = nil) throws
        -> [(
            id: Int, name: String, data: JSON
        )]
    {
        try frames(harness.call(.get, path, world: world, headers: [(.lastEventID, "\(seq)")]))
    }

    @Test func `15 each kind of event has an id, and its data number, world and time`() throws {
        let harness = try Harness()
        _ = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        try harness.advance(60)
        _ = try harness.call(.put, "/scenarios/omnichat/unicode")
        _ = try harness.call(.post, "/worlds", #"{"name":"w1","from":"main"}"#)
        _ = try harness.call(.post, "/reset")
        let whole = try all(harness)
        expectEqual(whole.map(\.id), Array(1...9))
        let events = whole.filter { $0.name != "note" }
        expectEqual(events.map(\.name), ["change", "request", "clock", "scenario", "world", "reset"])
        for event in events {
            expectEqual(event.data["seq"]?.intValue, Int64(event.id))
            expectEqual(event.data["world"], "main")
        }
        #expect(events[0].data["part"] == "users" && events[0].data["name"] == .string(Harness.user))
        expectEqual(events[1].data.string("path"), "/api/v1/conversations")
        expectEqual(events[2].data["now"], "2025-01-01T12:01:00.000Z")
        expectEqual(events[2].data["mode"], "frozen")
        expectEqual(events[3].data["name"], "omnichat/unicode")
        expectEqual(events[3].data["active"], true)
        expectEqual(events[4].data["action"], "forked")
        expectEqual(events[4].data["from"], "main")
        expectEqual(events[5].data["cancelled"], 0)
    }

    @Test func `15 a fault that acted is an event, and is counted`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"name":"down","when":{"times":1},"effect":{"status":503}}"#)
        for _ in 0..<2 { _ = try harness.chat(.get, "/api/v1/conversations") }
        let faults = try all(harness).filter { $0.name == "fault" }
        expectEqual(faults.count, 1)
        expectEqual(faults[0].data["fault"], "flt_1")
        expectEqual(faults[0].data["name"], "down")
        expectEqual(faults[0].data["request"], "req_1")
        expectEqual(faults[0].data["effect"]?.text, #"{"status":503}"#)
        let lines = try harness.call(.get, "/metrics").text.split(separator: "\n")
        #expect(lines.contains(#"understudy_faults_total{api="omnichat",effect="status"} 1"#))
    }

    @Test func `15 a watcher goes on after the event it saw last, and begins with the present`() throws {
        let harness = try Harness()
        for _ in 0..<5 { _ = try harness.call(.put, "/latency", #"{"profile":"none"}"#) }
        try expectEqual(all(harness, after: 3).map(\.id), [4, 5])
        #expect(try all(harness, after: 5).isEmpty)
        try expectEqual(all(harness, after: 99).map(\.name), ["gap"])
        #expect(try frames(harness.call(.get, "/events")).isEmpty)
        expectEqual(harness.host.watched.count, 4)
    }

    @Test func `15 the numbers go on after a reset, and the latest thousand are kept`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/reset")
        _ = try harness.call(.post, "/reset")
        try expectEqual(all(harness).map(\.id), [1, 2, 3, 4])
        for _ in 0..<1_250 { try harness.advance(1) }
        let last = Int(try harness.hosted().events.lastSeq)
        expectEqual(last, 2_504)
        var kept = try all(harness, after: last - EventLog.capacity)
        while let id = kept.last?.id, id < last { kept += try all(harness, after: id) }
        expectEqual(kept.count, EventLog.capacity)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.id + 1 == $1.id })
    }

    @Test func `15 a world's events are its own, and main hears of all worlds`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w1"}"#)
        try harness.advance(5, world: "w1")
        try expectEqual(all(harness, world: "w1").map(\.name), ["world", "clock", "note"])
        _ = try harness.call(.delete, "/worlds/w1")
        let main = try all(harness)
        expectEqual(main.map(\.name), ["world", "world"])
        expectEqual(main.map { $0.data["action"]?.stringValue }, ["created", "deleted"])
        expectEqual(main.map { $0.data["name"]?.stringValue }, ["w1", "w1"])
    }

    @Test func `15 a Last-Event-ID that is no number is refused`() throws {
        let harness = try Harness()
        for text in ["x", "-1", "1.5", "99999999999999999999999"] {
            try expectEqual(
                harness.call(.get, "/events", headers: [(.lastEventID, text)]).problem,
                "400 invalid-parameter"
            )
        }
        #expect(harness.host.watched.isEmpty)
    }

    // MARK: Metrics

    @Test func `15 requests are counted by api, route and status`() throws {
        let harness = try Harness()
        let token = try harness.token()
        for _ in 0..<3 { _ = try harness.chat(.get, "/api/v1/conversations", token: token) }
        _ = try harness.chat(.get, "/api/v1/conversations")
        _ = try harness.chat(.get, "/nowhere")
        let page = try harness.call(.get, "/metrics")
        expectEqual(page.contentType, "text/plain; version=0.0.4; charset=utf-8")
        let lines = page.text.components(separatedBy: "\n")
        let route = #"api="omnichat",method="GET",route="/api/v1/conversations""#
        #expect(lines.contains("understudy_requests_total{\(route),status=\"200\"} 3"))
        #expect(lines.contains("understudy_requests_total{\(route),status=\"401\"} 1"))
        #expect(
            lines.contains(#"understudy_requests_total{api="omnichat",method="any",route="unmatched",status="404"} 1"#)
        )
        #expect(lines.contains(#"understudy_request_duration_seconds_count{api="omnichat"} 5"#))
        #expect(lines.contains(#"understudy_request_duration_seconds_bucket{api="omnichat",le="+Inf"} 5"#))
        #expect(lines.contains("understudy_worlds 1"))
        #expect(lines.contains("understudy_open_connections 3"))
        #expect(lines.contains(#"understudy_info{version="9.8.7"} 1"#))
        let journal = try #require(lines.first { $0.hasPrefix("understudy_journal_bytes ") })
        #expect((Int(journal.split(separator: " ")[1]) ?? 0) > 1_000)
    }

    @Test func `15 every line of the metrics has the text form`() throws {
        let harness = try Harness()
        _ = try harness.chat(.get, "/api/v1/conversations")
        let text = try harness.call(.get, "/metrics").text
        #expect(text.hasSuffix("\n"))
        let sample = try Regex(#"[a-z_]+(\{([a-z]+="([^"\\]|\\.)*",?)+\})? [0-9.e+-]+"#)
        var family = ""
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
            guard !line.hasPrefix("#") else { continue }
            #expect(try sample.wholeMatch(in: line) != nil, "\(line)")
            #expect(line.hasPrefix(family), "\(line)")
        }
    }

    // MARK: Unmatched

    @Test func `11 a request that no route took shows the three nearest and what differed`() throws {
        let harness = try Harness()
        _ = try harness.chat(.get, "/api/v1/conversatons")
        _ = try harness.chat(.put, "/api/v1/user/profile")
        _ = try harness.chat(.get, "/v1/conversations")
        _ = try harness.chat(.get, "/api/v1/conversations")
        let items = try #require(try harness.call(.get, "/unmatched").json["items"]?.arrayValue)
        expectEqual(
            items.map { $0["path"]?.stringValue },
            [
                "/v1/conversations", "/api/v1/user/profile", "/api/v1/conversatons",
            ]
        )
        for item in items { expectEqual(item["nearest"]?.arrayValue?.count, 3) }
        let nearest = items.map { $0["nearest"]?.arrayValue?.first?.text }
        expectEqual(
            nearest[2],
            #"{"method":"GET","path":"/api/v1/conversations","differs":"typo in the path: conversatons instead of conversations"}"#
        )
        expectEqual(nearest[1]?.contains(#""differs":"method PUT instead of "#), true)
        expectEqual(nearest[0]?.contains("missing prefix /api"), true, "\(nearest)")
        try expectEqual(harness.call(.get, "/unmatched?limit=1").json["items"]?.arrayValue?.count, 1)
    }
}

/// Console contract, section 3.
@Suite struct ConsoleEventTests {
    private func events(_ harness: Harness, after seen: UInt64 = 0, api: String? = nil) throws -> [(String, JSON)] {
        let hosted = try harness.hosted()
        let stretch = hosted.events.frames(after: seen, of: api, atMost: .max, world: "main", at: hosted.world.core.now)
        return try stretch.frames.map { frame in
            let lines = String(decoding: frame, as: UTF8.self).split(separator: "\n").map(String.init)
            return (String(lines[1].dropFirst(7)), try JSONReader.read(text: String(lines[2].dropFirst(6))))
        }
    }

    @Test func `console 3 an exchange is told once, with the members of its line`() throws {
        let harness = try Harness()
        _ = try harness.chat(.get, "/api/v1/models?a=1")
        let told = try events(harness)
        expectEqual(told.map(\.0), ["request"])
        let line = try harness.call(.get, "/requests?view=line").items[0]
        expectEqual(
            told[0].1.keys,
            ["seq", "world", "at", "entry", "id"]
                + line.keys.filter { !["id", "seq", "at"].contains($0) }
        )
        for name in line.keys where name != "seq" { expectEqual(told[0].1[name], line[name], "\(name)") }
        expectEqual(told[0].1["entry"], 1)
    }

    @Test func `console 3 one that waits is told as held, and then how it ended`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"effect":{"delay":{"ms":500}}}"#)
        _ = try harness.chat(.get, "/api/v1/models")
        let told = try events(harness).filter { ["request", "outcome"].contains($0.0) }
        expectEqual(told.map(\.0), ["request", "outcome"])
        expectEqual(told[0].1.string("outcome"), "held")
        expectNil(told[0].1["ms"])
        expectEqual(
            told[1].1.keys.dropFirst(3),
            [
                "entry", "id", "api", "status", "outcome", "ms", "timings", "responseBytes", "endedAt",
            ]
        )
        expectEqual(told[1].1.string("outcome"), "delivered")
        expectEqual(told[1].1["entry"], told[0].1["entry"])
    }

    @Test func `console 3 gates, control calls and messages are told`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/gates", #"{"name":"g1"}"#)
        _ = try harness.chat(.get, "/a")
        _ = try harness.call(.patch, "/gates/g1", #"{"enabled":false}"#)
        _ = try harness.call(.delete, "/gates/g1")
        let gates = try events(harness).filter { $0.0 == "gate" }.map(\.1)
        expectEqual(gates.map { $0.string("action") }, ["added", "held", "changed", "deleted"])
        expectEqual(gates[1].keys, ["seq", "world", "at", "gate", "action", "request", "entry", "held"])
        #expect(gates[1].string("request") == "req_1" && gates[1]["entry"] == 1 && gates[1]["held"] == 1)
        let last = try harness.hosted().events.lastSeq
        _ = try harness.call(.post, "/faults", #"{"match":{"api":"omnichat"},"effect":{"status":500}}"#)
        _ = try harness.call(.patch, "/faults/flt_1", #"{"enabled":false}"#)
        _ = try harness.call(.put, "/faults", #"{"enabled":false}"#)
        _ = try harness.call(.delete, "/faults/flt_1")
        _ = try harness.call(.put, "/latency", #"{"profile":"lte"}"#)
        try harness.set(#"{"omnichat":{"rateLimits":"off"}}"#)
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
        _ = try harness.call(.delete, "/snapshots/s")
        _ = try harness.call(.post, "/users/test@icloud.com/revoke", #"{"tokens":"all"}"#)
        _ = try harness.call(.post, "/tokens", #"{"api":"omnichat","user":"test@icloud.com","kind":"access"}"#)
        _ = try harness.call(.post, "/tokens", #"{"api":"omnichat","user":"nobody","kind":"access"}"#)
        _ = try harness.call(.delete, "/requests")
        let changes = try events(harness, after: last).filter { $0.0 == "change" }.map(\.1)
        let said = changes.map {
            "\($0.string("part")) \($0.string("action")) \($0.string("name")) \($0.string("api"))"
        }
        expectEqual(
            said,
            [
                "faults added flt_1 omnichat", "faults changed flt_1 omnichat", "faults changed  ",
                "faults deleted flt_1 omnichat", "latency changed  ", "settings changed  omnichat",
                "snapshots added s ", "snapshots deleted s ", "users changed test@icloud.com ",
                "users changed test@icloud.com omnichat", "requests deleted  ",
            ]
        )
    }

    @Test func `console 3 what is not kept any more is told by a gap`() throws {
        let harness = try Harness()
        for _ in 0..<1_001 { _ = try harness.call(.put, "/latency", #"{"profile":"none"}"#) }
        let first = try events(harness)[0]
        expectEqual(first.0, "gap")
        expectEqual(first.1.text, #"{"seq":1,"world":"main","at":"2025-01-01T12:00:00.000Z","from":1,"to":1}"#)
        try expectEqual(events(harness, after: 1).count, 1_000)
        try expectEqual(events(harness, after: 1)[0].0, "change")
        let foreign = try events(harness, after: 5_000)
        #expect(foreign.count == 1 && foreign[0].1["from"] == 1 && foreign[0].1["to"] == 1_001)
        let resumed = try harness.call(.get, "/events", headers: [(.lastEventID, "0")])
        #expect(resumed.text.contains("id: 1\nevent: gap\n"))
    }
}
