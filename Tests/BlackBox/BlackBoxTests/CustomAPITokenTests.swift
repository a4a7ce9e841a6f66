import Foundation
import JSON
import TestSupport
import Testing

/// Tokens of custom APIs by control calls, faults and the command line (own-API contract, section 15).
@Suite(.serialized) struct CustomAPITokenTests {
    private static let formats = ["jwt", "opaque"]

    private func folder(_ format: String) throws -> Folder {
        try Folder([
            "apis/shop/api.json": #"""
            {"tables":{"users":{"unique":["email"]}},"auth":{"users":"users","login":"/login",\#
            "refresh":"/refresh","me":"/me","tokens":{"format":"\#(format)"}}}
            """#,
            "apis/shop/tables/users.json": #"[{"id":1,"email":"a@x.test","password":"p"},{"id":2,"email":"b@x.test"}]"#,
            "apis/plain/api.json": "{}",
        ])
    }

    private func port(_ served: Served) throws -> Int {
        let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    private func me(_ served: Served, _ token: String, world: String = "") throws -> String {
        let answer = try Wire(port: port(served)).ask("GET", "\(world)/me", token: token)
        return answer.status == 200
            ? "\(answer.json["id"]?.text ?? "")" : answer.json["error"]?["code"]?.stringValue ?? answer.text
    }

    private func mint(_ served: Served, _ more: String, user: String = "1", world: String? = nil) throws -> String {
        let order = #"{"api":"shop","user":"\#(user)"\#(more)}"#
        let answer = try served.control("POST", "/tokens", order, world: world)
        return try #require(answer.json["token"]?.stringValue, "\(answer.text)")
    }

    @Test(arguments: formats) func `15 POST tokens makes tokens of each state, for key and identifier`(format: String)
        throws
    {
        let served = try Served(Served.frozen + ["--api", "shop", "plain"], in: folder(format))
        let access = #","kind":"access""#
        try expectEqual(me(served, mint(served, access)), "1")
        try expectEqual(me(served, mint(served, access, user: "B@X.test")), "2")
        try expectEqual(me(served, mint(served, access + #","state":"expired""#)), "token_expired")
        try expectEqual(me(served, mint(served, access + #","state":"revoked""#)), "token_revoked")
        let signed = #"{"api":"shop","user":"1","kind":"access","state":"bad-signature"}"#
        try expectEqual(served.control("POST", "/tokens", signed).status, format == "jwt" ? 201 : 422)
        try expectEqual(served.control("POST", "/tokens", #"{"api":"shop","user":"9","kind":"access"}"#).status, 422)
        try expectEqual(served.control("POST", "/tokens", #"{"api":"plain","user":"1","kind":"access"}"#).status, 422)
        let refresh = try mint(served, #","kind":"refresh""#)
        let answer = try Wire(port: port(served)).ask(
            "POST",
            "/refresh",
            body: Array(#"{"refreshToken":"\#(refresh)"}"#.utf8)
        )
        try expectEqual(me(served, #require(answer.json["accessToken"]?.stringValue)), "1")
        // A token leads back to its world.
        _ = try served.control("POST", "/worlds", #"{"name":"w"}"#)
        let other = try mint(served, access, world: "w")
        try expectEqual(me(served, other), "1")
        try expectEqual(served.control("GET", "/requests?limit=1", world: "w").json["items"]?[0]?["path"], "/me")
    }

    @Test func `15 the fault tokens needs an API that it can act on and that has auth`() throws {
        let served = try Served(Served.frozen + ["--api", "shop", "plain"], in: folder("jwt"))
        func status(_ match: String, _ query: String = "") throws -> (Int, String?) {
            let order = #"{"match":{\#(match)},"effect":{"tokens":"expire"}}"#
            let answer = try served.control("POST", "/faults\(query)", order)
            return (answer.status, answer.json["errors"]?[0]?["path"]?.stringValue)
        }
        for (match, query, refused) in [
            ("", "", false), (#""api":"shop""#, "", false), ("", "?api=shop", false), (#""api":"plain""#, "", true),
            ("", "?api=plain", true),
        ] {
            let (status, path) = try status(match, query)
            expectEqual(status, refused ? 422 : 201)
            expectEqual(path, refused ? "$.effect.tokens" : nil)
        }
        try expectEqual(served.control("GET", "/faults").json["items"]?.arrayValue?.count, 3)
    }

    @Test(arguments: formats) func `15 calls and faults end the tokens of a user`(format: String) throws {
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder(format))
        let access = #","kind":"access""#
        for (who, call, code) in [("1", "expire", "token_expired"), ("A@x.test", "revoke", "token_revoked")] {
            let (mine, others) = (try mint(served, access), try mint(served, access, user: "2"))
            try expectEqual(
                served.control("POST", "/users/\(who)/\(call)?api=shop", #"{"tokens":"access"}"#).status,
                200
            )
            try expectEqual(me(served, mine), code)
            try expectEqual(me(served, others), "2")
        }
        try expectEqual(served.control("POST", "/users/nobody/expire?api=shop", #"{"tokens":"all"}"#).status, 422)
        for (effect, code) in [("expire", "token_expired"), ("revoke", "token_revoked")] {
            let token = try mint(served, access)
            let fault =
                #"{"match":{"api":"shop","path":"/me"},"effect":{"tokens":"\#(effect)"},"when":{"skip":1,"times":1}}"#
            try expectEqual(served.control("POST", "/faults", fault).status, 201)
            try expectEqual(me(served, token), "1")
            try expectEqual(me(served, token), code)
            try expectEqual(me(served, token), code)
            try expectEqual(me(served, mint(served, access)), "1")
        }
    }

    @Test(arguments: formats) func `15 the command token makes tokens that a server takes`(format: String) throws {
        let folder = try folder(format)
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        func token(_ arguments: [String]) throws -> String {
            let result = try Program.run(["token", "--api", "shop"] + arguments + Served.frozen, in: folder)
            expectEqual(result.status, 0, "\(result.errors)")
            return String(result.output.dropLast())
        }
        try expectEqual(me(served, token(["--user", "1"])), "1")
        try expectEqual(me(served, token(["--user", "b@x.test"])), "2")
        try expectEqual(me(served, token(["--user", "1", "--state", "expired"])), "token_expired")
        let refresh = try token(["--user", "1", "--kind", "refresh"])
        let answer = try Wire(port: port(served)).ask(
            "POST",
            "/refresh",
            body: Array(#"{"refreshToken":"\#(refresh)"}"#.utf8)
        )
        expectEqual(answer.status, 200)
        let unknown = try Program.run(["token", "--api", "shop", "--user", "9"], in: folder)
        #expect(unknown.status == 1 && unknown.output.isEmpty)
        try expectEqual(Program.run(["token", "--api", "plain", "--user", "1"], in: folder).status, 1)
    }

    @Test func `5 every 401 has a challenge, which says whether a token was sent`() throws {
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder("jwt"))
        func challenge(_ method: String, _ path: String, _ body: String = "", token: String? = nil) throws -> String? {
            let answer = try Wire(port: port(served)).ask(method, path, body: Array(body.utf8), token: token)
            expectEqual(answer.status, 401)
            return answer["WWW-Authenticate"]
        }
        try expectEqual(challenge("GET", "/me"), "Bearer")
        try expectEqual(challenge("GET", "/me", token: "x"), #"Bearer error="invalid_token""#)
        try expectEqual(challenge("POST", "/login", #"{"email":"a@x.test","password":"no"}"#), "Bearer")
        try expectEqual(challenge("POST", "/refresh", #"{"refreshToken":"x"}"#), #"Bearer error="invalid_token""#)
    }
}
