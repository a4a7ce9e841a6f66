import Backend
import CivilTime
import Crypto
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Section 5.1: tokens.
struct Section5TokenTests {
    private func payload(_ token: String) throws -> JSON {
        let parts = try JWT.Parts(parsing: token)
        expectEqual(String(decoding: parts.headerBytes, as: UTF8.self), #"{"alg":"HS256","typ":"JWT"}"#)
        return try JSONReader.read(parts.payloadBytes)
    }

    @Test func `5.1 the claims are those of the contract, and ids are counted up`() throws {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        let claims = try payload(access)
        expectEqual(claims["sub"], "000101.00000000000000000000000000f4ee01.0101")
        expectEqual(claims["type"], "access")
        expectEqual(claims["iat"], 1_738_353_600)
        expectEqual(claims["exp"], 1_740_945_600)
        expectEqual(claims["jti"], "1")
        let other = try payload(refresh)
        expectEqual(other["type"], "refresh")
        expectEqual(other["exp"], 1_746_129_600)
        expectEqual(other["jti"], "2")
    }

    @Test func `5.1 an access token ends with its last second, a refresh token too`() throws {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        try harness.advance(.days(30) - .microseconds(1))
        try expectEqual(harness.me(access).status, 200)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        try harness.advance(.days(60) - .microseconds(1))
        try expectEqual(harness.refresh(refresh).status, 200)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED")
    }

    @Test func `5.1 kinds, schemes, places and forgeries`() throws {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        try expectEqual(harness.me(refresh).error, "401 UNAUTHORIZED")
        try expectEqual(harness.refresh(access).error, "401 UNAUTHORIZED")
        for scheme in ["bearer", "BEARER", "Bearer"] {
            try expectEqual(harness.get("/auth/me", headers: [(.authorization, "\(scheme) \(access)")]).status, 200)
        }
        for value in [access, "Token \(access)", "Bearer", "Bearer ", "Basic \(access)", "Bearer \(access).x"] {
            try expectEqual(harness.get("/auth/me", headers: [(.authorization, value)]).error, "401 UNAUTHORIZED")
        }
        try expectEqual(harness.get("/auth/me?access_token=\(access)").error, "401 UNAUTHORIZED")
        try expectEqual(harness.get("/auth/me", headers: [("Cookie", "token=\(access)")]).error, "401 UNAUTHORIZED")
        let parts = access.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        for forged in [
            "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])",
            "\(parts[0]).\(parts[1]).AAAA", "", "a.b.c", "\(parts[0]).\(parts[1]).\(parts[2])=",
        ] {
            try expectEqual(harness.me(forged).error, "401 UNAUTHORIZED")
        }
    }

    @Test func `5.1 a token of an unknown user is refused`() throws {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: "gone@example.com")
        try harness.state { state, _ in
            for user in state.users.rows where user.email == "gone@example.com" { state.users.remove(user.id) }
        }
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED")
    }

    @Test func `5.1 documented: refresh gives an access token alone, again and again, and revoke changes nothing`()
        throws
    {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        for _ in 1...3 { try expectEqual(harness.refresh(refresh).data.keys, ["accessToken"]) }
        try expectEqual(
            harness.post("/auth/revoke", json: ["refreshToken": .string(refresh)]).data.text,
            #"{"revoked":true}"#
        )
        try expectEqual(harness.me(access).status, 200)
        try expectEqual(harness.refresh(refresh).status, 200)
    }

    @Test func `5.1 blacklist: revoke ends the session and no other`() throws {
        let harness = try Harness()
        try harness.set(["tokens": ["profile": "blacklist"]])
        let (access, refresh) = try harness.signIn(as: Harness.free)
        let other = try harness.signIn(as: Harness.free)
        let renewed = try harness.refresh(refresh).at("accessToken").stringValue ?? ""
        for body: JSON in [[:], ["refreshToken": .null], ["refreshToken": "x"], ["refreshToken": .string(access)]] {
            try expectEqual(harness.post("/auth/revoke", json: body).data.text, #"{"revoked":true}"#)
        }
        try expectEqual(harness.me(access).status, 200)
        try expectEqual(harness.post("/auth/revoke", json: ["refreshToken": .string(refresh)]).status, 200)
        for token in [access, renewed] { try expectEqual(harness.me(token).error, "401 UNAUTHORIZED") }
        try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(other.access).status, 200)
        try expectEqual(harness.refresh(other.refresh).status, 200)
    }

    @Test func `5.1 rotation: 15 minutes, a new refresh token each time, and a second use ends the session`() throws {
        let harness = try Harness()
        try harness.set(["tokens": ["profile": "rotation"]])
        let (access, refresh) = try harness.signIn(as: Harness.free)
        try harness.advance(.minutes(15) - .microseconds(1))
        try expectEqual(harness.me(access).status, 200)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        let first = try harness.refresh(refresh)
        expectEqual(first.data.keys, ["accessToken", "refreshToken"])
        let second = try harness.refresh(first.at("refreshToken").stringValue ?? "")
        let live = second.at("accessToken").stringValue ?? ""
        try expectEqual(harness.me(live).status, 200)
        try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(live).error, "401 UNAUTHORIZED")
        try expectEqual(harness.refresh(second.at("refreshToken").stringValue ?? "").error, "401 UNAUTHORIZED")
    }

    @Test(arguments: CarbScanSettings.TokenProfile.allCases)
    func `5.1 minted tokens work only when valid, in every profile`(profile: CarbScanSettings.TokenProfile) throws {
        let harness = try Harness()
        try harness.set(["tokens": ["profile": .string(profile.rawValue)]])
        for state in TokenOrder.State.allCases {
            for isOffline in [false, true] {
                let access = try harness.mint(Harness.free, .access, state, isOffline: isOffline)
                expectEqual(try harness.me(access).status == 200, state == .valid, "\(state)")
                let refresh = try harness.mint(Harness.free, .refresh, state, isOffline: isOffline)
                expectEqual(try harness.refresh(refresh).status == 200, state == .valid, "\(state)")
            }
        }
        #expect(throws: Problem.self) { try harness.mint("nobody@example.com") }
    }

    @Test func `5.1 tokens of the command line share no session between users`() throws {
        let harness = try Harness()
        try harness.set(["tokens": ["profile": "blacklist"]])
        // Each run of the command has a world of its own.
        func print(_ user: String, _ kind: TokenOrder.Kind) throws -> String {
            try Harness().mint(user, kind, isOffline: true)
        }
        let other = try print(Harness.pro, .access)
        let token = try print(Harness.free, .refresh)
        _ = try harness.post("/auth/revoke", json: ["refreshToken": .string(token)])
        try expectEqual(harness.refresh(token).status, 401)
        try expectEqual(harness.me(other).status, 200)
    }

    @Test func `5.1 a second use ends the session in the rotation profile alone`() throws {
        let harness = try Harness()
        try harness.activate("refresh-rotation")
        let (access, refresh) = try harness.signIn(as: Harness.free)
        let next = try harness.refresh(refresh).at("refreshToken").stringValue ?? ""
        try harness.deactivate("refresh-rotation")
        try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(access).status, 200)
        try expectEqual(harness.refresh(next).data.keys, ["accessToken"])
        try expectEqual(harness.refresh(next).status, 200)
    }

    @Test func `5.1 the control API ends what a user holds, now or later, and nothing that comes after`() throws {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        let other = try harness.signIn(as: Harness.pro)
        try harness.end(Harness.free, .access, .expire, after: .seconds(10))
        try expectEqual(harness.me(access).status, 200)
        try harness.advance(.seconds(10))
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        let renewed = try harness.refresh(refresh).at("accessToken").stringValue ?? ""
        try expectEqual(harness.me(renewed).status, 200)
        try harness.end("000101.00000000000000000000000000f4ee01.0101", .all, .revoke)
        try expectEqual(harness.me(renewed).error, "401 UNAUTHORIZED")
        try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(try harness.signIn(as: Harness.free).access).status, 200)
        try expectEqual(harness.me(other.access).status, 200)
    }
}
