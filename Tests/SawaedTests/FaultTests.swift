import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Sawaed

/// Contract, section 2.6 and control contract, section 8: faults as a client meets them.
@Suite struct FaultTests {
    private static let base = Harness.v1
    private let harness: Harness

    init() throws { harness = try Harness() }

    @discardableResult
    private func fault(_ text: String) throws -> Fault {
        var check = BodyCheck(try #require(JSONReader.read(text: text).objectValue))
        let spec = FaultSpec.read(&check, apis: ["sawaed"], scope: nil)
        check.refuseUnknown()
        #expect(check.items.isEmpty, "\(text): \(check.items)")
        return try harness.hosted().world.faults.add(try #require(spec), .control)
    }

    @Test(arguments: [
        (400, "validation_error"), (401, "unauthorized"), (403, "forbidden"), (404, "not_found"),
        (409, "conflict"), (418, "validation_error"), (429, "rate_limited"), (500, "profile_fetch_failed"),
        (503, "profile_fetch_failed"),
    ])
    func `2.6 an injected status carries the code of the route`(status: Int, code: String) throws {
        let token = try harness.mint(Harness.layla)
        try fault(#"{"effect":{"status":\#(status)}}"#)
        try expectEqual(harness.get("\(Self.base)/profile/me", token: token).error, "\(status) \(code)")
    }

    @Test func `2.6 chat answers an injected status with its own bodies`() throws {
        try fault(#"{"effect":{"status":404}}"#)
        try expectEqual(harness.chat("hello").text, #"{"sessionId":""}"#)
        let status = try harness.poll("sess_x")
        expectEqual(status.status, 404)
        expectEqual(status.keys, ["sessionId", "status", "text", "updatedAt", "error"])
        expectEqual(status.text(at: "sessionId"), "sess_x", "8.4: as asked")
        expectEqual(status.text(at: "error"), "session_not_found")
    }

    @Test func `2.6 a code and a message of the fault replace ours, in chat status as error`() throws {
        try fault(#"{"effect":{"status":429,"retryAfter":30,"code":"mine","message":"Wait."}}"#)
        let answer = try harness.get("\(Self.base)/locations/regions", token: try harness.mint(Harness.layla))
        expectEqual(answer.text, #"{"error":{"code":"mine","message":"Wait."}}"#)
        expectEqual(answer[.retryAfter], "30")
        try expectEqual(harness.poll("sess_x").text(at: "error"), "mine")
    }

    @Test func `8 a fault can match the user behind a refresh token and behind an upload`() throws {
        let refresh = try harness.mint(Harness.layla, .refresh)
        let other = try harness.mint(Harness.omar, .refresh)
        let address = "\(Self.base)/profile/picture/upload-url"
        let url = try harness.get(address, token: try harness.mint(Harness.layla)).text(at: "uploadUrl")
        try fault(#"{"match":{"user":"layla@sawaed.test"},"effect":{"status":503}}"#)
        try expectEqual(harness.refresh(refresh).error, "503 refresh_failed")
        try expectEqual(harness.refresh(other).status, 200)
        let target = String(url.dropFirst("http://127.0.0.1:4681".count))
        try expectEqual(harness.send(.post, target, body: [1]).error, "503 upload_failed")
        let identity = try harness.mint(Harness.layla, .appleIdentity)
        let apple = "\(Harness.auth)/apple"
        try expectEqual(harness.post(apple, json: ["identityToken": .string(identity)]).error, "503 signin_failed")
    }

    @Test(arguments: ["expire", "revoke"])
    func `8 tokens hits only the access token that was sent`(manner: String) throws {
        let first = try harness.signIn(Harness.layla)
        let second = try harness.signIn(Harness.layla)
        let sent = first.text(at: "token")
        try harness.advance(.seconds(1))
        let newer = try harness.refresh(first.text(at: "refreshToken"))
        try fault(#"{"match":{"path":"**/me"},"when":{"times":1},"effect":{"tokens":"\#(manner)"}}"#)
        func me(_ token: String) throws -> Int { try harness.get("\(Self.base)/profile/me", token: token).status }
        try expectEqual(me(sent), 401)
        try expectEqual(me(sent), 401, "from here on")
        try expectEqual(me(newer.text(at: "token")), 200, "a newer one of the same session")
        try expectEqual(me(second.text(at: "token")), 200)
        try expectEqual(harness.refresh(newer.text(at: "refreshToken")).status, 200)
    }

    @Test func `8 a refresh in the second of the ended token brings another one`() throws {
        let pair = try harness.signIn(Harness.layla)
        try fault(#"{"match":{"path":"**/me"},"when":{"times":1},"effect":{"tokens":"expire"}}"#)
        try expectEqual(harness.get("\(Self.base)/profile/me", token: pair.text(at: "token")).error, "401 unauthorized")
        let next = try harness.refresh(pair.text(at: "refreshToken")).text(at: "token")
        #expect(next != pair.text(at: "token"))
        try expectEqual(harness.get("\(Self.base)/profile/me", token: next).status, 200)
    }

    @Test(arguments: ["expire", "revoke"])
    func `8 tokens hits only the refresh, upload or identity token that was sent`(manner: String) throws {
        let pair = try harness.signIn(Harness.layla)
        let token = pair.text(at: "token")
        let other = try harness.mint(Harness.layla, .refresh)
        let address = "\(Self.base)/profile/picture/upload-url"
        let url = try harness.get(address, token: token).text(at: "uploadUrl")
        let spare = try harness.get(address, token: token).text(at: "uploadUrl")
        let effect = #""effect":{"tokens":"\#(manner)"}}"#
        try fault(#"{"match":{"path":"**/refresh"},"when":{"times":1},"# + effect)
        try fault(#"{"match":{"path":"**/upload"},"when":{"times":1},"# + effect)
        try fault(#"{"match":{"path":"**/apple"},"when":{"times":1},"# + effect)
        try expectEqual(harness.refresh(pair.text(at: "refreshToken")).error, "400 invalid_refresh")
        try expectEqual(harness.refresh(other).status, 200)
        try expectEqual(harness.get("\(Self.base)/profile/me", token: token).status, 200)
        func upload(_ url: String) throws -> Int {
            try harness.send(.post, String(url.dropFirst("http://127.0.0.1:4681".count)), body: [1]).status
        }
        try expectEqual([upload(url), upload(url), upload(spare)], [403, 403, 200])
        func apple(_ text: String) throws -> Int {
            try harness.post("\(Harness.auth)/apple", json: ["identityToken": .string(text)]).status
        }
        try expectEqual([apple("one"), apple("one"), apple("two")], [401, 401, 200])
    }
}
