import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 7: the changes that deactivating a scenario undoes.
struct ScenarioUndoTests {
    @Test(arguments: ["rate-limited", "rate-limit-nearly-spent"])
    func `a spent bucket is whole again when its scenario goes off`(name: String) throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.call(.put, "/scenarios/omnichat/\(name)")
        let spent = try harness.chat(.get, "/api/v1/conversations", token: token)
        expectEqual(spent.fields["X-RateLimit-Remaining"], name == "rate-limited" ? "0" : "2")
        try expectEqual(harness.call(.delete, "/scenarios/omnichat/\(name)").status, 200)
        let whole = try harness.chat(.get, "/api/v1/conversations", token: token)
        expectEqual(whole.status, 200)
        expectEqual(whole.fields["X-RateLimit-Remaining"], "99")
    }

    /// The piece after which a stream is cut, which a scenario sets to 5, and the one after which it stalls.
    private func stream(_ harness: Harness) throws -> [JSON?] {
        let settings = try harness.call(.get, "/settings").json["omnichat"]?["stream"]
        return [settings?["cutAfterPieces"], settings?["stallAfterPieces"]]
    }

    private func put(_ stream: JSON, _ harness: Harness) throws {
        let body: JSON = ["omnichat": ["stream": stream]]
        try expectEqual(harness.call(.put, "/settings", body.text).status, 200)
    }

    @Test func `7 a setting that a call has changed since stays when its scenario goes off`() throws {
        let harness = try Harness()
        let cut = "/scenarios/omnichat/stream-cut-midway"
        let former = try stream(harness)
        _ = try harness.call(.put, cut)
        try put(["cutAfterPieces": 9], harness)
        _ = try harness.call(.delete, cut)
        try expectEqual(stream(harness), [9, former[1]])
        // What was there before the next time comes back.
        _ = try harness.call(.put, cut)
        try expectEqual(stream(harness)[0], 5)
        _ = try harness.call(.delete, cut)
        try expectEqual(stream(harness)[0], 9)
    }

    @Test func `7 a call that changes nothing of a setting is none of it`() throws {
        let harness = try Harness()
        let cut = "/scenarios/omnichat/stream-cut-midway"
        let former = try stream(harness)
        _ = try harness.call(.put, cut)
        // As the console does, with another one changed.
        var all = try #require(try harness.call(.get, "/settings").json["omnichat"]?["stream"]?.objectValue)
        all["stallAfterPieces"] = 7
        try put(.object(all), harness)
        _ = try harness.call(.delete, cut)
        try expectEqual(stream(harness), [former[0], 7])
    }

    @Test func `7 a setting that a call has changed between two scenarios stays`() throws {
        let harness = try Harness()
        let (one, other) = ("/scenarios/omnichat/stream-split-utf8", "/scenarios/omnichat/stream-one-byte")
        func framing() throws -> JSON? {
            try harness.call(.get, "/settings").json["omnichat"]?["stream"]?["framing"]
        }
        _ = try harness.call(.put, one)
        try put(["framing": "coalesced"], harness)
        _ = try harness.call(.put, other)
        try expectEqual(framing(), "oneByte")
        _ = try harness.call(.delete, one)
        try expectEqual(framing(), "oneByte")
        _ = try harness.call(.delete, other)
        try expectEqual(framing(), "coalesced")
    }
}
