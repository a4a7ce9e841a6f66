import JSON
import TestSupport
import Testing

/// Console contract, section 5: members that name rows of other tables.
@Suite struct RowReferenceTests {
    /// The tables of an API, and their rows by id.
    private func tables(_ api: String, _ served: Served) throws -> [(name: String, schema: JSON, rows: [String: JSON])]
    {
        let items = try served.control("GET", "/state/\(api)").json["items"]?.arrayValue ?? []
        return try items.map { table in
            let name = try #require(table["name"]?.stringValue)
            let rows = try served.control("GET", "/state/\(api)/\(name)?limit=1000").json["items"]?.arrayValue ?? []
            let byID = rows.compactMap { item in item["id"]?.stringValue.map { ($0, item["row"] ?? .null) } }
            return (name, table["schema"] ?? .null, Dictionary(byID) { first, _ in first })
        }
    }

    /// The ids that a member of a row names.
    private func ids(_ member: String, _ form: String?, in row: JSON) -> [String] {
        let values = row[member]?.arrayValue?.compactMap(\.stringValue) ?? row[member]?.stringValue.map { [$0] } ?? []
        guard let form else { return values }
        return values.map { value in
            var id = form.replacing("{\(member)}", with: value)
            for other in row.objectValue?.members ?? [] {
                if let text = other.value.stringValue { id = id.replacing("{\(other.name)}", with: text) }
            }
            return id
        }
    }

    /// Texts that may name something that is no row, or no longer one.
    private static let loose: Set<String> = [
        "omnichat.conversations.model", "omnichat.attachments.key", "trendy.changes.entityId",
    ]

    @Test(arguments: ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"])
    func `5 each reference of a schema leads to rows that are there`(api: String) throws {
        let served = try Served()
        let tables = try tables(api, served)
        var found = 0
        for table in tables {
            for property in table.schema["properties"]?.objectValue?.members ?? [] {
                guard let reference = property.value["x-references"] else { continue }
                found += 1
                let place = "\(api).\(table.name).\(property.name)"
                let targets = reference["tables"]?.arrayValue?.compactMap(\.stringValue) ?? []
                let known = tables.filter { targets.contains($0.name) }
                #expect(!targets.isEmpty && known.count == targets.count, "\(place) names \(targets)")
                let named = Set(
                    table.rows.values.flatMap { ids(property.name, reference["id"]?.stringValue, in: $0) }
                )
                let dangling = named.filter { id in !known.contains { $0.rows[id] != nil } }
                #expect(dangling.isEmpty || Self.loose.contains(place), "\(place): \(dangling.sorted().prefix(3))")
                #expect(named.isEmpty || dangling.count < named.count, "\(place) leads nowhere")
            }
        }
        #expect(found > 3)
    }

    @Test(arguments: [
        ("omnichat", "messages", "conversationId", #"{"tables":["conversations"]}"#),
        ("omnichat", "conversations", "model", #"{"tables":["models"]}"#),
        ("sawaed", "conversations", "skillId", #"{"tables":["aiSkills"]}"#),
        ("trafikskola", "questions", "owner", #"{"tables":["quizzes","practiceCategories"]}"#),
        ("trafikskola", "bookings", "sessionId", #"{"tables":["theorySessions"]}"#),
        ("trendy", "events", "eventTypeId", #"{"tables":["eventTypes"]}"#),
        ("trafikskola", "refreshTokens", "deviceId", #"{"tables":["devices"],"id":"{userId}|{deviceId}"}"#),
        ("trendy", "events", "userId", #"{"tables":["accounts"]}"#),
    ])
    func `5 a member says which table its row is in`(api: String, table: String, member: String, text: String) throws {
        let served = try Served()
        let items = try served.control("GET", "/state/\(api)").json["items"]?.arrayValue ?? []
        let schema = items.first { $0["name"]?.stringValue == table }?["schema"]
        expectEqual(schema?["properties"]?[member]?["x-references"]?.text, text)
        expectNil(schema?["properties"]?["id"]?["x-references"])
    }
}
