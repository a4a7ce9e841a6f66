import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, section 1: the commands for a running server.
@Suite struct ServerCommandTests {
    /// A running server, and the commands that ask it.
    private struct CommandSession {
        let served: Served
        var url: String { "http://127.0.0.1:\(served.hub)" }

        init(_ flags: [String] = Served.frozen) throws { served = try Served(flags) }

        func run(_ words: [String], in folder: Folder? = nil) throws -> Program.Result {
            try Program.run(words, environment: ["UNDERSTUDY_URL": url], in: folder)
        }

        /// Runs a command that has to succeed.
        @discardableResult
        func done(_ words: String..., in folder: Folder? = nil) throws -> String {
            let result = try run(words, in: folder)
            expectEqual(result.status, 0, "\(words): \(result.errors)")
            return result.output
        }

        /// Runs a command that has to fail with a code, and returns standard error.
        func refused(_ code: Int32, _ words: String...) throws -> String {
            let result = try run(words)
            expectEqual(result.status, code, "\(words): \(result.errors)\(result.output)")
            #expect(result.output.isEmpty, "\(result.output)")
            return result.errors
        }
    }

    @Test func `1 the clock is shown, moved, frozen, set and run`() throws {
        let session = try CommandSession()
        try expectEqual(session.done("clock"), "2025-01-01T12:00:00.000Z  frozen\n")
        for (text, now) in [
            ("15m", "12:15:00.000Z"), ("PT45M", "13:00:00.000Z"), ("1h30m", "14:30:00.000Z"),
            ("500ms", "14:30:00.500Z"),
        ] {
            #expect(try session.done("clock", "advance", text).hasPrefix("2025-01-01T\(now)  frozen"))
        }
        #expect(try session.done("clock", "advance", "31d").hasPrefix("2025-02-01T14:30:00.500Z"))
        try expectEqual(session.done("clock", "set", "2025-03-01T00:00:00Z"), "2025-03-01T00:00:00.000Z  frozen\n")
        let run = try session.run(["clock", "run", "--json"])
        expectEqual(run.json["mode"], "offset")
        expectEqual(run.json["rate"], 1)
        expectEqual(run.json["now"]?.stringValue?.hasPrefix("2025-03-01T00:"), true)
        // A running clock that is set runs on.
        try expectEqual(session.run(["clock", "set", "2025-04-01T00:00:00Z", "--json"]).json["mode"], "offset")
        try expectEqual(session.done("clock", "freeze", "2025-05-01T00:00:00Z"), "2025-05-01T00:00:00.000Z  frozen\n")
        try expectEqual(session.done("clock", "freeze"), "2025-05-01T00:00:00.000Z  frozen\n")
    }

    @Test(arguments: [
        ["clock", "advance", "1x"], ["clock", "advance"], ["clock", "advance", ""], ["clock", "advance", "30m1h"],
        ["clock", "advance", "90"], ["clock", "set", "noon"], ["clock", "set"], ["clock", "frezze"],
        ["log", "-n", "x"],
        ["log", "-n", "-1"], ["log", "stauts:404"], ["log", "status:4x"], ["requests", "show"], ["requests"],
        ["world", "delete"], ["scenario", "on"], ["fault", "add"], ["fault", "add", "--status", "x"],
        ["fault", "add", "--status", "500", "--delay", "1s"], ["fault", "add", "{"], ["fault", "add", "none.json"],
        ["fault", "delete"], ["gate", "add", "g1"], ["gate", "add"], ["settings", "set", "a.b"], ["verify"],
        ["state", "export"], ["clock", "--url", "here"], ["fault", "add", "--delay", "soon"],
        ["fault", "add", "--status", "500", "--query", "x"], ["fault", "add", "{}", "--status", "500"],
    ])
    func `9 a word that the command line can't read is 2`(words: [String]) throws {
        // Nothing listens there: the words are read before anything is asked.
        let result = try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:1"])
        expectEqual(result.status, 2, "\(words): \(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func `1 without a server the code is 4, and the command that starts one is named`() throws {
        for words in [["clock"], ["log"], ["log", "-f"], ["outbox", "-f"], ["reset"], ["scenario", "list"]] {
            let result = try Program.run(words + ["--url", "http://127.0.0.1:1"])
            expectEqual(result.status, 4, "\(words)")
            #expect(result.errors.contains("no server answers at http://127.0.0.1:1"), "\(result.errors)")
            #expect(result.errors.contains("understudy serve --port 1\n"), "\(result.errors)")
        }
    }

    @Test func `1 worlds are made, listed, addressed and deleted`() throws {
        let session = try CommandSession()
        #expect(try session.done("world", "new", "checkout").contains("/@checkout\n"))
        try session.done("clock", "advance", "1h", "--world", "checkout")
        #expect(try session.done("world", "new", "copy", "--from", "checkout").contains("the world copy was created"))
        let list = try session.done("world", "list")
        #expect(list.contains("checkout  ") && list.contains("2025-01-01T13:00:00.000Z frozen"), "\(list)")
        let urls = try session.done("world", "urls", "copy")
        #expect(urls.contains("omnichat     http://127.0.0.1:\(session.served.api)/@copy\n"), "\(urls)")
        try expectEqual(session.run(["world", "list", "--json"]).json["items"]?.arrayValue?.count, 3)
        try session.done("world", "delete", "copy")
        #expect(try session.refused(1, "world", "delete", "chekout").contains("did you mean checkout?"))
        #expect(try session.refused(1, "clock", "--world", "nope").contains("There is no world named \"nope\""))
        let variables = ["UNDERSTUDY_URL": session.url, "UNDERSTUDY_WORLD": "checkout"]
        let clock = try Program.run(["clock"], environment: variables)
        expectEqual(clock.output, "2025-01-01T13:00:00.000Z  frozen\n")
    }

    @Test func `1 a reset says what was cut, and keeps the clock on request`() throws {
        let session = try CommandSession()
        try session.done("clock", "advance", "1h")
        try expectEqual(
            session.done("reset", "--keep-clock"),
            "the world main was reset to its seed; no responses in progress\n"
        )
        #expect(try session.done("clock").hasPrefix("2025-01-01T13:00"))
        try session.done("gate", "add", "g1", "--path", "/api/models")
        let wire = try Wire(port: session.served.api)
        try wire.send(Wire.request("GET", "/api/models", token: try session.served.token()))
        _ = try session.served.control("GET", "/gates/g1?wait=60")
        #expect(try session.done("reset", "--api", "omnichat").contains("1 response cut off"))
        try session.done("reset")
        #expect(try session.done("clock").hasPrefix("2025-01-01T12:00"))
    }

    @Test func `1 snapshots are taken, listed, restored and deleted`() throws {
        let session = try CommandSession()
        try expectEqual(session.run(["snapshot", "list"]).errors, "The world has no snapshots.\n")
        try session.done("snapshot", "take", "before")
        try session.done("clock", "advance", "1h")
        #expect(try session.done("snapshot", "list").contains("before  2025-01-01T12:00:00.000Z"))
        try session.done("snapshot", "restore", "before")
        #expect(try session.done("clock").hasPrefix("2025-01-01T12:00"))
        #expect(try session.refused(1, "snapshot", "restore", "befor").contains("did you mean before?"))
        try session.done("snapshot", "delete", "before")
    }

    @Test func `1 scenarios are switched, searched, and a misspelt one proposes`() throws {
        let session = try CommandSession()
        #expect(try session.done("scenario", "on", "omnichat/file-gone").hasPrefix("omnichat/file-gone is on\n"))
        try session.done("scenario", "on", "stream-cut-midway", "--api", "omnichat")
        let list = try session.done("scenario", "list", "drops without the final chunk")
        #expect(list.contains("on  omnichat/stream-cut-midway"), "\(list)")
        expectEqual(list.split(separator: "\n").count, 2)
        #expect(
            try session.refused(1, "scenario", "on", "stream-cut").contains("did you mean omnichat/stream-cut-midway?")
        )
        let stranger = try session.refused(1, "scenario", "on", "omnichat/nope-nope")
        #expect(stranger.contains("; known: omnichat/") && !stranger.contains("sawaed"), "\(stranger)")
        #expect(try session.run(["scenario", "list", "no such words"]).errors.contains("No scenario matches"))
        try expectEqual(session.run(["scenario", "list", "file-gone", "--json"]).json["items"]?[0]?["active"], true)
        try session.done("scenario", "off", "omnichat/file-gone", "omnichat/stream-cut-midway")
        try expectEqual(session.run(["scenario", "list", "file-gone", "--json"]).json["items"]?[0]?["active"], false)
        let refused = try session.run(["scenario", "on", "omnichat/x", "--json"])
        #expect(refused.status == 1 && refused.json["status"] == 404 && refused.errors.isEmpty)
    }

    @Test func `9 faults are added by flags, JSON, files and lists, which are taken whole or not at all`() throws {
        let session = try CommandSession()
        let flags = [
            "fault", "add", "--api", "omnichat", "--method", "post", "--path", "/api/v1/auth/*", "--user", "a@b.test",
            "--query", "x=1", "--header", "X-A: b c", "--body", #"{"n":1}"#, "--skip", "1", "--times", "2", "--every",
            "3",
            "--probability", "0.5", "--phase", "after", "--status", "503", "--retry-after", "7", "--name", "busy",
            "--json",
        ]
        let added = try session.run(flags)
        expectEqual(added.status, 0, "\(added.errors)")
        let match: JSON = [
            "api": "omnichat", "method": "POST", "path": "/api/v1/auth/*", "query": ["x": "1"],
            "headers": ["X-A": "b c"],
            "user": "a@b.test", "body": ["n": 1],
        ]
        expectEqual(added.json["match"], match, "\(added.output)")
        expectEqual(added.json["when"], ["skip": 1, "times": 2, "every": 3, "probability": 0.5])
        expectEqual(added.json["effect"], ["status": 503, "retryAfter": 7])
        expectEqual(added.json["phase"], "after")
        expectEqual(added.json["name"], "busy")
        try expectEqual(
            session.run(["fault", "add", "--delay", "1.5s", "--json"]).json["effect"],
            ["delay": ["ms": 1_500]]
        )
        try expectEqual(
            session.run(["fault", "add", "--connection", "reset", "--json"]).json["effect"],
            ["connection": "reset"]
        )
        try expectEqual(
            session.run(["fault", "add", "--tokens", "expire", "--json"]).json["effect"],
            ["tokens": "expire"]
        )
        try session.done("fault", "add", #"{"effect":{"status":500}}"#)
        let folder = try Folder([
            "one.json": #"{"effect":{"status":501}}"#,
            "two.json": #"[{"effect":{"status":502}},{"effect":{"status":503}}]"#,
            "bad.json": #"[{"effect":{"status":504}},{"effect":{"status":5}}]"#,
        ])
        try session.done("fault", "add", "one.json", in: folder)
        try session.done("fault", "add", "two.json", in: folder)
        let bad = try session.run(["fault", "add", "bad.json"], in: folder)
        expectEqual(bad.status, 1)
        #expect(bad.errors.contains("$[1].effect.status: must be a whole number from 200 to 599"), "\(bad.errors)")
        let list = try session.run(["fault", "list", "--json"]).json["items"]?.arrayValue ?? []
        expectEqual(list.count, 8)
        let table = try session.done("fault", "list")
        #expect(table.contains("flt_1") && table.contains("busy") && !table.contains("504"), "\(table)")
        #expect(try session.refused(1, "fault", "delete", "flt_99").contains("did you mean flt_"))
        try session.done("fault", "delete", "flt_1")
        try session.done("fault", "delete", "--all")
        try expectEqual(session.run(["fault", "list"]).errors, "The world has no faults.\n")
    }

    @Test func `4 a fault that can meet no route is told`() throws {
        let session = try CommandSession()
        let result = try session.run([
            "fault", "add", "--api", "omnichat", "--path", "/api/v1/conversation", "--status", "500",
        ])
        expectEqual(result.status, 0)
        #expect(
            result.errors.contains(
                "$.match.path: no route of omnichat fits /api/v1/conversation; nearest: /api/v1/conversations"
            ),
            "\(result.errors)"
        )
    }

    @Test func `1 a fault is switched off and on, and what comes due is listed`() throws {
        let session = try CommandSession()
        try session.done("fault", "add", "--path", "/api/models", "--status", "503")
        try expectEqual(session.done("fault", "off", "flt_1"), "flt_1 is off\n")
        try expectEqual(Wire(port: session.served.api).ask("GET", "/api/models").status, 401)
        #expect(try session.done("fault", "list").contains("  off  "))
        try session.done("fault", "on", "flt_1")
        try expectEqual(Wire(port: session.served.api).ask("GET", "/api/models").status, 503)
        #expect(try session.refused(1, "fault", "off", "flt_2").contains("did you mean flt_1?"))
        _ = try session.served.token()
        let upcoming = try session.done("clock", "upcoming", "--api", "omnichat")
        #expect(upcoming.contains("2025-01-01T12:15:00.000Z  access  omnichat"), "\(upcoming)")
        let nothing = try session.run(["clock", "upcoming", "--api", "trendy", "--kind", "otp"])
        expectEqual(nothing.errors, "No upcoming events.\n")
    }

    @Test func `1 gates hold, release and go`() throws {
        let session = try CommandSession()
        try session.done("gate", "add", "g1", "--path", "/api/models", "--phase", "after")
        #expect(try session.done("gate", "list").contains("g1    /api/models  after"))
        let token = try session.served.token()
        let wires = try (0..<2).map { _ in try Wire(port: session.served.api) }
        for (place, wire) in wires.enumerated() {
            try wire.send(Wire.request("GET", "/api/models", token: token))
            try Deadline().wait(for: "the gate") {
                try session.served.control("GET", "/gates/g1").json["held"]?.arrayValue?.count == place + 1
            }
        }
        let held =
            try session.served.control("GET", "/gates/g1").json["held"]?.arrayValue?.compactMap(\.stringValue) ?? []
        try #require(held.count == 2)
        try expectEqual(session.done("gate", "release", "g1", held[1]), "released \(held[1])\n")
        try expectEqual(session.done("gate", "release", "g1"), "released \(held[0])\n")
        #expect(try session.refused(1, "gate", "release", "g2").contains("did you mean g1?"))
        try session.done("gate", "delete", "g1")
        try expectEqual(session.run(["gate", "list"]).errors, "The world has no gates.\n")
    }

    @Test func `1 latency and settings are shown and set`() throws {
        let session = try CommandSession()
        try expectEqual(session.done("latency"), "none\n")
        #expect(try session.done("latency", "3g").hasPrefix("3g  "))
        #expect(try session.refused(1, "latency", "3gg").contains("did you mean 3g?"))
        try session.done("latency", "none")
        try expectEqual(
            session.done("settings", "set", "carbscan.apple.mode", "strict"),
            "carbscan.apple.mode = strict\n"
        )
        try expectEqual(session.done("settings", "get", "carbscan.apple.mode"), "strict\n")
        #expect(try session.done("settings").contains("carbscan.apple.mode "))
        #expect(
            try session.refused(1, "settings", "get", "carbscan.appel.mode").contains(
                "did you mean carbscan.apple.mode?"
            )
        )
        #expect(
            try session.refused(1, "settings", "set", "carbscan.apple.mod", "x").contains(
                "did you mean carbscan.apple.mode?"
            )
        )
        #expect(
            try session.refused(1, "settings", "set", "carbscan.apple.mode", "strit").contains("$.carbscan.apple.mode")
        )
        // A path without its API is the end of one.
        #expect(
            try session.refused(1, "settings", "set", "magicLink.verify", "on").contains(
                "mean carbscan.magicLink.verify?"
            )
        )
        try session.done("settings", "set", "omnichat.stream.gapMs", "5")
        try expectEqual(session.done("settings", "get", "omnichat.stream.gapMs"), "5\n")
    }

    @Test func `1 verify exits 1 where the verdict is fail`() throws {
        let session = try CommandSession()
        _ = try session.served.chat("GET", "/conversations", token: try session.served.token())
        let folder = try Folder([
            "pass.json": #"{"match":{"path":"/api/v1/conversations"}}"#,
            "fail.json": #"{"match":{"path":"/api/v1/model"}}"#,
            "odd.json": #"{"mach":{}}"#,
        ])
        #expect(try session.done("verify", "pass.json", in: folder).hasPrefix("pass: 1 request matches"))
        let failed = try session.run(["verify", "fail.json"], in: folder)
        #expect(failed.status == 1 && failed.output.hasPrefix("fail: 0 requests match"), "\(failed.output)")
        let json = try session.run(["verify", "fail.json", "--json"], in: folder)
        expectEqual(json.status, 1)
        expectEqual(json.json["verdict"], "fail")
        let odd = try session.run(["verify", "odd.json"], in: folder)
        #expect(odd.status == 1 && odd.errors.contains("$.mach: "), "\(odd.errors)")
    }

    /// Has Sawaed send a code.
    private func sendCode(to address: String, _ session: CommandSession) throws {
        let port = try #require(
            session.served.ready["apis"]?["sawaed"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        let body = Array(#"{"email":"\#(address)"}"#.utf8)
        let answer = try Wire(port: port).ask("POST", "/api/mobile/v1/auth/request-otp", body: body)
        try #require(answer.status == 200, "\(answer.text)")
    }

    @Test func `1 the outbox shows codes and links, newest first, of one address on request`() throws {
        let session = try CommandSession()
        try expectEqual(session.run(["outbox"]).errors, "The outbox is empty.\n")
        try sendCode(to: "first@b.test", session)
        try sendCode(to: "second@d.test", session)
        let all = try session.run(["outbox", "--json"]).json["items"]?.arrayValue ?? []
        expectEqual(all.map { $0["to"] }, ["second@d.test", "first@b.test"])
        let table = try session.done("outbox").split(separator: "\n").map(String.init)
        try #require(table.count == 3)
        #expect(table[1].contains("sawaed  otp   second@d.test  123456"), "\(table)")
        #expect(table[2].contains("first@b.test") && table[2].hasSuffix("2025-01-01T12:15:00.000Z"), "\(table)")
        try expectEqual(session.done("outbox", "--to", "FIRST@b.test").split(separator: "\n").count, 2)
        try expectEqual(
            session.run(["outbox", "--to", "nobody@b.test"]).errors,
            "The outbox has nothing for nobody@b.test; it has messages for second@d.test, first@b.test.\n"
        )
        try expectEqual(session.run(["outbox", "--api", "trendy"]).errors, "The outbox is empty.\n")
    }

    @Test func `1 outbox -f shows what is there, then each message as it is sent, once`() throws {
        let session = try CommandSession()
        try sendCode(to: "before@b.test", session)
        let variables = ["UNDERSTUDY_URL": session.url]
        let all = try Child(["outbox", "-f"], environment: variables)
        let one = try Child(["outbox", "-f", "--to", "wanted@b.test", "--json"], environment: variables)
        try Deadline().wait(for: "the first message") { try all.output().contains("before@b.test") }
        // The other follower has nothing to show that it listens: what comes too early for it is in its list.
        try sendCode(to: "other@b.test", session)
        try sendCode(to: "wanted@b.test", session)
        try Deadline().wait(for: "the wanted message") { try one.output().contains("wanted@b.test") }
        try Deadline().wait(for: "all messages") { try all.output().contains("wanted@b.test") }
        let lines = try all.output().split(separator: "\n").map(String.init)
        expectEqual(lines.map { $0.split(separator: " ")[3] }, ["before@b.test", "other@b.test", "wanted@b.test"])
        #expect(lines.allSatisfy { $0.hasSuffix("123456") }, "\(lines)")
        let found = try JSONReader.read(text: try one.output())
        expectEqual(found["code"], "123456", "\(found.text)")
        expectEqual(found["api"], "sawaed", "\(found.text)")
        expectNil(found["seq"], "\(found.text)")
        for child in [all, one] { child.signal(SIGTERM) }
    }

    @Test func `1 what comes due is listed soonest first, by time, kind and user`() throws {
        let session = try CommandSession()
        try sendCode(to: "a@b.test", session)
        _ = try session.served.token()
        let all = try session.run(["clock", "upcoming", "--json"]).json["items"]?.arrayValue ?? []
        let times = all.compactMap { $0["at"]?.stringValue }
        #expect(times == times.sorted() && times.count >= 2)
        #expect(try session.done("clock", "upcoming", "--kind", "otp").contains("otp   sawaed  a@b.test"))
        let user = try session.run(["clock", "upcoming", "--user", "test@icloud.com", "--json"]).json["items"]
        #expect(user?.arrayValue?.allSatisfy { $0["user"] == "test@icloud.com" } == true && user?[0] != nil)
        try expectEqual(
            session.run(["clock", "upcoming", "--until", "2025-01-01T12:00:01Z"]).errors,
            "No upcoming events.\n"
        )
        for _ in 1..<100 { _ = try session.served.token() }
        #expect(try session.run(["clock", "upcoming", "--kind", "access"]).errors.isEmpty)
        _ = try session.served.token()
        let ends = try session.run(["clock", "upcoming", "--kind", "access"])
        expectEqual(ends.output.split(separator: "\n").count, 101)
        #expect(ends.errors.hasPrefix("The first 100 of 101; "), "\(ends.errors)")
        #expect(try session.refused(1, "clock", "upcoming", "--kind", "opt").contains("access, refresh, otp"))
        #expect(try session.refused(2, "clock", "upcoming", "--until", "noon").contains("is not an instant"))
    }

    @Test func `1 the world is exported and imported`() throws {
        let session = try CommandSession()
        let folder = try Folder()
        try session.done("state", "export", "world.json", in: folder)
        try session.done("clock", "advance", "1h")
        try session.done("state", "import", "world.json", in: folder)
        #expect(try session.done("clock").hasPrefix("2025-01-01T12:00"))
        try folder.write("broken.json", #"{"format":"understudy-world"}"#)
        let refused = try session.run(["state", "import", "broken.json"], in: folder)
        #expect(refused.status == 1 && refused.errors.contains("  $"), "\(refused.errors)")
        try expectEqual(session.run(["state", "import", "none.json"], in: folder).status, 2)
        try folder.write("cut.json", "{\n\"format\"")
        let cut = try session.run(["state", "import", "cut.json"], in: folder)
        #expect(cut.status == 2 && cut.errors.hasPrefix("understudy: cut.json:2: "), "\(cut.errors)")
        #expect(!cut.errors.contains("--help"))
        try expectEqual(session.run(["state", "export", "no/such/folder.json"], in: folder).status, 1)
    }

    @Test func `1 the seeds that are written are those of the binary, and nothing is overwritten`() throws {
        let folder = try Folder()
        let written = try Program.run(["seeds", "write", "mine"], in: folder)
        expectEqual(written.status, 0, "\(written.errors)")
        try expectEqual(Program.run(["validate", "mine"], in: folder).status, 0)
        let again = try Program.run(["seeds", "write", "mine"], in: folder)
        #expect(again.status == 2 && again.errors.contains("nothing is overwritten"))
        #expect(
            try Program.run(["seeds", "write", "other", "--api", "trendi"], in: folder).errors.contains(
                "did you mean trendy?"
            )
        )
        try expectEqual(Program.run(["seeds"], in: folder).status, 2)
    }

    @Test func `1 explain prints curl instead of calling, and never the token`() throws {
        let nowhere = ["--explain", "--url", "http://127.0.0.1:1", "--admin-token", "s3cret", "--world", "w1"]
        for (words, lines) in [
            (
                ["clock", "advance", "1h"],
                ["-X POST http://127.0.0.1:1/@w1/__admin/clock/advance", #"-d '{"by":"PT1H"}'"#]
            ),
            (["clock", "run"], ["curl http://127.0.0.1:1/@w1/__admin/clock ", "-X PUT"]),
            (["log", "-n", "3", "status:4xx"], ["/@w1/__admin/requests?view=line&limit="]),
            (["log", "-f"], ["curl -N http://127.0.0.1:1/@w1/__admin/events"]),
            (["reset", "--api", "omnichat", "--keep-clock"], ["/reset?keep=clock&api=omnichat"]),
            (["scenario", "on", "a/b"], ["-X PUT http://127.0.0.1:1/@w1/__admin/scenarios/a/b"]),
            (["fault", "off", "flt_1"], ["-X PATCH", #"{"enabled":false}"#]),
            (["gate", "release", "g1", "req_1"], [#"{"held":["req_1"]}"#]),
            (["latency", "lte"], [#"{"profile":"lte"}"#]),
            (["settings", "set", "a.b", "5"], [#"{"a":{"b":5}}"#]), (["outbox", "--to", "a@b"], ["/outbox?to=a@b"]),
            (["state", "export", "x.json"], ["-o x.json"]), (["requests", "show", "req_1"], ["/requests/req_1"]),
            (["world", "new", "x"], [#"-d '{"name":"x"}'"#]), (["snapshot", "take", "x"], ["-X POST"]),
        ] {
            let result = try Program.run(words + nowhere)
            #expect(result.status == 0 && result.errors.isEmpty, "\(words): \(result.errors)")
            #expect(result.output.hasPrefix("curl "), "\(result.output)")
            for line in lines { #expect(result.output.contains(line), "\(words): \(result.output)") }
            #expect(result.output.contains(#"-H "Authorization: Bearer $UNDERSTUDY_ADMIN_TOKEN""#))
            #expect(!result.output.contains("s3cret"))
        }
    }

    @Test func `1 what explain prints does the same when a shell runs it`() throws {
        let session = try CommandSession()
        _ = try session.served.chat("GET", "/one")
        _ = try session.served.chat("GET", "/two")
        /// Runs each line that a command explains, and returns the answer of the last one.
        func explained(_ words: String...) throws -> JSON {
            let text = try session.run(words + ["--explain"]).output
            var last = ""
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let found = try InstalledTool.run("sh", ["-c", String(line)], in: Folder())
                expectEqual(found.status, 0, "\(line): \(found.errors)")
                last = found.output
            }
            return try JSONReader.read(text: last)
        }
        let archive = try explained("requests", "show", "req_2", "--har")
        expectEqual(archive["log"]?["entries"]?.arrayValue?.count, 1)
        let url = archive["log"]?["entries"]?[0]?["request"]?["url"]?.stringValue
        expectEqual(url?.hasSuffix("/two"), true, "\(archive.text)")
        let narrowed = try explained("requests", "show", "req_2", "--har", "--api", "omnichat")
        expectEqual(narrowed["log"]?["entries"]?.arrayValue?.count, 1)
        let set = try explained("clock", "set", "2025-02-01T00:00:00Z")
        expectEqual(set["mode"], "frozen", "\(set.text)")
        expectEqual(set["now"], "2025-02-01T00:00:00.000Z", "\(set.text)")
        let run = try explained("clock", "run")
        expectEqual(run["mode"], "offset")
        expectEqual(run["now"]?.stringValue?.hasPrefix("2025-02-01T00:00:"), true)
        _ = try session.served.control("PUT", "/clock", #"{"mode":"offset","now":"2025-02-01T00:00:00Z","rate":0.5}"#)
        let moved = try explained("clock", "set", "2025-03-01T00:00:00Z")
        expectEqual(moved["mode"], "offset", "\(moved.text)")
        expectEqual(moved["rate"], 0.5, "\(moved.text)")
        expectEqual(moved["now"]?.stringValue?.hasPrefix("2025-03-01T00:00:"), true)
        try expectEqual(explained("clock", "run")["rate"], 1)
    }

    @Test func `1 the world of the environment is no hindrance to its making`() throws {
        let session = try CommandSession()
        let variables = ["UNDERSTUDY_URL": session.url, "UNDERSTUDY_WORLD": "checkout"]
        func run(_ words: String...) throws -> Program.Result { try Program.run(words, environment: variables) }
        try expectEqual(run("clock").status, 1)
        #expect(try run("world", "list").output.contains("main"))
        try expectEqual(run("world", "new", "checkout", "--from", "main").status, 0)
        try expectEqual(run("world", "delete", "checkout").status, 0)
        try expectEqual(run("world", "new", "checkout").status, 0)
        try expectEqual(run("clock").status, 0)
        // A snapshot is one of the chosen world, and a world that a flag names has to be there.
        try expectEqual(run("snapshot", "take", "before").status, 0)
        try expectEqual(run("world", "new", "copy", "--from", "before").status, 0)
        try expectEqual(session.run(["world", "new", "other", "--world", "none"]).status, 1)
    }

    @Test func `1 the admin token is sent, and its lack is told`() throws {
        let served = try Served(Served.frozen + ["--admin-token", "s3cret"])
        let url = ["--url", "http://127.0.0.1:\(served.hub)"]
        try expectEqual(Program.run(["clock"] + url).status, 1)
        try expectEqual(Program.run(["clock", "--admin-token", "s3cret"] + url).status, 0)
        try expectEqual(Program.run(["clock"] + url, environment: ["UNDERSTUDY_ADMIN_TOKEN": "s3cret"]).status, 0)
    }

    @Test func `1 token asks a running server, lists APIs and proposes users`() throws {
        let session = try CommandSession()
        try session.done("world", "new", "t1")
        let token = try session.done("token", "--api", "omnichat", "--user", "test@icloud.com", "--world", "t1")
        expectEqual(token.split(separator: ".").count, 3)
        let path = "/@t1/api/models"
        let taken = try Wire(port: session.served.api).ask(
            "GET",
            path,
            token: token.trimmingCharacters(in: .newlines)
        )
        expectEqual(taken.status, 200)
        #expect(try session.refused(2, "token", "--user", "x").contains("sawaed, carbscan, omnichat"))
        #expect(try session.refused(1, "token", "--api", "omnichta", "--user", "x").contains("did you mean omnichat?"))
        #expect(try session.refused(2, "token", "--api", "omnichat", "--user", "x", "--seed", "1").contains("--seed"))
        let misspelt = try session.refused(1, "token", "--api", "omnichat", "--user", "tset@icloud.com")
        #expect(misspelt.contains("did you mean test@icloud.com? Known: "), "\(misspelt)")
        let offline = try Program.run(["token", "--api", "omnichat", "--user", "nobody"])
        #expect(offline.status == 1 && offline.errors.contains("test@icloud.com"), "\(offline.errors)")
        #expect(try Program.run(["token", "--user", "x"]).errors.contains("token needs --api NAME, one of sawaed"))
    }

    @Test(arguments: [40, 80, 200])
    func `1 a table fits the terminal, and the names in it are whole`(columns: Int) throws {
        let session = try CommandSession()
        let name = "checkout-with-card"
        try session.done("world", "new", name)
        let match = ["--path", "/api/v1/conversations/{id}/messages", "--api", "omnichat", "--user", "test@icloud.com"]
        try session.done(
            "fault",
            "add",
            "--status",
            "503",
            "--times",
            "2",
            "--name",
            "the first two fail",
            match[0],
            match[1]
        )
        _ = try session.run(["gate", "add", "messages-that-come-late"] + match)
        let folder = try Folder([
            "terminal.py": """
            import fcntl, os, pty, struct, sys, termios
            child, fd = pty.fork()
            if child == 0:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
                os.execvp("understudy", ["understudy"] + sys.argv[2:])
            seen = b""
            try:
                while data := os.read(fd, 65536): seen += data
            except OSError: pass
            os.waitpid(child, 0)
            sys.stdout.write(seen.decode().replace("\\r", ""))
            """
        ])
        for (words, key) in [
            (["world", "list"], name), (["fault", "list"], "flt_1"), (["gate", "list"], "messages-that-come-late"),
            (["scenario", "list", "stream"], "omnichat/stream-cut-midway"),
            (["settings", "get", "omnichat"], "omnichat.dates"),
        ] {
            let seen = try InstalledTool.run(
                "python3",
                ["terminal.py", "\(columns)"] + words + ["--no-color", "--url", session.url],
                in: folder
            )
            let lines = seen.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix(key + " ") }, "\(words): \(seen.output)\(seen.errors)")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(words): \(seen.output)")
        }
    }

    @Test func `1 output has no colours where nobody sees them, and nothing steers the terminal`() throws {
        let session = try CommandSession()
        let fault = #"{"name":"a\u001b[31mb\u202e","effect":{"status":500}}"#
        try session.done("fault", "add", fault)
        let table = try session.done("fault", "list")
        #expect(!table.contains("\u{1B}") && table.contains(#"a\u001b[31mb\u202e"#), "\(table)")
    }
}
