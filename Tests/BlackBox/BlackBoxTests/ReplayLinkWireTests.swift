import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, on the wire: where links lead, and what long requests give away.
@Suite(.serialized) struct ReplayLinkWireTests {
    private static let archive =
        #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"2025-01-01T12:00:00Z","time":1,"request":{"method":"GET","url":"https://api.example.com/a","headers":[],"queryString":[]},"response":{"status":200,"headers":[{"name":"Location","value":"https://api.example.com/b"},{"name":"Content-Type","value":"application/json"}],"content":{"size":2,"mimeType":"application/json","text":"{\"next\":\"https://api.example.com/a?page=2\",\"other\":\"https://other.example/\"}"}},"timings":{}}]}}"#

    @Test
    func `13 links of a replayed answer lead to where it was asked, with the world's prefix, unless they are kept`()
        throws
    {
        let folder = try Folder(["recordings/own.har": Self.archive])
        let served = try Served(in: folder)
        func order(_ more: String) throws -> WireAnswer {
            try served.control("PUT", "/mode", #"{"api":"omnichat","mode":"replay","recording":"own.har"\#(more)}"#)
        }
        try expectNil(order("").json["links"])
        try expectEqual(served.control("POST", "/worlds", #"{"name":"w"}"#).status, 201)
        let ways = [
            (served.api, "/a", "http://127.0.0.1"), (served.api, "/@w/a", "http://127.0.0.1/@w"),
            (served.hub, "/omnichat/a", "http://127.0.0.1/omnichat"),
            (served.hub, "/@w/omnichat/a", "http://127.0.0.1/@w/omnichat"),
        ]
        // Twice: the player keeps what it has made, for each way in.
        for (port, path, base) in ways + ways {
            let answer = try Wire(port: port).ask("GET", path)
            expectEqual(answer.json["next"]?.stringValue, "\(base)/a?page=2")
            expectEqual(answer["Location"], "\(base)/b")
            expectEqual(answer.json["other"], "https://other.example/")
        }
        let own = Wire.request("GET", "/a", fields: ["X-Request-Id: caller-1"])
        let wire = try Wire(port: served.api)
        try wire.send(own)
        try expectEqual(wire.answer()["X-Request-Id"], "caller-1")
        #expect(try wire.ask("GET", "/a")["X-Request-Id"] != "caller-1")
        try expectEqual(order(#","links":"keep""#).json["links"], "keep")
        try expectEqual(served.control("GET", "/mode?api=omnichat").json["links"], "keep")
        try expectEqual(Wire(port: served.api).ask("GET", "/a")["Location"], "https://api.example.com/b")
        let refused = try order(#","links":"there""#)
        expectEqual(refused.status, 422)
        expectEqual(refused.json["errors"]?[0]?["path"], "$.links")
    }

    @Test(arguments: ["spy", "diff", "record"])
    func `13 a long body with a token of ours is refused, and one without passes as it is`(mode: String) throws {
        let backend = try Backend()
        let folder = try Folder(["recordings/x": ""])
        let served = try Served(in: folder)
        let token = try served.token()
        let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(backend.url())","recording":"own.har"}"#
        try expectEqual(
            served.control(
                "PUT",
                "/mode",
                mode == "record" ? order : order.replacingOccurrences(of: #","recording":"own.har""#, with: "")
            ).status,
            200
        )
        for length in [64 * 1_024 - 400, 64 * 1_024 + 1, 1_000_000] {
            let padding = String(repeating: "z", count: length)
            let body = #"{"refreshToken":"\#(token)","foreign":"abcdef012345","keep":"\#(padding)"}"#
            let refused = try Wire(port: served.api)
            try refused.send(Wire.request("POST", "/echo", body: Array(body.utf8)))
            let refusal = try refused.answer()
            expectEqual(refusal.status, 409)
            expectEqual(refusal.json["type"], "/__admin/problems/own-credential")
            #expect(!refusal.text.contains(token))
            let innocent = body.replacingOccurrences(of: token, with: "")
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("POST", "/echo", body: Array(innocent.utf8), token: token))
            let answer = try wire.answer()
            if mode == "diff" {
                // The emulation answers; what went upstream is told by the differences alone.
                expectEqual(answer.status, 404)
            } else {
                #expect(!answer.text.contains(token))
                expectEqual(answer.json["body"]?.stringValue, innocent)
            }
        }
    }
}
