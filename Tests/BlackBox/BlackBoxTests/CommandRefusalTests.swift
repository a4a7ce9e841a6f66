import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, sections 1, 3 and 9: what a command says where it can't do what it was asked.
@Suite struct CommandRefusalTests {
    private func run(_ served: Served, _ words: String...) throws -> Program.Result {
        try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"])
    }

    @Test func `1 a misspelt world proposes, and one that is far from all is told how to make`() throws {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"checkout"}"#)
        for words in [["clock", "--world", "chekout"], ["world", "urls", "chekout"], ["world", "delete", "chekout"]] {
            let found = try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"])
            #expect(found.status == 1 && found.errors.contains("did you mean checkout?"), "\(words): \(found.errors)")
        }
        let other = try run(served, "clock", "--world", "zzz")
        #expect(other.errors.contains("the worlds are main, checkout; understudy world new zzz creates it"))
        // A name that no world can have is not one to make.
        let bad = try run(served, "clock", "--world", "a b")
        #expect(bad.status == 1 && bad.errors.hasSuffix("the worlds are main, checkout\n"), "\(bad.errors)")
        let from = try run(served, "world", "new", "copy", "--from", "chekout")
        #expect(from.status == 1 && from.errors.contains("did you mean checkout?"), "\(from.errors)")
        // The document alone, for a program.
        let json = try run(served, "clock", "--world", "chekout", "--json")
        #expect(json.status == 1 && json.errors.isEmpty && json.json["status"] == 404)
    }

    @Test(arguments: [
        (["clock", "advance", "1m", "--user", "a"], "--user is for clock upcoming, not for clock advance"),
        (["clock", "--kind", "otp"], "--kind is for clock upcoming, not for clock"),
        (["fault", "list", "--status", "500"], "--status is for fault add, not for fault list"),
        (["fault", "add", "--status", "500", "--all"], "--all is for fault delete, not for fault add"),
        (["gate", "release", "g1", "--path", "/x"], "--path is for gate add, not for gate release"),
        (["world", "list", "--from", "main"], "--from is for world new, not for world list"),
        (["clock", "advance", "-5m"], "clock set INSTANT moves a clock back"),
        (["settings", "set", "a..b", "c"], "is not a path such as carbscan.apple.mode"),
        (["-p", "5000"], "did you mean serve --port?"), (["serve", "-p", "5000"], "did you mean --port?"),
        (["--versoin"], "did you mean --version?"),
    ])
    func `9 a word that does nothing there is refused, never ignored`(words: [String], reason: String) throws {
        let found = try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:1"])
        #expect(found.status == 2 && found.output.isEmpty)
        #expect(found.errors.contains(reason), "\(found.errors)")
    }

    @Test(arguments: [
        ["serve", "--config", "none"], ["serve", "--faults", "none"], ["validate", "none"],
        ["new", "shop", "--openapi", "none"], ["new", "shop", "--har", "none"], ["new", "shop", "--wiremock", "none"],
        ["replay", "none", "--api", "trendy"], ["diff", "none", "--api", "trendy"], ["conduct", "none"],
        ["conduct", "--baseline", "none"], ["verify", "none"], ["fault", "add", "none"], ["state", "import", "none"],
    ])
    func `1 a missing file is told in one form, and sends to no flags`(words: [String]) throws {
        let found = try Program.run(words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:1"])
        expectEqual(found.status, 2)
        let line = found.errors.split(separator: "\n").first ?? ""
        #expect(line.hasSuffix("none: there is no such \(words.contains("--wiremock") ? "folder" : "file")"))
        #expect(!found.errors.contains("lists its flags") && !found.errors.contains("$"), "\(found.errors)")
    }

    @Test func `1 a folder that can't be made is told with the system's reason`() throws {
        let folder = try Folder(["file": "x"])
        for words in [["seeds", "write", "file/out"], ["new", "shop", "--apis", "file/out"]] {
            let found = try Program.run(words, in: folder)
            expectEqual(found.status, 2)
            expectEqual(found.errors, "understudy: can't write file/out: Not a directory\n", "\(words)")
        }
    }

    @Test func `1 verify takes JSON, and a refusal has title, detail and paths`() throws {
        let served = try Served()
        try expectEqual(run(served, "verify", #"{"count":{"exactly":0}}"#).output, "pass: 0 requests match\n")
        let failed = try run(served, "verify", #"{"match":{}}"#)
        expectEqual(failed.status, 1)
        #expect(failed.output.hasPrefix("fail: 0 requests match; expected at least 1 request"), "\(failed.output)")
        let refused = try run(served, "verify", #"{"count":1}"#)
        expectEqual(refused.status, 1)
        let lines = refused.errors.split(separator: "\n")
        expectEqual(lines.dropFirst(), ["  $.count: must be an object"], "\(refused.errors)")
        expectEqual(lines.first?.contains(": $.count must be an object"), true, "\(refused.errors)")
    }

    @Test func `1 an empty list of one address says who has messages`() throws {
        let served = try Served()
        try expectEqual(run(served, "outbox", "--to", "nobody").errors, "The outbox is empty.\n")
        let body = Array(#"{"email":"layla@sawaed.test"}"#.utf8)
        _ = try Wire(port: served.hub).ask("POST", "/sawaed/api/mobile/v1/auth/request-otp", body: body)
        for (name, end) in [
            ("lay", "; did you mean layla@sawaed.test?"), ("none", "; it has messages for layla@sawaed.test."),
        ] {
            try expectEqual(run(served, "outbox", "--to", name).errors, "The outbox has nothing for \(name)\(end)\n")
        }
    }

    @Test func `1 words after two dashes, and numbers below zero, are no flags`() throws {
        let served = try Served()
        _ = try served.chat("GET", "/with-x")
        #expect(try run(served, "log", "--", "-x").output.contains("/with-x"))
        try expectEqual(run(served, "log", "--", "-y").errors, "No request matches.\n")
        let below = try run(served, "settings", "set", "omnichat.stream.gapMs", "-5")
        #expect(below.status == 1 && below.errors.contains("$.omnichat.stream.gapMs"), "\(below.errors)")
        #expect(try run(served, "settings", "get", "").errors.hasPrefix("understudy: there is no setting \"\""))
    }

    @Test func `1 an answer that is not Understudy's is told, also by what follows events`() throws {
        let backend = try Backend()
        for words in [["clock"], ["log"], ["log", "-f"], ["outbox", "-f"], ["state", "export", "-"]] {
            let found = try Program.run(words + ["--url", "http://127.0.0.1:\(backend.port)/refuse"])
            expectEqual(found.status, 1, "\(words)")
            #expect(found.errors.contains("not as Understudy does"), "\(words): \(found.errors)")
        }
        let secure = try Program.run(["clock", "--url", "https://127.0.0.1:1"])
        #expect(
            secure.status == 4 && secure.errors.contains("understudy serve --port 1 --tls on\n"),
            "\(secure.errors)"
        )
    }

    @Test func `1 a name that is empty or a dot acts on nothing, and not on all`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"status":500}}"#)
        for words in [
            ["fault", "delete"], ["fault", "on"], ["fault", "off"], ["gate", "delete"], ["gate", "release"],
            ["world", "delete"], ["snapshot", "restore"], ["snapshot", "delete"], ["requests", "show"],
            ["scenario", "on"], ["scenario", "off"],
        ] {
            let empty = try Program.run(words + [""], environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"])
            let name = words.joined(separator: " ")
            #expect(empty.status == 2 && empty.output.isEmpty, "\(words)")
            #expect(empty.errors.hasPrefix("understudy: \(name) needs "), "\(words): \(empty.errors)")
            for dots in [".", "..", "omnichat/.."] {
                let found = try Program.run(
                    words + [dots],
                    environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
                )
                #expect(
                    found.status == 2 && found.errors.contains("\"\(dots)\" is not a name"),
                    "\(words): \(found.errors)"
                )
            }
        }
        try expectEqual(served.control("GET", "/faults").json["items"]?.arrayValue?.count, 1)
        // The value of a setting may be empty, and a world may be called a dot.
        try expectEqual(run(served, "settings", "set", "omnichat.stream.replyText", "").status, 0)
        try expectEqual(run(served, "world", "new", ".").status, 0)
        try expectEqual(run(served, "world", "urls", ".").status, 0)
    }

    @Test func `1 a server whose certificate is not trusted tells where its authority is named`() throws {
        let folder = try Folder()
        let served = try Served(["--tls", "on", "--ca", folder.url.path, "--api", "omnichat"])
        let variables = ["UNDERSTUDY_URL": "https://127.0.0.1:\(served.hub)", "UNDERSTUDY_CA": try Folder().url.path]
        let found = try Program.run(["clock"], environment: variables)
        #expect(found.status == 4 && found.errors.contains("set UNDERSTUDY_CA to the folder"), "\(found.errors)")
        let trusted = variables.merging(["UNDERSTUDY_CA": folder.url.path]) { $1 }
        try expectEqual(Program.run(["clock"], environment: trusted).status, 0)
    }

    @Test func `1 every row takes the flags of a server and explains itself`() throws {
        let shared = [
            "--url", "http://127.0.0.1:1", "--world", "w", "--admin-token", "t", "--json", "--no-color", "--explain",
        ]
        let folder = try Folder(["body.json": "{}"])
        for words in [
            ["log"], ["log", "-f"], ["requests", "show", "req_1"], ["requests", "show", "req_1", "--curl"],
            ["requests", "show", "req_1", "--har"], ["clock"], ["clock", "advance", "15m"], ["clock", "freeze"],
            ["clock", "set", "2025-01-01T12:00:00Z"], ["clock", "run"], ["clock", "upcoming"], ["reset"],
            ["world", "list"], ["world", "new"], ["world", "delete", "a"], ["world", "urls", "a"],
            ["snapshot", "list"],
            ["snapshot", "take", "a"], ["snapshot", "restore", "a"], ["snapshot", "delete", "a"],
            ["scenario", "on", "a/b"], ["scenario", "off", "a/b"], ["scenario", "list"], ["fault", "list"],
            ["fault", "add", "{}"], ["fault", "add", "--status", "503"], ["fault", "delete", "--all"],
            ["fault", "on", "a"], ["fault", "off", "a"], ["latency"], ["latency", "3g"], ["gate", "list"],
            ["gate", "add", "a", "--path", "/x"], ["gate", "release", "a"], ["gate", "delete", "a"], ["settings"],
            ["settings", "get", "a.b"], ["settings", "set", "a.b", "c"], ["outbox"], ["outbox", "-f"],
            ["verify", "body.json"], ["state", "export", "w.json"], ["state", "import", "body.json"],
            ["seeds", "write", "mine"],
        ] {
            let found = try Program.run(words + shared, in: folder)
            #expect(found.status == 0 && found.errors.isEmpty, "\(words): \(found.errors)")
            let lines = found.output.split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("curl ") || $0.hasPrefix("# ") }, "\(words)")
            // A call that writes nothing has no type of content.
            for line in lines where line.hasPrefix("curl http") { #expect(!line.contains("Content-Type"), "\(line)") }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("mine").path))
        let written = try Program.run(["seeds", "write", "mine", "--api", "trendy", "--json"], in: folder)
        expectEqual(written.json["folder"], "mine", "\(written.output)")
        expectEqual(written.json["apis"], ["trendy"], "\(written.output)")
    }

    @Test func `3 with JSON what is refused at the start has its form as well`() throws {
        let served = try Served()
        let json = ["serve", "--log-format", "json"]
        for (words, variables, status) in [
            (json + ["--port", "\(served.hub)"], [:], Int32(3)), (json + ["--bogus"], [:], 2),
            (["serve", "--seeds", "none"], ["UNDERSTUDY_LOG_FORMAT": "json"], 2),
            (["exec", "--log-format=json", "--", "no-such-program"], ["UNDERSTUDY_BOGUS": "1"], 127),
        ] {
            let found = try Program.run(words, environment: variables)
            expectEqual(found.status, status, "\(words): \(found.errors)")
            let lines = try found.errors.split(separator: "\n").map { try JSONReader.read(text: String($0)) }
            expectEqual(lines.first?["kind"], "warning", "\(found.errors)")
            #expect(lines.allSatisfy { $0["text"]?.stringValue?.isEmpty == false })
        }
    }
}
