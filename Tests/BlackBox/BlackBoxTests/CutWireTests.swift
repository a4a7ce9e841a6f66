import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 3, 4 and 10: the effect of a reset, a deletion and a start on responses in progress.
@Suite(.serialized) struct CutWireTests {
    @Test(arguments: [("POST", "/reset", "not-found"), ("DELETE", "/worlds/w", "unknown-world")])
    func `10 a call that waits at a gate is answered when the gate goes`(
        method: String,
        path: String,
        slug: String
    ) throws {
        let served = try Served()
        try expectEqual(served.control("POST", "/worlds", #"{"name":"w"}"#).status, 201)
        func inWorld(_ method: String, _ path: String, _ body: String = "") throws -> WireAnswer {
            try Wire(port: served.hub).ask(method, "/@w/__admin" + path, body: Array(body.utf8))
        }
        try expectEqual(inWorld("POST", "/gates", #"{"name":"g"}"#).status, 201)
        let waiting = try Wire(port: served.hub)
        try waiting.send(Wire.request("GET", "/@w/__admin/gates/g?wait=60"))
        let verifying = try Wire(port: served.hub)
        let order = Array(#"{"match":{"path":"/never"},"within":"PT5M"}"#.utf8)
        try verifying.send(Wire.request("POST", "/@w/__admin/verify", body: order))
        // Both are there before what ends them.
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = path == "/reset" ? try inWorld(method, path) : try served.control(method, path)
        let answer = try waiting.answer()
        expectEqual(answer.status, 404)
        expectEqual(answer.json["type"], .string("/__admin/problems/\(slug)"))
        if method == "DELETE" { try expectEqual(verifying.answer().status, 404) }
    }

    @Test func `3 a reset of one API switches on the scenarios of the start of that API alone`() throws {
        let scenarios = ["--scenario", "omnichat/unicode", "trendy/after-reset"]
        let served = try Served(Served.frozen + scenarios)
        func active() throws -> [String] {
            let items = try served.control("GET", "/scenarios").json["items"]?.arrayValue ?? []
            return items.filter { $0["active"] == true }.compactMap { $0["name"]?.stringValue }
        }
        try expectEqual(active(), ["omnichat/unicode", "trendy/after-reset"])
        for name in ["omnichat/unicode", "trendy/after-reset"] {
            try expectEqual(served.control("DELETE", "/scenarios/\(name)").status, 200)
        }
        try expectEqual(served.control("POST", "/reset?api=trendy").status, 200)
        try expectEqual(active(), ["trendy/after-reset"])
        try expectEqual(served.control("POST", "/reset").status, 200)
        try expectEqual(active(), ["omnichat/unicode", "trendy/after-reset"])
    }

    @Test func `2 what people read is there when the ready line is, a made admin token included`() throws {
        let served = try Served(Served.frozen + ["--admin-token", "auto"])
        let text = try served.child.errors()
        #expect(text.contains("admin token"), "\(text)")
        let line = try #require(text.split(separator: "\n").first { $0.contains("admin token") })
        let token = try #require(line.split(separator: " ").last)
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/clock", fields: ["Authorization: Bearer \(token)"]))
        try expectEqual(wire.answer().status, 200)
    }
}
