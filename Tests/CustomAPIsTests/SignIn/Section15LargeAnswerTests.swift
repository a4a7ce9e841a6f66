import Backend
import CustomAPIs
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Sign-ins whose answers are too large (own-API contract, sections 9 and 15).
@Suite struct Section15LargeAnswerTests {
    private static let bio = String(repeating: "y", count: 900_000)
    private static let tenTimes = [String](repeating: "\"{{user.bio}}\"", count: 10).joined(separator: ",")

    /// Users of whom Anna is too large for an answer that shows her, or for a token that does, ten times.
    private func harness(response: String = "", tokens: String = "{}") throws -> CustomAPIHarness {
        let large =
            #""response":{"accessToken":"{{access}}","refreshToken":"{{refresh}}","n":"{{counter.n}}"\#(response)}"#
        var files = SignInFixture.files(auth: large, tokens: tokens)
        files["tables/users.json"] = """
            [{"id":1,"email":"anna@example.com","password":"\(SignInFixture.password)","bio":"\(Self.bio)"},
             {"id":2,"email":"bo@example.com","password":"\(SignInFixture.password)","bio":""}]
            """
        return try CustomAPIHarness(files)
    }

    /// Gives both worlds what a refusal is tried with: a refresh token and a code.
    private func prepare(_ harness: CustomAPIHarness) throws -> (refresh: String, code: String) {
        let refresh = try harness.mint(TokenOrder(user: "1", kind: .refresh))
        try expectEqual(harness.post("/v1/otp", ["email": "anna@example.com"]).status, 204)
        return (refresh, try #require(try harness.outbox().last?.code))
    }

    @Test func `9 of a sign-in whose answer is too large nothing is done`() throws {
        let harness = try harness(response: ",\"all\":[\(Self.tenTimes)]")
        let (refresh, code) = try prepare(harness)
        let password = JSON.string(SignInFixture.password)
        for (path, body) in [
            ("/v1/login", ["email": "anna@example.com", "password": password]),
            ("/v1/register", ["email": "new@example.com", "password": password, "bio": .string(Self.bio)]),
            ("/v1/otp/verify", ["email": "anna@example.com", "code": .string(code)]),
            ("/v1/refresh", ["refreshToken": .string(refresh)]),
        ] as [(String, JSON)] {
            // Nothing was spent, and nobody made, at the first time.
            for _ in 0..<2 { try expectEqual(harness.post(path, body).verdict, "500 answer_too_large", "\(path)") }
        }
        // A world in which none of that was tried has the same next answer.
        let other = try self.harness(response: ",\"all\":[\(Self.tenTimes)]")
        _ = try prepare(other)
        let bo: JSON = ["email": "bo@example.com", "password": password]
        try expectEqual(harness.post("/v1/login", bo).text, other.post("/v1/login", bo).text)
    }

    @Test func `15 a token that is too large is no refusal of its grant`() throws {
        let harness = try harness(tokens: "{\"claims\":{\"all\":[\(Self.tenTimes)]}}")
        let (refresh, _) = try prepare(harness)
        let password = SignInFixture.password.replacing(" ", with: "+")
        for form in [
            "grant_type=password&username=anna%40example.com&password=\(password)",
            "grant_type=refresh_token&refresh_token=\(refresh)",
        ] {
            for _ in 0..<2 { try expectEqual(harness.form("/oauth/token", form).verdict, "500 answer_too_large", form) }
        }
        let small = try harness.form(
            "/oauth/token",
            "grant_type=password&username=bo%40example.com&password=\(password)"
        )
        expectEqual(small.status, 200)
    }
}
