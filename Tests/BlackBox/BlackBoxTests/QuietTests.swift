import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 2: `--quiet` leaves only warnings and errors on standard error.
@Suite struct QuietTests {
    private static func recording(in folder: Folder) throws -> JSON {
        try JSONReader.read(Array(try Data(contentsOf: folder.url.appendingPathComponent("r.har"))))
    }

    @Test func `2 a quiet serve says nothing on standard error, and its ready line on standard output`() throws {
        let folder = try Folder()
        for flags in [[], ["--state", folder.url.path + "/new"], ["--log-format", "json"]] {
            let served = try Served(Served.frozen + flags, log: ["--quiet"])
            _ = try served.chat("GET", "/conversations", token: try served.token())
            _ = try served.control("POST", "/reset")
            _ = try served.chat("GET", "/nowhere")
            served.child.signal(SIGTERM)
            try expectEqual(served.child.waitForExit(), 143)
            try expectEqual(served.child.errors(), "", "\(flags)")
            try expectEqual(served.child.output().split(separator: "\n").count, 1)
        }
        let loud = try Served(log: [])
        #expect(try loud.child.errors().contains("is ready"))
    }

    @Test func `2 a quiet serve still warns: of what is exposed, and of the token that was made for it`() throws {
        let served = try Served(["--admin-token", "auto"])
        let text = try served.child.errors()
        #expect(text.contains("admin token") && !text.contains("is ready"), "\(text)")
        let open = try Served(["--host", "0.0.0.0"])
        let warning = try open.child.errors()
        #expect(warning.contains("EXPOSED") && warning.contains("admin token"), "\(warning)")
        #expect(!warning.contains("is ready"), "\(warning)")
    }

    @Test func `2 a quiet record and replay say nothing either`() throws {
        let backend = try Served()
        let folder = try Folder()
        let upstream = "http://127.0.0.1:\(backend.api)"
        let record = try Proxy(["record", "--upstream", upstream, "--out", "r.har"], in: folder)
        for _ in 0..<3 { _ = try record.ask("GET", "/api/v1/models") }
        record.child.signal(SIGTERM)
        try expectEqual(record.child.waitForExit(), 143)
        try expectEqual(record.child.errors(), "")
        let har = try Self.recording(in: folder)
        expectEqual(har["log"]?["entries"]?.arrayValue?.count, 3)
        let replay = try Proxy(["replay", "r.har"], in: folder)
        _ = try replay.ask("GET", "/api/v1/models")
        replay.child.signal(SIGTERM)
        try expectEqual(replay.child.waitForExit(), 143)
        try expectEqual(replay.child.errors(), "")
    }

    @Test func `2 a quiet exec says nothing of its own`() throws {
        let result = try Program.run(["exec", "--quiet", "--", "/bin/echo", "done"])
        expectEqual(result.status, 0)
        expectEqual(result.output, "done\n")
        #expect(result.errors.isEmpty, "\(result.errors)")
    }

    @Test func `17 a recording that may not grow any more is whole, and the answers go on`() throws {
        let backend = try Served()
        let folder = try Folder()
        let upstream = "http://127.0.0.1:\(backend.api)"
        let child = try Child(
            ["record", "--upstream", upstream, "--out", "r.har", "--api", "omnichat", "--port", "0", "--quiet"],
            in: folder,
            prelude: "ulimit -f 60"
        )
        var line = ""
        try Deadline().wait(for: "the ready line") {
            line = try child.output()
            return line.hasSuffix("\n") || !child.isRunning
        }
        let ready = try JSONReader.read(text: String(line.dropLast()))
        let port = try #require(
            ready["apis"]?["omnichat"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        let wire = try Wire(port: port)
        for _ in 0..<60 { try expectEqual(wire.ask("GET", "/api/v1/nowhere?a=1").status, 404) }
        child.signal(SIGTERM)
        try expectEqual(child.waitForExit(), 143)
        #expect(try child.errors().contains("the recording can't be written: "))
        let har = try Self.recording(in: folder)
        let count = har["log"]?["entries"]?.arrayValue?.count ?? 0
        #expect(count > 5 && count < 60, "\(count)")
    }
}
