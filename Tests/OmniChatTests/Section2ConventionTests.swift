import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Sections 2.1 to 2.5: requests, responses, dates, identifiers, the error envelope.
struct Section2ConventionTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test)
    }

    // MARK: 2.1 Requests

    @Test(arguments: ["application/json", "text/plain", "application/xml", "nonsense", ""])
    func `2.1 a body is read as JSON whatever its content type says`(type: String) throws {
        let headers: [(FieldName, String)] = type.isEmpty ? [] : [(.contentType, type)]
        let reply = try harness.post("/api/v1/conversations", token: token, json: ["title": "x"], headers: headers)
        expectEqual(reply.status, 200)
    }

    @Test(arguments: [
        "", " ", "{", "{}x", "[]", "[{}]", "\"text\"", "1", "true", "null", "{'title':'x'}", "{\"title\":\"x\",}",
        "\u{FEFF}{\"title\":\"x\"}", "{\"title\":\"\\ud800\"}x", "title=x",
    ])
    func `2.1 an empty or broken body and every other top-level type is 400`(body: String) throws {
        for path in ["/api/v1/conversations", "/api/v1/auth/apple", "/api/v1/auth/refresh", "/api/conversations"] {
            try expectEqual(harness.post(path, token: token, text: body).error, "400 Invalid JSON body", "\(path)")
        }
        let patched = try harness.send(.patch, "/api/v1/user/profile", token: token, body: Array(body.utf8))
        expectEqual(patched.error, "400 Invalid JSON body")
    }

    @Test func `2.1 bytes that are not UTF-8 are broken JSON`() throws {
        let body = Array("{\"title\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        let reply = try harness.send(.post, "/api/v1/conversations", token: token, body: body)
        expectEqual(reply.error, "400 Invalid JSON body")
    }

    @Test func `2.1 unknown fields are ignored`() throws {
        let body: JSON = ["title": "x", "id": "mine", "userId": 7, "createdAt": ["a": []], "isArchived": true]
        let reply = try harness.post("/api/v1/conversations", token: token, json: body)
        expectEqual(reply.status, 200)
        expectEqual(reply.json["isArchived"], false)
        #expect(reply.text(at: "id") != "mine")
    }

    @Test func `2.1 null counts as absent`() throws {
        let created = try harness.post("/api/v1/conversations", token: token, json: ["title": "x", "model": .null])
        expectEqual(created.text(at: "model"), "gpt-4o-mini")
        let untitled = try harness.post("/api/v1/conversations", token: token, json: ["title": .null])
        expectEqual(untitled.error, "400 Title is required")
        let id = created.text(at: "id")
        let patched = try harness.patch(
            "/api/v1/conversations/\(id)",
            token: token,
            json: ["title": .null, "isArchived": true]
        )
        expectEqual(patched.keys, ["id", "updatedAt", "isArchived"])
        let sent = try harness.post(
            "/api/v1/conversations/\(id)/messages",
            token: token,
            json: ["content": "x", "attachmentIds": .null]
        )
        expectEqual(sent.status, 200)
        let user: JSON = ["email": "nulls@example.com", "name": ["firstName": .null, "lastName": "Last"]]
        let signedIn = try harness.post(
            "/api/v1/auth/apple",
            json: ["idToken": "nulls", "authorizationCode": .null, "user": user]
        )
        expectEqual(signedIn.status, 200)
    }

    @Test func `2.1 a repeated name counts with its last value`() throws {
        let reply = try harness.post("/api/v1/conversations", token: token, text: #"{"title":1,"title":"last"}"#)
        expectEqual(reply.text(at: "title"), "last")
    }

    @Test func `2.1 a JSON body of 1 MiB is read, one byte more is 413`() throws {
        func body(_ length: Int) -> [UInt8] {
            let head = Array(#"{"title":""#.utf8)
            return head + [UInt8](repeating: 0x61, count: length - head.count - 2) + Array(#""}"#.utf8)
        }
        let fits = try harness.send(.post, "/api/v1/conversations", token: token, body: body(1_048_576))
        expectEqual(fits.status, 200)
        let over = try harness.send(.post, "/api/v1/conversations", token: token, body: body(1_048_577))
        expectEqual(over.error, "413 Payload too large")
        let signIn = try harness.send(.post, "/api/v1/auth/apple", body: body(1_048_577))
        expectEqual(signIn.error, "413 Payload too large")
        let web = try harness.send(.post, "/api/conversations", token: token, body: body(1_048_577))
        expectEqual(web.error, "413 Payload too large")
    }

    @Test func `2.1 512 levels are read, 513 are broken JSON`() throws {
        func body(_ levels: Int) -> String {
            #"{"title":"x","deep":"# + String(repeating: "[", count: levels - 1)
                + String(repeating: "]", count: levels - 1) + "}"
        }
        try expectEqual(harness.post("/api/v1/conversations", token: token, text: body(512)).status, 200)
        try expectEqual(
            harness.post("/api/v1/conversations", token: token, text: body(513)).error,
            "400 Invalid JSON body"
        )
    }

    @Test(arguments: ["bearer ", "BEARER ", "Bearer", "Token ", "Basic ", "Bearer\t"])
    func `2.1 the scheme is the exact prefix Bearer and one space`(prefix: String) throws {
        let reply = try harness.get("/api/v1/user/profile", headers: [(.authorization, prefix + token)])
        expectEqual(reply.error, "401 Missing or invalid authorization header")
    }

    @Test func `2.1 a second space belongs to the token and spoils it`() throws {
        let reply = try harness.get("/api/v1/user/profile", headers: [(.authorization, "Bearer  " + token)])
        expectEqual(reply.error, "401 Invalid or expired token")
    }

    // MARK: 2.2 Responses

    @Test func `2.2 the content type is application json without a parameter`() throws {
        for path in ["/api/v1/conversations", "/api/v1/user/profile", "/api/models", "/api/conversations", "/nothing"] {
            try expectEqual(
                harness.get(path, token: token).fields.values(.contentType),
                ["application/json"],
                "\(path)"
            )
        }
    }

    @Test func `2.2 a created conversation is these bytes`() throws {
        let reply = try harness.post("/api/v1/conversations", token: token, json: ["title": "a/b é \u{2028} \"q\" <x>"])
        let id = reply.text(at: "id")
        expectEqual(
            reply.text,
            [
                "{\"id\":\"\(id)\",\"title\":\"a/b é \u{2028} \\\"q\\\" <x>\",\"model\":\"gpt-4o-mini\",\"isArchived\":false,",
                #""createdAt":"2025-01-01T12:00:00Z","updatedAt":"2025-01-01T12:00:00Z"}"#,
            ].joined()
        )
    }

    @Test func `2.2 integers have no fraction, nullable fields are there with null`() throws {
        let profile = try harness.get("/api/v1/user/profile", token: token)
        expectEqual(
            profile.text,
            [
                #"{"id":"user_test_icloud_0001","email":"test@icloud.com","name":"Test User","imageUrl":null,"tier":"free","#,
                #""createdAt":"2024-11-02T12:00:00Z","subscription":null,"#,
                #""battery":{"totalBalance":1000,"dailyAllowance":200,"lastDailyReset":"2025-01-01"}}"#,
            ].joined()
        )
    }

    // MARK: 2.3 Dates

    @Test func `2.3 body dates are cut to the second, the reset header has three decimals`() throws {
        try harness.advance(.microseconds(1_999_999))
        let reply = try harness.post("/api/v1/conversations", token: token, json: ["title": "x"])
        expectEqual(reply.text(at: "createdAt"), "2025-01-01T12:00:01Z")
        expectEqual(reply["X-RateLimit-Reset"], "2025-01-01T12:01:01.999Z")
    }

    // MARK: 2.4 Identifiers

    @Test func `2.4 identifiers have 21 characters of the alphabet and never repeat`() throws {
        var seen: Set<String> = []
        for _ in 0..<300 {
            harness.peer += "x"
            let id = try harness.create(token)
            expectEqual(id.utf8.count, 21)
            #expect(
                id.utf8.allSatisfy {
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0)
                }
            )
            #expect(seen.insert(id).inserted)
        }
    }

    @Test func `2.4 identifiers repeat after a reset and differ with another seed`() throws {
        let first = try harness.create(token)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        let again = try harness.create(try harness.mint(Harness.test))
        expectEqual(first, again)
        let other = try Harness(seed: 43)
        #expect(try other.create(try other.mint(Harness.test)) != first)
    }

    // MARK: 2.5 Error envelope

    @Test func `2.5 every error is the envelope and nothing else`() throws {
        try expectEqual(harness.get("/nothing").text, #"{"error":"Not found"}"#)
        try expectEqual(harness.delete("/api/v1/conversations", token: token).text, #"{"error":"Method not allowed"}"#)
        try expectEqual(
            harness.get("/api/v1/conversations/x", token: token).text,
            #"{"error":"Conversation not found"}"#
        )
        try expectEqual(
            harness.get("/api/v1/user/profile").text,
            #"{"error":"Missing or invalid authorization header"}"#
        )
    }
}
