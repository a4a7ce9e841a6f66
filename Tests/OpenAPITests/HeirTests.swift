import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// Schemas that build on one with a discriminator by `allOf` (own-API contract, sections 16 and 17).
@Suite struct HeirTests {
    private static func document(_ kind: String, in place: String = "properties: {kind: {const: dog}}") -> String {
        """
        openapi: 3.1.0
        paths:
          /dog:
            get:
              responses:
                '200':
                  content:
                    application/json:
                      schema: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [bark], \(place)}]}
          /pet:
            post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
        components:
          schemas:
            Pet: {type: object, required: [kind], properties: {kind: \(kind)}, discriminator: {propertyName: kind}}
            Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [lives]}]}
        """
    }

    private static func issues(_ document: OpenAPIDocument, _ value: String) throws -> [String] {
        let schema = try #require(document.operations[1].body?.content.first?.schema)
        return schema.validate(try Fixture.json(value)).map(\.description)
    }

    @Test(arguments: ["{type: string}", "{type: string, enum: [Cat, dog]}"])
    func `16 a schema that builds on a parent in place is found by the value that it has`(kind: String) throws {
        let document = try Fixture.document(Self.document(kind))
        #expect(document.operations[0].reply().hasPrefix("200 application/json {\"kind\":\"dog\""))
        try expectEqual(Self.issues(document, #"{"kind":"dog"}"#), ["$.bark: missing"])
        try expectEqual(Self.issues(document, #"{"kind":"Cat"}"#), ["$.lives: missing"])
        try expectEqual(Self.issues(document, #"{"kind":"dog","bark":1}"#), [])
        let known = kind.contains("enum") ? #""Cat", "dog""# : #""Cat", "dog", "Pet""#
        let unknown = try Self.issues(document, #"{"kind":"cow"}"#)
        #expect(unknown.contains("$.kind: expected one of \(known), found \"cow\""), "\(unknown)")
    }

    @Test func `16 a schema that only adds to a parent in place has no value of its own`() throws {
        for kind in ["{type: string}", "{type: string, enum: [Cat, Pet]}"] {
            let document = try Fixture.document(Self.document(kind, in: "properties: {bark: {const: 1}}"))
            try expectEqual(Self.issues(document, #"{"kind":"Pet"}"#), [])
            #expect(document.operations[0].reply().contains(#""kind":"Cat""#))
        }
    }

    @Test func `17 heirs are looked for when the document is read, and by no request`() throws {
        let heirs = (0..<4_000).map {
            "    H\($0): {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [a\($0)]}]}"
        }
        let document = try Fixture.document(Self.document("{type: string}") + "\n" + heirs.joined(separator: "\n"))
        let operation = document.operations[1]
        let request = OpenAPIRequest(
            fields: ["Content-Type": "application/json"],
            body: Array(#"{"kind":"H3999"}"#.utf8)
        )
        var inPlace: OpenAPIRequestResult?
        let time = ProcessorTime.measure { inPlace = operation.check(request, within: 1_500) }
        #expect(inPlace == nil && time < .milliseconds(100), "\(time)")
        expectEqual(operation.check(request).violations.map(\.path), ["$.a3999"])
    }
}
