import Backend
import Conditions
import CustomAPIs
import Engine
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// The form of errors (own-API contract, section 5).
@Suite struct Section5ErrorTests {
    static let errors = """
        {"contentType":"application/problem+json",
         "body":{"type":"about:blank","title":"{{error.title}}","status":"{{error.status}}","code":"{{error.code}}",
                 "detail":"{{error.message}}","errors":"{{error.details}}","cause":"{{error.cause}}",
                 "traceId":"{{request.id}}","text":"{{request.method}} {{request.path}}"},
         "causes":{"validation_failed":{"status":400,"code":"VALIDATION"},"no_row":{"message":"Gone"}}}
        """

    static func harness() throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": """
            {"errors":\(errors),"tables":{"items":{"newKey":"client"}},"resources":[{"path":"/i","table":"items"}]}
            """
        ])
    }

    @Test func `5 all refusals have the declared form`() throws {
        let harness = try Self.harness()
        let missing = try harness.get("/i/7", ["X-Request-Id": "abc"])
        expectEqual(missing.status, 404)
        expectEqual(missing["Content-Type"], "application/problem+json")
        expectEqual(
            missing.text,
            """
            {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"Gone",\
            "cause":"no_row","traceId":"abc","text":"GET /i/7"}
            """
        )
        let invalid = try harness.post("/i", [:])
        expectEqual(invalid.status, 400)
        expectEqual(invalid.json["code"], "VALIDATION")
        expectEqual(invalid.json["errors"]?.text, #"[{"path":"$.id","reason":"is required"}]"#)
        let unmatched = try harness.get("/nothing")
        expectEqual(unmatched.json["cause"], "unmatched")
        expectEqual(unmatched.json["code"], "not_found")
        let other = try harness.options("/i/7")
        expectEqual(other.status, 204)
        expectEqual(other["Allow"], "GET, PUT, PATCH, DELETE, HEAD, OPTIONS")
        let refused = try harness.post("/i/7", [:])
        expectEqual(refused.status, 405)
        expectEqual(refused["Allow"], "GET, PUT, PATCH, DELETE, HEAD, OPTIONS")
        expectEqual(refused.json["code"], "method_not_allowed")
        expectEqual(
            refused.json["detail"],
            "The path does not allow this method; it allows GET, PUT, PATCH, DELETE, HEAD, OPTIONS."
        )
    }

    @Test func `5 the status of a fault has the declared form, and a code in snake case`() throws {
        let harness = try Self.harness()
        try harness.addFault(["match": ["path": "/i"], "effect": ["status": 429]])
        let answer = try harness.get("/i")
        expectEqual(answer.status, 429)
        expectEqual(answer.json["code"], "too_many_requests")
        expectEqual(answer.json["title"], "Too Many Requests")
        expectNil(answer.json["cause"])
        let plain = try CustomAPIHarness(["api.json": "{}"])
        try plain.addFault(["match": ["path": "/x"], "effect": ["status": 401]])
        let unauthorized = try plain.get("/x")
        expectEqual(unauthorized.status, 401)
        expectEqual(unauthorized["WWW-Authenticate"], "Bearer")
        let answer2 = try plain.get("/x", ["Authorization": "Bearer x"])
        expectEqual(answer2["WWW-Authenticate"], #"Bearer error="invalid_token""#)
    }

    @Test func `4 the text names the nearest of thousands of stubs`() throws {
        let many = (0..<3_000).map {
            #"{"match":{"method":"GET","path":"/v1/items/\#($0)","query":{"a":"b"}},"response":{}}"#
        }
        let harness = try CustomAPIHarness(["api.json": "{}", "stubs/a.json": "[\(many.joined(separator: ","))]"])
        let text = try harness.get("/v1/items/2999").text
        #expect(text.contains("The nearest is GET /v1/items/2999: query.a: expected"), "\(text)")
    }

    @Test func `5 mistakes in the form are told`() {
        let found = CustomAPIHarness.findings(
            """
            {"errors":{"contentType":"x","bodi":1,
             "body":{"a":"{{error.stat}}","b":"{{now"},
             "causes":{"no_rows":{},
              "conflict":{"status":600,"cod":1}}}}
            """
        )
        func has(_ line: Int, _ text: String) -> Bool {
            found.contains { $0.hasPrefix("apis/shop/api.json:\(line): \(text)") }
        }
        #expect(has(1, "$.errors.contentType: must be a media type"))
        #expect(has(1, "$.errors.bodi: unknown member"))
        #expect(has(2, "$.errors.body.a: "))
        #expect(has(2, "$.errors.body.b: "))
        #expect(has(3, "$.errors.causes.no_rows: must be one of"))
        #expect(has(4, "$.errors.causes.conflict.status: must be a whole number from 400 to 599"))
        #expect(has(4, "$.errors.causes.conflict.cod: unknown member"))
    }
}
