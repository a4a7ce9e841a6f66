import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 8 to 10 and 13: what acts on answers acts on those of a real backend, too.
@Suite(.serialized) struct ProxyFaultTests {
    private let backend: Backend
    private let folder: Folder
    private let served: Served

    init() throws {
        backend = try Backend()
        folder = try Folder(["recordings/none": ""])
        served = try Served(in: folder)
    }

    private func begin(_ mode: String) throws {
        let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(backend.url())"}"#
        let answer = try served.control("PUT", "/mode", order)
        guard answer.status == 200 else { throw TestError(description: answer.text) }
    }

    private func fault(_ body: String) throws {
        _ = try served.control("DELETE", "/faults")
        let answer = try served.control("POST", "/faults", body)
        guard answer.status == 201 else { throw TestError(description: answer.text) }
    }

    private func ask(_ path: String, _ method: String = "GET", _ body: String = "") throws -> WireAnswer {
        try Wire(port: served.api).ask(method, path, body: Array(body.utf8))
    }

    private func lastEntry() throws -> JSON {
        try served.control("GET", "/requests?limit=1").json["items"]?[0] ?? .null
    }

    /// The entries of the recording, whose file is whole after each.
    private func recorded() throws -> [JSON] {
        let file = folder.url.appendingPathComponent("recordings/omnichat.har")
        var entries: [JSON] = []
        // It may be looked at while an entry is being written.
        try Deadline().wait(for: "a whole archive") {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            guard let archive = try? JSONReader.read(text: text) else { return false }
            entries = archive["log"]?["entries"]?.arrayValue ?? []
            return true
        }
        return entries
    }

    @Test(arguments: ["record", "record-missing", "spy"])
    func `8 a status before the endpoint keeps a request from the real backend, one after it does not`(mode: String)
        throws
    {
        try begin(mode)
        try fault(#"{"when":{"times":1},"effect":{"status":503,"retryAfter":7}}"#)
        let refused = try ask("/login", "POST", #"{"password":"hunter2-secret"}"#)
        expectEqual(refused.status, 503)
        expectEqual(refused["Retry-After"], "7")
        let entry = try lastEntry()
        expectEqual(entry["fault"]?["id"], "flt_1")
        #expect(!entry.text.contains("hunter2"))
        if mode != "spy" { #expect(try recorded().isEmpty) }
        try fault(#"{"phase":"after","effect":{"status":500}}"#)
        try expectEqual(ask("/login", "POST", "{}").status, 500)
        guard mode != "spy" else { return }
        let entries = try recorded()
        expectEqual(entries.count, 1)
        expectEqual(entries[0]["response"]?["status"], 200)
        expectEqual(entries[0]["_fault"]?["effect"]?["status"], 500)
    }

    @Test(arguments: ["record", "spy"])
    func `8 a drift changes what a real backend answers, compressed or not, and what is shown has no secrets`(
        mode: String
    ) throws {
        try begin(mode)
        try fault(#"{"effect":{"drift":{"set":"tier","to":"platinum"}}}"#)
        let login = try ask("/login", "POST", "{}")
        expectEqual(login.json["tier"], "platinum")
        expectEqual(login.json["email"], "anna@example.com")
        expectEqual(login["Content-Length"], "\(login.bytes.count)")
        let shown = try lastEntry()
        #expect(shown.text.contains("platinum"))
        #expect(!shown.text.contains("anna@example.com") && !shown.text.contains("cookie-secret"))
        expectEqual(shown["differences"] != nil, mode == "spy")
        try fault(#"{"effect":{"body":"invalid-json"}}"#)
        let damaged = try ask("/gzip")
        #expect(try damaged.plain().hasPrefix(#"{"text":"aaa"#) && damaged.plain().hasSuffix(#"a",]}"#))
        expectEqual(damaged["Content-Encoding"], "gzip")
        try fault(#"{"effect":{"drift":{"set":"text","to":"short"}}}"#)
        let packed = try ask("/gzip")
        try expectEqual(JSONReader.read(text: packed.plain())["text"], "short")
        expectEqual(packed["Content-Encoding"], "gzip")
        if mode == "record" {
            #expect(try recorded().allSatisfy { $0["_fault"]?["id"] != nil })
            try expectEqual(recorded()[0]["response"]?.text.contains("platinum"), false)
        }
        // What it would not change it leaves alone.
        try expectEqual(ask("/stream").chunks.count, 3)
    }

    @Test func `8 events of a real backend misbehave as they arrive`() throws {
        try begin("spy")
        func stream(_ effect: String) throws -> Wire {
            try fault(#"{"effect":{"stream":\#(effect)}}"#)
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", "/stream"))
            return wire
        }
        let cut = try stream(#"{"cutAfterEvents":1}"#)
        try cut.wait(for: "exam")
        try cut.waitForEnd()
        #expect(!cut.text.contains("ple.com") && !cut.text.contains("\r\n0\r\n"))
        let failed = try stream(#"{"errorAfterEvents":2}"#)
        try failed.wait(for: "ple.com")
        #expect(!failed.text.contains("done"))
        try failed.wait(for: "\r\n0\r\n\r\n")
        let late = try stream(#"{"cutAfterEvents":9}"#)
        try late.waitForEnd()
        #expect(late.text.contains("done") && !late.text.contains("\r\n0\r\n"))
        let twice = try stream(#"{"duplicate":2}"#)
        try twice.wait(for: "\r\n0\r\n\r\n")
        expectEqual(twice.text.components(separatedBy: "ple.com").count, 3)
        // The wait begins behind the first event and ends with the world's clock.
        let gap = try stream(#"{"gapMs":3600000,"afterEvents":1}"#)
        try gap.wait(for: "exam")
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":3600}"#).status, 200)
        try gap.wait(for: "\r\n0\r\n\r\n")
    }

    @Test func `9 latency holds an answer of a real backend back and slows its content, and 100-loss asks nobody`()
        throws
    {
        try begin("record")
        let delay = #"{"delay":{"ms":3600000},"bytesPerSecond":1000000}"#
        try expectEqual(served.control("PUT", "/latency", delay).status, 200)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/close"))
        try Deadline().wait(for: "the recording") { try recorded().count == 1 }
        #expect(wire.text.isEmpty)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":3601}"#).status, 200)
        try wire.wait(for: "until the end")
        try expectEqual(served.control("PUT", "/latency", #"{"profile":"100-loss"}"#).status, 200)
        let lost = try Wire(port: served.api)
        try lost.send(Wire.request("GET", "/echo"))
        try Deadline().wait(for: "the journal") {
            try served.control("GET", "/requests").json["items"]?.arrayValue?.count == 2
        }
        try expectEqual(recorded().count, 1)
    }

    @Test(arguments: ["before", "after"])
    func `10 a gate holds a request to a real backend, or its answer`(phase: String) throws {
        try begin("record")
        let gate = #"{"name":"g","match":{"path":"/login"},"phase":"\#(phase)"}"#
        try expectEqual(served.control("POST", "/gates", gate).status, 201)
        func hold() throws -> Wire {
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("POST", "/login", body: Array("{}".utf8)))
            try Deadline().wait(for: "the gate") {
                try served.control("GET", "/gates/g").json["held"]?.arrayValue?.count == 1
            }
            return wire
        }
        let held = try hold()
        if phase == "before" {
            #expect(try recorded().isEmpty)
        } else {
            try Deadline().wait(for: "the recording") { try recorded().count == 1 }
        }
        try expectEqual(ask("/echo").status, 200)
        try expectEqual(served.control("POST", "/gates/g/release").status, 200)
        try expectEqual(held.answer().json["tier"], "gold")
        let shown = try served.control("GET", "/requests?path=/login").json["items"]?[0]
        expectEqual(shown?["status"], 200)
        expectEqual(shown?.text.contains("anna@example.com"), false)
        // An effect of the release takes the answer's place.
        let other = try hold()
        try expectEqual(served.control("POST", "/gates/g/release", #"{"effect":{"status":418}}"#).status, 200)
        try expectEqual(other.answer().status, 418)
        try expectEqual(recorded().filter { $0.text.contains("/login") }.count, phase == "before" ? 1 : 2)
        // A reset cuts what is held, and nothing of it goes on.
        let cut = try hold()
        try expectEqual(served.control("POST", "/reset").status, 200)
        try cut.waitForEnd()
        #expect(cut.text.isEmpty)
        try expectEqual(ask("/login", "POST", "{}").status, 200)
    }

    @Test func `13 what a fault made of an emulated answer is no difference to the real backend`() throws {
        try begin("diff")
        try expectEqual(ask("/api/v1/conversations").status, 401)
        #expect(try lastEntry()["differences"] != nil)
        try fault(#"{"when":{"times":1},"effect":{"status":500}}"#)
        try expectEqual(ask("/api/v1/conversations").status, 500)
        try expectNil(lastEntry()["differences"])
        try expectEqual(ask("/api/v1/conversations").status, 401)
        #expect(try lastEntry()["differences"] != nil)
    }

    @Test func `11 what a real backend should have answered is not unmatched`() throws {
        for mode in ["spy", "record"] {
            let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"http://127.0.0.1:1"}"#
            try expectEqual(served.control("PUT", "/mode", order).status, 200)
            try expectEqual(ask("/echo").status, 502)
            try expectEqual(served.control("GET", "/unmatched").json["items"], [])
        }
    }

    @Test func `11 what a real backend answers is not unmatched`() throws {
        try begin("spy")
        try expectEqual(ask("/echo").status, 200)
        try expectEqual(served.control("GET", "/unmatched").json["items"], [])
    }
}
