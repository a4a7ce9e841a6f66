import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 17: long work is done off the loop, without a difference in any response.
@Suite(.serialized) struct LongCallTests {
    private func busy(_ flags: [String] = Served.frozen, in folder: Folder? = nil) throws -> Served {
        let served = try Served(flags, in: folder)
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"rateLimits":"off"}}"#)
        let token = try served.token()
        let wire = try Wire(port: served.api)
        for _ in 0..<150 { _ = try wire.ask("GET", "/api/v1/conversations", token: token) }
        return served
    }

    @Test func `17 answers on a connection keep their order, whoever made them`() throws {
        let served = try busy()
        let alone = try served.control("GET", "/requests")
        let archive = try served.control("GET", "/requests.har")
        let wire = try Wire(port: served.hub)
        let paths = ["/requests", "/health", "/requests.har", "/clock", "/requests?limit=1", "/requests"]
        try wire.send(paths.flatMap { Wire.request("GET", "/__admin" + $0) })
        try expectEqual(wire.answer().bytes, alone.bytes)
        try expectEqual(wire.answer().json["status"], "ok")
        try expectEqual(wire.answer().bytes, archive.bytes)
        try expectEqual(wire.answer().json["mode"], "frozen")
        try expectEqual(wire.answer().json["items"]?.arrayValue?.count, 1)
        let last = try wire.answer()
        expectEqual(last.bytes, alone.bytes)
        #expect(last["Content-Length"] == "\(alone.bytes.count)" && last["Transfer-Encoding"] == nil)
        #expect(last["X-Total-Count"] == "150" && last["Date"] != nil)
    }

    @Test func `17 HEAD tells the length of a long list and sends none of it`() throws {
        let served = try busy()
        let length = try served.control("GET", "/requests").bytes.count
        let wire = try Wire(port: served.hub)
        let head = try wire.ask("HEAD", "/__admin/requests")
        expectEqual(head.status, 200)
        expectEqual(head["Content-Length"], "\(length)")
        try expectEqual(wire.ask("GET", "/__admin/health").status, 200)
    }

    @Test func `4 a world goes out and comes in again, through a worker both times`() throws {
        let served = try busy()
        let document = try served.control("GET", "/state").bytes
        _ = try served.control("POST", "/worlds", #"{"name":"copy"}"#)
        let answer = try Wire(port: served.hub).ask("PUT", "/@copy/__admin/state", body: document)
        expectEqual(answer.status, 200, "\(answer.text)")
        expectEqual(answer.json["requests"], 150)
        let again = try Wire(port: served.hub).ask("GET", "/@copy/__admin/state")
        let taken = try unnoted(String(decoding: document, as: UTF8.self))
        try expectEqual(unnoted(again.text), taken.putting("copy", at: ["name"]))
    }

    @Test func `4 an import and a long list are on disk before they are answered`() throws {
        let folder = try Folder([:])
        let served = try busy(Served.frozen + ["--state", "store"], in: folder)
        let document = try served.control("GET", "/state").bytes
        _ = try served.control("POST", "/worlds", #"{"name":"copy"}"#)
        let answer = try Wire(port: served.hub).ask("PUT", "/@copy/__admin/state", body: document)
        expectEqual(answer.status, 200)
        let before = try Wire(port: served.hub).ask("GET", "/@copy/__admin/requests").text
        served.child.signal(SIGKILL)
        try Deadline().wait(for: "its end") { !served.child.isRunning }
        let next = try Served(Served.frozen + ["--state", "store"], in: folder)
        try expectEqual(Wire(port: next.hub).ask("GET", "/@copy/__admin/requests").text, before)
    }

    @Test func `17 long calls of many connections are all answered, those who leave are forgotten`() throws {
        let served = try busy()
        let expected = try served.control("GET", "/requests").bytes
        let wires = try (0..<12).map { _ in try Wire(port: served.hub) }
        for wire in wires { try wire.send(Wire.request("GET", "/__admin/requests")) }
        for wire in wires.prefix(4) { wire.close() }
        for wire in wires.dropFirst(4) { try expectEqual(wire.answer().bytes, expected) }
        try expectEqual(served.control("GET", "/requests").bytes, expected)
    }

    @Test func `11 within over a long journal ends with the request that was waited for, and at its time`() throws {
        let served = try busy()
        let wire = try Wire(port: served.hub)
        let body = Array(#"{"match":{"path":"/api/v1/user/profile"},"within":"PT5M"}"#.utf8)
        try wire.send(Wire.request("POST", "/__admin/verify", body: body))
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = try served.chat("GET", "/user/profile")
        try expectEqual(wire.answer().json, ["verdict": "pass", "count": 1, "nearMisses": []])
        let short = Array(#"{"match":{"path":"/api/v1/never"},"within":"PT0.2S"}"#.utf8)
        try expectEqual(wire.ask("POST", "/__admin/verify", body: short).json["verdict"], "fail")
    }
}
