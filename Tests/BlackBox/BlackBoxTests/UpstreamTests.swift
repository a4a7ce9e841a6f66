import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: what comes from a real backend, byte by byte.
@Suite(.serialized) struct UpstreamTests {
    @Test func `13 a secret cut at any byte between two chunks is on no disk, log or console`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let flags = ["--api", "omnichat", "--port", "0", "--clock", "frozen:2025-01-01T12:00:00Z", "--verbose"]
        let command = ["record", "--upstream", backend.url(), "--out", "rec.har"] + flags
        let child = try Child(command, in: folder)
        try Deadline().wait(for: "the ready line") { try child.output().hasSuffix("\n") }
        let ready = try JSONReader.read(text: String(try child.output().dropLast()))
        func port(_ origin: JSON?) -> Int { origin?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
        let (api, hub) = (port(ready["apis"]?["omnichat"]), port(ready["hub"]))
        var asked = 0
        for (kind, length) in [("events", 260), ("json", 116)] {
            for first in stride(from: 1, to: length, by: 16) {
                // Sixteen at a time.
                let wires = try (first..<min(first + 16, length)).map { cut in
                    let wire = try Wire(port: api)
                    try wire.send(
                        Wire.request(
                            "GET",
                            "/pieces/\(Backend.secrets[1])?\(cut)",
                            fields: ["X-Kind: \(kind)", "Cookie: sid=cookie-secret-1"]
                        )
                    )
                    return wire
                }
                for wire in wires {
                    let answer = try wire.answer()
                    // The client gets what the backend says.
                    #expect(answer.text.contains(Backend.secrets[0]))
                    asked += 1
                }
                let journal = try Wire(port: hub).ask("GET", "/__admin/requests?limit=16").text
                for secret in Backend.secrets + ["cookie-secret"] {
                    #expect(!journal.contains(secret), "\(kind) from byte \(first): \(secret) is in the journal")
                }
            }
        }
        child.signal(SIGINT)
        _ = try child.waitForExit()
        let file = try String(contentsOf: folder.url.appendingPathComponent("rec.har"), encoding: .utf8)
        let (output, errors) = (try child.output(), try child.errors())
        #expect(errors.contains("/pieces/"))
        for secret in Backend.secrets + ["cookie-secret"] {
            #expect(!file.contains(secret), "\(secret) is in the file")
            #expect(!output.contains(secret) && !errors.contains(secret), "\(secret) is on the console")
        }
        try expectEqual(JSONReader.read(text: file)["log"]?["entries"]?.arrayValue?.count, asked)
    }

    @Test func `13 a client that leaves with all it was promised has not broken off`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "a.har"], in: folder)
        for _ in 0..<25 {
            try expectEqual(recorder.ask("GET", "/redirect").status, 302)
            try expectEqual(recorder.ask("GET", "/gzip").status, 200)
        }
        try recorder.stop()
        let file = try String(contentsOf: folder.url.appendingPathComponent("a.har"), encoding: .utf8)
        #expect(!file.contains("_error"))
        try expectEqual(JSONReader.read(text: file)["log"]?["entries"]?.arrayValue?.count, 50)
    }

    @Test func `13 trailers of the backend reach the client`() throws {
        let backend = try Backend()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "a.har"], in: try Folder())
        let wire = try Wire(port: recorder.api)
        try wire.send(Wire.request("GET", "/trailers"))
        try wire.wait(for: "0\r\nX-Sum: 7\r\n\r\n")
        #expect(wire.text.contains("Trailer: X-Sum\r\n"))
        #expect(wire.text.contains("4\r\nbody\r\n"))
        try recorder.stop()
    }

    @Test func `13 content that only the close ends is whole over TCP, and cut over TLS that was not closed`() throws {
        for (host, isWhole) in [(nil, true), ("DNS:localhost", false)] {
            let backend = try Backend(certificateFor: host)
            let folder = try Folder()
            var command = ["record", "--upstream", backend.url(host: "localhost"), "--out", "a.har"]
            if host != nil { command += ["--upstream-ca", backend.authority] }
            let recorder = try Proxy(command, in: folder)
            let wire = try Wire(port: recorder.api)
            try wire.send(Wire.request("GET", "/close"))
            if isWhole {
                try expectEqual(wire.answer().text, "until the end")
            } else {
                try wire.waitForEnd()
                #expect(wire.text.contains("until the end"))
                #expect(!wire.text.contains("\r\n0\r\n\r\n"))
            }
            // Content that says its length needs no goodbye.
            try expectEqual(recorder.ask("GET", "/echo").status, 200)
            try recorder.stop()
            let data = try Data(contentsOf: folder.url.appendingPathComponent("a.har"))
            let entries = try JSONReader.read(Array(data))["log"]?["entries"]?.arrayValue ?? []
            expectEqual(entries.count, 2)
            let error = entries.first?["response"]?["_error"]?.stringValue
            expectEqual(error == nil, isWhole)
            #expect(error?.contains("cut") != false)
        }
    }

    @Test func `13 a backend that answers before it has the whole request is heard, over TCP and TLS`() throws {
        let body = String(repeating: "0123456789abcdef", count: 384 * 1_024)
        for host in [nil, "DNS:localhost"] {
            let backend = try Backend(certificateFor: host)
            var command = ["record", "--upstream", backend.url(host: "localhost"), "--out", "a.har"]
            if host != nil { command += ["--upstream-ca", backend.authority] }
            let folder = try Folder()
            let recorder = try Proxy(command, in: folder)
            for path in ["/refuse", "/refuse?reset"] {
                let answer = try recorder.ask("POST", path, body)
                expectEqual(answer.status, 413)
                expectEqual(answer.text, #"{"error":"too large"}"#)
            }
            // A request that is sent whole is no different.
            try expectEqual(recorder.ask("POST", "/echo", "short").status, 200)
            try recorder.stop()
            let data = try Data(contentsOf: folder.url.appendingPathComponent("a.har"))
            let entries = try JSONReader.read(Array(data))["log"]?["entries"]?.arrayValue ?? []
            // A long one may come into the file behind a short one that began after it.
            let ordered = entries.sorted {
                ($0["startedDateTime"]?.stringValue ?? "") < ($1["startedDateTime"]?.stringValue ?? "")
            }
            expectEqual(ordered.compactMap { $0["response"]?["status"]?.intValue }, [413, 413, 200])
        }
    }
}
