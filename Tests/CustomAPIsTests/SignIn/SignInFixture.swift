import Backend
import CivilTime
import Crypto
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// An API with every route of a sign-in, and helpers to use them.
enum SignInFixture {
    static let password = "correct horse"

    /// Returns the files of an API; `auth` are further members of it, `more` of `api.json`.
    static func files(auth: String = "", tokens: String = "{}", more: String = "") -> [String: String] {
        [
            "api.json": """
            {"tables":{"users":{"schema":{"type":"object","required":["email","password"],
                                          "properties":{"email":{"type":"string"},"age":{"type":"integer"}}}}},
             "resources":[{"path":"/v1/notes","table":"notes"},
                          {"path":"/v1/mine","table":"notes","owner":"userId"}],
             "auth":{"login":"/v1/login","register":"/v1/register",
                     "code":{"request":"/v1/otp","verify":"/v1/otp/verify"},
                     "refresh":"/v1/refresh","logout":"/v1/logout","me":"/v1/me","token":"/oauth/token",
                     "tokens":\(tokens)\(auth.isEmpty ? "" : ",")\(auth)}\(more.isEmpty ? "" : ",")\(more)}
            """,
            "tables/users.json": """
            [{"id":1,"email":"Anna@example.com","password":"\(password)","role":"admin"},
             {"id":2,"email":"bo@example.com","password":"\(password)","role":"guest"}]
            """,
            "tables/notes.json": #"[{"id":1,"text":"one","userId":1},{"id":2,"text":"two","userId":2}]"#,
        ]
    }

    static func harness(auth: String = "", tokens: String = "{}", more: String = "") throws -> CustomAPIHarness {
        try CustomAPIHarness(files(auth: auth, tokens: tokens, more: more))
    }
}

extension CustomAPIHarness {
    /// The tokens of an answer.
    struct Tokens: Equatable {
        var access = ""
        var refresh = ""
    }

    func login(_ email: String = "anna@example.com", in world: String? = nil) throws -> Tokens {
        let prefix = world.map { "/@\($0)" } ?? ""
        let answer = try post(
            "\(prefix)/v1/login",
            ["email": .string(email), "password": .string(SignInFixture.password)]
        )
        expectEqual(answer.status, 200, "\(answer.text)")
        return answer.tokens
    }

    func refresh(_ token: String) throws -> Answer { try post("/v1/refresh", ["refreshToken": .string(token)]) }

    /// Sends a request with a token.
    func get(_ path: String, token: String) throws -> Answer {
        try get(path, ["Authorization": "Bearer \(token)"])
    }

    func form(_ path: String, _ text: String) throws -> Answer {
        try send("POST", path, text: text, "application/x-www-form-urlencoded")
    }

    func mint(_ order: TokenOrder) throws -> String {
        let hosted = try hosted()
        switch api.mint(&hosted.world, 0, order) {
        case .success(let minted): return minted.token
        case .failure(let problem): throw TestError(text: problem.detail)
        }
    }

    func end(
        _ user: String,
        _ scope: TokenEnding.Scope,
        _ manner: TokenEnding.Manner,
        after delay: Interval = .zero
    ) throws -> Bool {
        let hosted = try hosted()
        hosted.world.tick(to: hostTime)
        let ending = TokenEnding(user: user, scope: scope, manner: manner, at: hosted.world.core.now + delay)
        return api.endTokens(&hosted.world, 0, ending)
    }

    /// The messages of the world, oldest first.
    func outbox() throws -> [Outbox.Message] { try hosted().world.core.outbox.messages }

    /// The moment of the world.
    func now() throws -> Instant {
        let hosted = try hosted()
        hosted.world.tick(to: hostTime)
        return hosted.world.core.now
    }
}

extension CustomAPIHarness.Answer {
    var tokens: CustomAPIHarness.Tokens {
        CustomAPIHarness.Tokens(
            access: json["accessToken"]?.stringValue ?? "",
            refresh: json["refreshToken"]?.stringValue ?? ""
        )
    }

    /// The status, and the code of an error.
    var verdict: String {
        guard let code = json["error"]?["code"]?.stringValue else { return "\(status)" }
        return "\(status) \(code)"
    }
}

/// The payload of a JWT.
func payload(of token: String) throws -> JSONObject {
    try #require(try JSONReader.read(try JWT.Parts(parsing: token).payloadBytes).objectValue)
}
