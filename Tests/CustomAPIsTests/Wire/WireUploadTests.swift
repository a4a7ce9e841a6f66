import Backend
import CivilTime
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
            ("99999999999999999999", 400),
        ] {
            let answer = try create(harness, length).answer
            expectEqual(answer.status, status, length)
            expectEqual(answer["Tus-Resumable"], "1.0.0", length)
        }
        for (name, value) in [
            ("Upload-Defer-Length", "1"), ("Upload-Concat", "partial"), ("Upload-Metadata", "a !"),
            ("Upload-Metadata", "a YQ==,a YQ=="), ("Upload-Metadata", ",,"),
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
            let head = RequestHead(
                method: .patch,
                target: RequestTarget(rawPath: path, rawQuery: nil),
                fields: [
                    .host: "127.0.0.1:4700", .contentType: "application/offset+octet-stream",
                    .contentLength: "\(length)", "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)",
                ]
            )
            let address = try #require(harness.emulator.address(of: head, entryPoint: harness.entryPoint))
            let exchange = harness.emulator.open(
                head,
                address: address,
                peer: "127.0.0.1",
                id: id,
                at: harness.hostTime
            )
            expectEqual(harness.emulator.countsContent(of: exchange), true)
            harness.emulator.end(
                exchange,
                outcome: .interrupted,
                timings: JournalEntry.Timings(),
                contentSent: nil,
                wasAnswered: false,
                unread: UnreadContent(bytes: [], received: received),
                hostTime: harness.hostTime
            )
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

    @Test func `8 forks, snapshots and export have uploads, and a slash of the path is kept`() throws {
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
        let slashed = try Self.harness(#"[{"path":"/v1/files/"}]"#)
        let made = try create(slashed)
        #expect(made.path.hasSuffix("/"), "\(made.path)")
        try expectEqual(offset(slashed, made.path), "0")
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
