import CustomAPIs
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// What the document asks for where the API signs nobody in, and how it shapes refusals (own-API contract, sections 5, 15
/// and 16).
@Suite struct Section16SecurityTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Bikes, version: "1"}
        security: [{bearer: []}]
        paths:
          /bikes:
            get:
              parameters: [{name: limit, in: query, schema: {type: integer}}]
              responses: {"200": {description: All, content: {application/json: {example: []}}}, "401": {$ref: "#/components/responses/Refused"}}
            post:
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Bike"}}}}
              responses: {"201": {description: Made}, default: {$ref: "#/components/responses/Refused"}}
          /bikes/{id}:
            get: {responses: {"200": {description: One, content: {application/json: {schema: {type: object}}}}, "404": {$ref: "#/components/responses/Refused"}, "429": {$ref: "#/components/responses/Refused"}}}
          /open: {get: {security: [], responses: {"200": {description: x, content: {application/json: {example: 1}}}}}}
          /either: {get: {security: [{basic: []}, {key: [], query: []}], responses: {"200": {description: x}}}}
          /maybe: {get: {security: [{cookie: []}, {}], responses: {"200": {description: x}}}}
          /cookie: {get: {security: [{cookie: []}], responses: {"200": {description: x}}}}
          /oauth: {get: {security: [{oauth: [read]}], responses: {"200": {description: x}}}}
          /tls: {get: {security: [{tls: []}], responses: {"200": {description: x}}}}
        components:
          securitySchemes:
            bearer: {type: http, scheme: Bearer}
            basic: {type: http, scheme: basic}
            key: {type: apiKey, in: header, name: X-Key}
            query: {type: apiKey, in: query, name: key}
            cookie: {type: apiKey, in: cookie, name: sid}
            oauth: {type: oauth2, flows: {}}
            tls: {type: mutualTLS}
          responses:
            Refused: {description: No, content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}}
          schemas:
            Bike: {type: object, required: [name, status], properties: {id: {type: integer}, name: {type: string}, status: {type: string, enum: [free, rented], default: free}, lock: {type: object, properties: {code: {type: integer, default: 4}}}}}
            Problem: {type: object, required: [code, message], properties: {code: {type: string}, message: {type: string}}}
        """

    private func harness(_ api: String = "{}", _ more: [String: String] = [:]) throws -> CustomAPIHarness {
        try CustomAPIHarness(more.merging(["api.json": api, "openapi.yaml": Self.document]) { $1 })
    }

    private func violations(_ harness: CustomAPIHarness) throws -> [String] {
        let journal = try harness.hosted().world.journal
        return (journal[journal.lastSeq]?.violations ?? []).compactMap { $0["path"]?.stringValue }
    }

    @Test(
        arguments: [
            ("/bikes", [:], 401), ("/bikes", ["Authorization": "Bearer any"], 200),
            ("/bikes", ["Authorization": "bearer   any"], 200), ("/bikes", ["Authorization": "Bearer "], 401),
            ("/bikes", ["Authorization": "Bearer a b"], 401), ("/bikes", ["Authorization": "Basic YTpi"], 401),
            ("/bikes?access_token=x", [:], 401), ("/open", [:], 200), ("/maybe", [:], 200), ("/tls", [:], 200),
            ("/either", ["Authorization": "Basic YTpi"], 200), ("/either", ["Authorization": "Basic %"], 401),
            ("/either", ["X-Key": "1"], 401), ("/either?key=1", [:], 401), ("/either?key=1", ["X-Key": "1"], 200),
            ("/either?key=", ["X-Key": "1"], 401), ("/cookie", ["Cookie": "a=1; sid=2"], 200),
            ("/cookie", ["Cookie": "a=1"], 401), ("/oauth", [:], 401), ("/oauth", ["Authorization": "Bearer x"], 200),
        ] as [(String, KeyValuePairs<String, String>, Int)]
    )
    func `16 a protected operation needs a credential of the declared form`(
        _ target: String,
        _ headers: KeyValuePairs<String, String>,
        _ status: Int
    ) throws {
        let harness = try harness(#"{"validation":"enforce"}"#)
        let answer = try harness.get(target, headers)
        expectEqual(answer.status, status, answer.text)
        let told = try harness.harnessed("report") { try harness.get(target, headers) }
        expectEqual(told.status, 200)
        try expectEqual(violations(harness).isEmpty, status == 200)
        try harness.set(["validation": "off"])
        try expectEqual(harness.get(target, headers).status, 200)
        try expectEqual(violations(harness), [])
    }

    @Test func `16 a refusal has the declared form, and names what is missing`() throws {
        let harness = try harness(#"{"validation":"enforce"}"#)
        let refused = try harness.get("/bikes")
        expectEqual(refused["Content-Type"], "application/problem+json")
        expectEqual(refused.json["code"], "unauthorized")
        expectEqual(refused["WWW-Authenticate"], "Bearer")
        try expectEqual(violations(harness), ["Authorization"])
        try expectEqual(harness.get("/either")["WWW-Authenticate"], "Basic realm=\"api\"")
        try harness.get("/either", ["X-Key": "1"])
        try expectEqual(violations(harness), ["Authorization", "response.status"])
        // By its own `errors` the API answers as it says, which the document may not fit.
        let own = try self.harness(#"{"validation":"enforce","errors":{"body":{"oops":"{{error.code}}"}}}"#)
        try expectEqual(own.get("/bikes").json["oops"], "unauthorized")
        try expectEqual(violations(own), ["Authorization", "response.headers.Content-Type"])
        // The token of `auth` takes the place of the document's schemes.
        let signing = try self.harness(
            #"{"auth":{"login":"/login"},"tables":{"users":{}}}"#,
            ["tables/users.json": #"[{"id":1,"email":"a@b.c","password":"x"}]"#]
        )
        let unsigned = try signing.get("/bikes")
        expectEqual(unsigned.status, 401)
        expectEqual(unsigned.json["code"], "unauthorized")
        try expectEqual(violations(signing), [])
        try expectEqual(signing.get("/either", ["Authorization": "Basic YTpi"]).status, 401)
    }

    @Test func `16 stubs are asked too unless they are open, and refusals of resources are held against the document`()
        throws
    {
        let harness = try harness(
            #"{"validation":"enforce","resources":[{"path":"/bikes","table":"bikes","methods":["create","get"]}]}"#,
            [
                "tables/bikes.json": #"[{"id":1,"name":"a","status":"free"}]"#,
                "stubs/a.json": #"[{"match":{"path":"/cookie"},"response":{"text":"s"}},"#
                    + #"{"match":{"path":"/oauth"},"open":true,"response":{"text":"s"}}]"#,
            ]
        )
        try expectEqual(harness.get("/cookie").status, 401)
        try expectEqual(harness.get("/oauth").status, 200)
        let token: KeyValuePairs<String, String> = ["Authorization": "Bearer t"]
        let gone = try harness.get("/bikes/9", token)
        expectEqual(gone.status, 404)
        expectEqual(gone.json["code"], "not_found")
        try expectEqual(violations(harness), [])
        let broken = try harness.post("/bikes", ["name": 1], token)
        expectEqual(broken.status, 422)
        expectEqual(broken.json["code"], "validation_failed")
        try harness.addFault(["match": ["path": "/bikes/1"], "effect": ["status": 429]])
        let limited = try harness.get("/bikes/1", token)
        expectEqual(limited.status, 429)
        expectEqual(limited.json["code"], "too_many_requests")
    }

    @Test func `14 a new row has what its schema has by default`() throws {
        let harness = try harness(
            ##"{"validation":"enforce","tables":{"bikes":{"schema":{"$ref":"#/components/schemas/Bike"},"newKey":"integer"}},"##
                + ##""resources":[{"path":"/bikes","table":"bikes"}]}"##
        )
        let token: KeyValuePairs<String, String> = ["Authorization": "Bearer t"]
        let made = try harness.post("/bikes", ["name": "a", "lock": [:]], token)
        expectEqual(made.status, 201, made.text)
        expectEqual(made.json["status"], "free")
        expectEqual(made.json["lock"]?["code"], 4)
        try expectEqual(harness.post("/bikes", ["name": "a", "status": "rented"], token).json["status"], "rented")
        try expectEqual(harness.post("/bikes", ["status": "free"], token).status, 422)
        try expectEqual(harness.put("/bikes/1", ["name": "b"], token).json["status"], "free")
    }

    @Test(arguments: [
        (#""statuses":{"login":201,"refresh":201}"#, 201, 201), (#""statuses":{"login":201}"#, 201, 200),
        (#""statuses":{}"#, 200, 200),
    ])
    func `15 sign-in and refresh answer with the declared statuses`(_ member: String, _ login: Int, _ refresh: Int)
        throws
    {
        let harness = try SignInFixture.harness(auth: member)
        let signed = try harness.post(
            "/v1/login",
            ["email": "bo@example.com", "password": .string(SignInFixture.password)]
        )
        expectEqual(signed.status, login)
        let token = signed.json["refreshToken"] ?? .null
        try expectEqual(harness.post("/v1/refresh", ["refreshToken": token]).status, refresh)
    }

    @Test(arguments: [
        (#"{"login":202}"#, "$.auth.statuses.login: must be 200 or 201"),
        (#"{"login":"201"}"#, "$.auth.statuses.login: must be 200 or 201"),
        (#"{"refresh":201}"#, "$.auth.statuses.refresh: auth has no route refresh"),
        (#"{"logout":200}"#, "$.auth.statuses.logout: unknown member"),
        ("[]", "$.auth.statuses: must be an object"),
    ])
    func `15 other statuses are errors`(_ statuses: String, _ reason: String) {
        let api = #"{"tables":{"users":{}},"auth":{"login":"/login","statuses":\#(statuses)}}"#
        let found = CustomAPIHarness.findings(api)
        #expect(found.contains { $0.contains(reason) }, "\(found)")
    }

    @Test func `15 a scenario without sign-in can end no tokens`() {
        let scenario = #"{"title":"a","expect":"b","faults":[{"effect":{"tokens":"expire"}}]}"#
        let found = CustomAPIHarness.findings("{}", ["scenarios/a.json": scenario])
        #expect(found.contains { $0.contains("$.faults[0].effect.tokens: the API has no sign-in") }, "\(found)")
    }
}

extension CustomAPIHarness {
    /// Does something with another setting of the validation.
    fileprivate func harnessed<Result>(_ validation: String, _ body: () throws -> Result) throws -> Result {
        try set(["validation": .string(validation)])
        return try body()
    }
}
