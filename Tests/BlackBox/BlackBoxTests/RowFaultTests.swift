import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, section 5: a row that does not fit is refused with the path of each fault.
@Suite struct RowFaultTests {
    private static let apis = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"]

    private func escaped(_ id: String) -> String {
        id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? id
    }

    private func refused(_ served: Served, _ path: String, _ row: JSON) throws -> [String] {
        let answer = try served.control("PUT", "/state/\(path)", row.text)
        expectEqual(answer.status, 422, "\(path): \(answer.text.prefix(300))")
        return (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
    }

    private func items(_ served: Served, _ path: String) throws -> [JSON] {
        try served.control("GET", "/state/\(path)").json["items"]?.arrayValue ?? []
    }

    /// A value that a member of that schema can't have; nil for a member that takes anything.
    private func wrong(_ schema: JSON) -> JSON? {
        if schema["format"] == "date-time" { return "never" }
        guard schema["type"] != nil || schema["oneOf"] != nil || schema["$ref"] != nil else { return nil }
        let types = schema["type"]?.arrayValue ?? [schema["type"] ?? .null]
        return types.contains("array") ? true : []
    }

    @Test(arguments: apis) func `5 a row of wrong members only has a fault for each, in every table`(
        api: String
    ) throws {
        let served = try Served()
        for table in try items(served, api) {
            let name = try #require(table["name"]?.stringValue)
            var row = JSONObject()
            for member in table["schema"]?["properties"]?.objectValue?.members ?? [] {
                if let value = wrong(member.value) { row[member.name] = value }
            }
            #expect(!row.isEmpty, "\(api).\(name)")
            row["zz"] = 1
            let expected = Set(row.members.map { "$.\($0.name)" })
            let paths = Set(try refused(served, "\(api)/\(name)/x", .object(row)))
            #expect(paths.isSuperset(of: expected), "\(api).\(name) hides \(expected.subtracting(paths).sorted())")
        }
    }

    @Test func `5 times are told together in a table without rows, and beside another fault`() throws {
        let served = try Served()
        #expect(try items(served, "sawaed/awards").isEmpty)
        var row: JSONObject = [
            "id": "k1", "userId": "user_layla", "title": "x", "createdAt": "never", "updatedAt": "never",
        ]
        try expectEqual(refused(served, "sawaed/awards/k1", .object(row)), ["$.createdAt", "$.updatedAt"])
        row["title"] = 5
        try expectEqual(refused(served, "sawaed/awards/k1", .object(row)), ["$.title", "$.createdAt", "$.updatedAt"])
    }

    @Test(arguments: [
        ("carbscan/monthlyUses", "scans", -1 as JSON), ("omnichat/files", "fileType", "nope"),
        ("trafikskola/avatars", "contentType", "nope"),
    ])
    func `5 an unknown member hides no value that does not fit`(table: String, member: String, value: JSON) throws {
        let served = try Served()
        let item = try #require(try items(served, "\(table)?limit=1").first)
        let id = escaped(try #require(item["id"]?.stringValue))
        var row = try #require(item["row"]?.objectValue)
        row[member] = value
        try expectEqual(refused(served, "\(table)/\(id)", .object(row)), ["$.\(member)"])
        row["zz"] = 1
        try expectEqual(refused(served, "\(table)/\(id)", .object(row)), ["$.\(member)", "$.zz"])
    }

    @Test func `5 a use out of range and an unknown member of a window are told together`() throws {
        let served = try Served()
        let row: JSON = ["key": "k", "used": -1, "end": "2025-01-01T12:00:00Z", "zz": 1]
        try expectEqual(refused(served, "omnichat/windows/k", row), ["$.used", "$.zz"])
    }

    @Test func `5 a rule about members that could not be read is no fault`() throws {
        let served = try Served()
        let item = try #require(try items(served, "carbscan/meals?limit=1").first)
        let id = try #require(item["id"]?.stringValue)
        var row = try #require(item["row"]?.objectValue)
        row["number"] = "x"
        try expectEqual(refused(served, "carbscan/meals/\(id)", .object(row)), ["$.number"])
        row["number"] = 999
        row["zz"] = 1
        try expectEqual(refused(served, "carbscan/meals/\(id)", .object(row)).prefix(2), ["$.id", "$.zz"])
    }
}
