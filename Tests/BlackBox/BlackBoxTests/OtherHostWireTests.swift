import Foundation
import JSON
import TestSupport
import Testing

/// Proxy contract, section 7: hosts seen, and the verdicts on them, over the wire.
@Suite(.serialized) struct OtherHostWireTests {
    private struct Proxied {
        let served: Served
        let port: Int

        init(_ flags: [String] = []) throws {
            served = try Served(
                Served.frozen + [
                    "--proxy", "--ca", "ca", "--map", "api.example.com=omnichat", "--unmapped", "refuse",
                ] + flags,
                in: try Folder()
            )
            let url = served.ready["proxy"]?["url"]?.stringValue ?? ""
            guard let port = url.split(separator: ":").last.flatMap({ Int($0) }) else {
                throw TestError(description: "no proxy: \(served.ready.text)")
            }
            self.port = port
        }

        /// Sends requests on one connection.
        @discardableResult
        func ask(_ texts: String...) throws -> [WireAnswer] {
            let wire = try Wire(port: port)
            return try texts.map { text in
                try wire.send(Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
                return try wire.answer()
            }
        }

        func connect(_ host: String, world: String? = nil) throws {
            let field = world.map { "Proxy-Authorization: Basic \(Data("\($0):x".utf8).base64EncodedString())\n" } ?? ""
            try expectEqual(ask("CONNECT \(host):443 HTTP/1.1\nHost: a\n\(field)\n")[0].status, 403)
        }

        func verify(_ body: String, world: String? = nil) throws -> JSON {
            try served.control("POST", "/verify", body, world: world).json
        }

        func run(_ words: [String]) throws -> Program.Result {
            try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"])
        }
    }

    private static let other = #"{"noOtherHosts":true}"#

    @Test func `7 verify tells whether the world's clients asked for other hosts`() throws {
        let proxied = try Proxied(["--tunnel", "named.invalid"])
        try expectEqual(proxied.served.control("POST", "/worlds", #"{"name":"w1"}"#).status, 201)
        try proxied.ask("GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: a\n\n")
        // Passed on by name, and not reached.
        try expectEqual(proxied.ask("CONNECT named.invalid:443 HTTP/1.1\nHost: a\n\n")[0].status, 502)
        try expectEqual(proxied.verify(Self.other).text, #"{"verdict":"pass","count":1,"nearMisses":[]}"#)
        try expectEqual(proxied.run(["verify", "--no-other-hosts"]).status, 0)
        try proxied.connect("tracker.example", world: "w1")
        try expectEqual(proxied.verify(Self.other)["verdict"], "pass")
        let verdict = try proxied.verify(Self.other, world: "w1")
        expectEqual(verdict["verdict"], "fail")
        expectEqual(verdict["reason"], "the clients asked for other hosts: tracker.example:443")
        for words in [["verify", "--no-other-hosts"], ["verify", #"{"count":{"min":0}}"#, "--no-other-hosts"]] {
            let told = try proxied.run(words + ["--world", "w1"])
            expectEqual(told.status, 1, "\(words)")
            #expect(told.output.contains("tracker.example:443"), "\(told.output)")
        }
        try expectEqual(proxied.run(["verify"]).status, 2)
        try expectEqual(proxied.served.control("POST", "/reset", world: "w1").status, 200)
        try expectEqual(proxied.verify(Self.other, world: "w1")["verdict"], "pass")
    }

    @Test func `7 a verify that waits fails as soon as another host is asked for`() throws {
        let proxied = try Proxied()
        let wire = try Wire(port: proxied.served.hub)
        let body = #"{"noOtherHosts":true,"match":{"method":"PUT"},"within":"PT5M"}"#
        try wire.send(Wire.request("POST", "/__admin/verify", body: Array(body.utf8)))
        try expectEqual(proxied.served.control("GET", "/health").status, 200)
        try proxied.ask("GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: a\n\n")
        #expect(wire.text.isEmpty)
        try proxied.connect("tracker.example")
        let answer = try wire.answer()
        expectEqual(answer.json["verdict"], "fail")
        expectEqual(
            answer.json["reason"],
            "expected at least 1 request, found 0; the clients asked for other hosts: tracker.example:443"
        )
    }

    @Test func `7 conduct reports other hosts, in exec too`() throws {
        let proxied = try Proxied()
        let token = try proxied.served.token()
        let call =
            "GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: a\nAuthorization: Bearer \(token)\n\n"
        try expectEqual(proxied.ask(call)[0].status, 200)
        func rule(_ query: String = "") throws -> JSON? {
            try proxied.served.control("GET", "/conduct\(query)").json["rules"]?.arrayValue?.first {
                $0["id"] == "url/other-host"
            }
        }
        try expectEqual(rule()?["status"], "passed")
        try proxied.connect("tracker.example")
        try proxied.connect("tracker.example")
        let report = try proxied.served.control("GET", "/conduct").json
        expectEqual(report["verdict"], "pass")
        let finding = report["findings"]?.arrayValue?.first { $0["rule"] == "url/other-host" }
        expectEqual(finding?["route"], "tracker.example:443")
        expectEqual(finding?["severity"], "warning")
        expectEqual(finding?["requests"], [])
        expectEqual(finding?["count"], 2)
        try expectEqual(rule()?["status"], "failed")
        // One that was asked for before an exchange is not new after it.
        try proxied.ask(call)
        try expectEqual(rule("?since=2")?["findings"], 0)
        try proxied.connect("late.example")
        try expectEqual(rule("?since=2")?["findings"], 1)
        try expectEqual(proxied.served.control("GET", "/conduct?failOn=warning").json["verdict"], "fail")
        try expectEqual(proxied.served.control("POST", "/reset").status, 200)
        try expectEqual(rule()?["status"], "notExercised")
        guard TLSTool.path("python3") != nil else { return }
        let script = """
            import os, urllib.request
            try: urllib.request.urlopen("http://tracker.example/")
            except Exception as e: print(e)
            hub = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            hub.open(urllib.request.Request(os.environ["UNDERSTUDY_URL"] + "/__admin/reset", method="POST"))
            """
        for (level, code) in [("error", 0), ("warning", 1)] as [(String, Int32)] {
            let words = ["exec", "--proxy", "--conduct", level, "--", "python3", "-c", script]
            let result = try Program.run(words)
            expectEqual(result.status, code, result.errors)
            #expect(result.errors.contains("tracker.example:80"), "\(result.errors)")
        }
    }

    @Test func `7 the event host tells of a new item and of another outcome, in its world`() throws {
        let proxied = try Proxied()
        try expectEqual(proxied.served.control("POST", "/worlds", #"{"name":"w1"}"#).status, 201)
        let wire = try Wire(port: proxied.served.hub)
        try wire.send(Wire.request("GET", "/__admin/events"))
        try wire.wait(for: ": understudy")
        let api = "GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: a\n\n"
        try proxied.connect("elsewhere.example", world: "w1")
        try proxied.ask(api, api)
        try proxied.connect("tracker.example")
        try proxied.connect("tracker.example")
        try proxied.connect("last.example")
        try wire.wait(for: "last.example")
        try wire.wait(for: "url/other-host")
        let lines = wire.text.split(whereSeparator: \.isNewline)
        let events = try lines.indices.dropLast().filter { lines[$0] == "event: host" }.map {
            try JSONReader.read(Array(lines[$0 + 1].dropFirst("data: ".count).utf8))
        }
        expectEqual(
            events.map {
                "\($0["world"]?.stringValue ?? "") \($0["host"]?.stringValue ?? "") \($0["outcome"]?.stringValue ?? "")"
            },
            ["main api.example.com api", "main tracker.example refused", "main last.example refused"]
        )
        expectEqual(events.last?["reason"], "unmapped-host")
        expectEqual(events.last?["tunnels"], 1)
    }

    @Test func `4 a host is listed in the world that takes the request, however that is named`() throws {
        let proxied = try Proxied()
        for name in ["w1", "w2", "w3", "w4", "w5"] {
            try expectEqual(proxied.served.control("POST", "/worlds", #"{"name":"\#(name)"}"#).status, 201)
        }
        func get(_ path: String, _ fields: String = "") -> String {
            "GET http://api.example.com\(path) HTTP/1.1\nHost: api.example.com\n\(fields)\n"
        }
        let path = "/api/v1/conversations"
        let token = try proxied.served.token(world: "w3")
        try proxied.ask(
            get(path, "X-Understudy-World: w1\n"),
            get("/@w2" + path),
            get(path, "Authorization: Bearer \(token)\n"),
            get(path, "Proxy-Authorization: Basic \(Data("w4:x".utf8).base64EncodedString())\n"),
            get(path)
        )
        // Inside a tunnel of no world too.
        try proxied.ask(
            "CONNECT api.example.com:80 HTTP/1.1\nHost: a\n\n",
            "GET \(path) HTTP/1.1\nHost: api.example.com:80\nX-Understudy-World: w5\n\n"
        )
        for (world, requests) in [("w1", 1), ("w2", 1), ("w3", 1), ("w4", 1), ("w5", 1), ("main", 1)] {
            let items = try proxied.served.control("GET", "/hosts?world=\(world)").json["items"]?.arrayValue ?? []
            expectEqual(items.map { $0["requests"]?.intValue ?? 0 }, [Int64(requests)], world)
            let entries = try proxied.served.control("GET", "/requests", world: world).json["items"]?.arrayValue
            expectEqual(entries?.count, requests, world)
        }
    }
}
