import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, own credentials stay here: tokens of former starts, and secrets in a caller's id.
@Suite(.serialized) struct FormerAdminTokenTests {
    private let upstream: KeepingUpstream
    private let folder: Folder

    init() throws {
        upstream = try KeepingUpstream()
        folder = try Folder()
    }

    private func ask(_ served: Served, _ method: String, _ path: String, _ body: String, _ token: String) throws
        -> WireAnswer
    {
        try Wire(port: served.hub).ask(method, "/__admin" + path, body: Array(body.utf8), token: token)
    }

    private func spy(_ served: Served, _ token: String) throws {
        let order = #"{"api":"omnichat","mode":"spy","upstream":"\#(upstream.url)"}"#
        try expectEqual(ask(served, "PUT", "/mode", order, token).status, 200)
    }

    @Test func `13 an admin token of a former start stays ours after a restart with another one`() throws {
        let tokens = ["f1rst-adm1n-t0ken-4711", "sec0nd-adm1n-t0ken-4712", "th1rd-adm1n-t0ken-4713"]
        for (place, token) in tokens.enumerated() {
            let served = try Served(["--admin-token", token, "--state", "state"], in: folder)
            try expectEqual(ask(served, "GET", "/state", "", token).status, 200)
            for former in tokens[..<place] { try expectEqual(ask(served, "GET", "/state", "", former).status, 401) }
            try spy(served, token)
            for own in tokens[...place] {
                for carrier in [
                    Carrier(name: "field", fields: ["X-Custom: a \(own)"]),
                    Carrier(name: "query", path: "/x?t=\(own)"),
                    Carrier(name: "JSON", method: "POST", body: Array(#"{"a":"see \#(own)"}"#.utf8)),
                    Carrier(name: "Basic", fields: ["X-A: " + Data("u:\(own)".utf8).base64EncodedString()]),
                ] {
                    let wire = try Wire(port: served.api)
                    try wire.send(carrier.wire)
                    let answer = try wire.answer()
                    expectEqual(answer.status, 409, "\(place): \(own), \(carrier.name)")
                    expectEqual(answer.json["type"], "/__admin/problems/own-credential")
                }
            }
            // One that comes later is nobody's yet.
            for later in tokens[(place + 1)...] {
                let before = upstream.requests.count
                let wire = try Wire(port: served.api)
                try wire.send(Carrier(name: "", fields: ["X-Custom: a \(later)"]).wire)
                try expectEqual(wire.answer().status, 200)
                expectEqual(upstream.requests.count, before + 1)
            }
            served.child.signal(place == 0 ? SIGKILL : SIGTERM)
            _ = try served.child.waitForExit()
        }
        for request in upstream.requests {
            let text = String(decoding: request, as: UTF8.self)
            #expect(!text.contains(tokens[0]))
        }
    }

    @Test(arguments: ["record", "spy", "diff", "replay"])
    func `19 an own secret as the caller's X-Request-Id is echoed, and told nowhere else`(mode: String) throws {
        try folder.write(
            "recordings/m.har",
            #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}"#
        )
        let served = try Served(in: folder)
        let minted = try served.control(
            "POST",
            "/tokens",
            #"{"api":"trendy","user":"tracker@trendy.example","kind":"refresh"}"#
        )
        let secret = try #require(minted.json["token"]?.stringValue)
        let more =
            switch mode {
            case "replay": #","recording":"m.har","miss":"forward""#
            case "record": #","recording":"r.har""#
            default: ""
            }
        let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(upstream.url)"\#(more)}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        let since = try served.control("GET", "/requests").json["items"]?.arrayValue?.count ?? 0
        let watcher = try Wire(port: served.hub)
        try watcher.send(Wire.request("GET", "/__admin/events"))
        try watcher.wait(for: "\r\n\r\n")
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/x", fields: ["X-Request-Id: \(secret)"]))
        let answer = try wire.answer()
        #expect(answer.status == 409 && answer["X-Request-Id"] == secret && !answer.text.contains(secret))
        // An ordinary id of the caller's stays what it is.
        try wire.send(Wire.request("GET", "/api/v1/x", fields: ["X-Request-Id: plain-1"]))
        try expectEqual(wire.answer()["X-Request-Id"], "plain-1")
        try watcher.wait(for: "plain-1")
        let items = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        expectEqual(items.count, since + 2)
        let entry = try #require(items.first { $0["status"] == 409 })
        let key = try #require(entry["id"]?.stringValue)
        #expect(!key.isEmpty && key != "plain-1")
        for member in ["id", "headers", "responseHeaders"] {
            expectEqual(entry[member]?.text.contains(secret), false, "\(member)")
        }
        try expectEqual(served.control("GET", "/requests/\(key)").json["status"], 409)
        for path in ["/requests", "/requests.har", "/requests/\(key)", "/unmatched"] {
            #expect(try !served.control("GET", path).text.contains(secret), "\(path)")
        }
        #expect(!watcher.text.contains(secret))
        #expect(try !served.child.errors().contains(secret))
        if mode == "record" {
            let file = try String(contentsOf: folder.url.appendingPathComponent("recordings/r.har"), encoding: .utf8)
            #expect(!file.contains(secret))
        }
        #expect(!upstream.requests.contains { String(decoding: $0, as: UTF8.self).contains(secret) })
    }
}
