import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trendy

/// Control contract, section 4: a token identifies its world, even a refresh token of twelve characters.
@Suite struct WorldTokenTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func signIn(in world: String) throws -> Played {
        try harness.post(
            "/@\(world)/auth/v1/token?grant_type=password",
            json: ["email": "new@trendy.example", "password": .string(Harness.password)]
        )
    }

    private func refresh(_ token: String, in world: String) throws -> Played {
        try harness.post("/@\(world)/auth/v1/token?grant_type=refresh_token", json: ["refresh_token": .string(token)])
    }

    private func world(of session: Played) -> String? {
        harness.payload(session.text(at: "access_token"))["understudy"]?.stringValue
    }

    @Test(arguments: [["one", "two", "x.y-z_9"], ["w4561", "w11383"]])
    func `control 4 a refresh token leads back to its world, also where two names have one mark`(
        names: [String]
    ) throws {
        for name in names { try harness.makeWorld(name) }
        var tokens: Set<String> = []
        for name in names + ["main"] {
            var token = try signIn(in: name).text(at: "refresh_token")
            for _ in 0..<3 {
                expectEqual(token.utf8.count, 12)
                #expect(token.utf8.allSatisfy { TokenIssuer.alphabet.contains($0) })
                #expect(tokens.insert(token).inserted)
                let session = try harness.refresh(token)
                expectEqual(world(of: session), WorldCore.issuerPrefix + name)
                token = session.text(at: "refresh_token")
            }
        }
    }

    @Test func `control 4 a refresh token from elsewhere is not valid in a world that is named`() throws {
        try harness.makeWorld("one")
        try harness.makeWorld("two")
        let token = try signIn(in: "one").text(at: "refresh_token")
        _ = try signIn(in: "two")
        _ = try signIn(in: "main")
        for other in ["two", "main"] {
            let answer = try refresh(token, in: other)
            expectEqual(answer.status, 400, "\(other)")
            expectEqual(answer.text(at: "error_code"), "refresh_token_not_found", "\(other)")
        }
        try expectEqual(refresh(token, in: "one").status, 200)
    }

    @Test func `control 4 a refresh token of a world is not valid in its fork`() throws {
        try harness.makeWorld("one")
        let token = try signIn(in: "one").text(at: "refresh_token")
        try harness.makeWorld("fork", from: "one")
        let answer = try refresh(token, in: "fork")
        expectEqual(answer.status, 400)
        expectEqual(answer.text(at: "error_code"), "refresh_token_not_found")
        try expectEqual(refresh(token, in: "one").status, 200)
        let own = try signIn(in: "fork").text(at: "refresh_token")
        try expectEqual(refresh(own, in: "fork").status, 200)
    }

    @Test func `control 4 and 12 so does a refresh token that the control API made`() throws {
        try harness.makeWorld("one")
        harness.world = "one"
        let token = try harness.mint("second@trendy.example", .refresh)
        expectEqual(world(of: try harness.refresh(token)), WorldCore.issuerPrefix + "one")
    }

    @Test func `control 4 a refresh token of a deleted world is unknown to main`() throws {
        try harness.makeWorld("one")
        let token = try signIn(in: "one").text(at: "refresh_token")
        _ = try harness.emulator.deleteWorld("one")
        let answer = try harness.refresh(token)
        expectEqual(answer.text(at: "code"), "refresh_token_not_found")
    }

    @Test func `only twelve characters of a to z and digits have a mark`() {
        let mark = WorldTag.shortMark(of: "main")
        expectEqual(mark.utf8.count, 6)
        expectEqual(WorldTag.shortMark(in: "abc123" + mark), mark)
        for text in ["", mark, "abc12" + mark, "abc1234" + mark, "ABC123" + mark, "abc12-" + mark, "äbc12" + mark] {
            expectNil(WorldTag.shortMark(in: text), "\(text)")
        }
    }
}
