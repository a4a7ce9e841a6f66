import Foundation
import JSON
import TestSupport
import Testing

/// Findings while somebody listens, over a socket (conduct contract, section 15).
@Suite struct FindingEventTests {
    /// A stream of a world's events that is judged already: what came before is not told.
    private func listen(_ served: Served, world: String = "main") throws -> Wire {
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", (world == "main" ? "" : "/@\(world)") + "/__admin/events"))
        try wire.wait(for: ": understudy")
        return wire
    }

    private func findings(_ wire: Wire) throws -> [JSON] {
        let lines = wire.text.split(whereSeparator: \.isNewline)
        return try lines.indices.dropLast().filter { lines[$0] == "event: finding" }.map {
            try JSONReader.read(Array(lines[$0 + 1].dropFirst("data: ".count).utf8))
        }
    }

    @Test func `conduct 15 a finding is told once, with the members of the contract in their order`() throws {
        let served = try Served()
        let wire = try listen(served)
        _ = try served.chat("GET", "/nothing")
        try wire.wait(for: "event: finding")
        try wire.wait(for: "Unknown route")
        _ = try served.chat("GET", "/nothing")
        _ = try served.chat("GET", "/conversations?q=a%2520b")
        try wire.wait(for: "url/double-encoded")
        let found = try findings(wire)
        let first = try #require(found.first { $0["rule"] == "url/unknown-route" })
        expectEqual(
            first.objectValue?.members.map(\.name),
            [
                "seq", "world", "at", "rule", "severity", "api", "method", "route", "fingerprint", "requests", "title",
            ]
        )
        expectEqual(first["severity"], "error")
        expectEqual(first["api"], "omnichat")
        expectEqual(first["world"], "main")
        expectEqual(first["route"], "/api/v1/nothing")
        expectEqual(first["requests"], ["req_1"])
        expectEqual(found.count { $0["rule"] == "url/unknown-route" }, 1)
        let report = try JSONReader.read(Array(try served.control("GET", "/conduct").text.utf8))
        let told = report["findings"]?.arrayValue?.first { $0["rule"] == "url/unknown-route" }
        expectEqual(told?["fingerprint"], first["fingerprint"])
        expectEqual(told?["count"], 2)
    }

    @Test func `conduct 15 what was there before, and what happens in another world, is not told`() throws {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"w1"}"#)
        _ = try served.chat("GET", "/nothing")
        let (main, other) = (try listen(served), try listen(served, world: "w1"))
        _ = try served.chat("GET", "/nothing")
        _ = try served.chat("GET", "/nowhere")
        try main.wait(for: "/api/v1/nowhere\",\"fingerprint")
        try expectEqual(
            findings(main).filter { $0["route"] == "/api/v1/nothing" && $0["rule"] == "url/unknown-route" },
            []
        )
        _ = try served.control("POST", "/worlds", #"{"name":"w2"}"#)
        try expectEqual(findings(other), [])
    }

    @Test func `conduct 15 after a reset the same is new again`() throws {
        let served = try Served()
        let wire = try listen(served)
        _ = try served.chat("GET", "/nothing")
        try wire.wait(for: "/api/v1/nothing\",\"fingerprint")
        _ = try served.control("POST", "/reset", "{}")
        _ = try served.chat("GET", "/nothing")
        _ = try served.chat("GET", "/nowhere")
        try wire.wait(for: "/api/v1/nowhere\",\"fingerprint")
        let told = try findings(wire).filter { $0["rule"] == "url/unknown-route" }
        expectEqual(told.map { $0["route"] }, ["/api/v1/nothing", "/api/v1/nothing", "/api/v1/nowhere"])
        expectEqual(told.map { $0["requests"] }, [["req_1"], ["req_1"], ["req_2"]])
    }
}
