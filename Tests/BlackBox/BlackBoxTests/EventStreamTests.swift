import Foundation
import JSON
import TestSupport
import Testing

/// The event stream over a socket (control contract, section 15).
@Suite struct EventStreamTests {
    @Test func `15 events are sent as they happen, to those who watch that world`() throws {
        let served = try Served()
        let main = try Wire(port: served.hub)
        try main.send(Wire.request("GET", "/__admin/events"))
        try main.wait(for: ": understudy")
        #expect(main.text.contains("Content-Type: text/event-stream"))
        _ = try served.control("POST", "/worlds", #"{"name":"w1"}"#)
        try main.wait(for: #""action":"created","name":"w1""#)
        let other = try Wire(port: served.hub)
        try other.send(Wire.request("GET", "/@w1/__admin/events"))
        try other.wait(for: ": understudy")
        _ = try served.chat("GET", "/conversations")
        try main.wait(for: "event: request")
        try main.wait(for: #""path":"/api/v1/conversations","query":"","status":401"#)
        _ = try served.control("DELETE", "/worlds/w1")
        try other.wait(for: #""action":"deleted""#)
        // The end of the world is the end of its stream.
        try other.wait(for: "\r\n0\r\n\r\n")
        #expect(!other.text.contains("event: request"))
        try main.wait(for: #""action":"deleted""#)
    }

    @Test func `15 a stream is resumed after the event that was seen last`() throws {
        let served = try Served()
        for seconds in 1...3 { _ = try served.control("POST", "/clock/advance", #"{"seconds":\#(seconds)}"#) }
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events", fields: ["Last-Event-ID: 1"]))
        try wire.wait(for: "id: 3\n")
        #expect(wire.text.contains("id: 2\n"))
        #expect(!wire.text.contains("id: 1\n"))
    }

    @Test func `console 3 a mode is told when it has begun, also one that is prepared aside`() throws {
        let served = try Served()
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events"))
        try wire.wait(for: ": understudy")
        for (mode, more) in [("spy", #","upstream":"http://127.0.0.1:1""#), ("emulate", "")] {
            let answer = try served.control("PUT", "/mode?api=omnichat", #"{"mode":"\#(mode)"\#(more)}"#)
            expectEqual(answer.status, 200, "\(answer.text)")
            try wire.wait(for: #""part":"mode","action":"changed","name":"\#(mode)","api":"omnichat""#)
        }
    }

    @Test func `15 HEAD of the events has an end`() throws {
        let served = try Served()
        try expectEqual(Wire(port: served.hub).ask("HEAD", "/__admin/events").status, 200)
    }

    @Test func `15 the latency histogram counts the time that endpoints take, also of answers that are there at once`()
        throws
    {
        let served = try Served()
        for _ in 0..<20 { _ = try served.chat("GET", "/conversations") }
        let page = try served.control("GET", "/metrics").text
        let name = #"understudy_request_duration_seconds_sum{api="omnichat"} "#
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix(name) })
        #expect((Double(line.dropFirst(name.count)) ?? 0) > 0)
    }
}
