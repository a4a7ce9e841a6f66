import Emulation
import Foundation
import HTTPMessage
import JSON
import Testing

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
        let events = try all(harness)
        #expect(events.map(\.name) == ["request", "clock", "scenario", "world", "reset"])
        #expect(events.map(\.id) == [1, 2, 3, 4, 5])
        for event in events {
            #expect(event.data["seq"]?.intValue == Int64(event.id))
            #expect(event.data["world"] == "main")
        }
        #expect(
            events[0].data.text
                == #"{"seq":1,"world":"main","at":"2025-01-01T12:00:00.000Z","id":"req_1","api":"omnichat","method":"GET","path":"/api/v1/conversations","status":200,"user":"test@icloud.com"}"#
        )
        #expect(events[1].data["now"] == "2025-01-01T12:01:00.000Z")
        #expect(events[1].data["mode"] == "frozen")
        #expect(events[2].data["name"] == "omnichat/unicode")
        #expect(events[2].data["active"] == true)
        #expect(events[3].data["action"] == "forked")
        #expect(events[3].data["from"] == "main")
        #expect(events[4].data["cancelled"] == 0)
    }

    @Test func `15 a fault that acted is an event, and is counted`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"name":"down","when":{"times":1},"effect":{"status":503}}"#)
        for _ in 0..<2 { _ = try harness.chat(.get, "/api/v1/conversations") }
        let faults = try all(harness).filter { $0.name == "fault" }
        #expect(faults.count == 1)
        #expect(faults[0].data["fault"] == "flt_1")
        #expect(faults[0].data["name"] == "down")
        #expect(faults[0].data["request"] == "req_1")
        #expect(faults[0].data["effect"]?.text == #"{"status":503}"#)
        let lines = try harness.call(.get, "/metrics").text.split(separator: "\n")
        #expect(lines.contains(#"understudy_faults_total{api="omnichat",effect="status"} 1"#))
    }

    @Test func `15 a watcher goes on after the event it saw last, and begins with the present`() throws {
        let harness = try Harness()
        for _ in 0..<5 { try harness.advance(1) }
        #expect(try all(harness, after: 3).map(\.id) == [4, 5])
        #expect(try all(harness, after: 5).isEmpty)
        #expect(try all(harness, after: 99).isEmpty)
        #expect(try frames(harness.call(.get, "/events")).isEmpty)
        #expect(harness.conductor.watched.count == 4)
    }

    @Test func `15 the numbers go on after a reset, and the latest thousand are kept`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/reset")
        _ = try harness.call(.post, "/reset")
        #expect(try all(harness).map(\.id) == [1, 2])
        for _ in 0..<2_500 { try harness.advance(1) }
        let kept = try all(harness)
        #expect(kept.last?.id == 2_502)
        #expect(kept.count >= EventLog.capacity && kept.count <= 2 * EventLog.capacity)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.id + 1 == $1.id })
    }

    @Test func `15 a world's events are its own, and main hears of all worlds`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/worlds", #"{"name":"w1"}"#)
        try harness.advance(5, world: "w1")
        #expect(try all(harness, world: "w1").map(\.name) == ["world", "clock"])
        _ = try harness.call(.delete, "/worlds/w1")
        let main = try all(harness)
        #expect(main.map(\.name) == ["world", "world"])
        #expect(main.map { $0.data["action"]?.stringValue } == ["created", "deleted"])
        #expect(main.map { $0.data["name"]?.stringValue } == ["w1", "w1"])
    }

    @Test func `15 a Last-Event-ID that is no number is refused`() throws {
        let harness = try Harness()
        for text in ["x", "-1", "1.5", "99999999999999999999999"] {
            #expect(
                try harness.call(.get, "/events", headers: [(.lastEventID, text)]).problem == "400 invalid-parameter"
            )
        }
        #expect(harness.conductor.watched.isEmpty)
    }

    // MARK: Metrics

    @Test func `15 requests are counted by api, route and status`() throws {
        let harness = try Harness()
        let token = try harness.token()
        for _ in 0..<3 { _ = try harness.chat(.get, "/api/v1/conversations", token: token) }
        _ = try harness.chat(.get, "/api/v1/conversations")
        _ = try harness.chat(.get, "/nowhere")
        let page = try harness.call(.get, "/metrics")
        #expect(page.contentType == "text/plain; version=0.0.4; charset=utf-8")
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
        #expect(
            items.map { $0["path"]?.stringValue } == [
                "/v1/conversations", "/api/v1/user/profile", "/api/v1/conversatons",
            ]
        )
        for item in items { #expect(item["nearest"]?.arrayValue?.count == 3) }
        let nearest = items.map { $0["nearest"]?.arrayValue?.first?.text }
        #expect(
            nearest[2]
                == #"{"method":"GET","path":"/api/v1/conversations","differs":"typo in the path: conversatons instead of conversations"}"#
        )
        #expect(nearest[1]?.contains(#""differs":"method PUT instead of "#) == true)
        #expect(nearest[0]?.contains("missing prefix /api") == true, "\(nearest)")
        #expect(try harness.call(.get, "/unmatched?limit=1").json["items"]?.arrayValue?.count == 1)
    }
}
