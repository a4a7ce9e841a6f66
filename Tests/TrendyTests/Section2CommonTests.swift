import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Section 2: common rules for the backend.
struct Section2CommonTests {
    static let security: [(FieldName, String)] = [
        ("Cache-Control", "no-store, no-cache, must-revalidate, proxy-revalidate"), ("Pragma", "no-cache"),
        ("Expires", "0"), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ("X-XSS-Protection", "1; mode=block"), ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Permissions-Policy", "geolocation=(), microphone=(), camera=()"),
    ]

    @Test func `2 every answer of the backend carries the headers, errors too, and the other servers do not`() throws {
        let harness = try Harness()
        let token = try harness.mint("new@trendy.example")
        let backend = [
            try harness.get("/health"), try harness.get(Harness.onboarding, token: token),
            try harness.get(Harness.onboarding), try harness.get("/api/v1/nothing"),
            try harness.patch(Harness.onboarding, token: token, text: ""), try harness.get("/api/v1/events/"),
        ]
        for reply in backend {
            for (name, value) in Self.security { expectEqual(reply.fields.values(name), [value], "\(reply.text)") }
            expectEqual(reply.fields.values("X-Request-ID").count, 1)
            expectNil(reply["Strict-Transport-Security"])
        }
        let others = [
            try harness.authUser(token), try harness.signIn("new"), try harness.get("/rest/v1/profiles", token: token),
            try harness.get("/auth/v1/nothing"),
        ]
        for reply in others {
            for (name, _) in Self.security { expectNil(reply[name], "\(reply.text)") }
            expectNil(reply["Access-Control-Allow-Methods"])
        }
    }

    @Test func `D23 a request id is echoed as it is, control characters become spaces, and a missing one is made`()
        throws
    {
        let harness = try Harness()
        func id(_ sent: String?) throws -> String? {
            try harness.get("/health", headers: sent.map { [(FieldName.requestID, $0)] } ?? [])["X-Request-ID"]
        }
        let long = String(repeating: "x", count: 300)
        try expectEqual(id("conformance-17"), "conformance-17")
        try expectEqual(id("with spaces, ümlauts and \"quotes\""), "with spaces, ümlauts and \"quotes\"")
        try expectEqual(id(long), long)
        try expectEqual(id("a\tb"), "a b")
        let first = try id(nil)
        let second = try id(nil)
        #expect(first != second)
        for made in [first, second] { expectEqual(made.flatMap(UUIDShape.canonical), made) }
        #expect(try Harness().get("/health")["X-Request-ID"] != nil)
        let again = try Harness()
        for sent in ["conformance-17", long] { _ = try again.get("/health", headers: [("X-Request-ID", sent)]) }
        let problem = try harness.get(Harness.onboarding, headers: [("X-Request-ID", "a\tb")])
        expectEqual(problem.text(at: "request_id"), "a b")
    }

    @Test func `D23 request ids repeat from world to world of the same seed`() throws {
        let ids = try (0..<2).map { _ in
            let harness = try Harness()
            return try (0..<5).map { _ in try harness.get("/health")["X-Request-ID"] ?? "" }
        }
        expectEqual(ids[0], ids[1])
        expectEqual(Set(ids[0]).count, 5)
    }

    @Test(arguments: [
        "http://localhost:3000", "http://localhost:5173", "http://localhost:8080", "http://127.0.0.1:3000",
        "http://127.0.0.1:5173",
    ])
    func `2 CORS lets these origins in`(origin: String) throws {
        let harness = try Harness()
        for method in [HTTPMethod.get, .options] {
            let reply = try harness.send(method, "/health", headers: [(.origin, origin)])
            expectEqual(reply["Access-Control-Allow-Origin"], origin)
            expectEqual(reply["Access-Control-Allow-Credentials"], "true")
            expectEqual(reply["Access-Control-Allow-Methods"], "POST, OPTIONS, GET, PUT, DELETE, PATCH")
            expectEqual(reply["Access-Control-Expose-Headers"], "X-Request-ID")
        }
    }

    @Test(arguments: [
        "http://localhost:8081", "http://127.0.0.1:8080", "https://localhost:3000", "null", "http://evil",
    ])
    func `2 CORS serves foreign origins without the two allow headers and refuses their preflights`(origin: String)
        throws
    {
        let harness = try Harness()
        let reply = try harness.get("/health", headers: [(.origin, origin)])
        expectEqual(reply.status, 200)
        expectNil(reply["Access-Control-Allow-Origin"])
        expectNil(reply["Access-Control-Allow-Credentials"])
        expectEqual(reply["Access-Control-Allow-Methods"], "POST, OPTIONS, GET, PUT, DELETE, PATCH")
        try expectEqual(harness.send(.options, "/health", headers: [(.origin, origin)]).status, 403)
    }

    @Test(arguments: [
        "/health", "/api/v1/users/onboarding", "/api/v1/nothing", "/auth/v1/token", "/", "/rest/v1/profiles",
    ])
    func `2 OPTIONS on any path is 204 without a body, counts for nothing and has no request id`(path: String) throws {
        let harness = try Harness()
        for _ in 0..<301 {
            let reply = try harness.send(.options, path, headers: [("X-Request-ID", "mine")])
            expectEqual(reply.status, 204)
            #expect(reply.bytes.isEmpty)
            expectNil(reply["X-Request-ID"])
        }
        try expectEqual(harness.get("/health").status, 200)
    }

    // MARK: Bearer tokens

    @Test func `2 the bearer field is the word Bearer, one space and one token`() throws {
        let harness = try Harness()
        let token = try harness.mint("new@trendy.example")
        func status(_ value: String) throws -> Int {
            try harness.get(Harness.onboarding, headers: [(.authorization, value)]).status
        }
        try expectEqual(status("Bearer \(token)"), 200)
        for value in [
            "bearer \(token)", "BEARER \(token)", "Bearer  \(token)", "Bearer\t\(token)", "Bearer \(token) x", token,
            "Basic \(token)", "Bearer", "Bearer ", "",
        ] {
            try expectEqual(status(value), 401, "\(value.prefix(12))")
        }
    }

    @Test(arguments: [TokenOrder.State.expired, .revoked, .badSignature, .wrongAudience, .wrongIssuer])
    func `2 D10 D12 every worn-out token is the one 401`(state: TokenOrder.State) throws {
        let harness = try Harness()
        let token = try harness.mint("new@trendy.example", .access, state)
        let reply = try harness.get(
            Harness.onboarding,
            token: token,
            headers: [("X-Request-ID", "conformance-17")]
        )
        expectEqual(
            reply.text,
            #"{"type":"urn:trendy:error:unauthorized","title":"Authentication Required","status":401,"#
                + #""detail":"This resource needs a valid access token","request_id":"conformance-17","#
                + #""user_message":"Sign in to go on","action":"authenticate"}"#
        )
        expectEqual(reply.problem, "401 unauthorized")
        let offline = try harness.mint("new@trendy.example", .access, state, isOffline: true)
        try expectEqual(harness.get(Harness.onboarding, token: offline).problem, "401 unauthorized")
    }

    @Test func `2 tokens with other algorithms, of nobody, of another session or of another world are refused`() throws
    {
        let harness = try Harness()
        let good = try harness.mint("new@trendy.example")
        let parts = good.split(separator: ".").map(String.init)
        // {"alg":"none","typ":"JWT"}
        let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(parts[1])."
        let foreign = try harness.mint(
            "new@trendy.example",
            claims: ["understudy": "https://understudy.invalid/@other"]
        )
        let stranger = try harness.mint(
            "new@trendy.example",
            claims: ["sub": "7e4d0000-0000-4000-8000-0000000000ff"]
        )
        let other = try harness.mint("second@trendy.example")
        let session = harness.payload(other)["session_id"] ?? .null
        let mixed = try harness.mint("new@trendy.example", claims: ["session_id": session])
        for token in [none, foreign, stranger, mixed, parts[0], "\(parts[0]).\(parts[1])", good + "A", "a b"] {
            try expectEqual(harness.get(Harness.onboarding, token: token).status, 401, "\(token.prefix(20))")
        }
        try expectEqual(harness.get(Harness.onboarding, token: good).status, 200)
    }

    @Test func `9.4 a token works until the second before exp and not at it`() throws {
        let harness = try Harness()
        let token = try harness.signIn("new").text(at: "access_token")
        try harness.advance(.milliseconds(3_599_999))
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 200)
        try harness.advance(.milliseconds(1))
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 401)
    }

    // MARK: JSON

    @Test func `2 the body is UTF-8 JSON of at most 512 levels and nothing follows it`() throws {
        let harness = try Harness()
        let token = try harness.mint("new@trendy.example")
        func nested(_ depth: Int) -> String {
            #"{"x":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        try expectEqual(harness.patch(Harness.onboarding, token: token, text: nested(512)).status, 200)
        for text in [nested(513), "{} x", "{}{}", "\u{FEFF}{}", "{'a':1}", "{\"a\":1,}", "nul"] {
            let reply = try harness.patch(Harness.onboarding, token: token, text: text)
            #expect(reply.plain.hasPrefix("400 ") && reply.plain.count > 4, "\(text.prefix(20))")
        }
        let broken = try harness.send(.patch, Harness.onboarding, token: token, body: [0x22, 0xFF, 0x22])
        expectEqual(broken.status, 400)
        // The declared content type is not looked at.
        let typed = try harness.patch(
            Harness.onboarding,
            token: token,
            json: ["completed": true],
            headers: [(.contentType, "text/plain")]
        )
        expectEqual(typed.json["completed"], true)
    }

    @Test func `2 a body of 1 MiB is read and one byte more is 413`() throws {
        let harness = try Harness()
        let token = try harness.mint("new@trendy.example")
        func body(_ size: Int) -> String { #"{"x":""# + String(repeating: "a", count: size - 8) + #""}"# }
        try expectEqual(harness.patch(Harness.onboarding, token: token, text: body(1_048_576)).status, 200)
        try expectEqual(
            harness.patch(Harness.onboarding, token: token, text: body(1_048_577)).plain,
            "413 request body too large"
        )
        try expectEqual(harness.patch(Harness.onboarding, text: body(1_048_577)).status, 401)
    }

    @Test func `2 answers escape the three characters, have no line feed, and name their charset`() throws {
        let harness = try Harness()
        let token = try harness.mint("new@trendy.example")
        let reply = try harness.post(
            "/api/v1/event-types",
            token: token,
            json: ["name": "<a> & b", "color": "#fff", "icon": "x"]
        )
        #expect(reply.text.contains(#""name":"\u003ca\u003e \u0026 b""#))
        expectEqual(reply.bytes.last, UInt8(ascii: "}"))
        expectEqual(reply.fields.values(.contentType), ["application/json; charset=utf-8"])
    }

    @Test func `D13 ids in paths and bodies are compared without case and written in lower case`() throws {
        let harness = try Harness()
        let token = try harness.mint("tracker@trendy.example")
        let run = try harness.typeID("Run", token)
        let reply = try harness.get("/api/v1/event-types/\(run.uppercased())", token: token)
        expectEqual(reply.text(at: "id"), run)
        let id = "01942107-0000-7000-8000-00000000ABCD"
        let made = try harness.post(
            "/api/v1/events",
            token: token,
            json: [
                "id": .string(id), "event_type_id": .string(run.uppercased()), "timestamp": "2025-01-01T11:00:00Z",
            ]
        )
        expectEqual(made.status, 201)
        expectEqual(made.text(at: "id"), id.lowercased())
        expectEqual(made.text(at: "event_type_id"), run)
    }
}

/// An independent look at the shape of UUIDs.
enum UUIDShape {
    static func canonical(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12],
            text.allSatisfy({ $0 == "-" || ("0"..."9").contains($0) || ("a"..."f").contains($0) })
        else { return nil }
        return text
    }
}
