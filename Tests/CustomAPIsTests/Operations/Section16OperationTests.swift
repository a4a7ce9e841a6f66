import Backend
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// The operations of a document as a source of responses (own-API contract, sections 4 and 16).
@Suite struct Section16OperationTests {
    static let document = """
        openapi: 3.1.0
        info: {title: Pets, version: 2.1.0, summary: All pets}
        servers: [{url: "https://pets.example/v2"}]
        paths:
          /pets:
            get:
              parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
              responses:
                "200":
                  description: Pets
                  content:
                    application/json:
                      schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}
                      examples: {none: {value: []}, one: {value: [{name: Rex, kind: dog}]}}
                    text/csv: {example: "name,kind"}
                "404": {description: None, content: {application/json: {example: {gone: true}}}}
            post:
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              responses:
                "201": {description: Made, headers: {X-Cost: {required: true, schema: {type: integer, const: 3}}}}
                "400": {description: Refused}
          /pets/mine:
            get: {responses: {"200": {description: Mine, content: {application/json: {example: {mine: true}}}}}}
          /pets/{id}:
            get:
              responses:
                "200":
                  description: A pet
                  content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
          /pets/{name}.json:
            get: {responses: {"200": {description: A file, content: {application/json: {example: {file: true}}}}}}
          /none:
            get: {responses: {"200": {description: x, content: {application/json: {schema: {type: string, enum: []}}}}}}
        components:
          schemas:
            Pet:
              type: object
              required: [name, kind]
              properties:
                id: {type: string}
                name: {type: string, minLength: 1}
                kind: {enum: [dog, cat]}
        """

    private func harness(_ api: String = "{}", _ more: [String: String] = [:]) throws -> CustomAPIHarness {
        try CustomAPIHarness(more.merging(["api.json": api, "openapi.yaml": Self.document]) { $1 })
    }

    @Test func `16 each operation answers below the path of the first server, or below basePath`() throws {
        let served = try harness()
        expectEqual(served.api.identity.title, "Pets")
        expectEqual(served.api.identity.version, "2.1.0")
        try expectEqual(served.get("/v2/pets").text, "[]")
        try expectEqual(served.get("/pets").status, 404)
        let moved = try harness(#"{"basePath":"/api","title":"Own"}"#)
        expectEqual(moved.api.identity.title, "Own")
        try expectEqual(moved.get("/api/pets").status, 200)
        try expectEqual(moved.get("/v2/pets").status, 404)
        let refused = CustomAPIHarness.findings(#"{"basePath":"v1"}"#, ["openapi.yaml": Self.document])
        #expect(refused.contains { $0.contains("$.basePath: must be a path") })
    }

    @Test func `4 literal segments win over parameters, and templates within a segment work`() throws {
        let harness = try harness()
        try expectEqual(harness.get("/v2/pets/mine").text, #"{"mine":true}"#)
        try expectEqual(harness.get("/v2/pets/rex.json").text, #"{"file":true}"#)
        try expectEqual(harness.get("/v2/pets/7").json["id"], "7")
        try expectEqual(harness.get("/v2/pets/").status, 200)
    }

    @Test func `4 another method is 405 with Allow, OPTIONS is 204, HEAD goes wherever GET does`() throws {
        let harness = try harness()
        let refused = try harness.delete("/v2/pets")
        expectEqual(refused.status, 405)
        expectEqual(refused["Allow"], "GET, POST, HEAD, OPTIONS")
        try expectEqual(harness.options("/v2/pets/rex.json")["Allow"], "GET, HEAD, OPTIONS")
        try expectEqual(harness.head("/v2/pets").status, 200)
    }

    @Test(arguments: ["off", "report", "enforce"])
    func `16 a body beyond the limit is 413, and no part of it is held against a schema`(
        _ validation: String
    ) throws {
        let harness = try harness()
        try harness.set(["validation": .string(validation)])
        let room = CustomRoute.usualBodyLimit - #"{"name":"","kind":"dog"}"#.utf8.count
        let name = String(repeating: "x", count: room)
        let fits = "{\"name\":\"\(name)\",\"kind\":\"dog\"}"
        try expectEqual(harness.send("POST", "/v2/pets", text: fits, "application/json").status, 201)
        let refused = try harness.send("POST", "/v2/pets", text: fits + " ", "application/json")
        expectEqual(refused.status, 413)
        expectEqual(refused.json["error"]?["code"], "too_large")
        let journal = try harness.hosted().world.journal
        let entry = try #require(journal[journal.lastSeq])
        // The document does not declare the refusal.
        expectEqual(entry.violations?.map { $0["path"] }, validation == "off" ? nil : ["response.status"])
    }

    @Test func `16 Prefer chooses the status, the example, and a sample`() throws {
        let harness = try harness()
        let gone = try harness.get("/v2/pets", ["Prefer": "code=404"])
        expectEqual(gone.status, 404)
        expectEqual(gone.text, #"{"gone":true}"#)
        expectEqual(gone["Preference-Applied"], "code=404")
        try expectEqual(harness.get("/v2/pets?__code=404").text, #"{"gone":true}"#)
        let one = try harness.get("/v2/pets", ["Prefer": "example=one"])
        expectEqual(one.text, #"[{"name":"Rex","kind":"dog"}]"#)
        let unknown = try harness.get("/v2/pets?__example=two")
        expectEqual(unknown.json["errors"]?[0]?["path"], "?__example")
        let named = try harness.get("/v2/pets?__example=one", ["Prefer": "example=two"])
        expectEqual(named.json["errors"]?[0]?["path"], "Prefer.example")
        expectEqual(unknown.status, 400)
        #expect(unknown.text.contains("none, one"))
        let sample = try harness.get("/v2/pets?__dynamic=true")
        expectEqual(sample.json.arrayValue?.count, 2)
        // A status that the operation does not declare has the API's own error form.
        let other = try harness.get("/v2/pets", ["Prefer": "code=503"])
        expectEqual(other.status, 503)
        expectEqual(other.text, #"{"error":{"code":"service_unavailable","message":"Service Unavailable"}}"#)
        expectEqual(other["Preference-Applied"], "code=503")
        try expectEqual(harness.get("/v2/pets?__code=503")["Preference-Applied"], "code=503")
    }

    @Test func `16 a choice among declared responses is taken from other machines too, a fault is not`() throws {
        let harness = try harness()
        harness.peer = "192.0.2.7"
        let gone = try harness.get("/v2/pets", ["Prefer": "code=404"])
        expectEqual(gone.status, 404)
        expectEqual(gone.text, #"{"gone":true}"#)
        try expectEqual(harness.get("/v2/pets?__code=404").text, #"{"gone":true}"#)
        try expectEqual(harness.get("/v2/pets", ["Prefer": "code=700"]).status, 400)
        try expectEqual(harness.get("/v2/pets", ["Prefer": "dynamic=maybe"]).status, 400)
        let whole = try harness.get("/v2/pets", ["Prefer": "fault=truncate, wait=2"])
        expectEqual(whole.status, 200)
        expectNil(whole["Preference-Applied"])
    }

    @Test func `16 a preference that can't be used is a problem, as on every other route`() throws {
        let harness = try harness()
        for value in ["code=abc", "code=700", "code=99", "dynamic=maybe"] {
            let refused = try harness.get("/v2/pets", ["Prefer": value])
            expectEqual(refused.status, 400, "\(value)")
            expectEqual(refused.json["type"], "/__admin/problems/invalid-parameter", "\(refused.text)")
        }
        try expectEqual(harness.get("/v2/pets?__code=700").status, 400)
        try expectEqual(harness.get("/v2/pets?__dynamic=maybe").status, 400)
        try expectEqual(harness.get("/v2/pets", ["Prefer": "code=599"]).status, 599)
        try expectEqual(harness.get("/v2/pets", ["Prefer": "dynamic=false, unknown=1"]).status, 200)
    }

    @Test func `16 the media type follows Accept, JSON first`() throws {
        let harness = try harness()
        try expectEqual(harness.get("/v2/pets", ["Accept": "text/csv"]).text, "name,kind")
        try expectEqual(harness.get("/v2/pets", ["Accept": "*/*"])["Content-Type"], "application/json")
        try expectEqual(harness.get("/v2/pets", ["Accept": "image/png"]).status, 200)
        try harness.set(["validation": "enforce"])
        let refused = try harness.get("/v2/pets", ["Accept": "image/png"])
        expectEqual(refused.status, 406)
        expectEqual(refused.json["error"]?["code"], "not_acceptable")
    }

    @Test func `16 enforce refuses what report only tells, and off does not look`() throws {
        let harness = try harness()
        try expectEqual(harness.get("/v2/pets?limit=101").status, 200)
        try harness.set(["validation": "enforce"])
        try expectEqual(harness.get("/v2/pets?limit=100").status, 200)
        let refused = try harness.get("/v2/pets?limit=101")
        expectEqual(refused.status, 422)
        expectEqual(refused.json["error"]?["details"]?[0]?["path"], "?limit")
        // The operation declares 400 and not 422.
        let made = try harness.post("/v2/pets", ["name": ""])
        expectEqual(made.status, 400)
        expectEqual(made.json["error"]?["code"], "validation_failed")
        expectEqual(made.json["error"]?["details"]?.arrayValue?.count, 2)
        let foreign = try harness.send("POST", "/v2/pets", text: "a=1", "application/x-www-form-urlencoded")
        expectEqual(foreign.status, 415)
        let broken = try harness.send("POST", "/v2/pets", text: "{", "application/json")
        expectEqual(broken.status, 400)
        expectEqual(broken.json["error"]?["code"], "bad_request")
        try harness.set(["validation": "off"])
        try expectEqual(harness.get("/v2/pets?limit=x").status, 200)
    }

    @Test func `16 declared headers that are required are sent`() throws {
        let made = try harness().post("/v2/pets", ["name": "Rex", "kind": "dog"])
        expectEqual(made.status, 201)
        expectEqual(made["X-Cost"], "3")
        expectEqual(made.bytes, [])
    }

    @Test func `17 a schema that no sample fits answers no_sample`() throws {
        let refused = try harness().get("/v2/none")
        expectEqual(refused.status, 501)
        expectEqual(refused.json["error"]?["code"], "no_sample")
    }

    @Test func `17 the same request gets the same sample, before and after others and in another process`() throws {
        let first = try harness()
        let sample = try first.get("/v2/pets?__dynamic=true&page=1").text
        let other = try first.get("/v2/pets?__dynamic=true&page=2").text
        let second = try harness()
        try expectEqual(second.get("/v2/pets?__dynamic=true&page=2").text, other)
        try expectEqual(second.get("/v2/pets?__dynamic=true&page=1").text, sample)
        #expect(sample != other)
    }

    @Test func `3 a resource shares its route with an operation, which checks its requests`() throws {
        let harness = try harness(
            #"{"validation":"enforce","resources":[{"path":"/v2/pets","table":"pets","methods":["list","create"]}]}"#,
            ["tables/pets.json": #"[{"id":1,"name":"Rex","kind":"dog"}]"#]
        )
        try expectEqual(harness.get("/v2/pets").text, #"[{"id":1,"name":"Rex","kind":"dog"}]"#)
        try expectEqual(harness.post("/v2/pets", ["name": "Tom"]).status, 400)
        try expectEqual(harness.post("/v2/pets", ["name": "Tom", "kind": "cat"]).status, 201)
        try expectEqual(harness.get("/v2/pets/1").json["id"], "1")
    }

    @Test func `2 a second document, and a mistake in one, are told with file and line`() {
        let two = CustomAPIHarness.findings("{}", ["openapi.yaml": Self.document, "openapi.json": "{}"])
        #expect(two.contains { $0.hasPrefix("apis/shop/openapi.json:1: $: there is openapi.yaml already") })
        let broken = CustomAPIHarness.findings("{}", ["openapi.yaml": "openapi: 3.1.0\ninfo: [\n"])
        expectEqual(broken.count, 1)
        expectEqual(broken.first?.hasPrefix("apis/shop/openapi.yaml:3"), true, "\(broken)")
        let other = CustomAPIHarness.findings("{}", ["openapi.json": #"{"swagger":"2.0"}"#])
        expectEqual(other.first?.contains("2.0"), true, "\(other)")
    }
}
