import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 3, 11, 13 and 19: the traffic between a client and its real backend, and the order of
/// disconnects.
@Suite(.serialized) struct ForwardingTests {
    private static let hop =
        "HTTP/1.1 299 Nearly Fine\r\nConnection: X-Back, keep-alive\r\nconnection: x-other, Content-Type, Content-Length\r\n"
        + "X-Back: 1\r\nX-Other: 2\r\nx-BACK: 3\r\nKeep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\n"
        + "Proxy-Authenticate: Basic\r\nProxy-Authentication-Info: x\r\nUpgrade: h2c\r\nTE: trailers\r\n"
        + "X-Understudy-World: other\r\nx-understudy-thing: 1\r\nPreference-Applied: wait=1, return=minimal\r\n"
        + "Content-Type: application/json\r\nX-Kept: yes\r\nContent-Length: 2\r\n\r\n{}"

    private func served(
        _ backend: SilentBackend,
        _ mode: String,
        _ flags: [String] = [],
        in folder: Folder? = nil
    ) throws -> Served {
        let served = try Served(Served.frozen + flags, in: try folder ?? Folder(["recordings/none": ""]))
        try set(served, backend, mode)
        return served
    }

    private func set(_ served: Served, _ backend: SilentBackend, _ mode: String, api: String = "omnichat") throws {
        let answer = try served.control(
            "PUT",
            "/mode",
            #"{"api":"\#(api)","mode":"\#(mode)","upstream":"\#(backend.url)"}"#
        )
        guard answer.status == 200 else { throw TestError(description: answer.text) }
    }

    private func start(_ served: Served, _ path: String, method: String = "GET", body: String = "") throws -> Wire {
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request(method, path, body: Array(body.utf8)))
        return wire
    }

    private func entries(_ served: Served) throws -> [JSON] {
        try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
    }

    private func recorded(_ folder: Folder) throws -> [JSON] {
        let data = try Data(contentsOf: folder.url.appendingPathComponent("recordings/omnichat.har"))
        return try JSONReader.read(Array(data))["log"]?["entries"]?.arrayValue ?? []
    }

    // MARK: Fields of one connection

    @Test(arguments: ["record", "spy", "record-missing"])
    func `13 fields of one connection and our own are passed on in neither direction, nor recorded`(mode: String) throws
    {
        let backend = try SilentBackend(["hop": Self.hop])
        let folder = try Folder(["recordings/none": ""])
        let served = try served(backend, mode, in: folder)
        let wire = try Wire(port: served.api)
        try wire.send(
            Wire.request(
                "GET",
                "/raw/hop",
                fields: [
                    "Connection: X-Hop, Cookie2, Host,Authorization", "X-Hop: 1", "Authorization: Bearer foreign",
                    "connection:  x-two ,Content-Type", "X-Two: 2", "x-hop: 3", "Cookie2: x", "Keep-Alive: timeout=1",
                    "TE: trailers", "Trailer: X-T", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
                    "Proxy-Connection: keep-alive", "Proxy-Authorization: Basic eDp5", "X-Understudy-Foo: 1",
                    "X-Understudy-World: main", "Prefer: return=minimal, wait=0, respond-async", "X-Kept: yes",
                ]
            )
        )
        let answer = try wire.answer()
        expectEqual(answer.status, 299)
        expectEqual(answer.bytes, Array("{}".utf8))
        let names = answer.fields.map { $0.name.lowercased() }
        let dropped = [
            "connection", "x-back", "x-other", "keep-alive", "proxy-connection", "proxy-authenticate",
            "proxy-authentication-info", "upgrade", "te", "x-understudy-world", "x-understudy-thing",
        ]
        for name in dropped { #expect(!names.contains(name), "\(name) reached the client") }
        expectEqual(answer["X-Kept"], "yes")
        expectEqual(answer["Content-Type"], "application/json")
        // Our own preference was met here; the other one there.
        let applied = answer.fields.filter { $0.name == "Preference-Applied" }.map(\.value)
        expectEqual(applied, ["return=minimal", "wait=0"])
        let sent = try backend.head(1).components(separatedBy: "\r\n").dropFirst()
        let fields = sent.compactMap { $0.split(separator: ":").first?.lowercased() }
        let hidden = [
            "connection", "x-hop", "x-two", "cookie2", "keep-alive", "te", "trailer", "upgrade", "http2-settings",
            "proxy-connection", "proxy-authorization", "x-understudy-foo", "x-understudy-world",
        ]
        for name in hidden { #expect(!fields.contains(name), "\(name) reached the backend") }
        #expect(fields.contains("host"))
        #expect(sent.contains("Authorization: Bearer foreign"))
        #expect(sent.contains("Prefer: return=minimal, respond-async"))
        #expect(sent.contains("X-Kept: yes"))
        guard mode != "spy" else { return }
        let entry = try #require(try recorded(folder).first)
        for (message, absent) in [("request", hidden), ("response", dropped)] {
            let kept =
                entry[message]?["headers"]?.arrayValue?.compactMap { $0["name"]?.stringValue?.lowercased() } ?? []
            #expect(kept.contains("x-kept"))
            for name in absent { #expect(!kept.contains(name), "\(name) of the \(message) is recorded") }
        }
        expectEqual(entry["response"]?["statusText"], "Nearly Fine")
    }

    @Test func `13 a preference that is not ours is passed on untouched`() throws {
        let backend = try SilentBackend(["a": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        let served = try served(backend, "spy")
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/raw/a", fields: ["Prefer: resolution=merge-duplicates,return=minimal"]))
        try expectEqual(wire.answer().status, 200)
        #expect(try backend.head(1).contains("\r\nPrefer: resolution=merge-duplicates,return=minimal\r\n"))
    }

    @Test func `13 a foreign recording with fields of one connection is replayed without them`() throws {
        let fields = [
            ("Connection", "X-Hop, keep-alive"), ("connection", "X-Two"), ("X-Hop", "1"), ("x-two", "2"),
            ("Keep-Alive", "timeout=5"), ("Proxy-Authenticate", "Basic"), ("X-Understudy-World", "w"),
            ("X-Kept", "yes"),
        ].map { #"{"name":"\#($0)","value":"\#($1)"}"# }.joined(separator: ",")
        let archive =
            #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"2025-01-01T12:00:00Z","time":1,"request":{"method":"GET","url":"http://x/h","httpVersion":"HTTP/1.1","headers":[],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":299,"statusText":"Nearly\r\n Fine","httpVersion":"HTTP/1.1","headers":[\#(fields)],"cookies":[],"content":{"size":2,"mimeType":"text/plain","text":"ok"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}]}}"#
        let served = try Served(in: try Folder(["recordings/r.har": archive]))
        let order = #"{"api":"omnichat","mode":"replay","recording":"r"}"#
        try expectEqual(served.control("PUT", "/mode", order).json["recording"], "r.har")
        let wire = try start(served, "/h")
        let answer = try wire.answer()
        expectEqual(answer.text, "ok")
        expectEqual(answer["X-Kept"], "yes")
        for name in ["X-Hop", "X-Two", "Keep-Alive", "Proxy-Authenticate", "X-Understudy-World", "Connection"] {
            expectNil(answer[name], "\(name)")
        }
        // A line end in a recorded phrase is no end of the status line.
        #expect(String(decoding: answer.raw, as: UTF8.self).hasPrefix("HTTP/1.1 299 Nearly Fine\r\n"))
    }

    @Test(
        arguments: [
            ("404 Gone Fishing", "404 Gone Fishing"), ("600 X", "600 X"), ("204 ", "204 "), ("200 OK", "200 OK"),
            ("503 \u{e5}\u{e4}", "503 \u{e5}\u{e4}"),
        ]
    )
    func `13 the phrase of a status is the backend's`(line: String, expected: String) throws {
        let backend = try SilentBackend(["a": "HTTP/1.1 \(line)\r\nContent-Length: 0\r\n\r\n"])
        let served = try served(backend, "spy")
        let wire = try start(served, "/raw/a")
        let answer = try wire.answer()
        #expect(String(decoding: answer.raw, as: UTF8.self).hasPrefix("HTTP/1.1 \(expected)\r\n"))
    }

    // MARK: Leaving

    /// The ways in which a client leaves.
    enum Departure: CaseIterable {
        case closed, reset, halfClosed

        func leave(_ wire: Wire) {
            switch self {
            case .closed: wire.close()
            case .reset: wire.abort()
            case .halfClosed: wire.endSending()
            }
        }
    }

    @Test(arguments: ["record", "spy", "diff"], Departure.allCases)
    func `13 a client that leaves before the backend answers ends the exchange, which is in the journal and recorded`(
        mode: String,
        departure: Departure
    ) throws {
        let backend = try SilentBackend()
        let folder = try Folder(["recordings/none": ""])
        let served = try served(backend, mode, in: folder)
        let wire = try start(
            served,
            "/silent?token=hunter2-secret",
            method: "POST",
            body: #"{"password":"hunter2-secret"}"#
        )
        try backend.waitUntilSeen(1)
        let began = Date()
        departure.leave(wire)
        try backend.waitUntilLeft(1)
        // Far below the minute after which a silent backend is given up.
        #expect(Date().timeIntervalSince(began) < 20)
        try Deadline().wait(for: "the journal") { try entries(served).first?["outcome"] == "interrupted" }
        let entry = try #require(try entries(served).first)
        expectEqual(entry["path"], "/silent")
        expectEqual(entry["method"], "POST")
        try expectEqual(served.control("GET", "/requests.har").json["log"]?["entries"]?.arrayValue?.count, 1)
        if mode != "diff" {
            #expect(!entry.text.contains("hunter2"))
            try expectEqual(served.control("GET", "/unmatched").json["items"], [])
        }
        guard mode == "record" else { return }
        try Deadline().wait(for: "the recording") { try recorded(folder).count == 1 }
        let kept = try #require(try recorded(folder).first)
        expectEqual(kept["response"]?["status"], 0)
        expectEqual(kept["response"]?["_error"]?.stringValue?.contains("went away"), true)
        #expect(!kept.text.contains("hunter2"))
    }

    @Test(arguments: Departure.allCases)
    func `13 a client that leaves in the middle of a silent stream ends the exchange`(departure: Departure) throws {
        let backend = try SilentBackend()
        let folder = try Folder(["recordings/none": ""])
        let served = try served(backend, "record", in: folder)
        let wire = try start(served, "/begin")
        try wire.wait(for: "data: first")
        departure.leave(wire)
        try backend.waitUntilLeft(1)
        try Deadline().wait(for: "the journal") { try entries(served).first?["outcome"] == "interrupted" }
        try expectEqual(entries(served).count, 1)
        try Deadline().wait(for: "the recording") { try recorded(folder).count == 1 }
    }

    @Test func `13 a request behind another that waits does not hide that its client has left`() throws {
        let backend = try SilentBackend()
        let served = try served(backend, "spy")
        let wire = try start(served, "/silent")
        try backend.waitUntilSeen(1)
        // More than is read ahead: the end lies behind bytes that nobody takes.
        let filler = Array("GET /x HTTP/1.1\r\nHost: x\r\nX-Long: \(String(repeating: "a", count: 8_000))\r\n\r\n".utf8)
        for _ in 0..<20 { try wire.send(filler) }
        wire.endSending()
        try backend.waitUntilLeft(1)
    }

    @Test func `19 an answer that is there and merely delayed is still written to a half closed connection`() throws {
        let backend = try SilentBackend(["a": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"])
        let served = try served(backend, "spy")
        try expectEqual(
            served.control("POST", "/faults", #"{"on":"world","effect":{"delay":{"ms":3600000}}}"#).status,
            201
        )
        let wire = try start(served, "/raw/a")
        // The backend has said all, and is done with it.
        try backend.waitUntilLeft(1)
        try Deadline().wait(for: "the answer") { try entries(served).first?["status"] == 200 }
        wire.endSending()
        try expectEqual(served.control("GET", "/health").status, 200)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":3600}"#).status, 200)
        try expectEqual(wire.answer().text, "late")
        try Deadline().wait(for: "its outcome") { try entries(served).first?["outcome"] == "delivered" }
    }

    @Test(arguments: Departure.allCases)
    func `19 a client that leaves at a gate has left, and nothing is asked for it`(departure: Departure) throws {
        let backend = try SilentBackend()
        let served = try served(backend, "spy")
        try expectEqual(served.control("POST", "/gates", #"{"name":"g"}"#).status, 201)
        let wire = try start(served, "/silent")
        try Deadline().wait(for: "the gate") {
            try served.control("GET", "/gates/g").json["held"]?.arrayValue?.count == 1
        }
        departure.leave(wire)
        try Deadline().wait(for: "its end") { try entries(served).first?["outcome"] == "interrupted" }
        try expectEqual(served.control("GET", "/gates/g").json["held"], [])
        try expectEqual(served.control("DELETE", "/gates/g").status, 204)
        try expectEqual(served.control("GET", "/health").status, 200)
        try expectEqual(backend.seen(), 0)
    }

    @Test func `13 each API has a limit of its own, and whoever leaves gives the place free`() throws {
        let backend = try SilentBackend(["a": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        let served = try served(backend, "spy", ["--limit", "upstream-exchanges=3"])
        try set(served, backend, "spy", api: "trendy")
        var waiting: [Wire] = []
        for number in 1...3 {
            waiting.append(try start(served, "/silent"))
            try backend.waitUntilSeen(number)
        }
        let refused = try start(served, "/raw/a").answer()
        expectEqual(refused.status, 502)
        #expect(refused.text.contains("3 exchanges"))
        // The others go on.
        try expectEqual(Wire(port: served.hub).ask("GET", "/trendy/raw/a").status, 200)
        for (wire, departure) in zip(waiting, Departure.allCases) { departure.leave(wire) }
        try backend.waitUntilLeft(4)
        try Deadline().wait(for: "a free place") { try start(served, "/raw/a").answer().status == 200 }
    }

    @Test func `13 four hundred that have left keep nobody from the backend`() throws {
        let backend = try SilentBackend(["a": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        let served = try served(backend, "spy")
        for number in 0..<400 {
            let wire = try start(served, "/silent?n=\(number)")
            if number.isMultiple(of: 2) { wire.close() } else { wire.abort() }
        }
        try Deadline().wait(for: "a free place") { try start(served, "/raw/a").answer().status == 200 }
        try Deadline().wait(for: "the journal") {
            try entries(served).filter { $0["path"] == "/silent" && $0["outcome"] != nil && $0["outcome"] != "held" }
                .count == 400
        }
    }

    @Test func `8 an answer without an end that has to be there in full is given up`() throws {
        let backend = try SilentBackend()
        let served = try served(backend, "spy")
        try expectEqual(
            served.control("POST", "/faults", #"{"effect":{"dribble":{"chunks":2,"overMs":1}}}"#).status,
            201
        )
        let answer = try start(served, "/flood").answer()
        expectEqual(answer.status, 502)
        #expect(answer.text.contains("too large to be changed"))
        try backend.waitUntilLeft(1)
    }

    @Test(arguments: [50, 1_000, 100_000])
    func `9 content of a backend is slowed, however many pieces that makes of it`(rate: Int) throws {
        let content = String(repeating: "0123456789", count: 3_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        let backend = try SilentBackend([
            "chunks": head + "Transfer-Encoding: chunked\r\n\r\n7530\r\n\(content)\r\n0\r\n\r\n",
            "length": head + "Content-Length: 30000\r\n\r\n" + content,
        ])
        let served = try served(backend, "spy")
        let order = #"{"delay":{"ms":0},"bytesPerSecond":\#(rate),"on":"world"}"#
        try expectEqual(served.control("PUT", "/latency", order).status, 200)
        for (number, name) in ["chunks", "length"].enumerated() {
            let wire = try start(served, "/raw/\(name)")
            try wire.wait(for: "\r\n\r\n")
            try backend.waitUntilLeft(number + 1)
            // Its last piece is on its way to the client when the entry has the content.
            try Deadline().wait(for: "the content") {
                try entries(served).count { $0["responseBody"]?["bytes"]?.intValue == 30_000 } == number + 1
            }
            try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":700}"#).status, 200)
            try expectEqual(wire.answer().text, content)
        }
    }

    // MARK: Reset

    @Test(arguments: ["POST /reset", "POST /reset?api=omnichat", "POST /snapshots/s/restore"])
    func `3 a reset cuts and counts what waits for the backend, and its late answer is not in the world`(call: String)
        throws
    {
        let backend = try SilentBackend(["a": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        let folder = try Folder(["recordings/none": ""])
        let served = try served(backend, "record", in: folder)
        try expectEqual(served.control("POST", "/snapshots", #"{"name":"s"}"#).status, 201)
        let wire = try start(served, "/wait/go")
        let other = try start(served, "/silent")
        try backend.waitUntilSeen(2)
        let words = call.split(separator: " ").map(String.init)
        let answer = try served.control(words[0], words[1])
        expectEqual(answer.status, 200)
        expectEqual(answer.json["cancelled"], 2)
        try backend.folder.write("go", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try wire.waitForEnd()
        try other.waitForEnd()
        #expect(wire.wasReset && other.wasReset && wire.text.isEmpty && other.text.isEmpty)
        try backend.waitUntilLeft(2)
        try expectEqual(entries(served), [])
        try expectEqual(start(served, "/raw/a").answer().status, 200)
        try expectEqual(entries(served).map { $0["path"] }, ["/raw/a"])
        // The file is no part of the world.
        try Deadline().wait(for: "the recording") { try recorded(folder).count == 3 }
    }

    @Test func `3 what waits for the backend with a fault on it is cut and counted, too`() throws {
        let backend = try SilentBackend()
        let served = try served(backend, "spy")
        try expectEqual(served.control("POST", "/faults", #"{"effect":{"delay":{"ms":1}}}"#).status, 201)
        let wire = try start(served, "/silent")
        try backend.waitUntilSeen(1)
        try expectEqual(served.control("POST", "/reset").json["cancelled"], 1)
        try wire.waitForEnd()
        try expectEqual(entries(served), [])
    }

    @Test func `4 the end of a world cuts what waits for the backend in it, and no other`() throws {
        let backend = try SilentBackend()
        let served = try served(backend, "spy")
        try expectEqual(served.control("POST", "/worlds", #"{"name":"w"}"#).status, 201)
        let inside = try start(served, "/@w/silent")
        let outside = try start(served, "/silent")
        try backend.waitUntilSeen(2)
        try expectEqual(served.control("POST", "/reset?api=trendy").json["cancelled"], 0)
        try expectEqual(served.control("DELETE", "/worlds/w").status, 204)
        try inside.waitForEnd()
        #expect(inside.wasReset)
        try backend.waitUntilLeft(1)
        try expectEqual(served.control("POST", "/reset").json["cancelled"], 1)
        try outside.waitForEnd()
    }
}
