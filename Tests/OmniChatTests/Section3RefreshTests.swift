import CivilTime
import Emulation
import EmulationTesting
import HTTPMessage
import JSON
import Testing

@testable import OmniChat

/// Section 3.4: the refresh.
struct Section3RefreshTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    @Test func `3.4 D8 a refresh answers exactly these fields and no refresh token`() throws {
        let reply = try harness.refresh(harness.mint(Harness.test, .refresh))
        #expect(reply.status == 200)
        #expect(reply.keys == ["accessToken", "expiresIn", "tokenType", "user"])
        #expect(
            reply.text.hasSuffix(
                #""expiresIn":900,"tokenType":"Bearer","user":{"id":"user_test_icloud_0001","email":"test@icloud.com"}}"#
            )
        )
        #expect(try harness.get("/api/v1/user/profile", token: reply.text(at: "accessToken")).status == 200)
    }

    @Test func `3.4 the same token may be used any number of times and its end stays`() throws {
        let token = try harness.signIn(as: Harness.test).text(at: "refreshToken")
        for _ in 0..<30 {
            #expect(try harness.refresh(token).status == 200)
            try harness.advance(.hours(23))
        }
        try harness.advance(.hours(30 - 1))
        #expect(try harness.refresh(token).status == 200)
        try harness.advance(.hours(1))
        #expect(try harness.refresh(token).error == "401 Invalid refresh token")
    }

    @Test(arguments: [#"{}"#, #"{"refreshToken":null}"#, #"{"refreshToken":""}"#])
    func `3.4 a missing token is 400`(body: String) throws {
        #expect(try harness.post("/api/v1/auth/refresh", text: body).error == "400 Missing refresh token")
    }

    @Test func `3.4 an access token sent here is not found`() throws {
        let access = try harness.mint(Harness.test)
        #expect(try harness.refresh(access).error == "401 Refresh token not found")
        try harness.advance(.seconds(900))
        #expect(try harness.refresh(access).error == "401 Invalid refresh token")
    }

    @Test func `3.4 D29 an expired token is invalid, also when its session was ended before`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        try harness.end(Harness.test, .refresh, .expire)
        try harness.advance(.days(30))
        #expect(try harness.refresh(token).error == "401 Invalid refresh token")
    }

    @Test func `3.4 a deleted user is 404`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        try harness.state { state, _ in _ = state.users.remove("user_test_icloud_0001") }
        #expect(try harness.refresh(token).error == "404 User not found")
    }

    @Test func `3.4 the routes ask for no bearer token and ignore one`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        let body: JSON = ["refreshToken": .string(token)]
        #expect(try harness.post("/api/v1/auth/refresh", token: "nonsense", json: body).status == 200)
    }

    @Test func `D8 with rotation a refresh hands out a new token and ends the old one`() throws {
        try harness.set(["tokens": ["rotation": "on"]])
        let old = try harness.mint(Harness.test, .refresh)
        try harness.advance(.days(1))
        let reply = try harness.refresh(old)
        #expect(reply.keys == ["accessToken", "refreshToken", "expiresIn", "tokenType", "user"])
        let new = reply.text(at: "refreshToken")
        #expect(TokenText.payload(of: new)?["exp"] == .integer(1_735_732_800 + 86_400 + 2_592_000))
        #expect(try harness.refresh(old).error == "401 Refresh token not found")
        #expect(try harness.refresh(new).status == 200)
    }

    @Test func `3.4 a session survives a change of the profile`() throws {
        let signedIn = try harness.signIn(as: Harness.test)
        _ = try harness.patch("/api/v1/user/profile", token: signedIn.text(at: "accessToken"), json: ["name": "Other"])
        #expect(try harness.refresh(signedIn.text(at: "refreshToken")).status == 200)
    }
}
