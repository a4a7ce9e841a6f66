import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Sections 2.4 and 6.3 with the control contract's sections 4 and 6: the same script gives the same bytes, and worlds
/// share nothing.
struct DeterminismTests {
    /// A script through every endpoint; each answer as text, with its fields and times.
    private func script(_ harness: Harness) throws -> [String] {
        var log: [String] = []
        func note(_ played: Played) -> Played {
            let fields = played.fields.pairs.map { "\($0.name): \($0.value)" }
            let chunks = played.chunks.map { "\($0.at) \(String(decoding: $0.bytes, as: UTF8.self))" }
            log.append("\(played.status) \(fields) \(chunks)")
            return played
        }
        let signedIn = note(try harness.signIn(as: "script@example.com"))
        let token = signedIn.text(at: "accessToken")
        _ = note(try harness.refresh(signedIn.text(at: "refreshToken")))
        let created = note(try harness.post("/api/v1/conversations", token: token, json: ["title": "Script"]))
        let id = created.text(at: "id")
        let parts: [Part] = [.file("a.txt"), .field("conversationId", id)]
        let upload = note(try harness.upload(parts, token: token))
        let body: JSON = ["content": "See é", "attachmentIds": [upload.json["id"] ?? .null]]
        _ = note(try harness.post("/api/v1/conversations/\(id)/messages", token: token, json: body))
        _ = note(try harness.ask("Again", in: id, token))
        _ = note(try harness.stream("Cut", to: id, token, leaveAfter: 90))
        try harness.advance(.seconds(61))
        let paths = [
            "/api/v1/conversations", "/api/v1/conversations/\(id)/messages", "/api/v1/user/profile",
            "/api/v1/user/usage",
            "/api/models", "/api/conversations", upload.text(at: "url"), "/api/v1/nothing",
            "/api/v1/upload?fileName=a&fileType=text/plain&conversationId=c",
        ]
        for path in paths { _ = note(try harness.get(path, token: token)) }
        _ = note(try harness.patch("/api/v1/conversations/\(id)", token: token, json: ["isArchived": true]))
        _ = note(try harness.delete("/api/v1/conversations/\(id)", token: token))
        for kind in TokenOrder.Kind.allCases { log.append(try harness.mint(Harness.test, kind)) }
        return log
    }

    @Test func `the same script gives the same bytes in two emulators`() throws {
        try expectEqual(script(Harness()), script(Harness()))
    }

    @Test func `the same script gives the same bytes after a reset`() throws {
        let harness = try Harness()
        let first = try script(harness)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        try expectEqual(script(harness), first)
    }

    @Test func `another seed gives other identifiers and tokens`() throws {
        #expect(try script(Harness(seed: 1)) != script(Harness(seed: 2)))
    }

    // MARK: Isolation

    private func fork(_ harness: Harness) throws {
        try harness.makeWorld("fork", from: "main")
    }

    @Test func `a world and its fork share nothing`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.test)
        let before = try harness.get("/api/v1/conversations", token: token).text
        try fork(harness)
        harness.world = "fork"
        let forked = try harness.mint(Harness.test)
        let path = "/@fork/api/v1/conversations"
        try expectEqual(harness.get(path, token: forked).text, before)
        for row in try harness.conversations(forked) {
            _ = try harness.delete("\(path)/\(row.string("id"))", token: forked)
        }
        _ = try harness.ask("x", in: "conv_welcome_00000001", token)
        try harness.set(["errors": "html"])
        try harness.advance(.days(1))
        try expectEqual(harness.get(path, token: try harness.mint(Harness.test)).text, #"{"conversations":[]}"#)
        try expectEqual(harness.get("/api/v1/conversations/x", token: token).error, "404 Conversation not found")
        try expectEqual(harness.get("/api/v1/nothing", token: token).error, "404 Not found")
        let welcome = try harness.get("/api/v1/conversations/conv_welcome_00000001", token: token)
        expectEqual(welcome.json["messageCount"], 4)
    }

    @Test func `a token of a world is not valid in its fork, nor the other way round`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.test)
        let refresh = try harness.mint(Harness.test, .refresh)
        try expectEqual(harness.get("/api/v1/user/profile", token: token).status, 200)
        try fork(harness)
        let crossed = try harness.get("/@fork/api/v1/user/profile", token: token)
        expectEqual(crossed.error, "401 Invalid or expired token")
        let body: JSON = ["refreshToken": .string(refresh)]
        try expectEqual(harness.post("/@fork/api/v1/auth/refresh", json: body).error, "401 Invalid refresh token")
        harness.world = "fork"
        let forked = try harness.mint(Harness.test)
        let identity = try harness.mint(Harness.test, .appleIdentity)
        let headers: [(FieldName, String)] = [("X-Understudy-World", "main")]
        try expectEqual(harness.get("/api/v1/user/profile", token: forked, headers: headers).status, 401)
        let signIn: JSON = ["idToken": .string(identity)]
        try expectEqual(harness.post("/api/v1/auth/apple", json: signIn, headers: headers).status, 401)
        try expectEqual(harness.post("/@fork/api/v1/auth/apple", json: signIn).status, 200)
    }

    @Test func `a token leads back to the fork it was issued in`() throws {
        let harness = try Harness()
        try fork(harness)
        let signedIn = try harness.send(
            .post,
            "/@fork/api/v1/auth/apple",
            body: Array(#"{"idToken":"t","user":{"email":"forked@example.com"}}"#.utf8)
        )
        let token = signedIn.text(at: "accessToken")
        expectEqual(TokenText.payload(of: token)?["iss"], "https://understudy.invalid/@fork")
        try expectEqual(harness.get("/api/v1/user/profile", token: token).text(at: "email"), "forked@example.com")
        try expectEqual(harness.refresh(signedIn.text(at: "refreshToken")).text(at: "user.email"), "forked@example.com")
        try harness.state { state, _ in expectNil(state.user(email: "forked@example.com")) }
        // Without the token the same address leads to main.
        #expect(try harness.signIn(as: "forked@example.com").text(at: "user.id") != "")
    }

    @Test func `links keep the world's prefix`() throws {
        let harness = try Harness()
        try fork(harness)
        harness.world = "fork"
        let token = try harness.mint(Harness.test)
        let page = try harness.get("/@fork/api/v1/conversations/conv_longer_000000001/messages", token: token)
        let url = try #require(page.json["messages"]?[4]?["attachments"]?[0]).string("url")
        #expect(url.hasPrefix("/@fork/api/v1/files/user_test_icloud_0001%2F"))
        #expect(try harness.get(url, token: token).text.hasPrefix("Garden notes"))
    }
}
