import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 7: files.
struct Section7FileTests {
    private static let conversation = "conv_welcome_00000001"
    private static let key =
        "user_test_icloud_0001/conv_longer_000000001/msg_longer_0000000005/file_notes_0000000001.txt"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    private func upload(_ file: Part, messageId: String? = nil) throws -> Played {
        var parts = [file, .field("conversationId", Self.conversation)]
        if let messageId { parts.append(.field("messageId", messageId)) }
        harness.peer += "x"
        return try harness.upload(parts, token: token)
    }

    // MARK: 7.1 Uploading

    @Test func `7.1 an upload answers exactly these fields`() throws {
        let reply = try upload(.file("notes.final.txt", type: "Text/Plain; charset=utf-8"))
        expectEqual(reply.keys, ["id", "url", "fileName", "fileType", "fileSize", "key"])
        let key = reply.text(at: "key")
        let parts = key.split(separator: "/")
        expectEqual(parts.dropLast(), ["user_test_icloud_0001", "conv_welcome_00000001", "temp"])
        expectEqual(parts.last?.hasSuffix(".txt"), true)
        expectEqual(parts.last?.count, 25)
        expectEqual(parts.last?.hasPrefix(reply.text(at: "id")), false)
        expectEqual(reply.text(at: "url"), "/api/v1/files/" + key.replacing("/", with: "%2F"))
        expectEqual(reply.text(at: "fileName"), "notes.final.txt")
        expectEqual(reply.text(at: "fileType"), "text/plain")
        expectEqual(reply.json["fileSize"], 5)
        try expectEqual(harness.get(reply.text(at: "url"), token: token).text, "hello")
    }

    @Test func `7.1 parts may come in any order and a message of the conversation may be named`() throws {
        let reply = try harness.upload(
            [
                .field("messageId", "msg_welcome_000000001"), .field("other", "x"),
                .field("conversationId", Self.conversation), .file("a.png", type: "image/png"),
            ],
            token: token
        )
        #expect(reply.text(at: "key").contains("/msg_welcome_000000001/"))
        let first = try #require(try harness.messages(Self.conversation, token).first)
        expectEqual(first["attachments"]?[0]?["id"], reply.json["id"])
    }

    @Test(arguments: [
        ("a.txt", ".txt"), ("a.tar.GZ", ".GZ"), ("noextension", ".noextension"), ("", ".bin"), ("name.", ".bin"),
        (".hidden", ".hidden"), ("a.b c", ".b c"), ("x.\u{301}png", ".\u{301}png"), ("a.é", ".é"),
    ])
    func `7.1 the extension is what follows the last dot`(name: String, ending: String) throws {
        let reply = try upload(.file(name))
        let last = try #require(reply.text(at: "key").split(separator: "/").last)
        #expect(String(last).unicodeScalars.dropFirst(21).elementsEqual(ending.unicodeScalars))
        try expectEqual(harness.get(reply.text(at: "url"), token: token).text, "hello")
    }

    @Test(arguments: [
        "image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf", "text/plain", "text/markdown",
        "application/json", "application/xml",
    ])
    func `7.1 these types are allowed and the bytes are not looked at`(type: String) throws {
        let bytes: [UInt8] = Array(0...255) + Array("\r\n--other\r\n".utf8)
        let reply = try upload(.file("f.x", type: type, bytes))
        expectEqual(reply.text(at: "fileType"), type)
        let file = try harness.get(reply.text(at: "url"), token: token)
        expectEqual(file.bytes, bytes)
        expectEqual(file[.contentType], type)
    }

    @Test(
        arguments: ["text/html", "application/octet-stream", "image/svg+xml", "image", "image/png2", nil] as [String?]
    )
    func `7.1 other types are 400, a part without a type too`(type: String?) throws {
        try expectEqual(upload(.file("f.png", type: type)).error, "400 File type not allowed")
    }

    @Test func `7.1 D18 nothing is allowed, 10 MiB is allowed, a byte more is 400, over 11 MiB is 413`() throws {
        try expectEqual(upload(.file("a.txt", [])).json["fileSize"], 0)
        let limit = 10 * 1024 * 1024
        try expectEqual(
            upload(.file("a.txt", [UInt8](repeating: 0x61, count: limit))).json["fileSize"],
            .integer(Int64(limit))
        )
        let over = try upload(.file("a.txt", [UInt8](repeating: 0x61, count: limit + 1)))
        expectEqual(over.error, "400 File size exceeds 10MB limit")
        let huge = [UInt8](repeating: 0x0D, count: 11 * 1024 * 1024 + 1)
        let fields: [(FieldName, String)] = [(.contentType, "multipart/form-data; boundary=x")]
        let refused = try harness.send(.post, "/api/v1/upload", token: token, body: huge, headers: fields)
        expectEqual(refused.error, "413 Payload too large")
        let fits = try harness.send(
            .post,
            "/api/v1/upload",
            token: token,
            body: Array(huge.dropLast()),
            headers: fields
        )
        expectEqual(fits.error, "400 Invalid multipart body")
    }

    @Test func `7.1 D4 a body that is no form is 400`() throws {
        for type in ["multipart/form-data", "application/json", "multipart/form-data; boundary=other", ""] {
            let fields: [(FieldName, String)] = type.isEmpty ? [] : [(.contentType, type)]
            let body = Array("--b\r\n\r\nx\r\n--b--".utf8)
            let reply = try harness.send(.post, "/api/v1/upload", token: token, body: body, headers: fields)
            expectEqual(reply.error, "400 Invalid multipart body", "\(type)")
        }
    }

    @Test func `7.1 errors come in this order`() throws {
        let big = [UInt8](repeating: 0x61, count: 10 * 1024 * 1024 + 1)
        func error(_ parts: [Part]) throws -> String { try harness.upload(parts, token: token).error }
        try expectEqual(error([]), "400 No file provided")
        try expectEqual(error([.field("file", "text only")]), "400 No file provided")
        try expectEqual(error([.file("a.exe", type: "x/y", big)]), "400 conversationId is required")
        try expectEqual(
            error([.file("a.exe", type: "x/y", big), .field("conversationId", "")]),
            "400 conversationId is required"
        )
        let nowhere = Part.field("conversationId", "nowhere")
        try expectEqual(error([.file("a.exe", type: "x/y", big), nowhere]), "400 File size exceeds 10MB limit")
        try expectEqual(error([.file("a.exe", type: "x/y"), nowhere]), "400 File type not allowed")
        try expectEqual(error([.file("a.txt"), nowhere, .field("messageId", "none")]), "404 Conversation not found")
        let here = Part.field("conversationId", Self.conversation)
        try expectEqual(error([.file("a.txt"), here, .field("messageId", "none")]), "404 Message not found")
        try expectEqual(
            error([.file("a.txt"), here, .field("messageId", "msg_longer_0000000001")]),
            "404 Message not found"
        )
        try expectEqual(
            error([.file("a.txt"), .field("conversationId", "conv_other_account_01")]),
            "404 Conversation not found"
        )
        try expectEqual(harness.state { state, _ in state.files.count }, 1)
    }

    // MARK: 7.2 The form

    @Test func `7.2 the form names where to upload and stores nothing`() throws {
        let reply = try harness.get(
            "/api/v1/upload?fileName=a.pdf&fileType=application%2Fpdf&conversationId=any",
            token: token
        )
        expectEqual(reply.keys, ["uploadUrl", "method", "fields", "expires"])
        expectEqual(reply.text(at: "uploadUrl"), "/api/v1/upload")
        expectEqual(reply.text(at: "method"), "POST")
        expectEqual(reply.json["fields"]?.keys, ["key", "conversationId"])
        #expect(reply.text(at: "fields.key").hasPrefix("user_test_icloud_0001/any/temp/"))
        #expect(reply.text(at: "fields.key").hasSuffix(".pdf"))
        expectEqual(reply.text(at: "expires"), "2025-01-01T12:15:00Z")
        try expectEqual(harness.state { state, _ in state.attachments.count }, 2)
    }

    @Test(arguments: [
        ("", "400 fileName, fileType, and conversationId are required"),
        ("?fileName=a&fileType=text/plain", "400 fileName, fileType, and conversationId are required"),
        ("?fileName=a&conversationId=c", "400 fileName, fileType, and conversationId are required"),
        ("?fileName=&fileType=text/plain&conversationId=c", "400 fileName, fileType, and conversationId are required"),
        ("?fileName=a&fileType=text/html&conversationId=c", "400 File type not allowed"),
    ])
    func `7.2 the form's errors`(query: String, error: String) throws {
        try expectEqual(harness.get("/api/v1/upload\(query)", token: token).error, error)
    }

    // MARK: 7.3 and 7.4 Reading and removing

    @Test func `7.3 D26 a key may come as one encoded segment or as plain ones`() throws {
        let plain = try harness.get("/api/v1/files/\(Self.key)", token: token)
        let encoded = try harness.get("/api/v1/files/\(Self.key.replacing("/", with: "%2F"))", token: token)
        let lower = try harness.get("/api/v1/files/\(Self.key.replacing("/", with: "%2f"))", token: token)
        expectEqual(plain.bytes.count, 99)
        expectEqual(plain.bytes, encoded.bytes)
        expectEqual(plain.bytes, lower.bytes)
        expectEqual(plain.fields.values(.contentType), ["text/plain"])
        expectEqual(plain.fields.values(.cacheControl), ["private, max-age=3600"])
        expectEqual(plain.fields.values(.contentDisposition), [#"inline; filename="garden-notes.txt""#])
    }

    @Test func `7.3 each segment is decoded once`() throws {
        let twice = Self.key.replacing("/", with: "%252F")
        try expectEqual(harness.get("/api/v1/files/\(twice)", token: token).error, "403 Access denied")
        let reply = try upload(.file("a.100%"))
        #expect(reply.text(at: "url").hasSuffix(".100%25"))
        try expectEqual(harness.get(reply.text(at: "url"), token: token).text, "hello")
    }

    @Test func `7.3 quotes, backslashes and controls in the name are made underscores`() throws {
        let reply = try upload(.file("a%22b\\c%0Dd%0A é.png", type: "image/png"))
        expectEqual(reply.text(at: "fileName"), "a\"b\\c\rd\n é.png")
        let file = try harness.get(reply.text(at: "url"), token: token)
        expectEqual(file.fields.values(.contentDisposition), [#"inline; filename="a_b_c_d_ é.png""#])
    }

    @Test(arguments: [
        "user_other_account_01/x/y/z.txt", "nothing", "user_test_icloud_00012/x", "user_test_icloud_0001",
    ])
    func `7.3 another user's keys are 403 whether or not they exist`(key: String) throws {
        try expectEqual(harness.get("/api/v1/files/\(key)", token: token).error, "403 Access denied")
        try expectEqual(harness.delete("/api/v1/files/\(key)", token: token).error, "403 Access denied")
        let other = try harness.mint(Harness.other)
        try expectEqual(harness.get("/api/v1/files/\(Self.key)", token: other).error, "403 Access denied")
    }

    @Test func `7.3 an own key that is not there is 404`() throws {
        try expectEqual(harness.get("/api/v1/files/user_test_icloud_0001/x", token: token).error, "404 File not found")
        try expectEqual(
            harness.get("/api/v1/files/user_test_icloud_0001/%CC%81x", token: token).error,
            "404 File not found"
        )
        let edge = try harness.mint(Harness.edge)
        let row = try #require(try harness.messages("conv_edge_filegone_01", edge)[0]["attachments"]?[0])
        try expectEqual(harness.get(row.string("url"), token: edge).error, "404 File not found")
    }

    @Test func `7.4 a removal succeeds every time and leaves the record`() throws {
        for _ in 0..<2 {
            try expectEqual(harness.delete("/api/v1/files/\(Self.key)", token: token).text, #"{"success":true}"#)
        }
        try expectEqual(harness.get("/api/v1/files/\(Self.key)", token: token).error, "404 File not found")
        let rows = try harness.messages("conv_longer_000000001", token)
        expectEqual(rows[4]["attachments"]?[0]?["id"], "att_notes_00000000001")
    }
}
