import JSON
import TestSupport
import Testing

/// Own-API contract, sections 5 and 16: what the document's own responses answer beside samples.
@Suite struct CustomAPIOperationAnswerTests {
    private static let document = """
        paths:
          /a:
            get:
              parameters: [{name: n, in: query, schema: {type: integer}}]
              responses:
                '200': {description: x, content: {application/json: {examples: {one: {value: 1}}}, text/csv: {examples: {rows: {value: "a,b"}}}}}
                '404': {description: x, content: {application/json: {examples: {not-found: {value: {gone: true}}}}}}
                5XX: {description: x, content: {application/json: {examples: {broken: {value: {}}}}}}
          /declared:
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}}}}
              responses:
                '201': {description: x}
                '400':
                  description: x
                  content:
                    application/problem+json:
                      schema:
                        type: object
                        required: [error, status, trace]
                        properties: {error: {type: object, required: [message], properties: {message: {type: string}, code: {type: integer}}}, status: {type: integer}, trace: {type: string}}
                '415': {description: x, content: {application/json: {example: {media: no}}}}
          /plain:
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [n]}}}}
              responses: {'201': {description: x}, default: {description: x, content: {application/json: {example: {d: 1}}}}}
          /broken:
            get:
              responses:
                '200': {description: x, content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}, example: {n: five}}}}
          /some:
            get:
              responses:
                '200': {description: x, content: {application/json: {schema: {type: integer}, examples: {bad: {value: x}, good: {value: 7}}}}}
        """

    @Test(arguments: [
        ("not-found", "the response 404 has that one: Prefer: code=404, example=not-found"),
        ("broken", "the response 5XX has that one: Prefer: code=500, example=broken"),
        ("rows", "text/csv of it has that one: Accept: text/csv"), ("none", "there are one."),
    ])
    func `16 an example of another response is told with the way to it`(name: String, expected: String) throws {
        let server = try DocumentServer(Self.document)
        let answer = try server.ask("GET", "/a", "", ["Prefer: example=\(name)"])
        expectEqual(answer.status, 400)
        #expect(answer.text.contains(expected), "\(answer.text)")
        // It is Understudy's own, and breaks nothing of the operation.
        try expectEqual(server.violations(), [])
    }

    @Test func `5 a refusal by the document has the form that the operation declares for it`() throws {
        let server = try DocumentServer(Self.document)
        let refused = try server.ask("POST", "/declared", #"{"n":"x"}"#)
        expectEqual(refused.status, 400)
        expectEqual(refused["Content-Type"], "application/problem+json")
        expectEqual(refused.json["status"], 400)
        expectEqual(refused.json["error"]?["message"], "The request is invalid.")
        #expect(refused.json["trace"]?.stringValue != nil)
        try expectEqual(server.violations(), ["$.n: expected an integer, found string"])
        try expectEqual(server.ask("POST", "/declared", "x", type: "text/plain").text, #"{"media":"no"}"#)
        // So has the response for everything else.
        let plain = try server.ask("POST", "/plain", "{}")
        expectEqual(plain.status, 422)
        expectEqual(plain.text, #"{"d":1}"#)
        let own = try DocumentServer(
            Self.document,
            api: #"{"validation":"enforce","errors":{"body":{"no":"{{error.code}}"}}}"#
        )
        try expectEqual(own.ask("POST", "/declared", "{}").text, #"{"no":"validation_failed"}"#)
    }

    @Test func `16 examples that break their schema are sent as written, or passed over`() throws {
        let written = try DocumentServer(Self.document, api: "{}")
        try expectEqual(written.ask("GET", "/broken").text, #"{"n":"five"}"#)
        try expectEqual(written.violations(), ["response.body.n: expected an integer, found string"])
        let valid = try DocumentServer(Self.document, api: #"{"examples":"valid"}"#)
        #expect(try valid.ask("GET", "/broken").json["n"]?.intValue != nil)
        try expectEqual(valid.violations(), [])
        try expectEqual(valid.ask("GET", "/some").text, "7")
        try expectEqual(valid.ask("GET", "/some", "", ["Prefer: example=bad"]).text, #""x""#)
        let folder = try Folder(["apis/shop/api.json": #"{"examples":"good"}"#])
        let refused = try Program.run(["validate", "apis/shop"], in: folder)
        expectEqual(refused.status, 1)
        #expect(refused.output.contains("$.examples: must be one of written, valid"), "\(refused.output)")
    }

    private static let resource = """
        paths:
          /pets:
            get:
              responses:
                '200': {description: x, content: {application/json: {schema: {type: array}, example: [{id: 9}]}}}
                '429': {description: x, content: {application/json: {example: {slow: true}}}}
                default: {description: x, content: {application/json: {example: {code: 1, message: no}}}}
        """
    private static let pets = #"{"tables":{"pets":{}},"resources":[{"path":"/pets","table":"pets"}]}"#

    @Test func `16 a wish for a status is followed on the route of a resource too`() throws {
        let server = try DocumentServer(Self.resource, api: Self.pets, ["tables/pets.json": #"[{"id":1}]"#])
        try expectEqual(server.ask("GET", "/pets").text, #"[{"id":1}]"#)
        let expected: [(wish: String, status: Int, text: String)] = [
            ("code=429", 429, #"{"slow":true}"#), ("code=500", 500, #"{"code":1,"message":"no"}"#),
            ("code=200", 200, #"[{"id":9}]"#),
        ]
        for (wish, status, text) in expected {
            let answer = try server.ask("GET", "/pets", "", ["Prefer: \(wish)"])
            expectEqual(answer.status, status)
            expectEqual(answer.text, text)
            expectEqual(answer["Preference-Applied"], wish)
            let line = try server.served.control("GET", "/requests?api=shop&limit=1").json["items"]?[0]
            expectEqual(line?["source"], "openapi")
        }
        try expectEqual(server.ask("GET", "/pets?__code=429").text, #"{"slow":true}"#)
        // A method that only the resource has: the error form, as ever.
        try expectEqual(server.ask("DELETE", "/pets/1", "", ["Prefer: code=503"]).status, 503)
        try expectEqual(server.ask("GET", "/pets").text, #"[{"id":1}]"#)
    }

    @Test func `15 any number of blanks stands before a token`() throws {
        let api = #"""
            {"tables":{"users":{}},"auth":{"users":"users","login":"/login","me":"/me"},
            "resources":[{"path":"/users","table":"users","methods":["list"]}]}
            """#
        let folder = try Folder([
            "apis/shop/api.json": api,
            "apis/shop/tables/users.json": #"[{"id":"a","email":"a@x.test","password":"p"}]"#,
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let login = try Wire(port: served.hub).ask(
            "POST",
            "/shop/login",
            body: Array(#"{"email":"a@x.test","password":"p"}"#.utf8)
        )
        let token = try #require(login.json["accessToken"]?.stringValue)
        for blanks in [" ", "  ", "     "] {
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("GET", "/shop/me", fields: ["Authorization: Bearer\(blanks)\(token)"]))
            try expectEqual(wire.answer().json["email"], "a@x.test", "\(blanks.count)")
        }
    }
}
