import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: faults, latency and gates act on replayed answers as they do on emulated ones.
@Suite(.serialized) struct ReplayBeneathTests {
    /// Three answers of one key, and a long one.
    private static func archive(longBytes: Int = 0) -> String {
        func entry(_ method: String, _ path: String, _ status: Int, _ text: String) -> String {
            #"{"startedDateTime":"2025-01-01T12:00:00Z","time":1,"request":{"method":"\#(method)","url":"http://x\#(path)","httpVersion":"HTTP/1.1","headers":[],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":\#(status),"statusText":"OK","httpVersion":"HTTP/1.1","headers":[{"name":"Content-Type","value":"application/json"}],"cookies":[],"content":{"size":\#(text.utf8.count),"mimeType":"application/json","text":\#(JSON.string(text).text)},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}"#
        }
        var entries = (1...3).map { entry("GET", "/api/v1/conversations", 200, #"{"turn":\#($0)}"#) }
        if longBytes > 0 {
            for letter in ["a", "b"] {
                entries.append(
                    entry("GET", "/long", 200, #"{"text":"\#(String(repeating: letter, count: longBytes))"}"#)
                )
            }
        }
        return
            #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[\#(entries.joined(separator: ","))]}}"#
    }

    private static func replaying(_ order: String = "", flags: [String] = Served.frozen, _ folder: Folder? = nil) throws
        -> Served
    {
        let folder = try folder ?? Folder(["recordings/r.har": archive()])
        let served = try Served(flags, in: folder)
        let answer = try served.control(
            "PUT",
            "/mode",
            #"{"api":"omnichat","mode":"replay","recording":"r.har"\#(order)}"#
        )
        guard answer.status == 200 else { throw TestError(description: answer.text) }
        return served
    }

    private func turn(_ served: Served) throws -> Int64? {
        try served.chat("GET", "/conversations").json["turn"]?.intValue
    }

    private func fault(_ served: Served, _ body: String) throws {
        let answer = try served.control("POST", "/faults", body)
        guard answer.status == 201 else { throw TestError(description: answer.text) }
    }

    @Test func `own-api 4 an answer of a recording says so in the journal, also of a built-in API`() throws {
        let served = try Self.replaying()
        try expectEqual(turn(served), 1)
        _ = try served.control("PUT", "/mode", #"{"api":"omnichat","mode":"emulate"}"#)
        _ = try served.chat("GET", "/conversations")
        let entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        expectEqual(entries.map { $0["source"] }, [nil, "recording"])
    }

    @Test func `13 a status fault takes a replayed answer's place and leaves the recording where it is`() throws {
        let served = try Self.replaying()
        try expectEqual(turn(served), 1)
        try fault(served, #"{"when":{"times":2},"effect":{"status":503,"retryAfter":5}}"#)
        for _ in 0..<2 {
            let answer = try served.chat("GET", "/conversations")
            expectEqual(answer.status, 503)
            expectEqual(answer["Retry-After"], "5")
        }
        try expectEqual(turn(served), 2)
        let entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        expectEqual(entries.filter { $0["fault"]?["id"] == "flt_1" }.count, 2)
    }

    @Test func `13 a status fault after the endpoint has served a recorded answer that nobody hears of`() throws {
        let served = try Self.replaying()
        try fault(served, #"{"when":{"times":1},"phase":"after","effect":{"status":503}}"#)
        try expectEqual(served.chat("GET", "/conversations").status, 503)
        try expectEqual(turn(served), 2)
    }

    @Test func `13 a delay makes a replayed answer wait on the world's clock`() throws {
        let served = try Self.replaying()
        try fault(served, #"{"when":{"times":1},"effect":{"delay":{"ms":30000}}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        try Deadline().wait(for: "the request") {
            try served.control("GET", "/requests?limit=1").json["items"]?[0]?["path"] == "/api/v1/conversations"
        }
        #expect(wire.text.isEmpty)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":31}"#).status, 200)
        try expectEqual(wire.answer().json["turn"], 1)
        try expectEqual(turn(served), 2)
    }

    @Test func `13 latency acts on replayed answers`() throws {
        let served = try Self.replaying()
        #expect(try served.control("PUT", "/latency", #"{"delay":{"ms":200}}"#).status < 300)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        #expect(try wire.wait(for: "HTTP/1.1 200") >= 0.18)
    }

    @Test func `13 a body fault changes a replayed body, and one that only tries leaves the recording where it is`()
        throws
    {
        let served = try Self.replaying()
        try fault(served, #"{"when":{"times":1},"phase":"before","effect":{"drift":{"remove":"turn"}}}"#)
        let tried = try served.chat("GET", "/conversations")
        expectEqual(tried.status, 200)
        expectEqual(tried.json, [:], "\(tried.text)")
        try expectEqual(turn(served), 1)
        try fault(served, #"{"when":{"times":1},"effect":{"body":"truncated-json"}}"#)
        let broken = try served.chat("GET", "/conversations")
        expectEqual(broken.status, 200)
        expectEqual(broken.json, .null, "\(broken.text)")
        try expectEqual(turn(served), 3)
    }

    @Test func `13 a gate holds a replayed answer, which is chosen when it is let go`() throws {
        let served = try Self.replaying()
        let made = try served.control("POST", "/gates", #"{"name":"g","match":{"method":"GET"},"phase":"before"}"#)
        expectEqual(made.status, 201)
        let wires = try (0..<2).map { _ in try Wire(port: served.api) }
        for (place, wire) in wires.enumerated() {
            try wire.send(Wire.request("GET", "/api/v1/conversations", fields: ["X-Request-Id: w\(place)"]))
            try Deadline().wait(for: "the gate") {
                try served.control("GET", "/gates/g").json["held"]?.arrayValue?.count == place + 1
            }
        }
        try expectEqual(served.control("POST", "/gates/g/release", #"{"held":["w1"]}"#).status, 200)
        try expectEqual(wires[1].answer().json["turn"], 1)
        try expectEqual(
            served.control("POST", "/gates/g/release", #"{"held":["w0"],"effect":{"status":500}}"#).status,
            200
        )
        try expectEqual(wires[0].answer().status, 500)
        #expect(try served.control("DELETE", "/gates/g").status < 300)
        try expectEqual(turn(served), 2)
    }

    @Test func `13 a gate after the endpoint holds the answer that was chosen`() throws {
        let served = try Self.replaying()
        let made = try served.control("POST", "/gates", #"{"name":"g","match":{"method":"GET"},"phase":"after"}"#)
        expectEqual(made.status, 201)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        try Deadline().wait(for: "the gate") {
            try served.control("GET", "/gates/g").json["held"]?.arrayValue?.count == 1
        }
        try expectEqual(served.control("POST", "/gates/g/release").status, 200)
        try expectEqual(wire.answer().json["turn"], 1)
        #expect(try served.control("DELETE", "/gates/g").status < 300)
        try expectEqual(turn(served), 2)
    }

    @Test func `11 what a recording answers is not unmatched, and what it misses is`() throws {
        let folder = try Folder(["recordings/r.har": Self.archive(longBytes: 10)])
        let served = try Self.replaying("", folder)
        try expectEqual(Wire(port: served.api).ask("GET", "/long").status, 200)
        try expectEqual(Wire(port: served.api).ask("GET", "/lost").status, 404)
        let items = try served.control("GET", "/unmatched").json["items"]?.arrayValue ?? []
        expectEqual(items.map { $0["path"] }, ["/lost"])
    }

    @Test func `3 log says what differs from a recorded request with the path of one that is unmatched`() throws {
        let folder = try Folder([
            "recordings/r.har": SmallArchive.text([
                SmallArchive.entry("https://api.example.com/cats?page=1"),
                SmallArchive.entry(
                    "https://api.example.com/cats",
                    method: "POST",
                    body: ("application/json", #"{"a":1}"#)
                ),
            ])
        ])
        let served = try Self.replaying("", folder)
        func logged(_ method: String, _ target: String, _ body: String = "") throws -> String {
            try expectEqual(Wire(port: served.api).ask(method, target, body: Array(body.utf8)).status, 404)
            let log = ["log", "-n", "1", "--url", "http://127.0.0.1:\(served.hub)"]
            return String(try Program.run(log).output.split(separator: "  ").last ?? "")
        }
        try expectEqual(logged("GET", "/cats?page=3"), "unmatched: query: page is 3, recorded 1\n")
        try expectEqual(logged("POST", "/cats", #"{"a":2}"#), "unmatched: body: $.a is 2, recorded 1\n")
        try expectEqual(logged("DELETE", "/cats"), "unmatched: did you mean GET /cats?page=1?\n")
    }

    @Test(
        arguments: [
            #"{"status":503}"#, #"{"connection":"reset"}"#, #"{"connection":"empty"}"#, #"{"connection":"stall"}"#,
            #"{"connection":"garbage"}"#, #"{"body":"html"}"#, #"{"body":"empty"}"#, #"{"delay":{"ms":1}}"#,
            #"{"connection":"truncate"}"#,
        ]
    )
    func `11 a request that a fault answered is not unmatched, and its entry is still to come`(effect: String) throws {
        let folder = try Folder(["recordings/r.har": Self.archive(longBytes: 10)])
        let served = try Self.replaying(#","exhausted":"fail""#, folder)
        try fault(served, #"{"match":{"path":"/long"},"when":{"times":1},"effect":\#(effect)}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/long"))
        try Deadline().wait(for: "the journal") {
            try served.control("GET", "/requests").json["items"]?.arrayValue?.count == 1
        }
        try expectEqual(served.control("GET", "/unmatched").json["items"], [])
        guard !effect.contains("delay"), !effect.contains("truncate"), effect != #"{"body":"empty"}"# else { return }
        try expectEqual(Wire(port: served.api).ask("GET", "/long").json["text"], "aaaaaaaaaa")
        try expectEqual(Wire(port: served.api).ask("GET", "/long").json["text"], "bbbbbbbbbb")
    }

    @Test func `11 a request that a network lost or a gate's effect answered is not unmatched if it is recorded`()
        throws
    {
        let folder = try Folder(["recordings/r.har": Self.archive(longBytes: 10)])
        let served = try Self.replaying("", folder)
        func unmatched() throws -> [JSON?] {
            (try served.control("GET", "/unmatched").json["items"]?.arrayValue ?? []).map { $0["path"] }
        }
        func journalled() throws -> Int {
            try served.control("GET", "/requests").json["items"]?.arrayValue?.count ?? 0
        }
        try expectEqual(served.control("PUT", "/latency", #"{"profile":"100-loss"}"#).status, 200)
        let wires = try ["/long", "/lost"].map { path in
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", path))
            return wire
        }
        try Deadline().wait(for: "the journal") { try journalled() == wires.count }
        try expectEqual(unmatched(), ["/lost"])
        try expectEqual(served.control("PUT", "/latency", #"{"profile":"none"}"#).status, 200)
        for phase in ["before", "after"] {
            try expectEqual(served.control("POST", "/gates", #"{"name":"g","phase":"\#(phase)"}"#).status, 201)
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", "/long"))
            try Deadline().wait(for: "the gate") {
                try served.control("GET", "/gates/g").json["held"]?.arrayValue?.count == 1
            }
            try expectEqual(served.control("POST", "/gates/g/release", #"{"effect":{"status":418}}"#).status, 200)
            try expectEqual(wire.answer().status, 418)
            try expectEqual(served.control("DELETE", "/gates/g").status, 204)
            try expectEqual(unmatched(), ["/lost"])
        }
    }

    @Test(arguments: ["fail", "emulate", "418"])
    func `11 the nearest of an unmatched request in replay are entries of the recording, then routes`(miss: String)
        throws
    {
        let folder = try Folder(["recordings/r.har": Self.archive(longBytes: 10)])
        let number = Int(miss).map { "\($0)" } ?? "\"\(miss)\""
        let served = try Self.replaying(#","miss":\#(number)"#, folder)
        #expect(try Wire(port: served.api).ask("GET", "/lang?x=1").status >= 400)
        let item = try served.control("GET", "/unmatched").json["items"]?[0]
        let nearest = item?["nearest"]?.arrayValue ?? []
        expectEqual(nearest.map { $0["path"] }.prefix(2), ["/long", "/api/v1/conversations"])
        expectEqual(nearest.count, 3)
        expectEqual(nearest[0]["method"], "GET")
        expectEqual(nearest[0]["differs"], "path: /lang, recorded /long; query: x is not recorded")
        // Where a route would take it and the recording has no entry, nothing has answered it either.
        guard miss != "emulate" else { return }
        #expect(try served.chat("GET", "/conversations/c1").status >= 400)
        try expectEqual(served.control("GET", "/unmatched").json["items"]?[0]?["path"], "/api/v1/conversations/c1")
        try expectEqual(
            served.control("GET", "/unmatched").json["items"]?[0]?["nearest"]?[0]?["path"],
            "/api/v1/conversations"
        )
        try expectEqual(served.control("PUT", "/mode", #"{"api":"omnichat","mode":"emulate"}"#).status, 200)
        try expectEqual(
            served.control("GET", "/unmatched").json["items"]?[0]?["nearest"]?[0]?["path"],
            "/api/v1/conversations/{id}"
        )
    }

    @Test func `13 a recording is named with or without its ending`() throws {
        let folder = try Folder([
            "recordings/r.har": Self.archive(), "recordings/s.unredacted.har": Self.archive(),
            "recordings/t.har": Self.archive(), "recordings/t.unredacted.har": "no archive",
            "u.unredacted.har": Self.archive(),
        ])
        let served = try Served(in: folder)
        func name(_ name: String, _ mode: String = "replay") throws -> String {
            var order = #"{"api":"omnichat","mode":"\#(mode)","recording":"\#(name)""#
            if mode != "replay" { order += #","upstream":"http://127.0.0.1:9""# }
            let answer = try served.control("PUT", "/mode", order + "}")
            return answer.json["recording"]?.stringValue ?? "\(answer.status)"
        }
        try expectEqual(name("r"), "r.har")
        try expectEqual(name("r.har"), "r.har")
        try expectEqual(name("recordings/r"), "r.har")
        try expectEqual(name("s"), "s.unredacted.har")
        try expectEqual(name("s.unredacted"), "s.unredacted.har")
        try expectEqual(name("s.unredacted.har"), "s.unredacted.har")
        try expectEqual(name("t"), "t.har")
        try expectEqual(name("new", "record"), "new.har")
        try expectEqual(name("s", "record-missing"), "s.har")
        for bad in ["", ".", ".har", "..", "../r", "a/b", "recordings/", "a b", String(repeating: "a", count: 125)] {
            try expectEqual(name(bad), "422", "\(bad)")
        }
        #expect(try name(String(repeating: "a", count: 124), "record").hasSuffix("a.har"))
        // The commands take the same names.
        let player = try Proxy(["replay", "u"], in: folder)
        try expectEqual(player.ask("GET", "/api/v1/conversations").json["turn"], 1)
        try player.stop()
        let recorder = try Proxy(["record", "--upstream", "http://127.0.0.1:9", "--out", "bare"], in: folder)
        try expectEqual(recorder.ask("GET", "/x").status, 502)
        try recorder.stop()
        #expect(
            try JSONReader.read(
                text: String(contentsOf: folder.url.appendingPathComponent("bare.har"), encoding: .utf8)
            )["log"] != nil
        )
    }

    @Test func `13 long entries and long bodies are answered like short ones, while the others go on`() throws {
        let folder = try Folder(["recordings/r.har": Self.archive(longBytes: 3_000_000)])
        let served = try Self.replaying(#","exhausted":"fail""#, folder)
        let wires = try (0..<2).map { _ in try Wire(port: served.api) }
        for wire in wires { try wire.send(Wire.request("GET", "/long")) }
        try expectEqual(turn(served), 1)
        let letters = try wires.map { try $0.answer().json["text"]?.stringValue?.prefix(1) }
        expectEqual(Set(letters), ["a", "b"])
        try expectEqual(served.chat("GET", "/../../long").status, 404)
        let body = Array(#"{"content":"\#(String(repeating: "x", count: 200_000))"}"#.utf8)
        let miss = try Wire(port: served.api).ask("POST", "/api/v1/conversations", body: body)
        expectEqual(miss.status, 404)
        expectEqual(miss.json["nearest"]?[0]?["path"], "/api/v1/conversations")
        // A fault's trial reads a long entry too.
        try fault(served, #"{"when":{"times":1},"phase":"before","effect":{"drift":{"remove":"turn"}}}"#)
        try expectEqual(served.chat("GET", "/conversations").json, [:])
        try expectEqual(turn(served), 2)
    }

    @Test func `13 replay with --state keeps what was asked, and replays from the beginning after a restart`() throws {
        let folder = try Folder(["recordings/r.har": Self.archive()])
        let flags = Served.frozen + ["--state", folder.url.appendingPathComponent("state").path]
        var served = try Self.replaying(#","miss":"emulate""#, flags: flags, folder)
        let token = try served.token()
        try expectEqual(turn(served), 1)
        // What the emulation answers for the recording is kept as ever.
        try expectEqual(served.chat("POST", "/conversations", #"{"title":"kept"}"#, token: token).status, 200)
        served.child.signal(SIGTERM)
        _ = try served.child.waitForExit()
        served = try Served(flags, in: folder)
        try expectEqual(served.control("GET", "/mode?api=omnichat").json["mode"], "emulate")
        let list = try served.chat("GET", "/conversations", token: token).text
        #expect(list.contains("kept"))
        let paths = (try served.control("GET", "/requests").json["items"]?.arrayValue ?? []).map {
            $0["method"]?.stringValue
        }
        expectEqual(paths.filter { $0 == "POST" }.count, 1)
        #expect(paths.count >= 3)
        _ = try served.control("PUT", "/mode", #"{"api":"omnichat","mode":"replay","recording":"r.har"}"#)
        try expectEqual(turn(served), 1)
    }

    @Test(arguments: ["record", "spy", "diff"])
    func `13 modes with a real backend keep the state with --state, and diff compares writes`(mode: String) throws {
        let backend = try Served()
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.appendingPathComponent("state").path]
        var served = try Served(flags, in: folder)
        let upstream = "http://127.0.0.1:\(backend.api)"
        let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(upstream)"}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        let login = try served.chat("POST", "/auth/apple", #"{"idToken":"mock_apple_token"}"#)
        expectEqual(login.status, 200)
        let token = login.json["accessToken"]?.stringValue
        let made = try served.chat("POST", "/conversations", #"{"title":"new"}"#, token: token)
        expectEqual(made.status, 200, "\(made.text)")
        let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["differences"] != nil, mode != "record", "\(entry?.text ?? "")")
        served.child.signal(SIGTERM)
        _ = try served.child.waitForExit()
        served = try Served(flags, in: folder)
        try expectEqual(served.control("GET", "/requests?api=omnichat").json["items"]?.arrayValue?.count, 2)
        let kept = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(kept?["differences"], entry?["differences"])
        if mode == "diff" {
            #expect(try served.chat("GET", "/conversations", token: token).text.contains(#""new""#))
        }
    }
}
