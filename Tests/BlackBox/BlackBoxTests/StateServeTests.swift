import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: `serve --state DIR`.
@Suite struct StateServeTests {
    private func titles(_ served: Served, _ token: String) throws -> [String] {
        let list = try served.chat("GET", "/conversations", token: token)
        return (list.json["conversations"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }

    @Test func `7 stubs, their order and their counts survive a kill`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        func stub(_ text: String) throws { _ = try served.control("POST", "/stubs?api=omnichat", text) }
        try stub(#"{"match":{"path":"/api/v1/a"},"responses":[{"text":"1"},{"text":"{{counter.n}}"},{"text":"3"}]}"#)
        try stub(#"{"match":{"path":"/api/v1/b"},"response":{"status":418}}"#)
        try stub(#"{"match":{"path":"/api/v1/c"},"response":{}}"#)
        _ = try served.control("PATCH", "/stubs/stb_1", #"{"position":1}"#)
        _ = try served.control("DELETE", "/stubs/stb_3")
        try expectEqual(served.chat("GET", "/a").text, "1")
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"main"}"#)
        try expectEqual(served.chat("GET", "/a").text, "1", "the counter")
        let before = try served.control("GET", "/stubs").text
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()

        served = try Served(["--state", folder.url.path])
        try expectEqual(served.control("GET", "/stubs").text, before)
        try expectEqual(served.chat("GET", "/a").text, "3")
        let fork = try served.control("GET", "/stubs?api=omnichat", world: "fork").json["items"]?.arrayValue ?? []
        expectEqual(fork.map { $0["hits"] }, [1, 0])
        _ = try served.control("DELETE", "/stubs")
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()
        served = try Served(["--state", folder.url.path])
        try expectEqual(served.control("GET", "/stubs").text, #"{"items":[]}"#)
        try stub(#"{"response":{}}"#)
        try expectEqual(served.control("GET", "/stubs/stb_4").status, 200, "never given twice")
    }

    @Test func `console 8 what was seen, and what has dropped out of the journal, survive a restart`() throws {
        let folder = try Folder()
        let bound = ["--state", folder.url.path, "--journal-bytes", "65536"]
        var served = try Served(Served.frozen + bound)
        for _ in 0..<200 { _ = try served.chat("GET", "/conversations") }
        let paths = ["/journal", "/coverage"]
        let before = try paths.map { try served.control("GET", $0).text }
        #expect(!before[0].contains(#""dropped":0"#), "\(before[0])")
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
        served = try Served(bound)
        for (path, text) in zip(paths, before) { try expectEqual(served.control("GET", path).text, text) }
    }

    @Test func `4 every world survives a clean restart, with what a client could observe of it`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        let token = try served.token()
        _ = try served.chat("POST", "/conversations", #"{"title":"kept"}"#, token: token)
        _ = try served.control("POST", "/worlds", #"{"name":"second"}"#)
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"dates":"fractional"}}"#)
        _ = try served.control("PUT", "/scenarios/omnichat/unicode")
        _ = try served.control("POST", "/clock/advance", #"{"seconds":90}"#)
        _ = try served.control("POST", "/snapshots", #"{"name":"s"}"#)
        let paths = ["/state", "/worlds", "/snapshots", "/settings", "/scenarios", "/clock", "/requests", "/outbox"]
        let before = try paths.map { try served.control("GET", $0).text }
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["understudy.sqlite"])

        served = try Served(["--state", folder.url.path])
        for (path, text) in zip(paths, before) {
            try expectEqual(served.control("GET", path).text, text, "\(path)")
        }
        #expect(try titles(served, token).contains("kept"))
        _ = try served.control("POST", "/snapshots/s/restore")
        #expect(try titles(served, token).contains("kept"))
        _ = try served.control("POST", "/reset")
        #expect(try !titles(served, try served.token()).contains("kept"))
        _ = try served.control("DELETE", "/worlds/second")
        _ = try served.control("DELETE", "/snapshots/s")
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()

        served = try Served(["--state", folder.url.path])
        #expect(try !titles(served, try served.token()).contains("kept"))
        try expectEqual(served.control("GET", "/worlds").json["items"]?.arrayValue?.count, 1)
        try expectEqual(served.control("GET", "/snapshots").text, #"{"items":[]}"#)
    }

    @Test func `4 the journal of a fork is the same after a kill, with the world of each exchange`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        _ = try served.chat("GET", "/conversations", token: try served.token())
        _ = try served.control("POST", "/snapshots", #"{"name":"s"}"#)
        _ = try served.control("POST", "/worlds", #"{"name":"f","from":"main"}"#)
        _ = try served.control("POST", "/worlds", #"{"name":"g","from":"s"}"#)
        let paths = ["/@f/__admin/requests", "/@g/__admin/requests", "/@f/__admin/state"]
        let before = try paths.map { try Wire(port: served.hub).ask("GET", $0).text }
        #expect(before[0].contains(#""world":"main""#))
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()

        served = try Served(flags)
        for (path, text) in zip(paths, before) {
            try expectEqual(Wire(port: served.hub).ask("GET", path).text, text, "\(path)")
        }
    }

    @Test func `4 what a fault has done survives a kill, so that it acts no more often than it was to`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        let token = try served.token()
        _ = try served.control("POST", "/faults", #"{"when":{"skip":1,"times":2},"effect":{"status":503}}"#)
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 200)
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 503)
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()

        served = try Served(flags)
        try expectEqual(served.control("GET", "/faults/flt_1").json["hits"], 1)
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 503)
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 200)
    }

    @Test func `4 a world goes from one process into another and answers there as it did`() throws {
        let first = try Served()
        let token = try first.token()
        for number in 0..<5 {
            _ = try first.chat("POST", "/conversations", #"{"title":"c\#(number)"}"#, token: token)
        }
        let document = try first.control("GET", "/state")
        let second = try Served()
        let imported = try Wire(port: second.hub).ask("PUT", "/__admin/state", body: document.bytes)
        expectEqual(imported.status, 200, "\(imported.text.prefix(200))")
        try expectEqual(unnoted(second.control("GET", "/state").text), unnoted(document.text))
        for (method, path, body) in [
            ("GET", "/conversations", ""), ("POST", "/conversations", #"{"title":"new"}"#), ("GET", "/user/usage", ""),
        ] {
            let one = try first.chat(method, path, body, token: token)
            let two = try second.chat(method, path, body, token: token)
            expectEqual(one.raw, two.raw, "\(path)")
        }
    }

    @Test func `4 the deepest JSON that a client can store is read back, from a store and from a document`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        let made = try served.control(
            "POST",
            "/tokens",
            #"{"api":"trendy","user":"tracker@trendy.example","kind":"access"}"#
        )
        let token = try #require(made.json["token"]?.stringValue)
        // 512 containers with the three around it.
        let deep = String(repeating: "[", count: 509) + String(repeating: "]", count: 509)
        let event =
            #"{"event_type_id":"0193e354-b640-7000-8000-000000000001","timestamp":"2025-01-01T02:00:00Z","#
            + #""properties":{"a":{"type":"t","value":\#(deep)}}}"#
        let stored = try Wire(port: served.hub).ask(
            "POST",
            "/trendy/api/v1/events",
            body: Array(event.utf8),
            token: token
        )
        expectEqual(stored.status, 201, "\(stored.text.prefix(200))")
        let document = try served.control("GET", "/state")
        let imported = try Wire(port: served.hub).ask("PUT", "/__admin/state", body: document.bytes)
        expectEqual(imported.status, 200, "\(imported.text.prefix(200))")
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()
        served = try Served(flags)
        let events = try Wire(port: served.hub).ask("GET", "/trendy/api/v1/events?limit=1", token: token)
        #expect(events.status == 200 && events.text.contains(deep))
    }

    @Test func `4 two servers can't share a folder`() throws {
        let folder = try Folder()
        let served = try Served(["--state", folder.url.path])
        let second = try Program.run(["serve", "--port", "0", "--state", folder.url.path])
        expectEqual(second.status, 2)
        expectEqual(second.output, "")
        #expect(second.errors.contains("\(folder.url.path) is in use by another server"))
        try expectEqual(served.control("GET", "/health").status, 200)
    }

    @Test func `2 a state file that can't be used ends the start with 2 and its name`() throws {
        let folder = try Folder(["understudy.sqlite": "no database"])
        let result = try Program.run(["serve", "--port", "0"], environment: ["UNDERSTUDY_STATE": folder.url.path])
        expectEqual(result.status, 2)
        #expect(result.errors.contains("--state: \(folder.url.path)/understudy.sqlite is not a state file"))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["understudy.sqlite"])
        try expectEqual(
            String(contentsOf: folder.url.appendingPathComponent("understudy.sqlite"), encoding: .utf8),
            "no database"
        )
        let config = try Program.run(["config"], in: try Folder(["understudy.json": #"{"state":"kept-here"}"#]))
        #expect(config.output.contains("kept-here"))
    }

    @Test func `4 a reply that was streaming at the kill is as far as it was acknowledged`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        let token = try served.token()
        let wire = try served.startStream(token)
        try wire.wait(for: "[DONE]")
        let before = try served.chat("GET", "/conversations/conv_welcome_00000001/messages", token: token)
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()
        served = try Served(flags)
        let after = try served.chat("GET", "/conversations/conv_welcome_00000001/messages", token: token)
        expectEqual(after.text, before.text)
    }

    @Test func `4 a write that the disk does not take is not acknowledged`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        // A file may have 2 MB and no more, as on a full disk; the signal that comes with it must not end the server.
        var served = try Served(flags, prelude: "ulimit -f 4000")
        let token = try served.token()
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"rateLimits":"off"}}"#)
        let title = String(repeating: "t", count: 200)
        var acknowledged: [String] = []
        var refusal: WireAnswer?
        for _ in 0..<2_000 where refusal == nil {
            let answer = try served.chat("POST", "/conversations", #"{"title":"\#(title)"}"#, token: token)
            if answer.status < 300 {
                acknowledged.append(try #require(answer.json["id"]?.stringValue))
            } else {
                refusal = answer
            }
            if acknowledged.count == 100 {
                // Uploads fill the file sooner.
                _ = try served.control("POST", "/snapshots", #"{"name":"a"}"#)
                _ = try served.control("POST", "/snapshots", #"{"name":"b"}"#)
                _ = try served.control("POST", "/snapshots", #"{"name":"c"}"#)
            }
        }
        let answer = try #require(refusal)
        expectEqual(answer.status, 503)
        expectEqual(answer["Content-Type"], "application/problem+json")
        expectEqual(answer.json["type"], "/__admin/problems/store-failed")
        #expect(answer["X-Request-Id"] != nil)
        try expectEqual(served.control("GET", "/health").status, 200)
        #expect(try served.child.errors().contains("the state could not be written to"))
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()

        served = try Served(flags)
        let list = try served.chat("GET", "/conversations", token: token).text
        for id in acknowledged { #expect(list.contains(id)) }
    }
}
