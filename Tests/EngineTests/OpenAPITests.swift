import APIDocs
import Backend
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@Suite struct OpenAPITests {
    private func document(_ routes: [RouteSummary]) -> JSON {
        OpenAPIDescription(
            title: "T",
            version: "1",
            description: "D",
            servers: ["http://a", "http://b"],
            routes: routes
        ).document
    }

    private func route(
        _ method: HTTPMessage.HTTPMethod,
        _ template: String,
        _ answers: [AnswerDeclaration] = [AnswerDeclaration(.ok, "Fine", .none)]
    ) -> RouteSummary {
        RouteSummary(
            NotesEndpoint(
                method,
                template,
                "S",
                provenance: .planned,
                authentication: .none,
                bodyLimit: 0,
                answers: answers,
                metadata: 0
            ) { _, _, _ throws(APIError) in Response(status: .ok) }
        )
    }

    private var notes: JSON {
        get throws {
            let api = try AnyAPI(NotesAPI.definition, seed: NotesAPI.seedFiles())
            return OpenAPIDescription(api, servers: ["http://a"]).document
        }
    }

    /// Every value of that member anywhere in a document.
    private func values(_ name: String, in json: JSON) -> [String] {
        switch json {
        case .array(let elements): elements.flatMap { values(name, in: $0) }
        case .object(let object):
            object.members.flatMap { member in
                member.name == name && member.value.stringValue != nil
                    ? [member.value.stringValue ?? ""] : values(name, in: member.value)
            }
        default: []
        }
    }

    @Test func `the document has the parts of OpenAPI 3.1 in order`() throws {
        let document = try notes
        expectEqual(document.objectValue?.members.map(\.name), ["openapi", "info", "servers", "paths", "components"])
        expectEqual(document["openapi"], "3.1.0")
        expectEqual(document["info"], ["title": "Notes", "version": "1.2", "description": "Keeps notes."])
        expectEqual(document["servers"], [["url": "http://a"]])
        expectEqual(
            document["paths"]?.objectValue?.members.map(\.name),
            ["/notes/{id}", "/notes", "/slow", "/numbered"]
        )
        expectEqual(document["components"]?["schemas"]?.objectValue?.members.map(\.name), ["Note", "NewNote"])
        expectEqual(document["components"]?["securitySchemes"]?["bearer"]?["scheme"], "bearer")
    }

    @Test func `every reference leads to a schema`() throws {
        let document = try notes
        let references = values("$ref", in: document)
        expectEqual(references.count, 3)
        for reference in references {
            let name = try #require(reference.split(separator: "/").last.map(String.init))
            expectEqual(reference, "#/components/schemas/\(name)")
            expectEqual(document["components"]?["schemas"]?[name]?["type"], "object")
        }
    }

    @Test func `an operation says what its declaration says`() throws {
        let get = try #require(try notes["paths"]?["/notes/{id}"]?["get"])
        expectEqual(get["operationId"], "getNotesId")
        expectEqual(get["x-understudy-status"], "documented")
        expectEqual(get["security"], [[:], ["bearer": []]])
        let post = try #require(try notes["paths"]?["/notes"]?["post"])
        expectEqual(post["security"], [["bearer": []]])
        expectEqual(post["requestBody"]?["required"], true)
        expectEqual(post["requestBody"]?["content"]?["application/json"]?["example"], ["text": "milk"])
        try expectEqual(notes["paths"]?["/slow"]?["post"]?["security"], [])
    }

    @Test func `several answers of one status become one response`() throws {
        let responses = try #require(try notes["paths"]?["/notes"]?["post"]?["responses"])
        expectEqual(responses.objectValue?.members.map(\.name), ["201", "400", "415"])
        expectEqual(responses["400"]?["description"], "No text · Not JSON")
        let examples = document([
            route(
                .get,
                "/x",
                [
                    AnswerDeclaration(
                        .ok,
                        "One",
                        .json(name: nil, schema: .integer(), contentType: "application/json"),
                        example: 1
                    ),
                    AnswerDeclaration(
                        .ok,
                        "Two",
                        .json(name: nil, schema: .integer(), contentType: "application/json"),
                        example: 2
                    ),
                ]
            )
        ])
        let media = try #require(
            examples["paths"]?["/x"]?["get"]?["responses"]?["200"]?["content"]?["application/json"]
        )
        expectEqual(media["schema"]?["type"], "integer")
        expectEqual(media["examples"]?.objectValue?.members.map(\.name), ["example1", "example2"])
        expectEqual(media["examples"]?["example2"]?["value"], 2)
    }

    @Test func `null stands at the place of use, and the objects of a choice have names`() throws {
        let note = JSONSchema.object(JSONSchema.Object([JSONSchema.Property("a", .integer())]))
        let text = JSONSchema.object(JSONSchema.Object([JSONSchema.Property("b", .string())]))
        func answer(_ name: String, _ schema: JSONSchema) -> [AnswerDeclaration] {
            [AnswerDeclaration(.ok, "It", .json(name: name, schema: schema, contentType: "application/json"))]
        }
        let document = document([
            route(.get, "/a", answer("Note", .nullable(note))), route(.get, "/b", answer("Note", note)),
            route(.get, "/c", answer("Both", .oneOf([note, text, .string()]))),
            route(.get, "/d", answer("Both", .oneOf([note, text, .string()]))),
        ])
        func schema(_ path: String) -> JSON? {
            document["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        }
        let reference: JSON = ["$ref": "#/components/schemas/Note"]
        expectEqual(schema("/a"), ["anyOf": [reference, ["type": "null"]]])
        expectEqual(schema("/b"), reference)
        expectEqual(schema("/c"), ["$ref": "#/components/schemas/Both"])
        expectEqual(schema("/d"), schema("/c"))
        let components = document["components"]?["schemas"]
        expectEqual(components?["Note"]?["type"], "object")
        expectEqual(
            components?["Both"]?["oneOf"],
            [
                ["$ref": "#/components/schemas/BothChoice1"], ["$ref": "#/components/schemas/BothChoice2"],
                ["type": "string"],
            ]
        )
        expectEqual(components?["BothChoice2"]?["properties"]?["b"]?["type"], "string")
    }

    @Test func `bytes have their media types`() throws {
        let types = ["image/png", "image/jpeg"]
        let answers = [AnswerDeclaration(.ok, "A picture", .bytes(types))]
        let content = document([route(.get, "/x", answers)])["paths"]?["/x"]?["get"]?["responses"]?["200"]?["content"]
        expectEqual(content?.objectValue?.members.map(\.name), types)
        expectEqual(content?["image/png"]?["schema"], ["type": "string", "format": "binary"])
    }

    @Test
    func `content that is there in some answers of a status only is marked, raw content and cookies are declared`()
        throws
    {
        let sometimes = [
            AnswerDeclaration(.ok, "Asked for", .json(name: nil, schema: .any, contentType: "application/json")),
            AnswerDeclaration(.ok, "Not asked for", .none),
            AnswerDeclaration(.noContent, "Gone", .none),
        ]
        var upload = route(.put, "/raw", sometimes)
        upload.body = .binary
        upload.parameters = [Parameter("sid", in: .cookie, .string(), "The session")]
        let operation = try #require(document([upload, route(.get, "/raw")])["paths"]?["/raw"])
        let responses = operation["put"]?["responses"]
        expectEqual(responses?["200"]?["x-understudy-may-be-empty"], true)
        #expect(responses?["200"]?["content"]?["application/json"] != nil)
        expectEqual(responses?["204"]?.objectValue?.members.map(\.name), ["description"])
        expectNil(operation["get"]?["responses"]?["200"]?["x-understudy-may-be-empty"])
        expectEqual(
            operation["put"]?["requestBody"],
            [
                "required": true,
                "content": ["application/octet-stream": ["schema": ["type": "string", "format": "binary"]]],
            ]
        )
        expectEqual(operation["put"]?["parameters"]?[0]?["in"], "cookie")
    }

    @Test func `every parameter of a path is declared`() throws {
        let get = try #require(try notes["paths"]?["/notes/{id}"]?["get"])
        expectEqual(get["parameters"]?.arrayValue?.map { $0["name"]?.stringValue }, ["id"])
        expectEqual(get["parameters"]?[0]?["in"], "path")
        expectEqual(get["parameters"]?[0]?["required"], true)
        let rest = document([route(.get, "/files/{a}/{key…}")])
        let operation = try #require(rest["paths"]?["/files/{a}/{key}"]?["get"])
        expectEqual(operation["parameters"]?.arrayValue?.map { $0["name"]?.stringValue }, ["a", "key"])
    }

    @Test func `operation ids are unique, also where paths come to the same words`() {
        let found = document([
            route(.get, "/a/{id}"), route(.get, "/a/id"), route(.get, "/a-id"), route(.post, "/a/id"), route(.get, "/"),
        ])
        let ids = values("operationId", in: found)
        expectEqual(ids, ["getAId", "getAId2", "postAId", "getAId3", "get"])
        expectEqual(Set(ids).count, ids.count)
    }

    @Test func `two schemas of one name are not taken for each other`() throws {
        func answer(_ schema: JSONSchema) -> [AnswerDeclaration] {
            [AnswerDeclaration(.ok, "", .json(name: "Same", schema: schema, contentType: "application/json"))]
        }
        let found = document([
            route(.get, "/a", answer(.integer())), route(.get, "/b", answer(.boolean)),
            route(.get, "/c", answer(.integer())),
        ])
        func schema(_ path: String) -> JSON? {
            found["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        }
        expectEqual(schema("/a"), ["$ref": "#/components/schemas/Same"])
        expectEqual(schema("/b"), ["type": "boolean"])
        expectEqual(schema("/c"), schema("/a"))
        expectEqual(found["components"]?["schemas"]?["Same"]?["type"], "integer")
    }

    @Test func `a document of nothing has no components`() {
        expectEqual(document([]).objectValue?.members.map(\.name), ["openapi", "info", "servers", "paths"])
    }
}
