import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Control contract, sections 4 and 12: magic links and codes identify their world, and tokens of the command line are
/// independent of one.
@Suite struct WorldTokenTests {
    private let harness: Harness

    init() throws {
        harness = try Harness()
        try harness.set(["magicLink": ["verify": "on"]])
    }

    private func link(in world: String) throws -> JSON {
        let reply = try post("request", ["email": .string(Harness.pro)], in: world)
        expectEqual(reply.status, 200)
        let hosted = try #require(harness.emulator[world: world])
        return .object(["token": .string(try #require(hosted.world.core.outbox.messages.last?.token))])
    }

    private func post(_ step: String, _ json: JSON, in world: String? = nil) throws -> Played {
        let named = world.map { [(FieldName.world, $0)] } ?? []
        return try harness.send(
            .post,
            "/api/mobile/v1/auth/magic-link/\(step)",
            body: json.serialized(),
            headers: [(.contentType, "application/json")] + named
        )
    }

    private func issuer(of reply: Played) -> String? {
        TokenText.issuer(of: reply.at("accessToken").stringValue ?? "")
    }

    @Test func `control 4 the token of a magic link alone leads back to its world`() throws {
        for name in ["one", "two"] { try harness.makeWorld(name, from: "main") }
        for name in ["two", "main", "one"] {
            let link = try link(in: name)
            expectEqual(issuer(of: try post("verify", link)), WorldCore.issuerPrefix + name)
            try expectEqual(post("verify", link).error, "401 INVALID_TOKEN")
        }
    }

    @Test func `control 4 a magic link from elsewhere is not valid in a world that is named`() throws {
        let link = try link(in: "main")
        try harness.makeWorld("fork", from: "main")
        try expectEqual(post("verify", link, in: "fork").error, "401 INVALID_TOKEN")
        try expectEqual(post("verify", link).status, 200)
    }

    private static let challenge =
        "state=s&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
        + "&response_type=code&redirect_uri=carbscan://auth-callback"

    private func code(in world: String) throws -> String {
        let query = "\(Self.challenge)&login_hint=\(Harness.free)"
        let reply = try harness.get("/auth/mobile/authorize?\(query)", headers: [(.world, world)])
        return QueryItems(reply[.location]?.split(separator: "?").last.map(String.init) ?? "").first("code") ?? ""
    }

    private func exchange(_ code: String, in world: String? = nil) throws -> Played {
        try harness.post(
            "/auth/mobile/token",
            json: [
                "code": .string(code), "grant_type": "authorization_code",
                "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            ],
            headers: world.map { [(.world, $0)] } ?? []
        )
    }

    @Test func `control 4 the code of a browser sign-in alone leads back to its world, and is good in no other`()
        throws
    {
        for name in ["one", "two"] { try harness.makeWorld(name, from: "main") }
        for name in ["two", "main", "one"] {
            let code = try code(in: name)
            try expectEqual(exchange(code, in: name == "two" ? "one" : "two").error, "400 INVALID_GRANT")
            expectEqual(issuer(of: try exchange(code)), WorldCore.issuerPrefix + name)
            try expectEqual(exchange(code).error, "400 INVALID_GRANT")
        }
    }

    @Test func `control 8 a fault knows the user behind the code of a browser sign-in`() throws {
        try harness.add(fault: ["match": ["user": .string(Harness.free)], "effect": ["status": 503]])
        try expectEqual(exchange("unknown").error, "400 INVALID_GRANT")
        try expectEqual(exchange(try code(in: "main")).error, "503 SERVICE_UNAVAILABLE")
    }

    @Test func `control 8 a fault can end the code of a browser sign-in`() throws {
        try harness.add(
            fault: ["match": ["path": "/api/mobile/v1/auth/mobile/token"], "effect": ["tokens": "expire"]]
        )
        let code = try code(in: "main")
        try expectEqual(exchange(code).error, "400 INVALID_GRANT")
        try expectEqual(exchange(code).error, "400 INVALID_GRANT")
    }

    @Test func `control 12 tokens of the command line of one user share no session`() throws {
        try harness.set(["tokens": ["profile": "blacklist"]])
        func print(_ kind: TokenOrder.Kind, after wait: Int64 = 0) throws -> String {
            let run = try Harness()
            try run.advance(.seconds(wait))
            return try run.mint(Harness.free, kind, isOffline: true)
        }
        let first = try print(.refresh)
        let second = try print(.refresh, after: 1)
        let access = try print(.access)
        try harness.advance(.seconds(1))
        _ = try harness.post("/auth/revoke", json: ["refreshToken": .string(first)])
        try expectEqual(harness.refresh(first).status, 401)
        try expectEqual(harness.refresh(second).status, 200)
        try expectEqual(harness.me(access).status, 200)
    }
}
