import CivilTime
import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// Samples that fit their requests: values of the query, pages of lists, and the order of times (own-API contract,
/// section 17).
@Suite struct SamplePageTests {
    private static let bike =
        "{type: object, required: [id, status], properties: {id: {type: string, format: uuid}, status: {enum: [free, rented, broken]}, createdAt: {type: string, format: date-time}, updated_at: {type: string, format: date-time}, endedAt: {type: string, format: date-time}}}"

    private func operation(_ parameters: String, _ schema: String, path: String = "/bikes") throws -> OpenAPIOperation {
        try Fixture.operation(
            path,
            "get:\n  parameters: [\(parameters)]\n  responses: {'200': {content: {application/json: {schema: \(schema)}}}}"
        )
    }

    private func answer(_ operation: OpenAPIOperation, _ query: String?, seed: UInt64 = 1) throws -> JSON {
        guard case .answer(let answer) = operation.outcome("/bikes", query: query, seed: seed) else { throw NoSample() }
        let found = operation.violations(
            ofResponse: answer.status,
            fields: ["Content-Type": "application/json"],
            content: answer.content
        )
        expectEqual(found.map { "\($0.path): \($0.reason)" }, [], "\(query ?? "")")
        return try JSONReader.read(answer.content)
    }

    private static func parameter(_ name: String, _ schema: String = "{type: integer}") -> String {
        "{name: '\(name)', in: query, schema: \(schema)}"
    }

    @Test(arguments: [
        ("page", "per_page", 1), ("page", "pageSize", 1), ("pageNumber", "limit", 1), ("page[number]", "page[size]", 1),
        ("offset", "limit", 0), ("skip", "count", 0), ("page[offset]", "page[limit]", 0),
    ])
    func `17 pages have as many items as were asked for, end, and share no ids`(
        _ place: String,
        _ limit: String,
        _ first: Int
    ) throws {
        let schema =
            "{type: object, required: [items, total, page, hasMore], properties: {items: {type: array, items: \(Self.bike)}, total: {type: integer}, page: {type: integer}, perPage: {type: integer}, hasMore: {type: boolean}, nextPage: {type: integer, nullable: true}}}"
        let operation = try Fixture.operation(
            "/bikes",
            "get:\n  parameters: [\(Self.parameter(place)), \(Self.parameter(limit, "{type: integer, maximum: 40}"))]\n  responses: {'200': {content: {application/json: {schema: \(schema)}}}}",
            version: "3.0.3"
        )
        func page(_ number: Int, _ count: Int) throws -> JSON {
            let start = first == 1 ? number : (number - 1) * count
            return try answer(operation, "\(place)=\(start)&\(limit)=\(count)")
        }
        let total = try #require(try page(1, 7)["total"]?.intValue.map { Int($0) })
        #expect(total > 50)
        var ids: Set<String> = []
        var all: [JSON] = []
        for number in 1...((total + 6) / 7) {
            let found = try page(number, 7)
            let items = try #require(found["items"]?.arrayValue)
            let isLast = number == (total + 6) / 7
            expectEqual(items.count, isLast ? total - 7 * (number - 1) : 7)
            expectEqual(found["total"]?.intValue, Int64(total))
            expectEqual(found["hasMore"]?.boolValue, !isLast)
            expectEqual(found["nextPage"]?.isNull, isLast)
            if first == 1 { expectEqual(found["page"]?.intValue, Int64(number)) }
            expectEqual(found["perPage"]?.intValue, 7)
            ids.formUnion(items.compactMap { $0["id"]?.stringValue })
            all += items
        }
        expectEqual(ids.count, total)
        // Items are the same whatever the size of pages, and their enumerations vary.
        try expectEqual(page(2, 5)["items"]?.arrayValue ?? [], Array(all[5..<10]))
        expectEqual(Set(all.compactMap { $0["status"]?.stringValue }).count, 3)
        let beyond = try page(99, 7)
        expectEqual(beyond["items"]?.arrayValue, [])
        expectEqual(beyond["hasMore"]?.boolValue, false)
        // Within the declared maximum, and one past it.
        try expectEqual(page(1, 40)["items"]?.arrayValue?.count, 40)
        try expectEqual(page(1, 41)["items"]?.arrayValue?.count, 40)
    }

    @Test(arguments: [
        ("cursor", "nextCursor: {type: string, nullable: true}", "nextCursor"),
        ("page_token", "nextPageToken: {type: string}", "nextPageToken"),
        ("after", "next_cursor: {type: string, format: uuid, nullable: true}", "next_cursor"),
        ("cursor", "cursor: {type: string, nullable: true}", "cursor"),
    ])
    func `17 what follows a cursor is the next page, until the end`(
        _ name: String,
        _ member: String,
        _ next: String
    ) throws {
        let operation = try Fixture.operation(
            "/bikes",
            "get:\n  parameters: [\(Self.parameter(name, "{type: string}")), \(Self.parameter("limit"))]\n  responses: {'200': {content: {application/json: {schema: {type: object, properties: {data: {type: array, items: \(Self.bike)}, \(member)}}}}}}",
            version: "3.0.3"
        )
        var ids: [String] = []
        var cursor: String?
        var rounds = 0
        repeat {
            let found = try answer(operation, "limit=10" + (cursor.map { "&\(name)=\($0)" } ?? ""))
            ids += found["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            cursor = found[next]?.stringValue
            rounds += 1
        } while cursor != nil && rounds < 20
        #expect(rounds < 20 && ids.count > 50, "\(rounds)")
        expectEqual(Set(ids).count, ids.count)
    }

    @Test func `17 a cursor may be the id of the item before`() throws {
        let operation = try operation(
            "\(Self.parameter("starting_after", "{type: string}")), \(Self.parameter("limit"))",
            "{type: object, properties: {data: {type: array, items: {type: object, properties: {id: {type: string, pattern: '^ch_[0-9]{3}$'}}}}, has_more: {type: boolean}}}"
        )
        let first = try answer(operation, "limit=20")
        let ids = first["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        expectEqual(Set(ids).count, 20)
        let second = try answer(operation, "limit=20&starting_after=\(ids[19])")
        let others = second["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        expectEqual(Set(ids + others).count, 40)
        expectEqual(second["has_more"]?.boolValue, true)
    }

    @Test func `17 members called as parameters of the query take their values, in items too`() throws {
        let item =
            "{type: object, properties: {id: {type: integer}, status: {enum: [free, rented]}, size: {type: integer, minimum: 5}, owner_id: {type: string}}}"
        let status = Self.parameter("status", "{type: string}")
        let operation = try operation(
            "\(status), \(Self.parameter("size")), \(Self.parameter("ownerId", "{type: string}")), \(Self.parameter("filter[status]", "{type: array, items: {type: string}}"))",
            "{type: array, items: \(item)}"
        )
        func items(_ query: String) throws -> [JSON] { try answer(operation, query).arrayValue ?? [] }
        let rented = try items("status=rented&size=9&ownerId=ann")
        expectEqual(rented.count, 2)
        for one in rented {
            expectEqual(one["status"], "rented")
            expectEqual(one["size"], 9)
            expectEqual(one["owner_id"], "ann")
        }
        try expectEqual(items("status=stolen"), [])
        try expectEqual(items("size=4"), [])
        let both = try items("filter[status]=rented&filter[status]=free").compactMap { $0["status"]?.stringValue }
        expectEqual(both, ["rented", "free"])
        // A value that the parameter declares and no member has is no filter.
        let other = try self.operation(
            Self.parameter("status", "{enum: [all, free]}"),
            "{type: array, items: \(item)}"
        )
        try expectEqual(answer(other, "status=all").arrayValue?.count, 2)
    }

    @Test func `17 a list without pages is its last one, and totals and headers tell the same`() throws {
        let schema =
            "{type: object, properties: {bikes: {type: array, items: \(Self.bike)}, meta: {type: object, properties: {total_count: {type: integer}, next: {type: string}}}, nextCursor: {type: [string, 'null']}}}"
        let found = try answer(try operation("", schema), nil)
        expectEqual(found["meta"]?["total_count"], 2)
        expectNil(found["meta"]?["next"])
        expectEqual(found["nextCursor"]?.isNull, true)
        let list = try Fixture.operation(
            "/bikes",
            "get:\n  parameters: [\(Self.parameter("page")), \(Self.parameter("limit"))]\n  responses: {'200': {headers: {X-Total-Count: {required: true, schema: {type: integer}}}, content: {application/json: {schema: {type: array, items: \(Self.bike)}}}}}"
        )
        guard case .answer(let first) = list.outcome("/bikes", query: "limit=5"),
            case .answer(let second) = list.outcome("/bikes", query: "limit=5&page=2")
        else { throw NoSample() }
        expectEqual(first.fields["X-Total-Count"], second.fields["X-Total-Count"])
        #expect(Int(first.fields["X-Total-Count"] ?? "") ?? 0 > 50)
        // What has a list is no list.
        let user = try Fixture.operation(
            "/users/{id}",
            "get: {responses: {'200': {content: {application/json: {schema: {type: object, properties: {total: {const: 7}, tags: {type: array, items: {type: string}}}}}}}}}"
        )
        #expect(user.reply("/users/1", values: ["1"]).contains(#""total":7"#))
    }

    @Test(arguments: [
        ("createdAt", "updatedAt", "endedAt"), ("created_at", "modified", "finished_at"),
        ("startDate", "lastChanged", "endDate"), ("from", "updated", "until"), ("CreatedOn", "UpdatedOn", "ExpiresAt"),
    ])
    func `17 times of one object are in the order of their names`(
        _ first: String,
        _ second: String,
        _ third: String
    ) throws {
        for (type, text) in [
            ("text", "{type: string, format: date-time}"), ("number", "{type: integer, format: int64}"),
        ] {
            if type == "number", first == "from" || second == "lastChanged" { continue }
            let schema = Schema(
                try Fixture.json(
                    text.replacing(
                        "{type: string, format: date-time}",
                        with: #"{"type":"string","format":"date-time"}"#
                    )
                    .replacing("{type: integer, format: int64}", with: #"{"type":"integer","format":"int64"}"#)
                )
            )
            let whole = Schema([
                "type": "object", "properties": [third: schema.json, first: schema.json, second: schema.json],
            ])
            for seed in 0..<40 {
                let made = try whole.sampled(UInt64(seed))
                let times = [first, second, third].compactMap { name in
                    made[name]?.intValue ?? made[name]?.stringValue.flatMap { Instant(iso8601: $0)?.seconds }
                }
                expectEqual(times.count, 3)
                expectEqual(times, times.sorted(), "\(made.text)")
                #expect(times.allSatisfy { (1_000_000_000...9_007_199_254_740_991).contains($0) }, "\(made.text)")
            }
        }
    }

    @Test(arguments: [
        (#"{"type":"integer","format":"int64","minimum":-9223372036854775808}"#, "count", 0, 1_000),
        (#"{"type":"integer","minimum":-50,"maximum":60}"#, "total", 0, 60),
        (#"{"type":"integer","minimum":-50,"maximum":-40}"#, "total", -50, -40),
        (#"{"type":"integer"}"#, "created_at_ms", 1_000_000_000_000, 2_000_000_000_000),
        (#"{"type":"integer","description":"In milliseconds"}"#, "create_at", 1_000_000_000_000, 2_000_000_000_000),
        (#"{"type":"integer","format":"int32"}"#, "timestamp", 1_000_000_000, 2_000_000_000),
        (#"{"type":"integer"}"#, "expiresIn", 0, 1_000),
    ])
    func `17 whole numbers are what their names say`(_ schema: String, _ name: String, _ low: Int, _ high: Int) throws {
        let whole = Schema(["type": "object", "properties": [name: try Fixture.json(schema)]])
        for seed in 0..<30 {
            let number = try #require(try whole.sampled(UInt64(seed))[name]?.intValue)
            #expect((low...high).contains(Int(number)), "\(number)")
        }
    }

    @Test(arguments: [
        #"{"enum":["a","b","c"]}"#, #"{"oneOf":[{"const":"a"},{"const":"b"},{"const":"c"}]}"#,
        #"{"type":"string","enum":["a","b","c"],"default":"b"}"#,
    ])
    func `17 enumerations vary over a list and with the request, not by chance`(_ schema: String) throws {
        let list = Schema(["type": "array", "items": try Fixture.json(schema), "minItems": 6])
        let made = try list.sampled(3).arrayValue ?? []
        expectEqual(Set(made.map(\.text)).count, 3)
        try expectEqual(list.sampled(3).arrayValue, made)
        let one = Schema(try Fixture.json(schema))
        let all = Set(try (0..<30).map { try one.sampled(UInt64($0)).text })
        expectEqual(all.count, schema.contains("default") ? 1 : 3)
    }
}
