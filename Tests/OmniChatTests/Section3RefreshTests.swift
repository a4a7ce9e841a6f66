import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 3.4: the refresh.
struct Section3RefreshTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    @Test func `3.4 D8 a refresh answers exactly these fields and no refresh token`() throws {
        let reply = try harness.refresh(harness.mint(Harness.test, .refresh))
        expectEqual(reply.status, 200)
        expectEqual(reply.keys, ["accessToken", "expiresIn", "tokenType", "user"])
        #expect(
            reply.text.hasSuffix(
                #""expiresIn":900,"tokenType":"Bearer","user":{"id":"user_test_icloud_0001","email":"test@icloud.com"}}"#
            )
        )
        try expectEqual(harness.get("/api/v1/user/profile", token: reply.text(at: "accessToken")).status, 200)
    }

    @Test func `3.4 the same token may be used any number of times and its end stays`() throws {
        let token = try harness.signIn(as: Harness.test).text(at: "refreshToken")
        for _ in 0..<30 {
            try expectEqual(harness.refresh(token).status, 200)
            try harness.advance(.hours(23))
        }
        try harness.advance(.hours(30 - 1))
        try expectEqual(harness.refresh(token).status, 200)
        try harness.advance(.hours(1))
        try expectEqual(harness.refresh(token).error, "401 Invalid refresh token")
    }

    @Test(arguments: [#"{}"#, #"{"refreshToken":null}"#, #"{"refreshToken":""}"#])
    func `3.4 a missing token is 400`(body: String) throws {
        try expectEqual(harness.post("/api/v1/auth/refresh", text: body).error, "400 Missing refresh token")
    }

    @Test func `3.4 an access token sent here is not found`() throws {
        let access = try harness.mint(Harness.test)
        try expectEqual(harness.refresh(access).error, "401 Refresh token not found")
        try harness.advance(.seconds(900))
        try expectEqual(harness.refresh(access).error, "401 Invalid refresh token")
    }

    @Test func `3.4 D29 an expired token is invalid, also when its session was ended before`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        try harness.end(Harness.test, .refresh, .expire)
        try harness.advance(.days(30))
        try expectEqual(harness.refresh(token).error, "401 Invalid refresh token")
    }

    @Test func `3.4 a deleted user is 404`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        try harness.state { state, _ in _ = state.users.remove("user_test_icloud_0001") }
        try expectEqual(harness.refresh(token).error, "404 User not found")
    }

    @Test func `3.4 the routes ask for no bearer token and ignore one`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        let body: JSON = ["refreshToken": .string(token)]
        try expectEqual(harness.post("/api/v1/auth/refresh", token: "nonsense", json: body).status, 200)
    }

    @Test func `D8 with rotation a refresh hands out a new token and ends the old one`() throws {
        try harness.set(["tokens": ["rotation": "on"]])
        let old = try harness.mint(Harness.test, .refresh)
        try harness.advance(.days(1))
        let reply = try harness.refresh(old)
        expectEqual(reply.keys, ["accessToken", "refreshToken", "expiresIn", "tokenType", "user"])
        let new = reply.text(at: "refreshToken")
        expectEqual(TokenText.payload(of: new)?["exp"], .integer(1_735_732_800 + 86_400 + 2_592_000))
        try expectEqual(harness.refresh(old).error, "401 Refresh token not found")
        try expectEqual(harness.refresh(new).status, 200)
    }

    @Test func `3.4 a session survives a change of the profile`() throws {
        let signedIn = try harness.signIn(as: Harness.test)
        _ = try harness.patch("/api/v1/user/profile", token: signedIn.text(at: "accessToken"), json: ["name": "Other"])
        try expectEqual(harness.refresh(signedIn.text(at: "refreshToken")).status, 200)
    }
}
