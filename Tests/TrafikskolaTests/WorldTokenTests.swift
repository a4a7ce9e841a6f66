import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trafikskola

/// Control contract, sections 4 and 12: QR tokens identify their world, and tokens of the command line are independent
/// of one.
@Suite struct WorldTokenTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func token(_ type: String, in world: String) throws -> String {
        harness.world = world
        defer { harness.world = "main" }
        return try #require(harness.payload("type=\(type)&user=usr_123")["token"]?.stringValue)
    }

    private func issuer(of login: Played) -> String? { TokenText.issuer(of: login.text(at: "data.accessToken")) }

    @Test(arguments: ["session_login", "quick_login"], ["token", "quickToken"])
    func `control 4 a QR token alone leads back to its world`(type: String, member: String) throws {
        for name in ["one", "two"] { try harness.makeWorld(name) }
        for name in ["two", "main", "one"] {
            let token = try token(type, in: name)
            expectEqual(token.utf8.count, 68)
            let login = try harness.post("/api/mobile/auth/quick-login", json: [member: .string(token)])
            expectEqual(issuer(of: login), WorldCore.issuerPrefix + name)
            let again = try harness.post("/api/mobile/auth/quick-login", json: [member: .string(token)])
            expectEqual(again.error, "401 INVALID_QUICK_LOGIN_TOKEN")
        }
    }

    @Test func `control 4 a QR token from elsewhere is not valid in a world that is named, a fork neither`() throws {
        try harness.makeWorld("one")
        let token = try token("quick_login", in: "one")
        try harness.makeWorld("fork", from: "one")
        for name in ["main", "fork"] {
            let login = try harness.post("/@\(name)/api/mobile/auth/quick-login", json: ["token": .string(token)])
            expectEqual(login.error, "401 INVALID_QUICK_LOGIN_TOKEN", "\(name)")
        }
        let login = try harness.post("/@one/api/mobile/auth/quick-login", json: ["token": .string(token)])
        expectEqual(login.status, 200)
    }

    @Test func `8.3 the seed's token is the document's in every world, and means main where none is named`() throws {
        try harness.makeWorld("one")
        let seeded: JSON = ["token": "sqr_9cc68b962854d67303c804aad5389506"]
        try expectEqual(harness.post("/@one/api/mobile/auth/quick-login", json: seeded).status, 200)
        expectEqual(
            issuer(of: try harness.post("/api/mobile/auth/quick-login", json: seeded)),
            WorldCore.issuerPrefix
                + "main"
        )
    }

    @Test func `control 12 tokens of the command line share no session, whoever they are for`() throws {
        func print(_ user: String, _ kind: TokenOrder.Kind = .access, after wait: Int64 = 0) throws -> String {
            let run = try Harness()
            try run.advance(.seconds(wait))
            return try run.mint(user, kind, isOffline: true)
        }
        let first = try print(Harness.anna)
        let later = try print(Harness.anna, after: 1)
        let other = try print(Harness.erik)
        let refresh = try print(Harness.anna, .refresh)
        try harness.advance(.seconds(1))
        for token in [first, later, other] { try expectEqual(harness.check(token), 200) }
        try expectEqual(harness.refresh(refresh).status, 200)
        try expectEqual(harness.post("/api/mobile/auth/logout", token: first).status, 200)
        try expectEqual(harness.check(first), 401)
        for token in [later, other] { try expectEqual(harness.check(token), 200) }
        try expectEqual(print(Harness.anna), first, "the same seed, clock and order give the same bytes (section 6)")
    }
}
