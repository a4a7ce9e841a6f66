import Foundation
import JSON
import TestSupport
import Testing

/// Section 12 of the conduct contract: `understudy conduct` and `exec --conduct`.
@Suite struct ConductCommandTests {
    /// An archive with a request that is sent again after a 401.
    static func archive(_ host: String = "api.example.com", repeats: Int = 2) -> String {
        let entries = (0..<repeats).map { turn in
            """
            {"startedDateTime":"2026-05-01T10:00:0\(turn * 2).000Z","time":20,"request":{"method":"GET",
            "url":"https://\(host)/v1/items","httpVersion":"HTTP/1.1","cookies":[],"headers":[{"name":"User-Agent",
            "value":"App/1"},{"name":"Authorization","value":"Bearer abcdefghijklmnop"}],"queryString":[],"headersSize":-1,
            "bodySize":0},"response":{"status":401,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],
            "content":{"size":0,"mimeType":"application/json"},"redirectURL":"","headersSize":-1,"bodySize":2},
            "cache":{},"timings":{"send":0,"wait":20,"receive":0},"serverIPAddress":"192.0.2.1"}
            """
        }
        return #"{"log":{"version":"1.2","creator":{"name":"Proxyman","version":"5"},"entries":["#
            + entries.joined(separator: ",") + "]}}"
    }

    private func folder() throws -> Folder {
        try Folder(["bad.har": Self.archive(), "good.har": Self.archive(repeats: 1)])
    }

    private func text(_ name: String, in folder: Folder) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    // MARK: Files

    @Test func `conduct 12 files are judged without a server`() throws {
        let folder = try folder()
        let bad = try Program.run(["conduct", "bad.har"], in: folder)
        expectEqual(bad.status, 1)
        #expect(bad.output.contains("error auth/repeat-after-401"))
        expectEqual(bad.output.split(separator: "\n").last?.hasPrefix("conduct: fail, 1 error, 0 warnings, "), true)
        let good = try Program.run(["conduct", "good.har"], in: folder)
        expectEqual(good.status, 0)
        try expectEqual(Program.run(["conduct", "--fail-on", "never", "bad.har"], in: folder).status, 0)
        try expectEqual(Program.run(["conduct", "--rule", "poll/*", "retry/*", "bad.har"], in: folder).status, 0)
        try expectEqual(Program.run(["conduct", "--rule=auth/*", "bad.har"], in: folder).status, 1)
        try expectEqual(Program.run(["conduct", "--host", "*.example.net", "bad.har"], in: folder).status, 0)
        let required = try Program.run(["conduct", "--require", "poll/after-the-end", "good.har"], in: folder)
        expectEqual(required.status, 1)
        #expect(required.output.contains("required and not exercised: poll/after-the-end"))
    }

    @Test func `conduct 12 formats go to files, and one to standard output`() throws {
        let folder = try folder()
        let words = ["conduct", "--format", "json", "junit=report.xml", "--format=sarif=r.sarif", "bad.har"]
        let result = try Program.run(words, in: folder)
        expectEqual(result.status, 1, "\(result.errors)")
        expectEqual(result.json["format"], "understudy-conduct")
        expectEqual(result.json["files"], ["bad.har"])
        expectEqual(result.json["world"], .null)
        expectEqual(result.json["findings"]?[0]?["requests"], ["entries[0]", "entries[1]"])
        #expect(try text("report.xml", in: folder).hasPrefix("<?xml"))
        try expectEqual(JSONReader.read(text: text("r.sarif", in: folder))["version"], "2.1.0")
        // Nothing but the files is left behind.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        expectEqual(left, ["bad.har", "good.har", "r.sarif", "report.xml"])
    }

    @Test func `conduct 12 a workflow of GitHub gets annotations and a summary`() throws {
        let folder = try folder()
        try folder.write("summary.md", "before\n")
        let environment = [
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.url.appendingPathComponent("summary.md").path,
        ]
        let result = try Program.run(["conduct", "bad.har"], environment: environment, in: folder)
        #expect(result.output.contains("::error title=auth/repeat-after-401::"))
        #expect(try text("summary.md", in: folder).hasPrefix("before\n# Conduct: fail\n"))
        let json = try Program.run(["conduct", "--format", "json", "bad.har"], environment: environment, in: folder)
        expectEqual(json.json["verdict"], "fail")
        #expect(json.errors.contains("::error title=auth/repeat-after-401::"))
    }

    @Test func `conduct 12 a baseline is written and then counts no more`() throws {
        let folder = try folder()
        try expectEqual(Program.run(["conduct", "--write-baseline", "base.json", "bad.har"], in: folder).status, 0)
        let baseline = try JSONReader.read(text: text("base.json", in: folder))
        expectEqual(baseline["format"], "understudy-conduct-baseline")
        expectEqual(baseline["version"], 1)
        expectEqual(baseline["findings"]?[0]?["rule"], "auth/repeat-after-401")
        let known = try Program.run(["conduct", "--baseline", "base.json", "bad.har"], in: folder)
        expectEqual(known.status, 0)
        #expect(known.output.contains("suppressed auth/repeat-after-401"))
        let gone = try Program.run(["conduct", "--baseline", "base.json", "good.har"], in: folder)
        #expect(gone.output.contains("baseline: auth/repeat-after-401 /v1/items is gone"))
        try folder.write("base.json", "{}")
        let broken = try Program.run(["conduct", "--baseline", "base.json", "bad.har"], in: folder)
        expectEqual(broken.status, 2)
        #expect(broken.errors.contains("base.json:1: $.format: must be"))
    }

    @Test func `conduct 11 files are judged by the settings of the configuration file`() throws {
        let folder = try folder()
        try folder.write("understudy.json", #"{"conduct":{"rules":{"auth/repeat-after-401":{"times":2}}}}"#)
        try expectEqual(Program.run(["conduct", "bad.har"], in: folder).status, 0)
        try folder.write("understudy.json", "{\n\"conduct\":{\"rules\":{\"auth/repeat-after-402\":null}}}")
        let refused = try Program.run(["conduct", "bad.har"], in: folder)
        expectEqual(refused.status, 2)
        #expect(refused.errors.contains("understudy.json:2: $.conduct.rules.auth/repeat-after-402: "))
        #expect(refused.errors.contains("did you mean auth/repeat-after-401?"))
    }

    @Test(arguments: [
        (["--user", "anna", "bad.har"], "--user can't be combined with files"),
        (["--since", "1", "bad.har"], "--since can't be combined with files"),
        (["--world", "*", "bad.har"], "--world can't be combined with files"), (["--host", "x"], "requires files"),
        (["--format", "jason", "bad.har"], "did you mean json?"),
        (["--format", "json", "text", "bad.har"], "only one format can go to standard output"),
        (["--format", "text", "--json", "bad.har"], "only one format can go to standard output"),
        (["--format", "json=", "bad.har"], "json needs a file"),
        (["--rule", "auth/repeat-after-402", "bad.har"], "did you mean auth/repeat-after-401?"),
        (["--require", "nothing", "bad.har"], "--require: there is no rule \"nothing\""),
        (["--fail-on", "eror", "bad.har"], "did you mean error?"),
        (["--api", "trend", "bad.har"], "did you mean trendy?"),
        (["nowhere.har"], "nowhere.har: there is no such file"), (["broken.har"], "broken.har:2: $.log.entries[0]"),
        (["--baseline", "nowhere.json", "bad.har"], "nowhere.json: there is no such file"),
        (["--explain", "auth/nothing"], "--explain: there is no rule"),
        (["--url", "http://127.0.0.1:9"], "no server answers"),
        (["--formt", "json"], "did you mean --format?"), (["--since", "-1x"], "is not a whole number"),
    ])
    func `conduct 12 mistakes are named, with the code 2`(words: [String], message: String) throws {
        let folder = try folder()
        try folder.write("broken.har", "{\"log\":{\"entries\":[\n{\"request\":7}]}}")
        let result = try Program.run(["conduct"] + words, in: folder)
        expectEqual(result.status, 2, "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func `conduct 12 a rule is explained without a server`() throws {
        let result = try Program.run(["conduct", "--explain", "sawaed/refresh-once"])
        expectEqual(result.status, 0)
        #expect(result.output.hasPrefix("# auth/repeat-after-401\n"))
        #expect(result.output.contains("### URLSession"))
    }

    // MARK: Server

    @Test func `conduct 12 a running server is asked`() throws {
        let served = try Served()
        let environment = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
        func run(_ words: String..., in folder: Folder? = nil) throws -> Program.Result {
            try Program.run(["conduct"] + words, environment: environment, in: folder)
        }
        try expectEqual(run().status, 0)
        _ = try served.chat("GET", "/nowhere")
        let fail = try run("--format", "json")
        expectEqual(fail.status, 1, "\(fail.errors)")
        // The report is the server's, byte for byte.
        let own = try Wire(port: served.hub).ask("GET", "/__admin/conduct")
        expectEqual(fail.output, own.text + (own.text.hasSuffix("\n") ? "" : "\n"))
        try expectEqual(run("--fail-on", "never").status, 0)
        try expectEqual(run("--since", "1").status, 0)
        try expectEqual(run("--api", "trendy").status, 0)
        try expectEqual(run("--user", "anna@example.com").status, 0)
        try expectEqual(run("--require", "omnichat/right-token-kind", "--fail-on", "never").status, 1)
        try expectEqual(run("--require", "url/unknown-route", "--fail-on", "never").status, 0)
        let folder = try Folder()
        try expectEqual(run("--write-baseline", "b.json", in: folder).status, 0)
        try expectEqual(run("--baseline", "b.json", in: folder).status, 0)
        // The settings of the world count, and a flag beats them.
        _ = try served.control("PUT", "/settings", #"{"conduct":{"failOn":"never"}}"#)
        try expectEqual(run().status, 0)
        try expectEqual(run("--fail-on", "error").status, 1)
        // All worlds, each by its own settings.
        _ = try served.control("POST", "/worlds", #"{"name":"other"}"#)
        let all = try run("--world", "*", "--format", "json")
        expectEqual(all.status, 0)
        expectEqual(all.json["world"], "*")
        expectEqual(all.json["findings"]?[0]?["world"], "main")
        try expectEqual(run("--world", "other").status, 0)
        let unknown = try run("--world", "nowhere")
        expectEqual(unknown.status, 2)
        #expect(unknown.errors.contains("nowhere"))
    }

    // MARK: exec

    private static func ask(_ path: String) -> String { #"curl -s -o /dev/null "$UNDERSTUDY_OMNICHAT_URL\#(path)""# }
    private static let admin = #"curl -s -o /dev/null -H 'Content-Type: application/json'"#

    @Test(arguments: [("error", 0, 1), ("warning", 0, 1), ("error", 7, 7)])
    func `conduct 12 exec fails by the verdict, if the program has not`(level: String, code: Int, status: Int32) throws
    {
        let script = Self.ask("/api/v1/nowhere") + "; echo out; exit \(code)"
        let result = try Program.run(["exec", "--conduct", level, "--", "sh", "-c", script])
        expectEqual(result.status, status)
        expectEqual(result.output, "out\n")
        #expect(result.errors.contains("error url/unknown-route"))
        expectEqual(result.errors.split(separator: "\n").last?.hasPrefix("conduct: fail, "), true)
    }

    @Test func `conduct 12 exec judges a client that behaves as passed`() throws {
        let script =
            Self.admin + #" -d '{"idToken":"mock_apple_token"}' "$UNDERSTUDY_OMNICHAT_URL/api/v1/auth/apple""#
        let result = try Program.run(["exec", "--conduct", "error", "--", "sh", "-c", script])
        expectEqual(result.status, 0, "\(result.errors)")
        #expect(result.errors.contains("conduct: pass, "))
        #expect(try Program.run(["exec", "--", "sh", "-c", Self.ask("/api/v1/nowhere")]).errors.isEmpty)
    }

    private static let sins = [
        "auth/repeat-after-401", "auth/secret-in-url", "body/type-missing", "retry/retry-after-ignored",
        "url/unknown-route",
    ]

    @Test(arguments: [("sinful", sins, 1), ("mended", [], 0)] as [(String, [String], Int32)])
    func `conduct 12 the example's sins are found, and its twin has none`(kind: String, sins: [String], code: Int32)
        throws
    {
        let script = Checkout.root
            .appendingPathComponent("Examples/conduct/afternoon.py").path
        let folder = try Folder()
        let words = ["exec", "--conduct", "warning", "--conduct-format", "json=report.json", "--"]
        let result = try Program.run(words + ["python3", "-B", script, kind], in: folder)
        expectEqual(result.status, code, "\(result.errors)")
        let report = try JSONReader.read(text: text("report.json", in: folder))
        expectEqual((report["findings"]?.arrayValue ?? []).compactMap { $0["rule"]?.stringValue }.sorted(), sins)
    }

    @Test(arguments: [
        "-X DELETE \"$UNDERSTUDY_URL/__admin/worlds/w\"", "-X POST \"$UNDERSTUDY_URL/@w/__admin/reset\"",
        "-X DELETE \"$UNDERSTUDY_URL/@w/__admin/requests\"",
        "-X POST \"$UNDERSTUDY_URL/@w/__admin/reset?api=omnichat\"",
    ])
    func `conduct 12 what a world did before its journal ended stays in the report`(end: String) throws {
        let script = """
            \(Self.admin) -d '{"name":"w"}' "$UNDERSTUDY_URL/__admin/worlds"
            curl -s -o /dev/null "$UNDERSTUDY_URL/@w/omnichat/api/v1/nowhere"
            \(Self.admin) \(end)
            """
        let folder = try Folder()
        let words = ["exec", "--conduct", "error", "--conduct-format", "json=report.json", "--", "sh", "-c", script]
        let result = try Program.run(words, in: folder)
        expectEqual(result.status, 1, "\(result.errors)")
        let report = try JSONReader.read(text: text("report.json", in: folder))
        expectEqual(report["world"], "*")
        expectEqual(report["findings"]?.arrayValue?.count, 1)
        expectEqual(report["findings"]?[0]?["world"], "w")
        expectEqual(report["findings"]?[0]?["count"], 1)
    }

    @Test func `conduct 12 what a restore takes out of the journal stays in the report, and nothing counts twice`()
        throws
    {
        let call = { (path: String) in "curl -s -o /dev/null \"$UNDERSTUDY_URL/omnichat/api/v1/\(path)\"" }
        let post = { (path: String, body: String) in
            Self.admin + " -d '\(body)' \"$UNDERSTUDY_URL/__admin/\(path)\""
        }
        let script = [
            call("before"), post("snapshots", #"{"name":"a"}"#), call("between"), post("snapshots/a/restore", ""),
            call("before"), post("snapshots", #"{"name":"b"}"#), call("later"), post("snapshots/a/restore", ""),
            post("snapshots/b/restore", ""), "curl -s \"$UNDERSTUDY_URL/__admin/state\" > state.json", call("last"),
            "curl -s -o /dev/null -X PUT -d @state.json \"$UNDERSTUDY_URL/__admin/state\"",
        ]
        let folder = try Folder()
        let words = ["exec", "--conduct", "error", "--conduct-format", "json=report.json", "--", "sh", "-c"]
        let result = try Program.run(words + [script.joined(separator: "\n")], in: folder)
        expectEqual(result.status, 1, "\(result.errors)")
        let report = try JSONReader.read(text: text("report.json", in: folder))
        let counts = (report["findings"]?.arrayValue ?? []).filter { $0["rule"] == "url/unknown-route" }.map {
            "\($0["route"]?.stringValue ?? "") \($0["count"]?.intValue ?? 0)"
        }
        expectEqual(counts.sorted(), ["/api/v1/before 2", "/api/v1/between 1", "/api/v1/last 1", "/api/v1/later 1"])
        expectEqual(report["journal"]?["entries"], 5)
    }

    @Test func `conduct 11 exec takes settings and baseline from the configuration file`() throws {
        let folder = try Folder([
            "ci/understudy.json":
                #"{"conduct":{"baseline":"base.json","rules":{"body/type-missing":{"severity":"off"}}}}"#,
            "ci/base.json": #"{"format":"understudy-conduct-baseline","version":1,"findings":[]}"#,
        ])
        let script = Self.ask("/api/v1/nowhere")
        let words = ["exec", "--config", "ci/understudy.json", "--conduct", "error"]
        let first = try Program.run(words + ["--conduct-format", "json=r.json", "--", "sh", "-c", script], in: folder)
        expectEqual(first.status, 1, "\(first.errors)")
        let report = try JSONReader.read(text: text("r.json", in: folder))
        let print = try #require(report["findings"]?[0]?["fingerprint"]?.stringValue)
        try folder.write(
            "ci/base.json",
            """
            {"format":"understudy-conduct-baseline","version":1,"findings":[
            {"fingerprint":"\(print)","rule":"url/unknown-route","route":"/api/v1/nowhere"}]}
            """
        )
        let second = try Program.run(words + ["--", "sh", "-c", script], in: folder)
        expectEqual(second.status, 0, "\(second.errors)")
        #expect(second.errors.contains("suppressed url/unknown-route"))
    }

    @Test(arguments: [
        (["--conduct", "never", "--", "true"], "is neither error nor warning"),
        (["--conduct-format", "json=x", "--", "true"], "--conduct-format requires --conduct"),
        (["--conduct", "error", "--conduct-format", "json", "--", "true"], "json needs a file"),
    ])
    func `conduct 12 mistakes in the flags of exec are 2`(words: [String], message: String) throws {
        let result = try Program.run(["exec"] + words)
        expectEqual(result.status, 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `conduct 11 config shows the key, and every new world has it`() throws {
        let folder = try Folder(["understudy.json": #"{"conduct":{"failOn":"warning"}}"#])
        let shown = try Program.run(["config"], in: folder).output
        #expect(shown.contains("conduct           {\"failOn\":\"warning\"}  (understudy.json:1)"), "\(shown)")
        let served = try Served(in: folder)
        _ = try served.control("POST", "/worlds", #"{"name":"w"}"#)
        for world in [nil, "w"] {
            try expectEqual(served.control("GET", "/settings", world: world).json["conduct"]?["failOn"], "warning")
        }
    }
}
