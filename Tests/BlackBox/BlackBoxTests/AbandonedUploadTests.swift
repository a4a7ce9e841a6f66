import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 11: uploads whose client leaves before they have come.
@Suite(.serialized) struct AbandonedUploadTests {
    private static let shop = [
        "apis/shop/api.json": #"{"resources":[{"path":"/v1/posts","table":"posts"}]}"#,
        "apis/shop/tables/posts.json": "[]",
    ]

    enum Leaving: CaseIterable { case end, reset }

    enum Form: CaseIterable { case plain, expecting, chunked }

    private func port(_ served: Served, _ api: String) throws -> Int {
        let text = try #require(served.ready["apis"]?[api]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    private func entries(_ served: Served, _ query: String = "") throws -> [JSON] {
        try served.control("GET", "/requests?path=/v1/posts" + query).json["items"]?.arrayValue ?? []
    }

    /// Sends a head and part of its content, and leaves.
    private func leave(_ port: Int, _ target: String, _ form: Form, _ leaving: Leaving, sending count: Int) throws {
        var head = "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        var content = [UInt8](repeating: 0x61, count: count)
        switch form {
        case .plain: head += "Content-Length: 200000\r\n\r\n"
        case .expecting: head += "Content-Length: 200000\r\nExpect: 100-continue\r\n\r\n"
        case .chunked:
            head += "Transfer-Encoding: chunked\r\n\r\n"
            content = Array("30000\r\n".utf8) + content
        }
        let wire = try Wire(port: port)
        try wire.send(Array(head.utf8))
        if form == .expecting { try wire.wait(for: "100 Continue") }
        try wire.send(content)
        // The bytes of a reset connection may be thrown away unread: the server has to have them.
        if leaving == .reset { usleep(50_000) }
        if leaving == .end { wire.close() } else { wire.abort() }
    }

    @Test func `11 an upload that its client abandons is in the journal, by FIN and RST, framed in every way`() throws {
        let folder = try Folder(Self.shop)
        let served = try Served(["--api", "shop"], in: folder)
        var count = 0
        for (place, target) in [(try port(served, "shop"), "/v1/posts"), (served.hub, "/shop/v1/posts")] {
            for form in Form.allCases {
                for leaving in Leaving.allCases {
                    let what = "\(target) \(form) \(leaving)"
                    try leave(place, target, form, leaving, sending: 5_000)
                    count += 1
                    try Deadline().wait(for: what) { try entries(served).count == count }
                    let entry = try #require(try entries(served).first)
                    expectEqual(entry["outcome"], "interrupted", what)
                    expectEqual(entry["status"], 0, what)
                    expectEqual(entry["route"], "/v1/posts", what)
                    let body = entry["body"]
                    expectEqual(body?["bytes"], 5_000, what)
                    expectEqual(body?["declared"], form == .chunked ? nil : 200_000, what)
                    expectEqual(body?["truncated"], true, what)
                    expectNil(body?["sha256"], what)
                    expectEqual(body?["text"]?.stringValue?.utf8.count, 5_000, what)
                    #expect(entry["endedAt"] != nil)
                }
            }
        }
        let verdict = try served.control("POST", "/verify", #"{"match":{"method":"POST"},"count":{"exactly":12}}"#)
        expectEqual(verdict.json["verdict"], "pass", "\(verdict.text)")
        let events = try served.control("GET", "/metrics").text
        #expect(events.contains(#"status="0"} 12"#), "\(events)")
        let archive = try served.control("GET", "/requests.har").json["log"]?["entries"]?[0]
        expectEqual(archive?["request"]?["bodySize"], 5_000)
        expectEqual(archive?["request"]?["postData"]?["comment"], "5000 of 200000 bytes came")
        // A head alone is a request that was begun.
        try leave(try port(served, "shop"), "/v1/posts", .plain, .end, sending: 0)
        try Deadline().wait(for: "the thirteenth") { try entries(served).count == 13 }
        let last = try entries(served)[0]["body"]
        expectEqual(last, ["bytes": 0, "declared": 200_000, "text": "", "truncated": true])
    }

    @Test func `11 what came is kept to 64 KiB, and ends with a whole character`() throws {
        let folder = try Folder(Self.shop)
        let served = try Served(["--api", "shop"], in: folder)
        let own = try port(served, "shop")
        func content(_ bytes: [UInt8]) throws -> JSON {
            let before = try entries(served).count
            let wire = try Wire(port: own)
            try wire.send(Array("POST /v1/posts HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n".utf8) + bytes)
            wire.close()
            try Deadline().wait(for: "the entry") { try entries(served).count == before + 1 }
            return try #require(try entries(served)[0]["body"])
        }
        for count in [65_536, 65_537, 200_000] {
            let body = try content([UInt8](repeating: 0x62, count: count))
            expectEqual(body["bytes"]?.intValue, Int64(count))
            expectEqual(body["text"]?.stringValue?.utf8.count, 65_536)
            expectNil(body["sha256"])
        }
        try expectEqual(content(Array("aé".utf8.dropLast()))["text"], "a")
        try expectEqual(content([0xFF, 0xFE])["base64"], "//4=")
        // The entry is the same behind a store's document.
        let state = try served.control("GET", "/state").bytes
        try expectEqual(Wire(port: served.hub).ask("PUT", "/__admin/state", body: state).status, 200)
        try expectEqual(entries(served)[1]["body"]?["truncated"], true)
    }

    @Test func `11 it is in the world that its head names, and another's is none of it`() throws {
        let folder = try Folder(Self.shop)
        let served = try Served(["--api", "shop"], in: folder)
        try expectEqual(served.control("POST", "/worlds", #"{"name":"w"}"#).status, 201)
        try leave(try port(served, "shop"), "/@w/v1/posts", .plain, .end, sending: 10)
        func count(_ world: String) throws -> Int {
            try served.control("GET", "/requests", world: world).json["items"]?.arrayValue?.count ?? 0
        }
        try Deadline().wait(for: "the entry") { try count("w") == 1 }
        try expectEqual(count("main"), 0)
        try leave(try port(served, "shop"), "/@nowhere/v1/posts", .plain, .end, sending: 10)
        try leave(try port(served, "shop"), "/v1/posts", .plain, .end, sending: 10)
        try Deadline().wait(for: "the entry") { try count("main") == 1 }
        try expectEqual(count("w"), 1)
    }

    @Test func `11 a waiting verify learns of it, and so do the log and the events`() throws {
        let folder = try Folder(Self.shop)
        let served = try Served(["--api", "shop"], log: [], in: folder)
        let waiting = try Wire(port: served.hub)
        let order = #"{"match":{"method":"POST"},"within":"PT10S"}"#
        try waiting.send(Wire.request("POST", "/__admin/verify", body: Array(order.utf8)))
        let listener = try Wire(port: served.hub)
        try listener.send(Wire.request("GET", "/__admin/events"))
        try listener.wait(for: "200 OK")
        try leave(try port(served, "shop"), "/v1/posts", .plain, .end, sending: 100)
        try expectEqual(waiting.answer().json["verdict"], "pass")
        try listener.wait(for: #""outcome":"interrupted""#)
        try Deadline().wait(for: "the line") { try served.child.errors().contains("interrupted") }
    }

    @Test func `11 a built-in API's endpoint and a recorder's have it too, redacted where a backend is asked`() throws {
        let backend = try Backend()
        let served = try Served()
        let target = "/api/v1/conversations"
        func entry() throws -> JSON? { try served.control("GET", "/requests?limit=1").json["items"]?[0] }
        for mode in ["emulate", "record", "spy"] {
            if mode != "emulate" {
                let order = #"{"mode":"\#(mode)","upstream":"http://127.0.0.1:\#(backend.port)"}"#
                try expectEqual(served.control("PUT", "/mode?api=omnichat", order).status, 200)
            }
            _ = try served.control("DELETE", "/requests")
            let wire = try Wire(port: served.api)
            let content = #"{"password":"hunter2-secret","title":"a"#
            try wire.send(
                Array(
                    ("POST \(target) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-access-token-12345\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n" + content).utf8
                )
            )
            wire.close()
            try Deadline().wait(for: mode) { try entry()?["outcome"] == "interrupted" }
            let found = try #require(try entry())
            expectEqual(found["status"], 0)
            expectEqual(found["route"]?.stringValue, target)
            expectEqual(found["body"]?["bytes"]?.intValue, Int64(content.utf8.count), mode)
            expectEqual(found["body"]?["declared"], 5_000)
            if mode != "emulate" {
                #expect(!found.text.contains("hunter2-secret"), "\(found.text)")
                #expect(!found.text.contains("opaque-access-token-12345"), "\(found.text)")
            }
        }
    }

    @Test(arguments: Form.allCases, Leaving.allCases)
    func `13 an upload that its client gives up while recording is in the journal alone`(
        form: Form,
        leaving: Leaving
    ) throws {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", upstream.url, "--out", "r.har"], in: folder)
        try leave(recorder.api, "/api/v1/given-up", form, leaving, sending: 5_000)
        func journal() throws -> [JSON] { try recorder.control("GET", "/requests").json["items"]?.arrayValue ?? [] }
        try Deadline().wait(for: "the entry") { try journal().first?["outcome"] == "interrupted" }
        try expectEqual(recorder.ask("POST", "/api/v1/whole", "{}").status, 200)
        try expectEqual(journal().count, 2)
        try recorder.stop()
        expectEqual(upstream.requests.count, 1, "what reached the backend")
        let file = try Data(contentsOf: folder.url.appendingPathComponent("r.har"))
        let entries = try JSONReader.read(Array(file))["log"]?["entries"]?.arrayValue ?? []
        expectEqual(entries.map { $0["request"]?["url"]?.stringValue }, ["\(upstream.url)/api/v1/whole"])
    }

    @Test func `11 over TLS it is the same`() throws {
        let secure = try SecureServed(["--tls", "on", "--api", "omnichat"])
        let script = """
            import socket, ssl, sys
            raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
            s = context.wrap_socket(raw, server_hostname="localhost")
            s.sendall(b"POST /api/v1/conversations HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 200000\\r\\n\\r\\n" + b"a" * 5000)
            s.close()
            """
        guard try TLSTool.python(script, ["\(secure.served.api)"]) != nil else { return }
        func entry() throws -> JSON? { try secure.served.control("GET", "/requests?limit=1").json["items"]?[0] }
        try Deadline().wait(for: "the entry") { try entry()?["outcome"] == "interrupted" }
        try expectEqual(entry()?["body"]?["bytes"], 5_000)
    }

    // MARK: Faults and refusals

    @Test(arguments: [#"{"resetAfterBytes":3000}"#, #"{"stopAfterBytes":3000}"#, #"{"rejectEarly":413}"#])
    func `11 no digest is made up of an upload that a fault ends`(effect: String) throws {
        let served = try Served()
        let fault = #"{"match":{"method":"POST"},"effect":{"upload":\#(effect)}}"#
        try expectEqual(served.control("POST", "/faults", fault).status, 201)
        let wire = try Wire(port: served.api)
        let head = "POST /api/v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
        try wire.send(Array(head.utf8) + [UInt8](repeating: 0x61, count: 5_000))
        if effect.contains("stop") { usleep(200_000) } else { try? wire.waitForEnd(within: 2) }
        wire.close()
        func entry() throws -> JSON? { try served.control("GET", "/requests?limit=1").json["items"]?[0] }
        try Deadline().wait(for: "the end") { try entry()?["endedAt"] != nil }
        let body = try #require(try entry()?["body"])
        expectNil(body["sha256"])
        expectEqual(body["declared"], 200_000)
        expectEqual(body["truncated"], true)
        if !effect.contains("reject") { #expect((body["bytes"]?.intValue ?? 0) >= 3_000, "\(body.text)") }
    }

    @Test func `11 nor of one that comes too late or is too long`() throws {
        let served = try Served(Served.frozen + ["--limit", "body-seconds=1", "body=10000"])
        func entry() throws -> JSON? { try served.control("GET", "/requests?limit=1").json["items"]?[0] }
        let late = try Wire(port: served.api)
        try late.send(Array("POST /api/v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n1234567".utf8))
        try expectEqual(late.answer().status, 408)
        late.close()
        try Deadline().wait(for: "the entry") { try entry()?["body"]?["bytes"] == 7 }
        try expectEqual(entry()?["body"], ["bytes": 7, "declared": 900, "text": "1234567", "truncated": true])
        let long = try Wire(port: served.api)
        try long.send(Array("POST /api/v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: 999000000\r\n\r\n".utf8))
        #expect(try long.answer().status >= 400)
        try expectEqual(entry()?["body"], ["bytes": 0, "declared": 999_000_000, "text": "", "truncated": true])
        let archive = try served.control("GET", "/requests.har").json["log"]?["entries"]?[1]
        expectEqual(archive?["request"]?["bodySize"], 0)
    }

    // MARK: Leaving during a delay

    @Test func `11 a client that gives up during a delay has left when it left`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":2500}}}"#)
        func entry() throws -> JSON? { try served.control("GET", "/requests?limit=1").json["items"]?[0] }
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        try Deadline().wait(for: "the request") { try entry()?["outcome"] == "held" }
        wire.close()
        try Deadline().wait(for: "the end") { try entry()?["endedAt"] != nil }
        let found = try #require(try entry())
        expectEqual(found["outcome"], "interrupted")
        expectEqual(found["responseBody"]?["bytes"], 0)
        #expect((found["timings"]?["wait"]?.doubleValue ?? 9_999) < 2_400, "\(found.text)")
        let line = try served.control("GET", "/requests?view=line&limit=1").json["items"]?[0]
        #expect((line?["ms"]?.doubleValue ?? 9_999) < 2_400, "\(line?.text ?? "")")
        // One that has half closed gets its answer, and is told so.
        let half = try Wire(port: served.api)
        try half.send(Wire.request("GET", "/api/v1/conversations"))
        half.endSending()
        #expect(try half.answer().status > 0)
        try Deadline().wait(for: "its end") { try entry()?["outcome"] == "delivered" }
        #expect((try entry()?["timings"]?["wait"]?.doubleValue ?? 0) >= 2_400)
    }
}
