import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trendy

/// The journey of an app with the SDK: sign in, work, expire, refresh, repeat, sign out.
struct EndToEndTests {
    /// A client that refreshes once on 401 and repeats the call once.
    final class Client {
        let harness: Harness
        var access = ""
        var refreshToken = ""
        var refreshes = 0
        var isSignedOut = false

        init(_ harness: Harness) { self.harness = harness }

        func take(_ session: Played) {
            access = session.text(at: "access_token")
            refreshToken = session.text(at: "refresh_token")
        }

        func call(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) throws -> Played {
            let bytes = body?.serialized() ?? []
            let reply = try harness.send(method, path, token: access, body: bytes)
            guard reply.status == 401 else { return reply }
            let session = try harness.refresh(refreshToken)
            refreshes += 1
            guard session.status == 200 else {
                // These four make the SDK drop its session.
                isSignedOut =
                    session["X-Supabase-Api-Version"] != nil
                    && [
                        "session_not_found", "session_expired", "refresh_token_not_found",
                        "refresh_token_already_used",
                    ]
                    .contains(session.text(at: "code"))
                return reply
            }
            take(session)
            return try harness.send(method, path, token: access, body: bytes)
        }
    }

    @Test func `11 15 a whole onboarding over an expiry and a sign-out`() throws {
        let harness = try Harness()
        let client = Client(harness)
        client.take(try harness.signUp(["email": "app@trendy.example", "password": "app-pass-1"]))
        let path = Harness.onboarding
        try expectEqual(client.call(.get, path).json["completed"], false)
        for (name, minutes) in [("welcome", 0), ("auth", 59), ("permissions", 1)] {
            try harness.advance(.minutes(Int64(minutes)))
            let now = try harness.now.iso8601(.seconds)
            let reply = try client.call(.patch, path, ["\(name)_completed_at": .string(now)] as JSON)
            expectEqual(reply.text(at: "\(name)_completed_at"), now)
        }
        expectEqual(client.refreshes, 1)
        try expectEqual(client.call(.patch, path, ["completed": true]).keys.count, 7)
        // The same on a second device.
        let other = Client(harness)
        other.take(try harness.grant("password", ["email": "app@trendy.example", "password": "app-pass-1"]))
        try expectEqual(other.call(.get, path).json["completed"], true)
        try expectEqual(harness.logout(other.access, scope: "global").status, 204)
        try expectEqual(client.call(.get, path).status, 401)
        #expect(client.isSignedOut)
        try expectEqual(other.call(.delete, path).status, 401)
    }

    @Test func `control 12 the token that was sent can be ended alone`() throws {
        let harness = try Harness()
        let session = try harness.signIn("new")
        let access = session.text(at: "access_token")
        let hosted = try harness.hosted()
        for credential in [access, "nonsense"] {
            let ended = hosted.world.with(0, TrendyState.self) { state, core in
                TrendyAPI.endCredential(credential, .revoke, state: &state, core: &core)
            }
            expectEqual(ended, credential == access)
        }
        try expectEqual(harness.get(Harness.onboarding, token: access).status, 401)
        let next = try harness.refresh(session.text(at: "refresh_token"))
        try expectEqual(harness.get(Harness.onboarding, token: next.text(at: "access_token")).status, 200)
        let refresh = next.text(at: "refresh_token")
        let ended = hosted.world.with(0, TrendyState.self) { state, core in
            TrendyAPI.endCredential(refresh, .expire, state: &state, core: &core)
        }
        #expect(ended)
        try expectEqual(harness.refresh(refresh).auth, "400 refresh_token_not_found")
        try expectEqual(harness.get(Harness.onboarding, token: next.text(at: "access_token")).status, 200)
    }
}
