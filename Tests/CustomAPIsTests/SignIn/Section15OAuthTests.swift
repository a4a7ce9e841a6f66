import Backend
import CivilTime
import Conditions
import CustomAPIs
import Engine
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// The token endpoint of RFC 6749 (own-API contract, section 15).
@Suite struct Section15OAuthTests {
    private let harness: CustomAPIHarness

    init() throws { harness = try SignInFixture.harness() }

    private let password = "grant_type=password&username=anna%40example.com&password=correct+horse"

    @Test func `15 a password is exchanged as RFC 6749 has it`() throws {
        let answer = try harness.form("/oauth/token", password)
        expectEqual(answer.status, 200)
        expectEqual(answer["Content-Type"], "application/json")
        expectEqual(answer["Cache-Control"], "no-store")
        expectEqual(answer["Pragma"], "no-cache")
        let members = try #require(answer.json.objectValue).members
        expectEqual(members.map(\.name), ["access_token", "token_type", "expires_in", "refresh_token"])
        expectEqual(answer.json["token_type"], "Bearer")
        expectEqual(answer.json["expires_in"], 900)
        let access = try #require(answer.json["access_token"]?.stringValue)
        try expectEqual(harness.get("/v1/me", token: access).json["id"], 1)
    }

    @Test func `15 a refresh token is exchanged, and rotates`() throws {
        let first = try #require(try harness.form("/oauth/token", password).json["refresh_token"]?.stringValue)
        let second = try harness.form("/oauth/token", "grant_type=refresh_token&refresh_token=\(first)&scope=a")
        expectEqual(second.status, 200)
        let next = try #require(second.json["refresh_token"]?.stringValue)
        #expect(next != first)
        let reused = try harness.form("/oauth/token", "grant_type=refresh_token&refresh_token=\(first)")
        expectEqual(reused.status, 400)
        expectEqual(reused.json["error"], "invalid_grant")
        expectEqual(reused["Cache-Control"], "no-store")
        expectNil(reused["WWW-Authenticate"])
        let ended = try harness.form("/oauth/token", "grant_type=refresh_token&refresh_token=\(next)")
        expectEqual(ended.json["error"], "invalid_grant")
    }

    @Test(arguments: [
        ("", "invalid_request"), ("grant_type=", "invalid_request"), ("grant_type=password", "invalid_request"),
        ("grant_type=password&username=a&password=", "invalid_request"),
        ("grant_type=refresh_token", "invalid_request"), ("grant_type=refresh_token&refresh_token=x", "invalid_grant"),
        ("grant_type=password&username=a&password=b", "invalid_grant"),
        ("grant_type=password&username=anna%40example.com&password=b", "invalid_grant"),
        ("grant_type=client_credentials", "unsupported_grant_type"), ("grant_type=Password", "unsupported_grant_type"),
        ("grant_type=password&grant_type=password&username=a&password=b", "invalid_request"),
        ("grant_type=password&username=%ZZ&password=b", "invalid_request"),
    ])
    func `15 each refusal is an error of RFC 6749`(form: String, error: String) throws {
        let answer = try harness.form("/oauth/token", form)
        expectEqual(answer.status, 400)
        expectEqual(answer.json["error"]?.stringValue, error)
        expectEqual(answer.json["error_description"]?.stringValue?.isEmpty, false)
        expectEqual(answer["Cache-Control"], "no-store")
    }

    @Test func `15 it takes JSON too, and no other type`() throws {
        let json: JSON = ["grant_type": "password", "username": "bo@example.com", "password": "correct horse"]
        try expectEqual(harness.post("/oauth/token", json).status, 200)
        let text = try harness.send("POST", "/oauth/token", text: password, "text/plain")
        expectEqual(text.status, 400)
        expectEqual(text.json["error"], "invalid_request")
        try expectEqual(harness.get("/oauth/token").verdict, "405 method_not_allowed")
    }
}
