import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: requests whose content the archive does not have.
@Suite(.serialized) struct UploadReplayTests {
    private static let multipart = "multipart/form-data; boundary=----WebKitFormBoundaryA1"

    private static func form(_ boundary: String, _ parts: [(head: String, content: String)]) -> String {
        parts.map { "--\(boundary)\r\nContent-Disposition: form-data; \($0.head)\r\n\r\n\($0.content)\r\n" }.joined()
            + "--\(boundary)--\r\n"
    }

    private static func upload(
        _ path: String,
        type: String,
        _ post: JSON?,
        size: Int = -1,
        length: Int? = nil,
        method: String = "POST"
    ) -> RecordedEntry {
        var entry = RecordedEntry(method, "https://a.example" + path, 201)
        entry.requestFields = [("Content-Type", type)]
        if let length { entry.requestFields.append(("Content-Length", "\(length)")) }
        entry.post = post
        entry.bodySize = size
        return entry
    }

    /// Uploads of which the archive has no content.
    private static let unknown: [RecordedEntry] = [
        upload("/size", type: "image/png", nil, size: 64, method: "PUT"),
        upload("/length", type: "application/json", nil, size: 0, length: 64),
        upload("/neither", type: "image/png", nil, method: "PUT"),
        upload("/empty-text", type: "image/png", ["mimeType": "image/png", "text": ""], size: 64),
        upload("/no-text", type: multipart, ["mimeType": .string(multipart)], size: 0, length: 900),
        upload("/file", type: "image/png", ["mimeType": "image/png", "_file": "none.png"]),
        upload(
            "/left-out",
            type: "video/mp4",
            ["mimeType": "video/mp4", "params": [], "text": "", "comment": "left out: 34603008 bytes"],
            size: 34_603_008
        ),
        upload(
            "/damaged",
            type: "application/octet-stream",
            ["mimeType": "application/octet-stream", "text": "\u{FFFD}PNG\r\n\u{FFFD}\u{FFFD}abc"],
            size: 11
        ),
    ]

    private static func ask(
        _ port: Int,
        _ method: String,
        _ path: String,
        _ type: String,
        _ body: [UInt8]
    ) throws -> WireAnswer {
        let wire = try Wire(port: port)
        try wire.send(Wire.request(method, path, body: body, type: type))
        return try wire.answer()
    }

    private static func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed }
    }

    @Test func `13 content that is known to be unknown matches any, long and short`() throws {
        let folder = try Folder(["up.har": RecordedEntry.archive(unknownAndKnown)])
        let replay = try Proxy(["replay", "up.har"], in: folder)
        for entry in Self.unknown {
            let path = String(entry.url.dropFirst("https://a.example".count))
            for body in [Self.bytes(64, 1), Self.bytes(300_000, 2), Array(#"{"a":1}"#.utf8)] {
                let answer = try Self.ask(replay.api, entry.method, path, entry.requestFields[0].value, body)
                expectEqual(answer.status, 201, "\(path) \(body.count): \(answer.text)")
            }
            try expectEqual(Self.ask(replay.api, "PATCH", path, "image/png", Self.bytes(4, 1)).status, 404, "\(path)")
        }
        // What is known to be empty matches nothing else, and an exact match comes first.
        for (path, body, status) in [
            ("/known-empty", "x", 404), ("/known-empty", "", 200), ("/both", "exact", 200), ("/both", "other", 201),
            ("/both", "exact", 200),
        ] {
            try expectEqual(
                Self.ask(replay.api, "POST", path, "text/plain", Array(body.utf8)).status,
                status,
                "\(path) \(body)"
            )
        }
        try replay.stop()
    }

    private var unknownAndKnown: [RecordedEntry] {
        var empty = Self.upload("/known-empty", type: "text/plain", nil, size: 0)
        empty.status = 200
        var exact = Self.upload("/both", type: "text/plain", ["mimeType": "text/plain", "text": "exact"], size: 5)
        exact.status = 200
        return Self.unknown + [empty, Self.upload("/both", type: "text/plain", nil, size: 9), exact]
    }

    /// Forms of which the archive has the fields and not the file.
    private static var forms: [RecordedEntry] {
        let boundary = "----WebKitFormBoundaryA1"
        func text(_ file: String) -> JSON {
            [
                "mimeType": .string(multipart),
                "text": .string(
                    form(
                        boundary,
                        [
                            ("name=\"title\"", "Cat"),
                            ("name=\"f\"; filename=\"cat.png\"\r\nContent-Type: image/png", file),
                        ]
                    )
                ),
            ]
        }
        func parameters(_ value: JSON?) -> JSON {
            var file: JSONObject = ["name": "f", "fileName": "cat.png", "contentType": "image/png"]
            if let value { file.append("value", value) }
            return ["mimeType": .string(multipart), "params": [["name": "title", "value": "Cat"], .object(file)]]
        }
        var bare = parameters(nil)
        if case .object(var object) = bare {
            object["mimeType"] = "multipart/form-data"
            bare = .object(object)
        }
        let bareEntry = upload("/bare", type: "multipart/form-data", bare)
        return [
            upload("/browser", type: multipart, text(""), size: 260),
            upload("/lengths", type: multipart, text(""), size: 260, length: 9_000),
            upload("/damaged", type: multipart, text("\u{FFFD}PNG\u{FFFD}"), size: 400),
            upload("/params", type: multipart, parameters(nil)),
            upload("/binary", type: multipart, parameters("(binary)")),
            bareEntry,
        ]
    }

    private static func sent(
        title: String = "Cat",
        file: [UInt8],
        name: String = "filename=\"cat.png\"",
        field: String = "f"
    ) -> [UInt8] {
        let head =
            "--xyz\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\(title)\r\n--xyz\r\nContent-Disposition: form-data; name=\"\(field)\"; \(name)\r\nContent-Type: image/png\r\n\r\n"
        return Array(head.utf8) + file + Array("\r\n--xyz--\r\n".utf8)
    }

    @Test func `13 a form whose file is missing matches any file with the same fields`() throws {
        let folder = try Folder(["forms.har": RecordedEntry.archive(Self.forms)])
        let replay = try Proxy(["replay", "forms.har"], in: folder)
        let type = "multipart/form-data; boundary=xyz"
        for entry in Self.forms {
            let path = String(entry.url.dropFirst("https://a.example".count))
            func status(_ body: [UInt8]) throws -> Int { try Self.ask(replay.api, "POST", path, type, body).status }
            for file in [Self.bytes(60, 3), Self.bytes(200_000, 4), []] {
                try expectEqual(status(Self.sent(file: file)), 201, "\(path) \(file.count)")
                try expectEqual(status(Self.sent(file: file, name: "filename=\"2.png\"")), 201, "\(path) \(file.count)")
            }
            try expectEqual(status(Self.sent(title: "Dog", file: Self.bytes(60, 3))), 404, "\(path)")
            try expectEqual(status(Self.sent(file: Self.bytes(60, 3), field: "g")), 404, "\(path)")
            let other = try Self.ask(replay.api, "POST", path, type, Self.sent(title: "Dog", file: Self.bytes(60, 3)))
            expectEqual(other.json["nearest"]?[0]?["differs"], "body: title is Dog, recorded Cat", "\(path)")
            expectEqual(other.json["nearest"]?[0]?["flags"], "--ignore-body title", "\(path)")
        }
        try replay.stop()
    }

    @Test func `13 a file that the archive has counts by its bytes, whatever its name`() throws {
        let known = Self.form("b", [("name=\"title\"", "Cat"), ("name=\"f\"; filename=\"avatar_1.txt\"", "known")])
        let none = Self.form("b", [("name=\"title\"", "Cat"), ("name=\"f\"; filename=\"\"", "")])
        let type = "multipart/form-data; boundary=b"
        let folder = try Folder([
            "known.har": RecordedEntry.archive([
                Self.upload(
                    "/f",
                    type: type,
                    ["mimeType": .string(type), "text": .string(known)],
                    size: known.utf8.count
                ),
                Self.upload(
                    "/none",
                    type: type,
                    ["mimeType": .string(type), "text": .string(none)],
                    size: none.utf8.count
                ),
            ])
        ])
        let replay = try Proxy(["replay", "known.har"], in: folder)
        for (path, name, content, status) in [
            ("/f", "filename=\"avatar_1.txt\"", "known", 201), ("/f", "filename=\"avatar_2.txt\"", "known", 201),
            ("/f", "filename=\"avatar_1.txt\"", "other", 404), ("/none", "filename=\"\"", "", 201),
            ("/none", "filename=\"a.txt\"", "x", 404),
        ] {
            let body = Self.sent(file: Array(content.utf8), name: name)
            let answer = try Self.ask(replay.api, "POST", path, "multipart/form-data; boundary=xyz", body)
            expectEqual(answer.status, status, "\(path) \(name) \(content)")
        }
        try replay.stop()
    }

    @Test func `13 an upload of over 32 MiB that was recorded here can be replayed`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let flags = ["--limit", "body=200000000"]
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "r.har"] + flags, in: folder)
        let limit = 32 * 1_024 * 1_024
        for count in [limit, limit + 1] {
            let answer = try Self.ask(
                recorder.api,
                "PUT",
                "/login?n=\(count)",
                "video/mp4",
                [UInt8](repeating: 0, count: count)
            )
            expectEqual(answer.status, 200, "\(answer.text)")
        }
        try recorder.stop()
        let replay = try Proxy(["replay", "r.har"] + flags, in: folder)
        for (count, first, status) in [(limit, 0, 200), (limit, 1, 404), (limit + 1, 0, 200), (limit + 1, 1, 200)] {
            var body = [UInt8](repeating: 0, count: count)
            body[0] = UInt8(first)
            let answer = try Self.ask(replay.api, "PUT", "/login?n=\(count)", "video/mp4", body)
            expectEqual(answer.status, status, "\(count) \(first)")
        }
        try replay.stop()
    }
}
