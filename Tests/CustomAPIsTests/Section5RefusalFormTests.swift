import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CustomAPIs

/// Refusals in the form that the document declares (own-API contract, section 5).
@Suite struct Section5RefusalFormTests {
    /// An API with one protected operation, whose refusals have that schema, and one that declares none.
    private func harness(_ schema: String) throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": #"{"validation":"enforce"}"#,
            "openapi.json": """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
             "components": {"schemas": {"Error": \(schema)}, "securitySchemes": {"b": {"type": "http", "scheme": "bearer"}},
              "responses": {"Bad": {"description": "d", "content": {"application/json": {
               "schema": {"$ref": "#/components/schemas/Error"}}}}}},
             "paths": {
              "/a": {"get": {"security": [{"b": []}],
               "parameters": [{"name": "n", "in": "query", "required": true, "schema": {"type": "integer"}}],
               "responses": {"200": {"description": "d"}, "401": {"$ref": "#/components/responses/Bad"},
                "422": {"$ref": "#/components/responses/Bad"}}}},
              "/b": {"get": {"responses": {"200": {"description": "d"}}}}}}
            """,
        ])
    }

    private static let reason = "must be an integer"
    /// Schemas, and what tells of a missing token and of `?n=x` in them.
    private static let forms: [(schema: String, token: JSON, validation: JSON)] = [
        (
            """
            {"type": "object", "required": ["error_code", "error_message", "trace_id"], "properties": {
             "error_code": {"enum": ["INTERNAL", "TOKEN_EXPIRED", "NOT_FOUND", "UNAUTHENTICATED", "VALIDATION_FAILED"]},
             "error_message": {"type": "string"}, "field": {"type": "string"},
             "trace_id": {"type": "string", "enum": ["t"]}}}
            """,
            ["error_code": "UNAUTHENTICATED", "error_message": "M", "trace_id": "t"],
            ["error_code": "VALIDATION_FAILED", "error_message": "M", "trace_id": "t"]
        ),
        (
            """
            {"type": "object", "required": ["success", "error"], "properties": {"success": {"type": "boolean"},
             "error": {"type": "string"}, "data": {"type": "object", "properties": {"x": {"type": "string"}}}}}
            """,
            ["success": false, "error": "M"], ["success": false, "error": "M"]
        ),
        (
            """
            {"type": "object", "required": ["errors"], "properties": {"errors": {"type": "array", "minItems": 1, "items":
             {"type": "object", "required": ["status", "title"], "properties": {"status": {"type": "string"},
              "title": {"type": "string"}, "detail": {"type": "string"}, "id": {"type": "string"}, "source":
              {"type": "object", "properties": {"pointer": {"type": "string"}}}}}}}}
            """,
            ["errors": [["status": "401", "title": "Unauthorized", "detail": "M"]]],
            [
                "errors": [
                    [
                        "status": "422", "title": "Unprocessable Content", "detail": "R", "source": ["pointer": "/n"],
                    ]
                ]
            ]
        ),
        (
            """
            {"type": "object", "required": ["message", "errors"], "properties": {"message": {"type": "string"},
             "errors": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}}}
            """,
            ["message": "M", "errors": [:]], ["message": "M", "errors": ["n": ["R"]]]
        ),
        (
            """
            {"type": "object", "properties": {"error": {"type": "object", "required": ["code"], "properties": {
             "code": {"type": "string"}, "message": {"type": "string"}, "fields": {"type": "array", "items":
             {"type": "object", "required": ["field", "reason"], "properties": {"field": {"type": "string"},
             "reason": {"type": "string"}}}}}}}}
            """,
            ["error": ["code": "unauthorized", "message": "M"]],
            ["error": ["code": "validation_failed", "message": "M", "fields": [["field": "n", "reason": "R"]]]]
        ),
        (
            """
            {"type": "object", "properties": {"type": {"type": "string", "format": "uri-reference",
              "default": "https://e.test/probs"}, "title": {"type": "string"}, "status": {"type": "integer"},
             "instance": {"type": "string"}, "invalid_params": {"type": "array", "items": {"type": "object", "properties":
              {"name": {"type": "string"}, "reason": {"type": "string"}}}}}}
            """,
            ["title": "Unauthorized", "status": 401, "instance": "/a"],
            [
                "title": "Unprocessable Content", "status": 422, "instance": "/a",
                "invalid_params": [["name": "n", "reason": "R"]],
            ]
        ),
        (
            """
            {"type": "object", "required": ["detail"], "properties": {"detail": {"oneOf": [{"type": "string"},
             {"type": "array", "items": {"type": "object"}}]}}}
            """,
            ["detail": "M"], ["detail": "M"]
        ),
    ]

    /// The answer with its message and the reasons of details as letters, and without the type.
    private func read(_ json: JSON) -> JSON {
        func told(_ value: JSON) -> JSON {
            switch value {
            case .object(let object):
                return .object(
                    JSONObject(
                        object.members.compactMap { member in
                            member.name == "type"
                                ? nil : JSONObject.Member(name: member.name, value: told(member.value))
                        }
                    )
                )
            case .array(let list): return .array(list.map(told))
            case .string(let text):
                if text == "The request is invalid." || text.hasPrefix("A credential is required") { return "M" }
                return .string(text.contains("integer") ? "R" : text)
            default: return value
            }
        }
        return told(json)
    }

    @Test(arguments: forms.indices) func `5 members of a declared form tell of the refusal by their names`(index: Int)
        throws
    {
        let form = Self.forms[index]
        let harness = try harness(form.schema)
        let unsigned = try harness.get("/a?n=1")
        expectEqual(unsigned.status, 401)
        expectEqual(read(unsigned.json), form.token)
        let invalid = try harness.get("/a?n=x", ["Authorization": "Bearer t"])
        expectEqual(invalid.status, 422)
        expectEqual(read(invalid.json), form.validation)
        // The same request has the same bytes.
        try expectEqual(harness.get("/a?n=x", ["Authorization": "Bearer t"]).bytes, invalid.bytes)
    }

    @Test func `5 what an operation does not declare has the form of most refusals, unknown routes too`() throws {
        let schema = """
            {"type": "object", "required": ["code", "text"], "properties": {"code": {"type": "string"},
             "text": {"type": "string"}}}
            """
        let harness = try harness(schema)
        try expectEqual(harness.get("/nowhere").json["code"], "not_found")
        try expectEqual(harness.get("/nowhere").json["error"], nil)
        try expectEqual(harness.send(.post, "/b").json["code"], "method_not_allowed")
        // No schema has more than half of these.
        let divided = try CustomAPIHarness([
            "api.json": "{}",
            "openapi.json": """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/b": {"get": {"responses": {
              "404": {"description": "d", "content": {"application/json": {"schema": {"type": "object"}}}},
              "409": {"description": "d", "content": {"application/json": {"schema": {"type": "array"}}}}}}}}}
            """,
        ])
        try expectEqual(divided.get("/nowhere").json["error"]?["code"], "not_found")
    }
}
