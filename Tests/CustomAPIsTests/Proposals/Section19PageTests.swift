import Backend
import HTTPMessage
import JSON
import Scaffolding
import TestSupport
import Testing

/// Pages and sign-in as the documents of Spring and FastAPI declare them (own-API contract, sections 13 and 19).
@Suite struct Section19PageTests {
    private static func made(_ list: String, _ members: String, _ more: String = "") throws -> (
        api: JSON, harness: CustomAPIHarness, report: ProposalReport
    ) {
        let document = """
            openapi: 3.1.0
            info: {title: Plants, version: "1"}
            paths:
              /plants:
                get:
                  parameters: [\(list)]
                  responses:
                    '200': {description: ok, content: {application/json: {schema: {type: object, \(members)}}}}
                post:
                  requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
                  responses:
                    '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
            \(more)
            components:
              schemas:
                Plant: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string},
                  created_at: {anyOf: [{type: string, format: date-time}, {type: 'null'}]}}}
                Sort: {type: object, properties: {sorted: {type: boolean}, unsorted: {type: boolean}, empty: {type: boolean}}}
                Pageable: {type: object, properties: {page: {type: integer, minimum: 0}, size: {type: integer, minimum: 1},
                  sort: {type: array, items: {type: string}}}}
            """
        var order = ScaffoldOrder()
        order.document = [ScaffoldOrder.Source(place: "d.yaml", name: "d.yaml", bytes: Array(document.utf8))]
        let scaffold = try Scaffold(order, version: "1")
        var files: [String: String] = [:]
        for file in scaffold.files { files[file.path] = String(decoding: file.bytes, as: UTF8.self) }
        let report = try #require(scaffold.proposal)
        expectEqual(report.disabled.filter { !$0.hasPrefix("$.auth") }, [])
        let api = try JSONReader.read(text: files["api.json"] ?? "")
        return (api, try CustomAPIHarness(files), report)
    }

    private static let rows = "{type: array, items: {$ref: '#/components/schemas/Plant'}}"

    private static func number(_ name: String, _ more: String = "") -> String {
        "{name: \(name), in: query, schema: {type: integer\(more)}}"
    }

    private static let whole = """
        properties: {content: \(rows), totalPages: {type: integer}, totalElements: {type: integer}, size: {type: integer},
          number: {type: integer}, numberOfElements: {type: integer}, first: {type: boolean}, last: {type: boolean},
          empty: {type: boolean}, sort: {$ref: '#/components/schemas/Sort'}, pageable: {type: object, properties: {
          offset: {type: integer}, pageNumber: {type: integer}, pageSize: {type: integer}, paged: {type: boolean},
          unpaged: {type: boolean}, sort: {$ref: '#/components/schemas/Sort'}}}}
        """

    private static let pageable =
        "{name: pageable, in: query, required: true, "
        + "schema: {$ref: '#/components/schemas/Pageable'}}"

    @Test func `19 Spring's page has its members, required or not, and pages by a spread object`() throws {
        for (list, from) in [
            (Self.number("page", ", default: 0") + ", " + Self.number("size", ", default: 2"), 0), (Self.pageable, 0),
        ] {
            let (_, harness, report) = try Self.made(list, Self.whole)
            expectEqual(report.constants, [])
            let sort: JSON = ["sorted": false, "unsorted": true, "empty": true]
            for (page, isFirst, isLast) in [(from, true, false), (from + 1, false, true)] {
                var json = try harness.get("/plants?page=\(page)&size=2").json.objectValue ?? [:]
                json["content"] = nil
                let number = JSON.integer(Int64(page))
                let expected: JSON = [
                    "totalPages": 2, "totalElements": 3, "size": 2, "number": number,
                    "numberOfElements": isFirst ? 2 : 1, "first": .bool(isFirst), "last": .bool(isLast), "empty": false,
                    "sort": sort,
                    "pageable": [
                        "offset": isFirst ? 0 : 2, "pageNumber": number, "pageSize": 2, "paged": true, "unpaged": false,
                        "sort": sort,
                    ],
                ]
                expectEqual(JSON.object(json), expected)
            }
            let none = try harness.get("/plants?name=none&size=2").json
            expectEqual([none["totalPages"], none["empty"], none["first"], none["last"]], [0, true, true, true])
            expectEqual(none["sort"], sort)
        }
    }

    @Test func `19 Spring's PagedModel has the number of its page`() throws {
        let members =
            "properties: {content: \(Self.rows), page: {type: object, properties: {size: {type: integer}, "
            + "number: {type: integer}, totalElements: {type: integer}, totalPages: {type: integer}}}}"
        let (_, harness, _) = try Self.made(Self.pageable, members)
        let page = try harness.get("/plants?page=1&size=2").json["page"]
        expectEqual(page, ["size": 2, "number": 1, "totalElements": 3, "totalPages": 2])
    }

    @Test func `19 numbers of an envelope are those of the list, or are named`() throws {
        let members =
            "required: [plants, plantsCount, take, took], properties: {plants: \(Self.rows), "
            + "plantsCount: {type: integer}, take: {type: integer}, took: {type: integer}}"
        let (api, harness, report) = try Self.made(Self.number("skip") + ", " + Self.number("take"), members)
        let json = try harness.get("/plants?take=2").json
        expectEqual([json["plantsCount"], json["take"]], [3, 2])
        let took = api["resources"]?[0]?["list"]?["envelope"]?["took"]
        expectEqual(report.constants, ["GET /plants: $.took is always \(took?.text ?? "")"])
    }

    @Test func `19 cursors are found and filled by the same names`() throws {
        for (parameter, member) in [
            ("marker", "next_marker"), ("cursor", "next_page"), ("marker", "marker"), ("after", "endCursor"),
            ("cursor", "next"),
        ] {
            let list = "{name: \(parameter), in: query, schema: {type: string}}, " + Self.number("limit")
            let members = "properties: {entries: \(Self.rows), \(member): {type: [string, 'null']}}"
            let (_, harness, _) = try Self.made(list, members)
            let first = try harness.get("/plants?limit=2").json
            let cursor = try #require(first[member]?.stringValue)
            let second = try harness.get("/plants?limit=2&\(parameter)=\(cursor)").json
            expectEqual(second["entries"]?.arrayValue?.count, 1)
            expectEqual(second[member], .null)
        }
    }

    @Test func `19 a form that need not name its grant signs in, and created rows have their time`() throws {
        let more = """
              /token:
                post:
                  operationId: login
                  requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object,
                    required: [username, password], properties: {grant_type: {anyOf: [{type: string}, {type: 'null'}]},
                    username: {type: string}, password: {type: string}}}}}}
                  responses: {'200': {description: ok, content: {application/json: {schema: {type: object,
                    required: [access_token, token_type], properties: {access_token: {type: string},
                    token_type: {type: string}}}}}}}
            """
        let members = "properties: {items: \(Self.rows), total: {type: integer}}"
        let (_, harness, report) = try Self.made(Self.number("limit"), members, more)
        let signIn = try #require(report.signIn)
        expectNil(signIn.type)
        for grant in ["", "&grant_type=password"] {
            let answer = try harness.send(
                "POST",
                "/token",
                text: signIn.body + grant,
                "application/x-www-form-urlencoded"
            )
            expectEqual([answer.status, answer.json["access_token"] == nil ? 0 : 1], [200, 1])
        }
        let created = try harness.post("/plants", ["name": "Fern"])
        expectEqual([created.status, created.json["created_at"]?.stringValue == nil ? 0 : 1], [201, 1])
    }

    @Test func `19 what is no file of json-server is refused by what it is`() throws {
        let files: [(text: String, reason: String)] = [
            (
                #"{"openapi": "3.0.0", "info": {}, "paths": {}}"#,
                "this is an OpenAPI document: import it with --openapi"
            ),
            (
                #"{"info": {"_postman_id": "1"}, "item": []}"#,
                "this is a Postman collection; convert it to OpenAPI with a tool such as postman-to-openapi"
            ),
        ]
        for (text, reason) in files {
            var order = ScaffoldOrder()
            order.database = ScaffoldOrder.Source(place: "db.json", name: "db.json", bytes: Array(text.utf8))
            let error = #expect(throws: SeedError.self) { _ = try Scaffold(order, version: "1") }
            expectEqual(error?.items.map(\.reason), [reason])
        }
    }
}
