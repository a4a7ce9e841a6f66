import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 2: `--ready-file`.
@Suite struct ReadyFileTests {
    private static func text(_ path: String, in folder: Folder) -> String? {
        (try? Data(contentsOf: folder.url.appendingPathComponent(path))).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func names(in folder: Folder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func `2 the file has the ready line, and goes with the server however it is stopped`() throws {
        for (signal, code) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)] {
            for log in [[], ["--quiet"], ["--log-format", "json"]] {
                let folder = try Folder(["ready": "of an earlier run"])
                let served = try Served(["--ready-file", "ready"], log: log, in: folder)
                try expectEqual(Self.text("ready", in: folder), served.child.output())
                try expectEqual(Self.names(in: folder), ["ready"])
                served.child.signal(signal)
                try expectEqual(served.child.waitForExit(), code)
                try expectEqual(Self.names(in: folder), [], "\(signal) \(log)")
            }
        }
    }

    @Test func `2 a second interrupt, which stops at once, removes the file too`() throws {
        let folder = try Folder()
        let served = try Served(["--ready-file", "ready"], in: folder)
        try expectEqual(served.control("PUT", "/scenarios/omnichat/slow-first-token").status, 200)
        let stream = try served.startStream(try served.token())
        try stream.wait(for: "message_start")
        served.child.signal(SIGINT)
        try Deadline().wait(for: "the drain") { (try? Wire(port: served.api)) == nil }
        served.child.signal(SIGINT)
        try expectEqual(served.child.waitForExit(), 130)
        try expectEqual(Self.names(in: folder), [])
    }

    @Test func `2 variable and key of the file set it too, and a folder may stand before its name`() throws {
        for (flags, environment, file) in [
            (["--ready-file=sub/ready"], [:], "{}"),
            ([], ["UNDERSTUDY_READY_FILE": "sub/ready"], "{}"),
            ([], [:], #"{"readyFile":"sub/ready"}"#),
            (["--ready-file", "sub/ready"], ["UNDERSTUDY_READY_FILE": "sub/b"], #"{"readyFile":"sub/c"}"#),
        ] as [([String], [String: String], String)] {
            let folder = try Folder(["understudy.json": file, "sub/other": ""])
            let served = try Served(flags, environment: environment, in: folder)
            try expectEqual(Self.text("sub/ready", in: folder), served.child.output())
            served.child.signal(SIGTERM)
            try expectEqual(served.child.waitForExit(), 143)
            expectNil(Self.text("sub/ready", in: folder))
            try expectEqual(Self.names(in: folder), ["sub", "understudy.json"])
        }
        let shown = try Program.run(["config", "--json", "--ready-file", "ready"]).json
        #expect(shown.arrayValue?.contains(["name": "readyFile", "value": "ready", "origin": "flag"]) ?? false)
    }

    @Test func `2 record, replay and exec take it`() throws {
        let upstream = try Served()
        let folder = try Folder()
        for words in [
            ["record", "--upstream", "http://127.0.0.1:\(upstream.api)", "--out", "r.har"], ["replay", "r.har"],
        ] {
            let proxy = try Proxy(words + ["--ready-file", "ready"], in: folder)
            _ = try proxy.ask("GET", "/api/v1/models")
            try expectEqual(Self.text("ready", in: folder), proxy.child.output())
            proxy.child.signal(SIGTERM)
            try expectEqual(proxy.child.waitForExit(), 143)
            expectNil(Self.text("ready", in: folder))
        }
        let script = "cat ready; echo $UNDERSTUDY_URL; exit 7"
        let result = try Program.run(["exec", "--ready-file", "ready", "--", "sh", "-c", script], in: folder)
        expectEqual(result.status, 7)
        let lines = result.output.split(separator: "\n").map(String.init)
        try expectEqual(JSONReader.read(text: lines[0])["hub"]?.stringValue, lines[1])
        expectNil(Self.text("ready", in: folder))
        // The variable and the key are those of a `serve` that may run beside it.
        try folder.write("ready", "of a serve")
        let beside = try Program.run(
            ["exec", "--", "cat", "ready"],
            environment: ["UNDERSTUDY_READY_FILE": "ready"],
            in: folder
        )
        expectEqual(beside.output, "of a serve")
        expectEqual(Self.text("ready", in: folder), "of a serve")
    }

    @Test func `2 a start that is refused leaves none, not even that of an earlier run`() throws {
        let taken = try Served()
        for (flags, code) in [
            (["--prot", "0"], 2), (["--port", "x"], 2), (["--port"], 2), (["--port", "\(taken.hub)"], 3),
            (["--scenario", "omnichat/nope"], 2), (["--config", "none.json"], 2), (["--apis", "none"], 2),
            (["--state", "ready/state"], 2), (["--faults", "none.json"], 2), (["word"], 2),
        ] as [([String], Int32)] {
            for (own, variables, file) in [
                (["--ready-file", "ready"], [:], nil), (["--ready-file=ready"], [:], nil),
                ([], ["UNDERSTUDY_READY_FILE": "ready"], nil), ([], [:], #"{"readyFile":"ready"}"#),
            ] as [([String], [String: String], String?)] {
                // A file that another one takes the place of is not read.
                guard file == nil || flags[0] != "--config" else { continue }
                let folder = try Folder(["ready": "{\"ready\":true}\n"])
                if let file { try folder.write("understudy.json", file) }
                let result = try Program.run(["serve"] + flags + own, environment: variables, in: folder)
                expectEqual(result.status, code, "\(flags) \(own) \(result.errors)")
                expectNil(Self.text("ready", in: folder), "\(flags) \(own)")
            }
        }
        let folder = try Folder(["ready": "old", "understudy.json": #"{"readyFile":"ready","prot":1}"#])
        try expectEqual(Program.run(["serve", "--port", "0"], in: folder).status, 2)
        expectNil(Self.text("ready", in: folder))
    }

    @Test func `2 what is no run of a server leaves the file alone`() throws {
        let folder = try Folder(["ready": "of a serve", "understudy.json": #"{"readyFile":"ready"}"#])
        for words in [
            ["serve", "--help"], ["record", "-h"], ["config"], ["routes", "--api", "omnichat"], ["validate"],
            ["token", "--api", "omnichat", "--user", "test@icloud.com"], ["exec", "--", "true"], ["exec", "--nope"],
        ] {
            _ = try Program.run(words, environment: ["UNDERSTUDY_READY_FILE": "ready"], in: folder)
            expectEqual(Self.text("ready", in: folder), "of a serve", "\(words)")
        }
    }

    @Test func `2 the file of another server that took the name stays`() throws {
        let folder = try Folder()
        let first = try Served(["--ready-file", "ready"], in: folder)
        let second = try Served(["--ready-file", "ready"], in: folder)
        first.child.signal(SIGTERM)
        try expectEqual(first.child.waitForExit(), 143)
        try expectEqual(Self.text("ready", in: folder), second.child.output())
        second.child.signal(SIGTERM)
        try expectEqual(second.child.waitForExit(), 143)
        expectNil(Self.text("ready", in: folder))
    }

    @Test func `2 a path that no file can have is 2 with the path, and nothing is changed there`() throws {
        let folder = try Folder(["folder/file": "", "file": "text"])
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(
            at: link,
            withDestinationURL: folder.url.appendingPathComponent("file")
        )
        for (path, reason) in [
            ("", "names no file"), ("folder", "folder: this is a folder, not a file"),
            ("new/", "new/: this is a folder, not a file"), (".", ".: this is a folder, not a file"),
            ("none/ready", "can't write none/ready: No such file or directory"),
            ("file/ready", "can't write file/ready: Not a directory"),
            ("/dev/null", "/dev/null: this is not a regular file"), ("link", "link: this is not a regular file"),
        ] {
            for (flags, variables, place) in [
                (["--ready-file", path], [:], "--ready-file"),
                ([], ["UNDERSTUDY_READY_FILE": path], "UNDERSTUDY_READY_FILE"),
            ] as [([String], [String: String], String)] {
                let result = try Program.run(["serve", "--port", "0"] + flags, environment: variables, in: folder)
                expectEqual(result.status, 2)
                expectEqual(
                    result.errors.split(separator: "\n").first.map(String.init),
                    "understudy: \(place): \(reason)"
                )
                expectEqual(result.output, "")
            }
        }
        expectEqual(Self.text("link", in: folder), "text")
        try expectEqual(Self.names(in: folder), ["file", "folder", "link"])
    }
}
