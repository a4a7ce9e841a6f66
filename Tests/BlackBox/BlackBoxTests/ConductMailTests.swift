import JSON
import TestSupport
import Testing

/// Conduct contract, section 4: addresses of mail in the addresses of requests.
@Suite struct ConductMailTests {
    /// Declarations of query parameters with a query that has an address, and whether they declare one for it.
    private static let parameters: [(declared: String, query: String, isDeclared: Bool)] = [
        ("name: q, schema: {$ref: '#/components/schemas/Address'}", "q=a%40b.example", true),
        ("$ref: '#/components/parameters/Owner'", "owner=a%40b.example", true),
        ("name: q, schema: {type: array, items: {type: string, format: email}}", "q=x&q=a%40b.example", true),
        (
            "name: 'q[]', schema: {type: array, items: {$ref: '#/components/schemas/Address'}}", "q[]=a%40b.example",
            true
        ),
        ("name: q, schema: {type: array, items: {format: email}}", "q[0]=a%40b.example", true),
        ("name: q, schema: {anyOf: [{type: integer}, {type: string, format: email}]}", "q=a@b.example", true),
        ("name: q, schema: {oneOf: [{type: integer}, {$ref: '#/components/schemas/Address'}]}", "q=a@b.example", true),
        ("name: q, schema: {allOf: [{type: string}, {format: idn-email}]}", "q=a%40b.example", true),
        ("name: q, schema: {type: string, description: The E-Mail of the owner}", "q=a%40b.example", true),
        ("name: q, schema: {type: string, title: Mail address}", "q=a%40b.example", true),
        ("name: q, description: An e-mail address or a name, schema: {type: string}", "q=a%40b.example", true),
        ("name: f, style: deepObject, schema: {properties: {to: {format: email}}}", "f[to]=a%40b.example", true),
        ("name: f, style: deepObject, schema: {properties: {email: {type: string}}}", "f%5Bemail%5D=a@b.example", true),
        (
            "name: f, style: deepObject, schema: {properties: {by: {properties: {to: {$ref: '#/components/schemas/Address'}}}}}",
            "f[by][to]=a%40b.example", true
        ),
        ("name: f, style: deepObject, schema: {additionalProperties: {format: email}}", "f[x]=a%40b.example", true),
        (
            "name: f, style: deepObject, schema: {patternProperties: {'^x': {format: email}}}", "f[x]=a%40b.example",
            true
        ),
        (
            "name: f, style: deepObject, schema: {properties: {to: {items: {properties: {email: {type: string}}}}}}",
            "f[to][0][email]=a%40b.example", true
        ),
        (
            "name: f, style: deepObject, schema: {properties: {to: {items: {properties: {email: {type: string}}}}}}",
            "f[to][0][name]=a%40b.example", false
        ),
        ("name: f, style: form, schema: {type: object, properties: {to: {format: email}}}", "to=a%40b.example", true),
        ("name: f, style: deepObject, schema: {properties: {to: {format: email}}}", "f[by]=a%40b.example", false),
        ("name: f, style: deepObject, schema: {properties: {to: {format: email}}}", "to=a%40b.example", false),
        ("name: q, schema: {type: string}", "q=a%40b.example", false),
        ("name: q, schema: {type: string, format: hostname}", "q=a%40b.example", false),
        ("name: q, schema: {type: array, items: {type: string}}", "q[]=a%40b.example", false),
        ("name: q, schema: {format: email}", "r=a%40b.example", false),
    ]

    @Test func `4 privacy personal-in-url: what a document declares for an address, however it says so`() throws {
        let paths = Self.parameters.enumerated().map { turn, row in
            let declared = row.declared.hasPrefix("$ref") ? row.declared : "in: query, \(row.declared)"
            return "  /p\(turn): {get: {parameters: [{\(declared)}], responses: {'200': {description: x}}}}"
        }
        let server = try DocumentServer(
            """
            paths:
            \(paths.joined(separator: "\n"))
            components:
              schemas: {Address: {type: string, format: email}}
              parameters: {Owner: {name: owner, in: query, schema: {$ref: '#/components/schemas/Address'}}}
            """,
            api: #"{"validation":"report"}"#
        )
        for (turn, row) in Self.parameters.enumerated() { _ = try server.ask("GET", "/p\(turn)?\(row.query)") }
        let findings = try server.served.control("GET", "/conduct").json["findings"]?.arrayValue ?? []
        let routes = findings.filter { $0["rule"]?.stringValue == "privacy/personal-in-url" }.compactMap {
            $0["route"]?.stringValue
        }
        for (turn, row) in Self.parameters.enumerated() {
            expectEqual(!routes.contains("/p\(turn)"), row.isDeclared, "\(row)")
        }
    }

    @Test func `4 privacy personal-in-url: the filters of a custom API's list by a member with an address`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"""
            {"tables":{"users":{}},"resources":[{"path":"/v1/users","table":"users"}]}
            """#, "apis/shop/tables/users.json": #"[{"id":"u1","eMail":"a@b.example","name":"A"}]"#,
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        func found(_ query: String) throws -> Bool {
            _ = try served.control("POST", "/reset")
            try expectEqual(Wire(port: served.hub).ask("GET", "/shop/v1/users?\(query)").status, 200)
            let findings = try served.control("GET", "/conduct").json["findings"]?.arrayValue ?? []
            return findings.contains { $0["rule"] == "privacy/personal-in-url" }
        }
        for query in [
            "eMail=a@b.example", "eMail_in=a%40b.example,c", "eMail_ne=a@b.example", "eMail_like=a@b.example",
        ] {
            #expect(try !found(query), "\(query)")
        }
        #expect(try found("name=a@b.example"))
    }
}
