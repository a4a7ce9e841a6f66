import Backend
import CivilTime
import CustomAPIs
import HTTPMessage
import JSON
import TestSupport
import Testing

/// The routes of a sign-in (own-API contract, section 15).
@Suite struct Section15SignInTests {
    @Test func `15 login takes identifier and secret, the identifier in either case`() throws {
        let harness = try SignInFixture.harness()
        let answer = try harness.post("/v1/login", ["email": "ANNA@Example.com", "password": "correct horse"])
        expectEqual(answer.status, 200)
        expectEqual(answer["Content-Type"], "application/json")
        let members = try #require(answer.json.objectValue).members
        expectEqual(members.map(\.name), ["accessToken", "refreshToken", "tokenType", "expiresIn"])
        expectEqual(answer.json["tokenType"], "Bearer")
        expectEqual(answer.json["expiresIn"], 900)
        try expectEqual(harness.get("/v1/notes", token: answer.tokens.access).status, 200)
    }

    @Test func `15 login takes a form too`() throws {
        let harness = try SignInFixture.harness()
        let answer = try harness.form("/v1/login", "email=bo%40example.com&password=correct+horse&email=other")
        expectEqual(answer.status, 200)
        let user = try harness.get("/v1/me", token: answer.tokens.access)
        expectEqual(user.text, #"{"id":2,"email":"bo@example.com","role":"guest"}"#)
    }

    @Test func `15 a wrong secret and an unknown user are answered alike`() throws {
        let harness = try SignInFixture.harness()
        let wrong = try harness.post("/v1/login", ["email": "anna@example.com", "password": "Correct horse"])
        let unknown = try harness.post("/v1/login", ["email": "nobody@example.com", "password": "correct horse"])
        expectEqual(wrong.verdict, "401 invalid_credentials")
        expectEqual(wrong.text, unknown.text)
        expectEqual(wrong["WWW-Authenticate"], "Bearer")
    }

    @Test(arguments: [
        ("{}", "422 validation_failed"), (#"{"email":"anna@example.com","password":7}"#, "401 invalid_credentials"),
        (#"{"email":"anna@example.com","password":true}"#, "422 validation_failed"),
        (#"{"email":"","password":"x"}"#, "422 validation_failed"), ("[]", "400 bad_request"), ("{", "400 bad_request"),
    ])
    func `15 a body that is not one is told`(body: String, verdict: String) throws {
        let harness = try SignInFixture.harness()
        try expectEqual(harness.send("POST", "/v1/login", text: body, "application/json").verdict, verdict)
        try expectEqual(harness.send("POST", "/v1/login", text: body, "text/plain").status, 415)
        try expectEqual(harness.send("POST", "/v1/login", text: body, nil).status, 415)
    }

    @Test func `15 each missing member is named`() throws {
        let harness = try SignInFixture.harness()
        let details = try harness.post("/v1/login", [:]).json["error"]?["details"]
        expectEqual(
            details,
            [
                ["path": "$.email", "reason": "is required"], ["path": "$.password", "reason": "is required"],
            ]
        )
    }

    @Test func `15 a body of sign-in has at most a mebibyte`() throws {
        let harness = try SignInFixture.harness()
        func answer(_ length: Int) throws -> Int {
            let frame = #"{"email":"anna@example.com","password":"correct horse","x":""}"#
            let filler = String(repeating: "x", count: length - frame.utf8.count)
            let text = frame.replacing(#""x":"""#, with: #""x":"\#(filler)""#)
            expectEqual(text.utf8.count, length)
            return try harness.send("POST", "/v1/login", text: text, "application/json").status
        }
        try expectEqual(answer(1_048_576), 200)
        try expectEqual(answer(1_048_577), 413)
    }

    // MARK: Register

    @Test func `15 register makes a row and signs it in`() throws {
        let harness = try SignInFixture.harness()
        let body: JSON = ["email": "New@example.com", "password": "secret", "age": 30]
        let answer = try harness.post("/v1/register", body)
        expectEqual(answer.status, 201)
        let user = try harness.get("/v1/me", token: answer.tokens.access)
        expectEqual(user.text, #"{"id":3,"email":"New@example.com","age":30}"#)
        let login = try harness.post("/v1/login", ["email": "new@example.com", "password": "secret"])
        expectEqual(login.status, 200)
    }

    @Test func `15 a taken identifier is a conflict, in either case`() throws {
        let harness = try SignInFixture.harness()
        let answer = try harness.post("/v1/register", ["email": "BO@example.com", "password": "x"])
        expectEqual(answer.verdict, "409 conflict")
        expectEqual(answer.json["error"]?["details"], [["path": "$.email", "reason": "is taken"]])
    }

    @Test func `15 a register that does not fit the schema makes nothing`() throws {
        let harness = try SignInFixture.harness()
        let body: JSON = ["email": "new@example.com", "password": "x", "age": "old"]
        try expectEqual(harness.post("/v1/register", body).verdict, "422 validation_failed")
        try expectEqual(harness.post("/v1/register", ["email": "new@example.com"]).verdict, "422 validation_failed")
        let login = try harness.post("/v1/login", ["email": "new@example.com", "password": "x"])
        expectEqual(login.verdict, "401 invalid_credentials")
        let good = try harness.post("/v1/register", ["email": "new@example.com", "password": "x", "age": 3])
        expectEqual(good.status, 201)
    }

    // MARK: Codes

    @Test func `15 a code is sent to those who are users, and signs in once`() throws {
        let harness = try SignInFixture.harness()
        try expectEqual(harness.post("/v1/otp", ["email": "anna@EXAMPLE.com"]).status, 204)
        try expectEqual(harness.post("/v1/otp", ["email": "nobody@example.com"]).status, 204)
        let messages = try harness.outbox()
        expectEqual(messages.map(\.to), ["Anna@example.com"])
        expectEqual(messages.map(\.kind), [.otp])
        expectEqual(messages.map(\.api), ["shop"])
        expectEqual(messages.map(\.code), ["123456"])
        expectEqual(messages.first?.expiresAt, CustomAPIHarness.noon + .minutes(10))
        let body: JSON = ["email": "ANNA@example.com", "code": "123456"]
        let answer = try harness.post("/v1/otp/verify", body)
        expectEqual(answer.status, 200)
        try expectEqual(harness.get("/v1/me", token: answer.tokens.access).json["id"], 1)
        try expectEqual(harness.post("/v1/otp/verify", body).verdict, "401 invalid_credentials")
    }

    @Test func `15 a code that is wrong, replaced or over is refused`() throws {
        let harness = try SignInFixture.harness()
        try harness.set(["otp": ["codes": "distinct"]])
        func send() throws -> String {
            try harness.post("/v1/otp", ["email": "bo@example.com"])
            return try #require(try harness.outbox().last?.code)
        }
        func verify(_ code: String) throws -> String {
            try harness.post("/v1/otp/verify", ["email": "bo@example.com", "code": .string(code)]).verdict
        }
        let first = try send()
        try expectEqual(verify("x" + first), "401 invalid_credentials")
        let second = try send()
        #expect(first != second && second.utf8.count == 6)
        try expectEqual(verify(first), "401 invalid_credentials")
        // A wrong code does not use up the right one.
        try expectEqual(verify(second), "200")
        let third = try send()
        try harness.advance(.minutes(10) - .microseconds(1))
        try expectEqual(verify(third), "200")
        let fourth = try send()
        try harness.advance(.minutes(10))
        try expectEqual(verify(fourth), "401 invalid_credentials")
    }

    @Test func `15 with register a code makes a user, once it fits`() throws {
        let code = #"{"request":"/otp","verify":"/verify","lifetime":"PT5S","register":true}"#
        let harness = try CustomAPIHarness([
            "api.json": #"{"auth":{"me":"/me","identifier":"phone","names":{"code":"pin"},"code":\#(code)},"#
                + #""tables":{"users":{"schema":{"type":"object","required":["name"]}}}}"#
        ])
        try expectEqual(harness.form("/otp", "phone=%2B4670").status, 204)
        try expectEqual(harness.outbox().map(\.to), ["+4670"])
        let body: JSON = ["phone": "+4670", "pin": "123456"]
        try expectEqual(harness.post("/verify", body).verdict, "422 validation_failed")
        let named: JSON = ["phone": "+4670", "pin": "123456", "name": "Cia"]
        let made = try harness.post("/verify", named)
        expectEqual(made.status, 200)
        let user = try harness.get("/me", token: made.tokens.access)
        expectEqual(user.json["phone"], "+4670")
        expectEqual(user.json["name"], "Cia")
        expectNil(user.json["pin"])
        try expectEqual(harness.post("/verify", named).verdict, "401 invalid_credentials")
        // The second time it signs the same user in.
        try harness.post("/otp", ["phone": "+4670"])
        let again = try harness.post("/verify", ["phone": "+4670", "pin": "123456"])
        try expectEqual(harness.get("/me", token: again.tokens.access).text, user.text)
    }

    // MARK: Me and logout

    @Test func `15 me shows and changes the row, as a resource does`() throws {
        let harness = try SignInFixture.harness()
        let access = try harness.login().access
        let bearer = "Bearer \(access)"
        let me = try harness.get("/v1/me", token: access)
        expectEqual(me.text, #"{"id":1,"email":"Anna@example.com","role":"admin"}"#)
        let tag = try #require(me["ETag"])
        let patched = try harness.patch("/v1/me", ["age": 40], ["Authorization": bearer, "If-Match": tag])
        expectEqual(patched.text, #"{"id":1,"email":"Anna@example.com","role":"admin","age":40}"#)
        let late = try harness.patch("/v1/me", ["age": 41], ["Authorization": bearer, "If-Match": tag])
        expectEqual(late.verdict, "412 precondition_failed")
        try expectEqual(harness.patch("/v1/me", ["id": 2], ["Authorization": bearer]).verdict, "422 validation_failed")
        try expectEqual(
            harness.patch("/v1/me", ["age": "x"], ["Authorization": bearer]).verdict,
            "422 validation_failed"
        )
        try expectEqual(harness.delete("/v1/me", ["Authorization": bearer])["Allow"], "GET, PATCH, HEAD, OPTIONS")
        try expectEqual(harness.get("/v1/me").verdict, "401 unauthorized")
        // A new secret is the one that counts.
        try harness.patch("/v1/me", ["password": "new", "email": "a@b"], ["Authorization": bearer])
        try expectEqual(harness.post("/v1/login", ["email": "a@b", "password": "new"]).status, 200)
        try expectEqual(harness.post("/v1/login", ["email": "anna@example.com", "password": "new"]).status, 401)
    }

    @Test func `15 logout ends the session of its token and no other`() throws {
        let harness = try SignInFixture.harness()
        let first = try harness.login()
        let second = try harness.login()
        try expectEqual(harness.post("/v1/logout", [:]).verdict, "401 unauthorized")
        let answer = try harness.send(.post, "/v1/logout", headers: ["Authorization": "Bearer \(first.access)"])
        expectEqual(answer.status, 204)
        try expectEqual(harness.get("/v1/me", token: first.access).verdict, "401 token_revoked")
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_revoked")
        try expectEqual(harness.get("/v1/me", token: second.access).status, 200)
        try expectEqual(harness.refresh(second.refresh).status, 200)
    }

    @Test func `15 the answer and the claims are templates`() throws {
        let harness = try SignInFixture.harness(
            auth:
                #""response":{"data":{"token":"{{access}}","in":"{{expiresIn}}","who":"{{user}}","role":"{{user.role}}"},"#
                + #""n":"{{counter.logins}}","at":"{{now | unix}}","of":"{{body.email}}","none":"{{query.x}}"}"#,
            tokens: #"{"claims":{"role":"{{user.role}}","pw":"{{user.password ?? none}}","fixed":[1]}}"#
        )
        let answer = try harness.post("/v1/login", ["email": "anna@example.com", "password": "correct horse"])
        let token = try #require(answer.json["data"]?["token"]?.stringValue)
        let user = #"{"id":1,"email":"Anna@example.com","role":"admin"}"#
        expectEqual(
            answer.text,
            #"{"data":{"token":"\#(token)","in":900,"who":\#(user),"role":"admin"},"n":1,"#
                + #""at":1735732800,"of":"anna@example.com"}"#
        )
        let claims = try payload(of: token)
        expectEqual(claims.members.map(\.name), ["iss", "sub", "iat", "exp", "jti", "role", "pw", "fixed"])
        expectEqual(claims["role"], "admin")
        expectEqual(claims["pw"], "none")
        expectEqual(claims["fixed"], [1])
    }

    @Test func `15 an identifier that differs from another's in case alone is a conflict for me, too`() throws {
        let harness = try CustomAPIHarness([
            "api.json": #"{"tables":{"users":{}},"auth":{"users":"users","login":"/login","me":"/me"}}"#,
            "tables/users.json":
                #"[{"id":1,"email":"Anna@x.se","password":"pw"},{"id":2,"email":"bo@x.se","password":"pw2"}]"#,
        ])
        let login = try harness.post("/login", ["email": "anna@X.SE", "password": "pw"])
        let token = try #require(login.json["accessToken"]?.stringValue)
        let refused = try harness.patch("/me", ["email": "BO@x.se"], ["Authorization": "Bearer \(token)"])
        expectEqual(refused.status, 409)
        expectEqual(refused.json["error"]?["code"], "conflict")
        let changed = try harness.patch("/me", ["email": "ANNA@x.se"], ["Authorization": "Bearer \(token)"])
        expectEqual(changed.status, 200)
        try expectEqual(harness.post("/login", ["email": "bo@x.se", "password": "pw2"]).status, 200)
    }
}
