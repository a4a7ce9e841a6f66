import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Section 1: addresses and endpoint table.
struct Section1RouteTests {
    private static let table: [(method: String, path: String, counted: Bool, provenance: Provenance)] = [
        ("POST", "/api/v1/auth/apple", false, .documented),
        ("POST", "/api/v1/auth/refresh", false, .documented),
        ("GET", "/api/v1/conversations", true, .documented),
        ("POST", "/api/v1/conversations", true, .documented),
        ("GET", "/api/v1/conversations/{id}", true, .planned),
        ("DELETE", "/api/v1/conversations/{id}", true, .planned),
        ("GET", "/api/v1/conversations/{id}/messages", true, .planned),
        ("POST", "/api/v1/conversations/{id}/messages", true, .planned),
        ("POST", "/api/v1/upload", true, .planned),
        ("GET", "/api/v1/user/profile", true, .planned),
        ("GET", "/api/v1/user/usage", true, .planned),
        ("PATCH", "/api/v1/conversations/{id}", true, .beyondTheDocument),
        ("PATCH", "/api/v1/user/profile", true, .beyondTheDocument),
        ("GET", "/api/v1/upload", true, .beyondTheDocument),
        ("GET", "/api/v1/files/{key…}", true, .beyondTheDocument),
        ("DELETE", "/api/v1/files/{key…}", true, .beyondTheDocument),
        ("GET", "/api/models", false, .beyondTheDocument),
        ("GET", "/api/conversations", false, .beyondTheDocument),
        ("POST", "/api/conversations", false, .beyondTheDocument),
    ]

    @Test func `1 the table has these nineteen rows and no others`() throws {
        let harness = try Harness()
        let declared = harness.emulator.apis[0].routes.map { "\($0.method.rawValue) \($0.template) \($0.provenance)" }
        let wanted = Self.table.map { "\($0.method) \($0.path) \($0.provenance)" }
        expectEqual(declared.sorted(), wanted.sorted())
        expectEqual(harness.emulator.apis[0].identity.portOffset, 3)
    }

    @Test func `1 every row but the two sign-in routes asks for a bearer token, and only rows 3 to 16 are counted`()
        throws
    {
        for row in Self.table {
            let harness = try Harness()
            let path = row.path.replacing("{id}", with: "conv_welcome_00000001").replacing("{key…}", with: "a/b")
            let reply = try harness.send(HTTPMethod(rawValue: row.method), path)
            if row.path.hasPrefix("/api/v1/auth") {
                expectEqual(reply.status, 400, "\(row)")
            } else {
                expectEqual(reply.status, 401, "\(row)")
            }
            expectEqual(reply.remaining != nil, row.counted, "\(row)")
            expectEqual(
                reply["X-RateLimit-Limit"],
                row.counted ? (row.method + row.path == "POST/api/v1/upload" ? "20" : "100") : nil
            )
        }
    }

    @Test func `1 every row answers 200, creation too`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.test)
        let key = "user_test_icloud_0001/conv_longer_000000001/msg_longer_0000000005/file_notes_0000000001.txt"
        let refresh = try harness.mint(Harness.test, .refresh)
        let id = "/api/v1/conversations/conv_welcome_00000001"
        let calls: [(HTTPMethod, String, JSON?)] = [
            (.post, "/api/v1/auth/apple", ["idToken": "mock_apple_token"]),
            (.post, "/api/v1/auth/refresh", ["refreshToken": .string(refresh)]),
            (.get, "/api/v1/conversations", nil),
            (.post, "/api/v1/conversations", ["title": "x"]),
            (.get, id, nil),
            (.get, id + "/messages", nil),
            (.post, id + "/messages", ["content": "x"]),
            (.post, id + "/messages", ["content": "x", "stream": false]),
            (.get, "/api/v1/user/profile", nil),
            (.get, "/api/v1/user/usage", nil),
            (.patch, id, ["title": "y"]),
            (.patch, "/api/v1/user/profile", ["name": "y"]),
            (.get, "/api/v1/upload?fileName=a.txt&fileType=text/plain&conversationId=c", nil),
            (.get, "/api/v1/files/\(key)", nil),
            (.delete, "/api/v1/files/\(key)", nil),
            (.delete, id, nil),
            (.get, "/api/models", nil),
            (.get, "/api/conversations", nil),
            (.post, "/api/conversations", ["title": "x", "model": "y"]),
        ]
        for (method, path, body) in calls {
            let isSignIn = path.hasPrefix("/api/v1/auth")
            let reply = try harness.send(method, path, token: isSignIn ? nil : token, body: body?.serialized() ?? [])
            expectEqual(reply.status, 200, "\(method.rawValue) \(path): \(reply.text)")
        }
        let upload = try harness.upload(
            [.file("a.txt"), .field("conversationId", "conv_empty_0000000001")],
            token: token
        )
        expectEqual(upload.status, 200)
    }

    @Test(arguments: [
        "GET /api/v1/docs", "GET /api/openapi.json", "GET /api/config", "POST /api/chat", "GET /api/search",
        "GET /api/battery", "GET /api/user/profile", "PATCH /api/user/settings", "POST /api/upload",
        "GET /api/images/x",
        "POST /api/stripe/webhook", "GET /api/usage/today", "GET /api/conversations/abc", "PATCH /api/conversations",
        "DELETE /api/conversations", "PUT /api/conversations", "DELETE /api/conversations/abc",
        "POST /api/conversations/a/b",
        "GET /", "GET /api", "GET /api/v1", "GET /api/v1/auth", "GET /api/v2/conversations",
        "GET /API/v1/conversations",
        "GET /api/v1/upload/presigned", "GET /api/v1/files", "POST /api/v1/auth/logout", "GET /api/v1/models",
    ])
    func `1 what the backend has beyond the table is 404 with the envelope`(call: String) throws {
        let harness = try Harness()
        let parts = call.split(separator: " ").map(String.init)
        let token = try harness.mint(Harness.test)
        let reply = try harness.send(HTTPMethod(rawValue: parts[0]), parts[1], token: token)
        expectEqual(reply.error, "404 Not found")
        expectNil(reply.remaining)
    }

    @Test func `1 the hub serves the same paths below its mount`() throws {
        let harness = try Harness()
        harness.entryPoint = .hub
        let token = try harness.mint(Harness.test)
        try expectEqual(harness.get("/omnichat/api/v1/conversations", token: token).status, 200)
        try expectEqual(harness.get("/omnichat/api/v1/nothing", token: token).error, "404 Not found")
    }
}
