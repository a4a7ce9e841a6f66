import JSON
import TestSupport
import Testing

/// Section 2 of the conduct contract: a token that `POST tokens` made begins a session, whatever its form.
@Suite struct ConductTokenTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var api: String
        var refresh: String
        var member = "refreshToken"
        var rotates: Bool
        /// A protected call that breaks no rule.
        var read: String

        var testDescription: String { api }
    }

    static let places = [
        Place(
            api: "sawaed",
            refresh: "/api/mobile/auth/refresh",
            rotates: true,
            read: "/api/mobile/v1/profile/me?locale=en"
        ),
        Place(api: "carbscan", refresh: "/api/mobile/v1/auth/refresh", rotates: false, read: "/api/mobile/v1/meals"),
        Place(api: "omnichat", refresh: "/api/v1/auth/refresh", rotates: false, read: "/api/v1/user/profile"),
        Place(
            api: "trafikskola",
            refresh: "/api/mobile/auth/refresh",
            rotates: true,
            read: "/api/mobile/notifications"
        ),
        Place(
            api: "trendy",
            refresh: "/auth/v1/token?grant_type=refresh_token",
            member: "refresh_token",
            rotates: true,
            read: "/api/v1/users/onboarding"
        ),
        Place(api: "shop", refresh: "/v1/refresh", rotates: true, read: "/v1/me"),
        Place(api: "club", refresh: "/v1/refresh", member: "ticket", rotates: true, read: "/v1/items"),
    ]

    /// Two custom APIs: one whose tokens are JWTs, and one whose tokens and answers have a form of their own.
    private static func folder() throws -> Folder {
        let users = #"[{"id":"u1","email":"anna@shop.example","phone":"+1","password":"pw"}]"#
        return try Folder([
            "apis/shop/api.json": """
            {"tables":{"users":{"unique":["email"],"writeOnly":["password"]}},
             "resources":[{"path":"/v1/public","table":"users","methods":["list"]}],
             "auth":{"users":"users","login":"/v1/login","refresh":"/v1/refresh","logout":"/v1/logout","me":"/v1/me",
                     "token":"/oauth/token","open":["/v1/public"]}}
            """,
            "apis/shop/tables/users.json": users,
            "apis/club/api.json": """
            {"tables":{"users":{"unique":["phone"],"writeOnly":["password"]},"items":{}},
             "resources":[{"path":"/v1/items","table":"items","list":{"paging":{"style":"offset","max":50}}}],
             "auth":{"users":"users","identifier":"phone","login":"/v1/login","refresh":"/v1/refresh",
                     "logout":"/v1/logout","code":{"request":"/v1/otp","verify":"/v1/otp/verify"},
                     "names":{"refresh":"ticket"},"tokens":{"format":"opaque"},
                     "response":{"pass":"{{access}}","ticket":"{{refresh}}"}}}
            """,
            "apis/club/tables/users.json": users,
            "apis/club/tables/items.json": #"[{"id":"i1","name":"a"}]"#,
        ])
    }

    /// A server of one API, with one connection to it.
    private final class Client {
        let served: Served
        let wire: Wire
        let place: Place
        private let user: String

        init(_ place: Place) throws {
            let own = ["shop", "club"].contains(place.api) ? ["--apis", "apis"] : []
            let served = try Served(Served.frozen + ["--api", place.api] + own, in: ConductTokenTests.folder())
            self.served = served
            self.place = place
            wire = try Wire(port: served.hub)
            let found = try served.control("GET", "/users?api=\(place.api)").json["items"]?[0]
            user = try #require(found?["email"]?.stringValue ?? found?["id"]?.stringValue)
        }

        func token(_ kind: String, state: String = "valid") throws -> String {
            let body = #"{"api":"\#(place.api)","user":"\#(user)","kind":"\#(kind)","state":"\#(state)"}"#
            return try #require(served.control("POST", "/tokens", body).json["token"]?.stringValue)
        }

        @discardableResult
        func ask(_ method: String, _ path: String, _ body: String = "", token: String? = nil) throws -> WireAnswer {
            try wire.ask(method, "/" + place.api + path, body: Array(body.utf8), token: token)
        }

        func refresh(_ token: String) throws -> WireAnswer {
            try ask("POST", place.refresh, #"{"\#(place.member)":"\#(token)"}"#)
        }

        func findings() throws -> [JSON] {
            try served.control("GET", "/conduct").json["findings"]?.arrayValue ?? []
        }

        func found() throws -> [String] { try findings().compactMap { $0["rule"]?.stringValue } }
    }

    @Test(arguments: places)
    func `conduct 4 a refused refresh token is known when it comes again`(place: Place) throws {
        let client = try Client(place)
        let token = try client.token("refresh", state: "revoked")
        for _ in 0..<2 { #expect([400, 401, 403].contains(try client.refresh(token).status)) }
        let finding = try client.findings().first { $0["rule"] == "auth/dead-refresh-retried" }
        expectEqual(finding?["requests"]?.arrayValue?.count, 2)
        expectEqual(finding?["seen"]?.stringValue?.contains("(\(token.prefix(6))…)"), true)
        // What refuses the repeat of any request may name it as well.
        try expectEqual(Set(client.found()).subtracting(["auth/dead-refresh-retried", "retry/refusal-repeated"]), [])
    }

    @Test(arguments: places.filter(\.rotates))
    func `conduct 4 a replaced refresh token is known when it comes again`(place: Place) throws {
        let client = try Client(place)
        let token = try client.token("refresh")
        try expectEqual(client.refresh(token).status, 200)
        _ = try client.refresh(token)
        try expectEqual(client.found(), ["auth/rotated-refresh-token-reused"])
    }

    @Test(arguments: places)
    func `conduct 1 one who uses each token for what it is has no finding`(place: Place) throws {
        let client = try Client(place)
        let token = try client.token("access")
        for _ in 0..<2 { try expectEqual(client.ask("GET", place.read, token: token).status, 200) }
        try expectEqual(client.refresh(client.token("refresh")).status, 200)
        try expectEqual(client.found(), [])
        let rules = try client.served.control("GET", "/conduct?rule=auth/*").json["rules"]?.arrayValue ?? []
        let passed = rules.filter { $0["status"] == "passed" }.compactMap { $0["id"]?.stringValue }
        #expect(Set(passed).isSuperset(of: ["auth/wrong-token-kind", "auth/refresh-loop", "auth/parallel-refresh"]))
    }

    @Test(arguments: places)
    func `conduct 4 a refresh token as bearer is known in each form`(place: Place) throws {
        let client = try Client(place)
        #expect(try client.ask("GET", place.read, token: client.token("refresh")).status != 200)
        try expectEqual(client.found(), ["auth/wrong-token-kind"])
    }

    // MARK: Custom APIs

    @Test func `conduct 5 the sign-in of a custom API is known by its declaration`() throws {
        let club = try #require(Self.places.first { $0.api == "club" })
        let client = try Client(club)
        let tokens = try client.ask("POST", "/v1/login", #"{"phone":"+1","password":"pw"}"#).json
        let pass = try #require(tokens["pass"]?.stringValue)
        try expectEqual(client.ask("GET", "/v1/items", token: pass).status, 200)
        // A code that is always the same is another one once it was asked for again.
        for _ in 0..<2 {
            try expectEqual(client.ask("POST", "/v1/otp", #"{"phone":"+1"}"#).status, 204)
            try expectEqual(client.ask("POST", "/v1/otp/verify", #"{"phone":"+1","code":"123456"}"#).status, 200)
        }
        try expectEqual(client.ask("POST", "/v1/logout", token: pass).status, 204)
        try expectEqual(client.found(), [])
        try expectEqual(client.ask("GET", "/v1/items", token: pass).status, 401)
        try expectEqual(client.ask("GET", "/v1/items?limit=51").status, 401)
        let next = try client.token("access")
        for limit in 50...52 { try expectEqual(client.ask("GET", "/v1/items?limit=\(limit)", token: next).status, 200) }
        try expectEqual(client.ask("POST", "/v1/otp/verify", #"{"phone":"+1","code":"123456"}"#).status, 401)
        try expectEqual(
            client.found(),
            [
                "auth/credential-missing", "auth/one-time-code-reused", "auth/used-after-signout",
                "page/limit-above-maximum",
            ]
        )
    }

    @Test func `conduct 5 the grant in the content tells a refresh from a sign-in`() throws {
        let shop = try #require(Self.places.first { $0.api == "shop" })
        let client = try Client(shop)
        func grant(_ text: String) throws -> WireAnswer {
            let form = "application/x-www-form-urlencoded"
            try client.wire.send(Wire.request("POST", "/shop/oauth/token", body: Array(text.utf8), type: form))
            return try client.wire.answer(toHead: false)
        }
        let tokens = try grant("grant_type=password&username=anna@shop.example&password=pw").json
        let refresh = try #require(tokens["refresh_token"]?.stringValue)
        try expectEqual(grant("grant_type=refresh_token&refresh_token=\(refresh)").status, 200)
        try expectEqual(grant("grant_type=refresh_token&refresh_token=\(refresh)").status, 400)
        try expectEqual(client.found(), ["auth/rotated-refresh-token-reused"])
    }

    @Test func `conduct 4 a token on an open path of a custom API is no finding`() throws {
        let shop = try #require(Self.places.first { $0.api == "shop" })
        let client = try Client(shop)
        let token = try client.token("access")
        try expectEqual(client.ask("GET", "/v1/me", token: token).status, 200)
        try expectEqual(client.ask("GET", "/v1/public", token: token).status, 200)
        try expectEqual(client.found(), [])
    }
}
