import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Sections 2.6 and 2.7: the order of checks, methods, and the common errors.
struct Section2OrderTests {
    private let harness: Harness
    private let token: String
    private let big = [UInt8](repeating: 0x20, count: 1_048_577)

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test)
    }

    private func spend() throws {
        for _ in 0..<100 { _ = try harness.get("/api/v1/conversations", token: token) }
    }

    // MARK: 2.6 Order of checks, pairwise

    @Test func `2.6 an unknown path is 404 before the method, the limiter and the token`() throws {
        try spend()
        try expectEqual(harness.send(.init(rawValue: "BREW"), "/api/v1/tea").error, "404 Not found")
    }

    @Test func `2.6 a wrong method is 405 before the limiter and the token`() throws {
        try spend()
        let reply = try harness.send(.put, "/api/v1/conversations")
        expectEqual(reply.error, "405 Method not allowed")
        expectNil(reply.remaining)
    }

    @Test func `2.6 the limiter comes before the token`() throws {
        try spend()
        try expectEqual(harness.get("/api/v1/conversations").error, "429 Too many requests")
        try expectEqual(harness.get("/api/v1/conversations", token: "nonsense").error, "429 Too many requests")
    }

    @Test func `2.6 the token comes before the size and the syntax of the body`() throws {
        let large = try harness.send(.post, "/api/v1/conversations", body: big)
        expectEqual(large.error, "401 Missing or invalid authorization header")
        try expectEqual(
            harness.post("/api/v1/conversations", token: "x", text: "{").error,
            "401 Invalid or expired token"
        )
    }

    @Test func `2.6 the size of the body comes before its syntax`() throws {
        let reply = try harness.send(.post, "/api/v1/conversations", token: token, body: big)
        expectEqual(reply.error, "413 Payload too large")
    }

    @Test(arguments: [
        (HTTPMethod.patch, "/api/v1/conversations/missing", "{}", "400 No fields to update"),
        (HTTPMethod.patch, "/api/v1/conversations/missing", #"{"title":1}"#, "400 title must be a string"),
        (HTTPMethod.patch, "/api/v1/conversations/missing", "{", "400 Invalid JSON body"),
        (HTTPMethod.post, "/api/v1/conversations/missing/messages", "{}", "400 Message content is required"),
        (HTTPMethod.post, "/api/v1/conversations/missing/messages", "", "400 Invalid JSON body"),
        (HTTPMethod.get, "/api/v1/conversations/missing/messages?limit=0", "", "400 Invalid pagination parameters"),
        (HTTPMethod.patch, "/api/v1/conversations/missing", #"{"title":"x"}"#, "404 Conversation not found"),
    ])
    func `2.6 the body and its fields come before existence`(
        method: HTTPMessage.HTTPMethod,
        path: String,
        body: String,
        error: String
    ) throws {
        try expectEqual(harness.send(method, path, token: token, body: Array(body.utf8)).error, error)
    }

    @Test func `2.6 existence comes before generation`() throws {
        let edge = try harness.mint(Harness.edge)
        try expectEqual(harness.ask("x", in: "conv_edge_nomodel_001", token).error, "404 Conversation not found")
        try expectEqual(harness.ask("x", in: "conv_edge_nomodel_001", edge).error, "500 Failed to generate response")
    }

    // MARK: 2.6 Methods and slashes

    @Test(arguments: [
        ("/api/v1/auth/apple", "POST"), ("/api/v1/auth/refresh", "POST"), ("/api/v1/conversations", "GET, POST"),
        ("/api/v1/conversations/x", "GET, DELETE, PATCH"), ("/api/v1/conversations/x/messages", "GET, POST"),
        ("/api/v1/upload", "POST, GET"), ("/api/v1/user/profile", "GET, PATCH"), ("/api/v1/user/usage", "GET"),
        ("/api/v1/files/a/b", "GET, DELETE"), ("/api/models", "GET"),
    ])
    func `2.6 a wrong method lists the path's own methods, OPTIONS is 204 with the same list`(
        path: String,
        allow: String
    ) throws {
        let wrong = try harness.send(.put, path, token: token)
        expectEqual(wrong.error, "405 Method not allowed")
        expectEqual(wrong.fields.values(.allow), [allow])
        let options = try harness.send(.options, path)
        expectEqual(options.status, 204)
        expectEqual(options.fields.values(.allow), [allow])
        #expect(options.bytes.isEmpty)
        expectNil(options.remaining)
    }

    @Test func `2.6 OPTIONS on an unknown path is 404`() throws {
        try expectEqual(harness.send(.options, "/api/v1/tea").error, "404 Not found")
    }

    @Test(arguments: ["/api/v1/conversations", "/api/v1/user/profile", "/api/models", "/api/v1/conversations/x"])
    func `2.6 HEAD has the fields of GET`(path: String) throws {
        let get = try harness.get(path, token: token)
        let other = try Harness()
        let head = try other.send(.head, path, token: try other.mint(Harness.test))
        expectEqual(head.status, get.status)
        expectEqual(head.fields.pairs.map { "\($0)" }, get.fields.pairs.map { "\($0)" })
    }

    @Test func `2.6 HEAD is 405 where there is no GET`() throws {
        try expectEqual(harness.send(.head, "/api/v1/auth/apple").status, 405)
    }

    @Test(arguments: [
        "/api/v1/conversations/", "/api/v1/user/profile/", "/api/models/",
        "/api/v1/conversations/conv_welcome_00000001/",
        "/api/v1/conversations/conv_welcome_00000001/messages/", "/api/v1/auth/apple/",
    ])
    func `2.6 a trailing slash is not found`(path: String) throws {
        try expectEqual(harness.get(path, token: token).error, "404 Not found")
        try expectEqual(harness.send(.options, path).error, "404 Not found")
    }

    // MARK: 2.7 Common errors

    @Test(arguments: [
        ("POST /api/v1/conversations", #"{"title":1}"#, "title must be a string"),
        ("POST /api/v1/conversations", #"{"title":["x"]}"#, "title must be a string"),
        ("POST /api/v1/conversations", #"{"title":"x","model":false}"#, "model must be a string"),
        ("PATCH /api/v1/conversations/conv_welcome_00000001", #"{"title":{}}"#, "title must be a string"),
        (
            "PATCH /api/v1/conversations/conv_welcome_00000001", #"{"isArchived":"true"}"#,
            "isArchived must be a boolean"
        ),
        (
            "PATCH /api/v1/conversations/conv_welcome_00000001", #"{"title":"x","isArchived":1}"#,
            "isArchived must be a boolean"
        ),
        ("POST /api/v1/conversations/conv_welcome_00000001/messages", #"{"content":1}"#, "content must be a string"),
        (
            "POST /api/v1/conversations/conv_welcome_00000001/messages", #"{"content":"x","attachmentIds":"a"}"#,
            "attachmentIds must be an array of strings"
        ),
        (
            "POST /api/v1/conversations/conv_welcome_00000001/messages", #"{"content":"x","attachmentIds":["a",1]}"#,
            "attachmentIds must be an array of strings"
        ),
        (
            "POST /api/v1/conversations/conv_welcome_00000001/messages", #"{"content":"x","stream":1}"#,
            "stream must be a boolean"
        ),
        ("PATCH /api/v1/user/profile", #"{"name":1}"#, "name must be a string"),
        ("PATCH /api/v1/user/profile", #"{"imageUrl":[]}"#, "imageUrl must be a string"),
        ("POST /api/v1/auth/apple", #"{"idToken":1}"#, "idToken must be a string"),
        ("POST /api/v1/auth/apple", #"{"idToken":"x","authorizationCode":1}"#, "authorizationCode must be a string"),
        ("POST /api/v1/auth/apple", #"{"idToken":"x","user":"a"}"#, "user must be an object"),
        ("POST /api/v1/auth/apple", #"{"idToken":"x","user":{"email":1}}"#, "user.email must be a string"),
        ("POST /api/v1/auth/apple", #"{"idToken":"x","user":{"name":"a"}}"#, "user.name must be an object"),
        (
            "POST /api/v1/auth/apple", #"{"idToken":"x","user":{"name":{"firstName":1}}}"#,
            "user.name.firstName must be a string"
        ),
        (
            "POST /api/v1/auth/apple", #"{"idToken":"x","user":{"name":{"lastName":[]}}}"#,
            "user.name.lastName must be a string"
        ),
        ("POST /api/v1/auth/refresh", #"{"refreshToken":{}}"#, "refreshToken must be a string"),
    ])
    func `2.7 D5 a field of the wrong type is named`(call: String, body: String, error: String) throws {
        let parts = call.split(separator: " ").map(String.init)
        let reply = try harness.send(HTTPMethod(rawValue: parts[0]), parts[1], token: token, body: Array(body.utf8))
        expectEqual(reply.error, "400 \(error)")
    }

    @Test func `2.7 a token whose user is gone is 401 with a text of its own`() throws {
        try harness.state { state, _ in _ = state.users.remove("user_test_icloud_0001") }
        try expectEqual(harness.get("/api/v1/user/profile", token: token).error, "401 User not found")
    }

    @Test func `2.7 a refusal before the API has the envelope too`() throws {
        let refusal = harness.emulator.apis[0].refusal
        expectEqual(
            String(decoding: refusal(.contentTooLarge, "", nil, nil).body.content, as: UTF8.self),
            #"{"error":"Payload too large"}"#
        )
        let missing = refusal(.notFound, "", nil, nil)
        expectEqual(String(decoding: missing.body.content, as: UTF8.self), #"{"error":"Not found"}"#)
        let teapot = refusal(Status(418), "", nil, nil)
        expectEqual(String(decoding: teapot.body.content, as: UTF8.self), #"{"error":"I'm a teapot"}"#)
        expectEqual(teapot.fields[.contentType], "application/json")
    }
}
