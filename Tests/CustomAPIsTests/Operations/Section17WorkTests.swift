import CustomAPIs
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Work on documents that takes longer than the loop can spare (control contract, section 17).
@Suite struct Section17WorkTests {
    private static let members = (0..<400).map { "\"m\($0)\": {\"type\": \"string\"}" }.joined(separator: ", ")
    private static let names = (0..<400).map { "\"m\($0)\"" }.joined(separator: ", ")
    private static let wide = "{\"type\": \"object\", \"required\": [\(names)], \"properties\": {\(members)}}"

    private static func document(_ security: String = "[]") -> String {
        """
        {"openapi": "3.1.0", "security": \(security), "info": {"title": "T", "version": "1"}, "paths": {
          "/small": {"get": {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}},
          "/large": {"get": {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": \(wide)}}}}}},
          "/shown": {"get": {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"type": "array"}, "example": [\(names)]}}}}}},
          "/checked": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}, "responses": {"204": {"description": "d"}}}}
        }, "components": {"schemas": {"S": {"type": "array", "items": {"anyOf": [\(Array(repeating: "{\"const\": 1}", count: 90).joined(separator: ", "))]}}}}}
        """
    }

    private func harness(_ more: [String: String] = [:]) throws -> CustomAPIHarness {
        try CustomAPIHarness(["api.json": "{}", "openapi.json": Self.document()].merging(more) { $1 })
    }

    @Test func `17 a large sample is made by a worker, and is there for the next equal request`() throws {
        let served = try harness()
        expectEqual(try served.get("/small").status, 200)
        expectEqual(served.isAside, false)
        let first = try served.get("/large?a=1")
        expectEqual(first.status, 200)
        expectEqual(served.isAside, true)
        expectEqual(try served.get("/large?a=1").bytes, first.bytes)
        expectEqual(served.isAside, false)
        #expect(try served.get("/large?a=2").bytes != first.bytes)
        expectEqual(served.isAside, true)
        expectEqual(try harness().get("/large?a=1").bytes, first.bytes)
    }

    @Test func `17 a long example is written out by a worker once`() throws {
        let served = try harness()
        let first = try served.get("/shown")
        expectEqual(served.isAside, true)
        expectEqual(try served.get("/shown?a=1").bytes, first.bytes)
        expectEqual(served.isAside, false)
    }

    @Test func `17 a body is checked by a worker if that takes long, whatever its length`() throws {
        let served = try harness()
        let few: JSON = [2]
        expectEqual(try served.post("/checked", few).status, 204)
        expectEqual(served.isAside, false)
        let more = JSON.array(Array(repeating: 2, count: 500))
        expectEqual(try served.post("/checked", more).status, 204)
        expectEqual(served.isAside, true)
    }

    @Test func `17 a request without a credential keeps no worker busy`() throws {
        let served = try harness([
            "api.json": #"{"tables":{"users":{"unique":["email"]}},"auth":{"users":"users","login":"/login"}}"#,
            "tables/users.json": #"[{"id":1,"email":"a@x.test","password":"secret"}]"#,
            "openapi.json": Self.document(#"[{"b": []}]"#),
        ])
        expectEqual(try served.get("/large").status, 401)
        expectEqual(served.isAside, false)
    }

    /// An API whose operation has one parameter, and that schema for refusals.
    private func refusing(_ schema: String) throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": #"{"validation":"enforce"}"#,
            "openapi.json": """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {
              "parameters": [{"name": "n", "in": "query", "required": true}],
              "responses": {"200": {"description": "d"}, "406": {"description": "d"},
                "422": {"description": "d", "content": {"application/json": {"schema": \(schema)}}}}}}}}
            """,
        ])
    }

    @Test func `17 the declared form of a refusal is made by a worker if that takes long, and then is there`() throws {
        let served = try refusing(Self.wide)
        let first = try served.get("/a")
        expectEqual(first.status, 422)
        expectEqual(served.isAside, true)
        #expect(first.json["m399"] != nil)
        try expectEqual(served.get("/a").bytes, first.bytes)
        expectEqual(served.isAside, false)
        let small = try refusing(
            #"{"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}"#
        )
        try expectEqual(small.get("/a").json["message"], "The request is invalid.")
        expectEqual(small.isAside, false)
    }

    @Test func `17 a refusal is told of in as many members as bounded work allows`() throws {
        let names = (0..<400).map { "\"o\($0)\"" }.joined(separator: ", ")
        let schema = """
            {"type": "object", "required": [\(names)], "additionalProperties": {"type": "object",
             "required": ["status", "code"], "properties": {"status": {"type": "integer"}, "code": {"type": "string"}}}}
            """
        let served = try refusing(schema)
        var answer: CustomAPIHarness.Answer?
        let time = try ProcessorTime.measure { answer = try served.get("/a") }
        expectEqual(answer?.json["o0"]?["status"], 422)
        #expect(answer?.json["o399"]?["status"] != nil && answer?.json["o399"]?["status"] != 422, "\(time)")
    }
}
