import Backend
import CivilTime
import Conditions
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Resumable uploads by tus (wire contract, section 8).
@Suite struct WireUploadTests {
    private typealias Headers = KeyValuePairs<String, String>
    private typealias Answer = CustomAPIHarness.Answer

    private static func harness(_ uploads: String = #"[{"path":"/v1/files","max":100}]"#) throws -> CustomAPIHarness {
        try CustomAPIHarness(["api.json": "{\"uploads\":\(uploads)}"])
    }

    private func create(
        _ harness: CustomAPIHarness,
        _ length: String = "10",
        _ more: Headers = [:]
    ) throws -> (answer: Answer, path: String) {
        let answer = try harness.send(
            .post,
            "/v1/files",
            headers: ["Tus-Resumable": "1.0.0", "Upload-Length": length],
            more
        )
        let place = answer["Location"] ?? ""
        return (answer, String(place.dropFirst("http://127.0.0.1:4700".count)))
    }

    private func patch(
        _ harness: CustomAPIHarness,
        _ path: String,
        _ text: String,
        at offset: String,
        type: String = "application/offset+octet-stream",
        version: String = "1.0.0"
    ) throws -> Answer {
        try harness.send(
            .patch,
            path,
            body: Array(text.utf8),
            headers: ["Tus-Resumable": version, "Upload-Offset": offset, "Content-Type": type]
        )
    }

    private func offset(_ harness: CustomAPIHarness, _ path: String) throws -> String? {
        try harness.send(.head, path, headers: ["Tus-Resumable": "1.0.0"])["Upload-Offset"]
    }

    @Test func `8 an upload is created, appended to, looked at and removed`() throws {
        let harness = try Self.harness()
        let made = try create(harness, "10", ["Upload-Metadata": "filename d29ybGQudHh0,is_x,raw /w=="])
        expectEqual(made.answer.status, 201)
        expectEqual(made.answer["Tus-Resumable"], "1.0.0")
        expectEqual(made.answer["Location"]?.hasPrefix("http://127.0.0.1:4700/v1/files/"), true)
        let begun = try patch(harness, made.path, "hello", at: "0")
        expectEqual(begun.status, 204)
        expectEqual(begun["Upload-Offset"], "5")
        let found = try harness.send(.head, made.path, headers: ["Tus-Resumable": "1.0.0"])
        expectEqual(found.status, 200)
        expectEqual(found["Upload-Offset"], "5")
        expectEqual(found["Upload-Length"], "10")
        expectEqual(found["Upload-Metadata"], "filename d29ybGQudHh0,is_x,raw /w==")
        expectEqual(found["Cache-Control"], "no-store")
        try expectEqual(patch(harness, made.path, "world", at: "5")["Upload-Offset"], "10")
        try expectEqual(patch(harness, made.path, "", at: "10").status, 204)
        let rows = try harness.hosted().world.rows(ofTable: "_uploads", 0)
        let row = try #require(rows.first?.content)
        expectEqual(row["offset"], 10)
        expectEqual(row["length"], 10)
        expectEqual(row["metadata"]?.text, #"{"filename":"world.txt","is_x":null,"raw":{"base64":"/w=="}}"#)
        expectEqual(row["createdAt"], "2025-01-01T12:00:00.000000Z")
        expectEqual(row.objectValue?.members.map(\.name), ["id", "length", "offset", "metadata", "createdAt"])
        let gone = try harness.send(.delete, made.path, headers: ["Tus-Resumable": "1.0.0"])
        expectEqual(gone.status, 204)
        try expectEqual(offset(harness, made.path), nil)
        for method in [HTTPMethod.head, .patch, .delete] {
            let answer = try harness.send(
                method,
                made.path,
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
                ]
            )
            expectEqual(answer.status, 404, "\(method)")
            expectEqual(answer["Tus-Resumable"], "1.0.0", "\(method)")
        }
    }

    @Test func `8 OPTIONS tells what is supported, and asks for no token`() throws {
        let harness = try CustomAPIHarness(
            SignInFixture.files(more: #""uploads":[{"path":"/v1/files","max":5},{"path":"/v1/any"}]"#)
        )
        for path in ["/v1/files", "/v1/files/x"] {
            let answer = try harness.options(path)
            expectEqual(answer.status, 204)
            expectEqual(answer["Tus-Version"], "1.0.0")
            expectEqual(answer["Tus-Extension"], "creation,termination")
            expectEqual(answer["Tus-Max-Size"], "5")
            expectEqual(answer["Tus-Resumable"], "1.0.0")
        }
        try expectEqual(harness.options("/v1/any")["Tus-Max-Size"], nil)
        try expectEqual(harness.send(.post, "/v1/files", headers: ["Tus-Resumable": "1.0.0"]).status, 401)
        try expectEqual(harness.send(.put, "/v1/files").status, 405)
    }

    /// Fields of a creation with the status; `max` is 100.
    @Test func `8 a creation needs a length within the limit`() throws {
        let harness = try Self.harness()
        for (length, status) in [
            ("0", 201), ("100", 201), ("101", 413), ("", 400), ("-1", 400), ("x", 400), ("1.5", 400),
            ("9007199254740993", 413), ("99999999999999999999", 413), ("007", 201),
        ] {
            let answer = try create(harness, length).answer
            expectEqual(answer.status, status, length)
            expectEqual(answer["Tus-Resumable"], "1.0.0", length)
        }
        for (name, value) in [
            ("Upload-Defer-Length", "1"), ("Upload-Concat", "partial"), ("Upload-Metadata", "a !"),
            ("Upload-Metadata", "a YQ==,a YQ=="), ("Upload-Metadata", ",,"), ("Upload-Length", "1"),
            ("Upload-Length", "2"),
        ] {
            let headers: Headers = ["Tus-Resumable": "1.0.0", "Upload-Length": "1"]
            let more: Headers = [name: value]
            try expectEqual(harness.send(.post, "/v1/files", headers: headers, more).status, 400, "\(name): \(value)")
        }
        let missing = try harness.send(.post, "/v1/files", headers: ["Tus-Resumable": "1.0.0"])
        expectEqual(missing.status, 400)
        expectEqual(missing.json["error"]?["code"], "bad_request")
        let unbounded = try Self.harness(#"[{"path":"/v1/files"}]"#)
        try expectEqual(create(unbounded, "9007199254740992").answer.status, 201)
    }

    @Test func `8 other versions, offsets, types and too many bytes are refused, and nothing counts`() throws {
        let harness = try Self.harness()
        let path = try create(harness).path
        for version in ["", "0.2.2", "1.0.1"] {
            let answer = try patch(harness, path, "abc", at: "0", version: version)
            expectEqual(answer.status, 412)
            expectEqual(answer["Tus-Version"], "1.0.0")
        }
        try expectEqual(harness.send(.post, "/v1/files", headers: ["Upload-Length": "1"]).status, 412)
        try expectEqual(harness.send(.head, path).status, 412)
        try expectEqual(patch(harness, path, "abc", at: "0", type: "application/json").status, 415)
        for offset in ["", "-1", "x"] { try expectEqual(patch(harness, path, "abc", at: offset).status, 400) }
        for (more, status) in [
            (["Upload-Offset": "0"], 400), (["Upload-Offset": "3"], 400), (["Content-Encoding": "gzip"], 415),
            (["Content-Encoding": "br"], 415), (["Tus-Resumable": "0.2.2"], 412),
        ] as [(Headers, Int)] {
            let headers: Headers = [
                "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
            ]
            let answer = try harness.send(.patch, path, body: Array("abc".utf8), headers: headers, more)
            expectEqual(answer.status, status, "\(more)")
            expectEqual(answer["Accept-Encoding"], status == 415 ? "identity" : nil)
        }
        try expectEqual(patch(harness, path, "abc", at: "99999999999999999999").status, 409)
        let ahead = try patch(harness, path, "abc", at: "1")
        expectEqual(ahead.status, 409)
        expectEqual(ahead["Upload-Offset"], "0")
        try expectEqual(patch(harness, path, "12345678901", at: "0").status, 413)
        try expectEqual(offset(harness, path), "0")
        try expectEqual(patch(harness, path, "1234567890", at: "0").status, 204)
        try expectEqual(patch(harness, path, "1", at: "10").status, 413)
        try expectEqual(patch(harness, path, "1", at: "0").status, 409)
    }

    @Test func `8 the method in X-HTTP-Method-Override counts`() throws {
        let harness = try Self.harness()
        let path = try create(harness).path
        func post(_ method: String) throws -> Answer {
            try harness.send(
                .post,
                path,
                body: Array("abc".utf8),
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "X-HTTP-Method-Override": method,
                    "Content-Type": "application/offset+octet-stream",
                ]
            )
        }
        try expectEqual(post("PATCH")["Upload-Offset"], "3")
        try expectEqual(post("PUT").status, 405)
        try expectEqual(post("DELETE").status, 204)
        try expectEqual(offset(harness, path), nil)
    }

    @Test(arguments: [("0", 0), ("3", 3), ("4", 4)])
    func `8 what came before a client left counts, if the whole would have`(text: String, received: Int) throws {
        let harness = try Self.harness()
        let path = try create(harness).path
        func leave(length: Int, at offset: String, _ id: UInt64) throws {
            try self.leave(harness, path, Sent(received, of: length, at: offset), id)
        }
        try leave(length: 10, at: "0", 1_000_001)
        try expectEqual(offset(harness, path), text)
        let journal = try harness.hosted().world.journal
        expectEqual(journal.entries.contains { $0.method == .patch && $0.status.code == 0 }, true)
        // Neither content beyond the length nor another offset.
        try leave(length: 11, at: text, 1_000_002)
        try leave(length: 1, at: "9", 1_000_003)
        try expectEqual(offset(harness, path), text)
    }

    /// What a client sends of a request before it leaves.
    private struct Sent {
        let received: Int
        let length: Int
        let offset: String
        var more: Fields = [:]

        init(_ received: Int, of length: Int, at offset: String, _ more: Fields = [:]) {
            (self.received, self.length, self.offset, self.more) = (received, length, offset, more)
        }
    }

    private func leave(_ harness: CustomAPIHarness, _ path: String, _ sent: Sent, _ id: UInt64) throws {
        var fields: Fields = [
            .host: "127.0.0.1:4700", .contentType: "application/offset+octet-stream",
            .contentLength: "\(sent.length)", "Tus-Resumable": "1.0.0", "Upload-Offset": sent.offset,
        ]
        for pair in sent.more.pairs { fields.append(try #require(FieldName(pair.name)), pair.value) }
        let head = RequestHead(
            method: .patch,
            target: RequestTarget(rawPath: path, rawQuery: nil),
            fields: fields
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: harness.entryPoint))
        let exchange = harness.emulator.open(head, address: address, peer: "127.0.0.1", id: id, at: harness.hostTime)
        _ = harness.emulator.admit(exchange, at: harness.hostTime)
        expectEqual(harness.emulator.countsContent(of: exchange), true)
        harness.emulator.end(
            exchange,
            outcome: .interrupted,
            timings: JournalEntry.Timings(),
            contentSent: nil,
            wasAnswered: false,
            unread: UnreadContent(bytes: [], received: sent.received),
            hostTime: harness.hostTime
        )
    }

    /// Effects on the whole request, with the bytes that count of three of nine, and of the whole in turn.
    @Test(arguments: [
        (#"{"status":503}"#, "", "0"), (#"{"respond":{"status":200}}"#, "", "0"),
        (#"{"connection":"reset"}"#, "", "0"), (#"{"connection":"empty"}"#, "", "0"),
        (#"{"raw":{"text":"x"}}"#, "", "0"), (#"{"status":503}"#, #","phase":"after""#, "3"),
        (#"{"connection":"reset"}"#, #","phase":"after""#, "3"), (#"{"delay":{"ms":5}}"#, "", "3"),
        (#"{"connection":"truncate"}"#, "", "3"), (#"{"status":503}"#, #","when":{"skip":1}"#, "3"),
        (#"{"status":503}"#, #","match":{"method":"POST"}"#, "3"), (#"{"upload":{"stopAfterBytes":3}}"#, "", "3"),
    ])
    func `8 what a fault would have refused as a whole does not count`(effect: String, more: String, text: String)
        throws
    {
        let harness = try Self.harness()
        let path = try create(harness).path
        try harness.addFault(JSONReader.read(text: "{\"effect\":\(effect)\(more)}"))
        try leave(harness, path, Sent(3, of: 9, at: "0"), 1_000_001)
        let hosted = try harness.hosted()
        let isUpload = effect.contains("upload")
        expectEqual(hosted.world.faults["flt_1"]?.hits, isUpload ? 1 : 0)
        expectEqual(hosted.world.faults["flt_1"]?.matches, isUpload ? 1 : 0)
        hosted.world.faults.remove { _ in true }
        try expectEqual(offset(harness, path), text)
    }

    @Test(arguments: ["expire", "revoke"])
    func `8 credentials that a fault would have ended keep it from counting, and are not ended`(effect: String) throws {
        let harness = try SignInFixture.harness(more: #""uploads":[{"path":"/v1/files"}]"#)
        let bearer = try "Bearer \(harness.login().access)"
        func look(_ path: String) throws -> Answer {
            try harness.send(.head, path, headers: ["Tus-Resumable": "1.0.0", "Authorization": bearer])
        }
        let made = try harness.send(
            .post,
            "/v1/files",
            headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "9", "Authorization": bearer]
        )
        let path = String(try #require(made["Location"]).dropFirst("http://127.0.0.1:4700".count))
        try harness.addFault(JSONReader.read(text: #"{"effect":{"tokens":"\#(effect)"},"match":{"method":"PATCH"}}"#))
        try leave(harness, path, Sent(3, of: 9, at: "0", [.authorization: bearer]), 1_000_001)
        try expectEqual(harness.hosted().world.faults["flt_1"]?.hits, 0)
        try expectEqual(look(path)["Upload-Offset"], "0")
        try harness.hosted().world.faults.remove { _ in true }
        try leave(harness, path, Sent(3, of: 9, at: "0", [.authorization: bearer]), 1_000_002)
        try expectEqual(look(path)["Upload-Offset"], "3")
    }

    @Test func `8 a preference or a stub that would have answered the whole keeps it from counting, too`() throws {
        let harness = try CustomAPIHarness([
            "api.json": #"{"uploads":[{"path":"/v1/files"}]}"#,
            "stubs/a.json": #"[{"match":{"path":"/v1/files/*","headers":{"X-Stub":"1"}},"response":{"status":204}}]"#,
        ])
        let path = try create(harness).path
        for (place, more)
            in ([["Prefer": "code=503"], ["Prefer": "fault=reset"], ["Prefer": "code=0"], ["X-Stub": "1"]] as [Fields])
            .enumerated()
        {
            try leave(harness, path, Sent(3, of: 9, at: "0", more), 1_000_001 + UInt64(place))
            try expectEqual(offset(harness, path), "0")
        }
        try leave(harness, path, Sent(3, of: 9, at: "0", ["Prefer": "wait=1"]), 1_000_009)
        try expectEqual(offset(harness, path), "3")
    }

    @Test func `8 an upload belongs to its path`() throws {
        let harness = try Self.harness(#"[{"path":"/v1/files","max":100},{"path":"/big"},{"path":"/other/"}]"#)
        let path = try create(harness).path
        let id = String(path.dropFirst("/v1/files/".count))
        func big(_ method: HTTPMethod, _ place: String) throws -> Int {
            try harness.send(
                method,
                place,
                body: method == .patch ? [1] : [],
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
                ]
            ).status
        }
        for method in [HTTPMethod.head, .patch, .delete] {
            try expectEqual(big(method, "/big/\(id)"), 404, method.rawValue)
            try expectEqual(big(method, "/other/\(id)"), 404, method.rawValue)
        }
        try expectEqual(offset(harness, path), "0")
        let made = try harness.send(.post, "/big", headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "1000"])
        let other = String((made["Location"] ?? "").dropFirst("http://127.0.0.1:4700/big/".count))
        try expectEqual(big(.patch, "/v1/files/\(other)"), 404)
        try expectEqual(big(.patch, "/big/\(other)"), 204)
        let rows = try harness.hosted().world.rows(ofTable: "_uploads", 0)
        expectEqual(rows.map { $0.content["path"]?.stringValue }.contains("/big"), true)
    }

    @Test(arguments: ["either", "strict", "redirect"])
    func `8 every answer has the version, and OPTIONS and 405 name the same methods`(slashes: String) throws {
        let harness = try CustomAPIHarness(
            SignInFixture.files(more: #""slashes":"\#(slashes)","uploads":[{"path":"/v1/files"}]"#)
        )
        for (method, path, status) in [
            ("POST", "/v1/files", 401), ("PATCH", "/v1/files/x", 401), ("HEAD", "/v1/files/x", 401),
            ("PUT", "/v1/files", 405), ("GET", "/v1/files", 405), ("PUT", "/v1/files/x", 405),
            ("GET", "/v1/files/x", 405), ("OPTIONS", "/v1/files", 204), ("OPTIONS", "/v1/files/x", 204),
        ] {
            let answer = try harness.send(HTTPMethod(rawValue: method), path)
            expectEqual(answer.status, status, "\(method) \(path)")
            expectEqual(answer["Tus-Resumable"], "1.0.0", "\(method) \(path)")
            let allowed = path.hasSuffix("x") ? "HEAD, PATCH, DELETE, POST, OPTIONS" : "POST, OPTIONS"
            expectEqual(answer["Allow"], [204, 405].contains(status) ? allowed : nil, "\(method) \(path)")
        }
        if slashes == "redirect" {
            for (method, path, status) in [("POST", "/v1/files/", 307), ("HEAD", "/v1/files/x/", 301)] {
                let answer = try harness.send(HTTPMethod(rawValue: method), path)
                expectEqual(answer.status, status)
                expectEqual(answer["Tus-Resumable"], "1.0.0", path)
            }
        }
        try expectEqual(harness.get("/v1/notes")["Tus-Resumable"], nil)
        try harness.addFault(["effect": ["status": 503]])
        try expectEqual(harness.send(.post, "/v1/files")["Tus-Resumable"], "1.0.0")
        try expectEqual(harness.get("/v1/notes")["Tus-Resumable"], nil)
    }

    @Test(arguments: [("either", ""), ("strict", "/"), ("redirect", "/")])
    func `6 an upload has the slash of its path behind the id, except with either`(slashes: String, end: String)
        throws
    {
        let harness = try CustomAPIHarness([
            "api.json": "{\"slashes\":\"\(slashes)\",\"uploads\":[{\"path\":\"/ups/\"}]}"
        ])
        let made = try harness.send(.post, "/ups/", headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "3"])
        let path = String((made["Location"] ?? "").dropFirst("http://127.0.0.1:4700".count))
        expectEqual(path.split(separator: "/").count, 2, path)
        expectEqual(path.hasSuffix("/"), end == "/", path)
        try expectEqual(offset(harness, path), "0")
    }

    @Test(arguments: [#"{"stopAfterBytes":3}"#, #"{"resetAfterBytes":3}"#, #"{"readBytesPerSecond":1}"#])
    func `7 a request to a stub that an upload fault ends has the stub's route`(upload: String) throws {
        for isLate in [false, true] {
            let harness = try CustomAPIHarness([
                "api.json": "{}",
                "stubs/a.json": #"[{"match":{"path":"/s/{id}","method":"POST"},"response":{"text":"x"}}]"#,
            ])
            try harness.addFault(["effect": ["upload": JSONReader.read(text: upload)]])
            let head = RequestHead(
                method: .post,
                target: RequestTarget(rawPath: "/s/1", rawQuery: nil),
                fields: [.host: "127.0.0.1:4700", .contentLength: "9"]
            )
            let address = try #require(harness.emulator.address(of: head, entryPoint: harness.entryPoint))
            let exchange = harness.emulator.open(
                head,
                address: address,
                peer: "127.0.0.1",
                id: 77,
                at: harness.hostTime
            )
            _ = harness.emulator.admit(exchange, at: harness.hostTime)
            if isLate {
                expectEqual(
                    harness.emulator.refuse(exchange, .requestTimeout, "Too late", at: harness.hostTime),
                    true
                )
            }
            harness.emulator.end(
                exchange,
                outcome: isLate ? .delivered : .interrupted,
                timings: JournalEntry.Timings(),
                contentSent: nil,
                wasAnswered: isLate,
                unread: UnreadContent(bytes: [1, 2, 3], received: 3),
                hostTime: harness.hostTime
            )
            let entry = try #require(try harness.hosted().world.journal.entries.first { $0.path == "/s/1" })
            expectEqual(entry.route, "/s/{id}", "\(upload) \(isLate)")
            expectEqual(entry.status.code, isLate ? 408 : 0)
        }
    }

    @Test func `7 a request whose world is deleted before its content has come has no world`() throws {
        let harness = try CustomAPIHarness([
            "api.json": "{}", "stubs/a.json": #"[{"match":{"path":"/s"},"response":{"text":"x"}}]"#,
        ])
        try harness.makeWorld("gone")
        let head = RequestHead(
            method: .post,
            target: RequestTarget(rawPath: "/@gone/s", rawQuery: nil),
            fields: [.host: "127.0.0.1:4700", .contentLength: "1"]
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: harness.entryPoint))
        let exchange = harness.emulator.open(head, address: address, peer: "127.0.0.1", id: 78, at: harness.hostTime)
        _ = harness.emulator.admit(exchange, at: harness.hostTime)
        expectEqual(exchange.hasWorld, true)
        _ = try harness.emulator.deleteWorld("gone")
        harness.emulator.receive(HTTPRequest(head: head, body: RequestBody([1])), of: exchange)
        harness.emulator.answer(exchange, at: harness.hostTime)
        expectEqual(exchange.response.status.code, 404)
        // Without one it gets the date and the id of the server's own answers.
        expectEqual(exchange.hasWorld, false)
        expectNil(exchange.group)
    }

    @Test func `8 forks, snapshots and export have uploads`() throws {
        let harness = try Self.harness()
        let path = try create(harness).path
        _ = try patch(harness, path, "abc", at: "0")
        try harness.takeSnapshot("s")
        let document = try harness.document()
        try harness.makeWorld("fork", from: "main")
        try expectEqual(offset(harness, "/@fork" + path), "3")
        _ = try patch(harness, path, "defg", at: "3")
        try expectEqual(offset(harness, "/@fork" + path), "3")
        try expectEqual(offset(harness, path), "7")
        try harness.restore("s")
        try expectEqual(offset(harness, path), "3")
        try harness.reset()
        try expectEqual(offset(harness, path), nil)
        try harness.load(document)
        try expectEqual(offset(harness, path), "3")
    }

    @Test(arguments: [
        (#"[{}]"#, "path is missing"), (#"[{"path":"v1"}]"#, "must be a path without parameters"),
        (#"[{"path":"/a/{b}"}]"#, "must be a path without parameters"), (#"[{"path":"/a","max":-1}]"#, "max"),
        (#"[{"path":"/a","size":1}]"#, "unknown"), (#"[{"path":"/a"},{"path":"/a/"}]"#, "matches the same requests"),
        (#"{"path":"/a"}"#, "must be a list of objects"), (#"[{"path":"/__admin/a"}]"#, "is reserved"),
    ])
    func `8 what is wrong in uploads is told`(declared: String, reason: String) {
        let findings = CustomAPIHarness.findings("{\"uploads\":\(declared)}")
        #expect(findings.contains { $0.contains("uploads") && $0.contains(reason) }, "\(findings)")
    }
}
