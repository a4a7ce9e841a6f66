import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Sections 7.3 and 8: redirects of the router, and the limiters.
struct Section7ErrorTests {
    @Test(arguments: [
        ("GET", "/health/", 301, "/health"), ("GET", "/api/v1/events/?limit=5", 301, "/api/v1/events?limit=5"),
        ("PATCH", "/api/v1/users/onboarding/", 307, "/api/v1/users/onboarding"),
        ("DELETE", "/api/v1/events/abc/", 307, "/api/v1/events/abc"),
        ("POST", "/api/v1/auth/login/", 307, "/api/v1/auth/login"),
    ])
    func `7.3 a final slash too many is led to the right path`(method: String, path: String, status: Int, to: String)
        throws
    {
        let harness = try Harness()
        let reply = try harness.send(HTTPMethod(rawValue: method), path)
        expectEqual(reply.status, status)
        expectEqual(reply["Location"], to)
        harness.entryPoint = .hub
        try expectEqual(harness.send(HTTPMethod(rawValue: method), "/trendy" + path)["Location"], "/trendy" + to)
    }

    @Test(arguments: [
        "POST /health/", "GET /api/v1/nothing/", "HEAD /health/", "GET /auth/v1/user/", "GET /api/v1/auth/login/",
    ])
    func `7.3 where the path without the slash is no route, neither is this one`(call: String) throws {
        let parts = call.split(separator: " ").map(String.init)
        let reply = try Harness().send(HTTPMethod(rawValue: parts[0]), parts[1])
        expectEqual(reply.status, 404)
        expectEqual(reply.text, "404 page not found")
    }

    @Test func `7.3 redirects count for no limit`() throws {
        let harness = try Harness()
        for _ in 0..<400 { try expectEqual(harness.get("/health/").status, 301) }
        try expectEqual(harness.get("/health").status, 200)
    }

    // MARK: Limits (section 8)

    private func refused(_ reply: Played, _ limit: String) {
        expectEqual(reply.plain, "429 rate limit exceeded")
        expectEqual(reply["Retry-After"], "60")
        expectEqual(reply["X-RateLimit-Limit"], limit)
        expectEqual(reply["X-RateLimit-Remaining"], "0")
    }

    @Test func `8 the general limiter lets 300 pass, unknown routes and refused calls included`() throws {
        let harness = try Harness()
        let calls = ["/health", "/api/v1/nothing", "/api/v1/events"]
        for number in 0..<300 {
            let reply = try harness.get(calls[number % 3])
            #expect(reply.status != 429)
            expectNil(reply["X-RateLimit-Limit"])
        }
        for path in calls { refused(try harness.get(path), "300") }
        // The other servers are not counted.
        try expectEqual(harness.signIn("new").status, 200)
        try expectEqual(harness.get("/rest/v1/profiles").status, 401)
        try expectEqual(harness.get("/favicon.ico").status, 404)
    }

    @Test func `8 the login limiter lets 10 pass below auth, and leaves the rest alone`() throws {
        let harness = try Harness()
        for _ in 0..<9 { try expectEqual(harness.post("/api/v1/auth/login", json: [:]).status, 400) }
        try expectEqual(harness.get("/api/v1/auth/me").status, 401)
        refused(try harness.send(.post, "/api/v1/auth/logout"), "10")
        try expectEqual(harness.get("/health").status, 200)
    }

    @Test func `8 the window opens after a silence of more than 60 s and not before`() throws {
        let harness = try Harness()
        for _ in 0..<300 { _ = try harness.get("/health") }
        refused(try harness.get("/health"), "300")
        // Each knock begins the silence anew.
        for _ in 0..<5 {
            try harness.advance(.seconds(60))
            refused(try harness.get("/health"), "300")
        }
        try harness.advance(.milliseconds(60_001))
        try expectEqual(harness.get("/health").status, 200)
        // The count began again at 1.
        for _ in 0..<299 { try expectEqual(harness.get("/health").status, 200) }
        refused(try harness.get("/health"), "300")
    }

    @Test func `8 whoever never is silent for 60 s is counted on, however slow`() throws {
        let harness = try Harness()
        for _ in 0..<300 {
            try expectEqual(harness.get("/health").status, 200)
            try harness.advance(.seconds(60))
        }
        refused(try harness.get("/health"), "300")
    }

    @Test func `8 a frozen clock never opens the window`() throws {
        let harness = try Harness()
        for _ in 0..<1_000 { _ = try harness.get("/health") }
        refused(try harness.get("/health"), "300")
    }

    @Test func `8 the key is the left-most valid address, then X-Real-IP, then the peer`() throws {
        let harness = try Harness()
        let forwarded: FieldName = "X-Forwarded-For"
        let hostTime: FieldName = "X-Real-IP"
        func knock(_ headers: [(FieldName, String)]) throws -> Int {
            try harness.get("/health", headers: headers).status
        }
        for _ in 0..<300 { try expectEqual(knock([(forwarded, "10.0.0.1, 10.0.0.2")]), 200) }
        // Other ways to say the same address.
        for headers in [
            [(forwarded, "10.0.0.1")], [(forwarded, "unknown, 10.0.0.1")], [(forwarded, " 10.0.0.1 ,x")],
            [(forwarded, ""), (forwarded, "10.0.0.1")], [(hostTime, "10.0.0.1")],
            [(forwarded, "bad"), (hostTime, "10.0.0.1")],
        ] {
            try expectEqual(knock(headers), 429, "\(headers)")
        }
        for headers in [
            [(forwarded, "10.0.0.2, 10.0.0.1")], [(forwarded, "10.0.0.256"), (hostTime, "10.0.0.3")],
            [(hostTime, "10.0.0.3")],
            [(forwarded, "10.0.0.01")], [(forwarded, "10.0.0.1:80")], [],
        ] {
            try expectEqual(knock(headers), 200, "\(headers)")
        }
        for _ in 0..<300 { _ = try knock([(forwarded, "2001:DB8::1")]) }
        try expectEqual(knock([(forwarded, "2001:db8:0:0:0:0:0:1")]), 429)
        try expectEqual(knock([(forwarded, "2001:db8::2")]), 200)
        harness.peer = "2001:db8::1"
        try expectEqual(knock([]), 429)
    }

    @Test func `8 a switch turns both limiters off`() throws {
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        for _ in 0..<320 { try expectEqual(harness.get("/api/v1/auth/me").status, 401) }
    }

    @Test func `D17 deployed writes a stray character in the limit field`() throws {
        let harness = try Harness()
        try harness.set(["profile": "deployed"])
        for _ in 0..<300 { _ = try harness.get("/health") }
        let reply = try harness.get("/health")
        expectEqual(reply.status, 429)
        expectEqual(reply["X-RateLimit-Limit"], "\u{12C}")
    }

    @Test func `8 the limiter comes before the token and the route`() throws {
        let harness = try Harness()
        for _ in 0..<300 { _ = try harness.get("/health") }
        refused(try harness.get(Harness.onboarding), "300")
        refused(try harness.send(.head, "/health"), "300")
    }
}
