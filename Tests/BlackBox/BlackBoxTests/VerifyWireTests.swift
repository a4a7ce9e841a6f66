import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 11: verification that waits, and the archive, over sockets.
@Suite(.serialized) struct VerifyWireTests {
    private func ask(_ served: Served, _ body: String) throws -> Wire {
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("POST", "/__admin/verify", body: Array(body.utf8)))
        return wire
    }

    @Test func `11 within: the verdict comes with the request that was waited for`() throws {
        let served = try Served()
        let wire = try ask(served, #"{"match":{"path":"/api/v1/conversations"},"count":{"min":2},"within":"PT5M"}"#)
        // Another connection's call is answered meanwhile.
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = try served.chat("GET", "/conversations")
        _ = try served.chat("GET", "/user/profile")
        try expectEqual(served.control("POST", "/requests/count", "{}").json["count"], 2)
        #expect(wire.text.isEmpty)
        _ = try served.chat("GET", "/conversations")
        try expectEqual(wire.answer().json, ["verdict": "pass", "count": 2, "nearMisses": []])
    }

    @Test func `11 within: real time counts, and its end is an answer`() throws {
        let served = try Served()
        let started = Date()
        let late = try ask(served, #"{"match":{"method":"PUT"},"within":"PT0.3S"}"#)
        _ = try served.control("POST", "/clock/advance", #"{"seconds":3600}"#)
        try expectEqual(late.answer().json.objectValue?["verdict"], "fail")
        #expect(Date().timeIntervalSince(started) >= 0.3)
        let exact = try ask(served, #"{"match":{"method":"GET"},"count":{"exactly":1},"within":"PT5M"}"#)
        // So that the call is there before the request.
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = try served.chat("GET", "/conversations")
        try expectEqual(exact.answer().json["verdict"], "pass", "with the request that was waited for")
    }

    @Test func `4 who waits for something in a world uses it`() throws {
        let served = try Served()
        let wire = try Wire(port: served.hub)
        let verify = #"{"match":{"method":"PUT"},"within":"PT1.5S"}"#
        // In one go, so that a busy machine does not come between them.
        try wire.send(
            Wire.request("POST", "/__admin/worlds", body: Array(#"{"name":"brief","ttlSeconds":0.5}"#.utf8))
                + Wire.request("POST", "/@brief/__admin/verify", body: Array(verify.utf8))
        )
        try expectEqual(wire.answer().status, 201)
        let answer = try wire.answer()
        expectEqual(answer.status, 200)
        expectEqual(answer.json.objectValue?["verdict"], "fail")
        try Deadline().wait(for: "the end of the world") {
            try !served.control("GET", "/worlds").text.contains("brief")
        }
    }

    @Test func `11 the archive of a running server is one that validate takes`() throws {
        let served = try Served()
        let token = try served.token()
        _ = try served.chat("GET", "/conversations", token: token)
        _ = try served.startStream(token).answer()
        _ = try Wire(port: served.api).ask("POST", "/api/v1/auth/apple", body: [0xFF, 0x00])
        _ = try served.control("POST", "/faults", #"{"effect":{"connection":"truncate","afterBytes":4}}"#)
        let cut = try Wire(port: served.api)
        try cut.send(Wire.request("GET", "/api/v1/conversations", token: token))
        try cut.waitForEnd()
        let archive = try served.control("GET", "/requests.har")
        expectEqual(archive["Content-Type"], "application/json; charset=utf-8")
        let entries = archive.json["log"]?["entries"]?.arrayValue ?? []
        expectEqual(entries.count, 4)
        expectEqual(entries[1]["_eventSourceMessages"]?.arrayValue?.isEmpty, false)
        expectEqual(entries[3]["response"]?["_error"]?.stringValue, "the answer was cut after 4 bytes of content")
        let folder = try Folder(["journal.har": archive.text])
        let checked = try Program.run(["validate", "journal.har"], in: folder)
        expectEqual(checked.status, 0, "\(checked.output)")
        #expect(!checked.errors.contains("note: "), "\(checked.errors)")
    }
}
