import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, sections 1 and 9: `log` and `requests show`.
@Suite struct LogCommandTests {
    private func run(_ served: Served, _ words: [String], in folder: Folder? = nil) throws -> Program.Result {
        try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"], in: folder)
    }

    private func paths(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            line.split(separator: " ").first { $0.hasPrefix("/") }.map(String.init) ?? "?"
        }
    }

    @Test func `1 the newest 20 are shown, the oldest of them first, and filters narrow them`() throws {
        let served = try Served()
        try expectEqual(run(served, ["log"]).errors, "No requests yet.\n")
        for number in 1...25 { _ = try served.chat("GET", "/nowhere\(number)") }
        _ = try served.chat("GET", "/conversations?limit=2", token: try served.token())
        let all = try run(served, ["log"])
        #expect(all.status == 0 && all.errors.isEmpty)
        let expected = (7...25).map { "/api/v1/nowhere\($0)" } + ["/api/v1/conversations?limit=2"]
        expectEqual(paths(all.output), expected, "\(all.output)")
        try expectEqual(paths(run(served, ["log", "-n", "2"]).output), expected.suffix(2))
        #expect(try run(served, ["log", "-n", "0"]).output.isEmpty)
        try expectEqual(paths(run(served, ["log", "status:2xx"]).output), expected.suffix(1))
        try expectEqual(paths(run(served, ["log", "-n2", "-status:2xx"]).output), Array(expected.suffix(3).prefix(2)))
        try expectEqual(paths(run(served, ["log", "path:/api/v1/nowhere3"]).output), ["/api/v1/nowhere3"])
        try expectEqual(paths(run(served, ["log", "nowhere", "-path:**/nowhere2*"]).output).count, 18)
        try expectEqual(paths(run(served, ["log", "is:unmatched", "-n", "100"]).output).count, 25)
        try expectEqual(run(served, ["log", "status:5xx"]).errors, "No request matches.\n")
        let lines = try run(served, ["log", "--json", "-n", "3"]).output.split(separator: "\n")
        expectEqual(lines.count, 3)
        for line in lines { #expect(try JSONReader.read(text: String(line))["id"] != nil) }
        #expect(try run(served, ["log", "--api", "trendy"]).output.isEmpty)
    }

    @Test func `1 what a filter asks is asked of the server where it has the parameter`() throws {
        let served = try Served()
        for (words, query) in [
            (["status:4xx"], "limit=20&status=4xx"), (["status:404", "method:get"], "limit=20&status=404&method=GET"),
            (["path:/api/*/models", "-n", "3"], "limit=3&path=/api/*/models"), (["-status:4xx"], "limit=500"),
            (["status:4xx|5xx"], "limit=500"), (["status:4xx", "ms:>1"], "limit=500&status=4xx"),
            (["status:4xx", "status:404"], "limit=500&status=4xx"), (["status:700"], "limit=500"),
            (["path:/a%20b"], "limit=500"),
            (["method:PURGE"], "limit=500"), (["path:**/models"], "limit=500"), (["path:/{id}"], "limit=500"),
            (["path:/a**b"], "limit=500"),
        ] {
            let found = try run(served, ["log", "--explain"] + words)
            let line = "/__admin/requests?view=line&\(query)"
            #expect(found.output.contains(line + "'\n"), "\(words): \(found.output)")
            try expectEqual(run(served, ["log"] + words).status, 0, "\(words)")
        }
        _ = try served.chat("GET", "/conversations")
        _ = try served.chat("POST", "/nowhere")
        try expectEqual(
            paths(run(served, ["log", "method:get", "path:/api/**", "status:4xx"]).output),
            [
                "/api/v1/conversations"
            ]
        )
        try expectEqual(paths(run(served, ["log", "path:/api/*/nowhere"]).output), ["/api/v1/nowhere"])
    }

    @Test func `1 an exchange is shown whole, as curl that sends it again, and as an archive of one entry`() throws {
        let served = try Served()
        let token = try served.token()
        _ = try served.chat("GET", "/models")
        _ = try served.chat("POST", "/conversations", #"{"title":"it's"}"#, token: token)
        let shown = try run(served, ["requests", "show", "req_2"])
        #expect(shown.output.hasPrefix("POST /api/v1/conversations  200\n"), "\(shown.output)\(shown.errors)")
        #expect(shown.output.contains("\nRequest\n") && shown.output.contains("\"title\": \"it's\""), "\(shown.output)")
        try expectEqual(run(served, ["requests", "show", "req_2", "--json"]).json["seq"], 2)
        let folder = try Folder(["again.sh": try run(served, ["requests", "show", "req_2", "--curl"]).output])
        let again = try InstalledTool.run("sh", ["again.sh"], in: folder)
        #expect(again.output.contains("\"title\":\"it's\""), "\(again.output)\(again.errors)")
        let archive = try run(served, ["requests", "show", "req_2", "--har"])
        expectEqual(archive.json["log"]?["entries"]?.arrayValue?.count, 1)
        expectEqual(archive.json["log"]?["entries"]?[0]?["request"]?["method"], "POST")
        let missing = try run(served, ["requests", "show", "req_99"])
        #expect(missing.status == 1 && missing.errors.contains("no exchange \"req_99\""))
        try expectEqual(run(served, ["requests", "show", "req_2", "--har", "--curl"]).status, 2)
    }

    @Test func `9 log -f shows the newest, then what follows, each once, and held ones at their end`() throws {
        let served = try Served()
        for number in 1...3 { _ = try served.chat("GET", "/before\(number)") }
        let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
        let child = try Child(["log", "-f", "-n", "2", "-path:**/hidden"], environment: variables)
        func wait(_ count: Int) throws -> [String] {
            var found: [String] = []
            try Deadline().wait(for: "\(count) lines") {
                found = paths(try child.output())
                return found.count >= count
            }
            return found
        }
        try expectEqual(wait(2), ["/api/v1/before2", "/api/v1/before3"])
        _ = try served.chat("GET", "/hidden")
        _ = try served.chat("GET", "/after1")
        try expectEqual(wait(3).last, "/api/v1/after1")
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/models"}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/models"))
        _ = try served.control("GET", "/gates/g1?wait=60")
        _ = try served.chat("GET", "/after2")
        try expectEqual(wait(4).last, "/api/v1/after2")
        _ = try served.control("POST", "/gates/g1/release", "{}")
        try expectEqual(wait(5).last, "/api/models")
        #expect(try child.output().contains("gate g1"))
        child.signal(SIGTERM)
        _ = try child.waitForExit()
    }

    @Test func `1 a path that routes see otherwise stays in the journal, HAR and curl as it was sent`() throws {
        let served = try Served()
        let sent = "//api/v1/./user/profile"
        try expectEqual(Wire(port: served.api).ask("GET", sent).status, 401)
        let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["path"], "/api/v1/user/profile")
        expectEqual(entry?["pathSent"], .string(sent))
        let archive = try served.control("GET", "/requests.har").json["log"]?["entries"]?[0]
        expectEqual(archive?["request"]?["url"]?.stringValue?.hasSuffix("\(served.api)\(sent)"), true)
        let shown = try run(served, ["requests", "show", "req_1"]).output
        #expect(shown.contains("path sent   \(sent)"), "\(shown)")
        let folder = try Folder(["again.sh": try run(served, ["requests", "show", "req_1", "--curl"]).output])
        _ = try InstalledTool.run("sh", ["again.sh"], in: folder)
        let again = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        #expect(again?["seq"] != entry?["seq"] && again?["pathSent"] == .string(sent), "\(again?.text ?? "")")
    }

    @Test func `1 a text that a terminal is not shown is sent again as it was`() throws {
        let served = try Served()
        let sent = "--x\r\nContent-Type: text/plain\r\n\r\n50% of 'this' \\ that\u{1B}[0m \u{202E}\r\n--x--\r\n"
        _ = try Wire(port: served.api).ask("POST", "/api/v1/auth/apple", body: Array(sent.utf8))
        let shown = try run(served, ["requests", "show", "req_1", "--curl"]).output
        #expect(shown.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) }, "\(shown)")
        _ = try InstalledTool.run("sh", ["again.sh"], in: Folder(["again.sh": shown]))
        try expectEqual(served.control("GET", "/requests?limit=1").json["items"]?[0]?["body"]?["text"], .string(sent))
    }

    @Test func `1 log -f tells a request of before a reset from one of the same id after it`() throws {
        let served = try Served()
        let child = try Child(["log", "-f", "--url", "http://127.0.0.1:\(served.hub)"])
        func lines(_ count: Int) throws -> [Substring] {
            var found: [Substring] = []
            try Deadline().wait(for: "\(count) lines") {
                found = try child.output().split(separator: "\n")
                return found.count >= count
            }
            return found
        }
        _ = try served.chat("GET", "/conversation")
        #expect(try lines(1)[0].hasSuffix("unmatched: did you mean /api/v1/conversations?"))
        _ = try served.control("POST", "/reset", "")
        _ = try served.control("POST", "/faults", #"{"match":{"path":"/api/v1/gone"},"effect":{"status":503}}"#)
        _ = try served.chat("GET", "/gone")
        #expect(try lines(2)[1].hasSuffix("fault flt_1"))
        child.signal(SIGTERM)
        _ = try child.waitForExit()
    }

    @Test func `1 log -f goes on after a restart of the server`() throws {
        let first = try Served()
        let child = try Child(["log", "-f", "-n", "0", "--url", "http://127.0.0.1:\(first.hub)"])
        // The first line shows that it listens.
        var tries = 0
        try Deadline().wait(for: "a line") {
            if tries.isMultiple(of: 100) { _ = try first.chat("GET", "/one") }
            tries += 1
            return try child.output().contains("/one")
        }
        first.child.signal(SIGKILL)
        _ = try first.child.waitForExit()
        let second = try Child([
            "serve", "--quiet", "--api", "omnichat", "--port", "\(first.hub)", "--port-omnichat", "\(first.api)",
        ])
        try Deadline().wait(for: "the second server") { try second.output().contains("ready") }
        let ready = try JSONReader.read(text: try second.output())
        let port = try #require(ready["apis"]?["omnichat"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) })
        _ = try Wire(port: port).ask("GET", "/api/v1/two")
        try Deadline().wait(for: "the line of the second") { try child.output().contains("/two") }
        try Deadline().wait(for: "the word of the loss") { try child.errors().contains("is lost; trying again") }
        for process in [child, second] { process.signal(SIGKILL) }
    }

    @Test func `2 completion asks a running server, else the binary`() throws {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"checkout"}"#)
        _ = try served.control("POST", "/faults", #"{"effect":{"status":500}}"#)
        _ = try served.control("POST", "/gates", #"{"name":"g1"}"#)
        _ = try served.control("POST", "/snapshots", #"{"name":"s1"}"#)
        func offered(_ words: String..., url: Int? = nil) throws -> [String] {
            let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(url ?? served.hub)"]
            let result = try Program.run(["__complete"] + words, environment: variables)
            #expect(result.status == 0 && result.errors.isEmpty)
            return result.output.split(separator: "\n").map(String.init)
        }
        // A server that a busy machine lets answer too late is not waited for, so that these may need another try.
        try Deadline().wait(for: "a fault") { try offered("fault", "delete", "") == ["flt_1"] }
        try Deadline().wait(for: "a gate") { try offered("gate", "release", "g") == ["g1"] }
        try Deadline().wait(for: "a world") { try offered("world", "delete", "c") == ["checkout"] }
        try Deadline().wait(for: "the flag's world") { try offered("clock", "--world", "che") == ["checkout"] }
        try Deadline().wait(for: "a snapshot") { try offered("snapshot", "restore", "") == ["s1"] }
        try expectEqual(offered("clock", "f"), ["freeze"])
        try expectEqual(offered("log", "st"), ["status:"])
        try expectEqual(offered("scenario", "on", "omnichat/stream-cut"), ["omnichat/stream-cut-midway"])
        // Without a server.
        try expectEqual(offered("fault", "delete", "", url: 1), [])
        try expectEqual(offered("scenario", "on", "omnichat/stream-cut", url: 1), ["omnichat/stream-cut-midway"])
        try expectEqual(offered("settings", "get", "carbscan.apple.m", url: 1), ["carbscan.apple.mode"])
        try expectEqual(offered("reset", "--api", "tr", url: 1), ["trafikskola", "trendy"])
        try expectEqual(offered("state", "import", "", url: 1), ["@files"])
        try expectEqual(offered("nothing", "", url: 1), [])
    }

    @Test func `2 the help of every command fits 100 columns, with its flags in named groups and one example`() throws {
        let overview = try Program.run(["--help"]).output
        #expect(overview.contains("\n  --explain "))
        for line in overview.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        let commands = overview.split(separator: "\n").filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -")
        }
        for command in commands.compactMap({ $0.split(separator: " ").first.map(String.init) }) {
            let help = try Program.run([command, "--help"]).output
            for line in help.split(separator: "\n") where !line.hasPrefix("  understudy ") {
                #expect(line.count <= 100, "\(line)")
            }
            #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 62, "\(command)")
            #expect(help.components(separatedBy: "\nExample:\n").count <= 2)
        }
        let serve = try Program.run(["serve", "--help"]).output
        for group in ["Addresses", "TLS and phones", "World and time", "State", "Safety", "Logging"] {
            #expect(serve.contains("\n\(group):\n"), "\(group)")
        }
    }
}
