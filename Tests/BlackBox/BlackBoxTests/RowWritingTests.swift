import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, section 5: rows that are written and deleted, in every table of every API.
@Suite struct RowWritingTests {
    private static let apis = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"]

    private func escaped(_ id: String) -> String {
        id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? id
    }

    private func rows(_ served: Served, _ path: String) throws -> [JSON] {
        try served.control("GET", "/state/\(path)").json["items"]?.arrayValue ?? []
    }

    @Test(arguments: apis) func `5 every row can be written as it was read, and key names it`(api: String) throws {
        let served = try Served()
        for table in try rows(served, api) {
            let name = try #require(table["name"]?.stringValue)
            let key = try #require(table["key"]?.stringValue)
            for item in try rows(served, "\(api)/\(name)?limit=3") {
                let id = try #require(item["id"]?.stringValue)
                let row = try #require(item["row"])
                expectEqual(row[key].map { $0.stringValue ?? $0.text }, id, "\(api).\(name) says \(key)")
                let answer = try served.control("PUT", "/state/\(api)/\(name)/\(escaped(id))", row.text)
                #expect(
                    answer.status == 200 && answer.json == ["id": .string(id), "row": row],
                    "\(name)/\(id): \(answer.text)"
                )
            }
            #expect(try rows(served, "\(api)/\(name)?changed=true").isEmpty, "\(api).\(name)")
        }
    }

    @Test func `5 a row of another owner with the same id stays`() throws {
        let served = try Served()
        let item = try #require(try rows(served, "trendy/eventTypes?limit=1").first)
        let id = try #require(item["id"]?.stringValue)
        let count = try rows(served, "trendy/eventTypes").count
        let other = try #require(try rows(served, "trendy/accounts?limit=1").first?["id"])
        var row = try #require(item["row"]?.objectValue)
        let former = row["userId"]
        #expect(former != other)
        // The row gets another owner, and back.
        row["userId"] = other
        try expectEqual(served.control("PUT", "/state/trendy/eventTypes/\(id)", JSON.object(row).text).status, 200)
        try expectEqual(rows(served, "trendy/eventTypes").count, count)
        try expectEqual(served.control("GET", "/state/trendy/eventTypes/\(id)").json["row"]?["userId"], other)
        row["userId"] = former
        try expectEqual(served.control("PUT", "/state/trendy/eventTypes/\(id)", JSON.object(row).text).status, 200)
        #expect(try rows(served, "trendy/eventTypes?changed=true").isEmpty)
    }

    @Test func `5 every fault of a row is told with its path`() throws {
        let served = try Served()
        let row = #"{"id":"msg_welcome_000000001","role":1,"content":5,"x":1}"#
        let answer = try served.control("PUT", "/state/omnichat/messages/msg_welcome_000000001", row)
        let paths = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        expectEqual(answer.status, 422)
        #expect(
            Set(paths).isSuperset(of: ["$.role", "$.content", "$.x", "$.conversationId"]),
            "\(paths)"
        )
    }

    @Test func `5 times, numbers and lists of one row are told together, in an import too`() throws {
        let served = try Served()
        let id = "user_test_icloud_0001"
        let item = try #require(try rows(served, "omnichat/users?limit=1").first { $0["id"]?.stringValue == id })
        var row = try #require(item["row"]?.objectValue)
        row["createdAt"] = "never"
        row["email"] = 5
        row["battery"] = ["totalBalance": true, "dailyAllowance": "much", "lastDailyReset": "some day"]
        row["extra"] = true
        let expected: Set = [
            "createdAt", "email", "battery.totalBalance", "battery.dailyAllowance", "battery.lastDailyReset", "extra",
        ]
        func paths(_ answer: WireAnswer, below prefix: String) -> Set<String> {
            expectEqual(answer.status, 422, "\(answer.text)")
            let errors = answer.json["errors"]?.arrayValue ?? []
            return Set(errors.compactMap { $0["path"]?.stringValue }.map { String($0.dropFirst(prefix.count)) })
        }
        let written = try served.control("PUT", "/state/omnichat/users/\(id)", JSON.object(row).text)
        expectEqual(paths(written, below: "$."), expected, "\(written.text)")
        var document = try #require(try served.control("GET", "/state").json.objectValue)
        var apis = try #require(document["apis"]?.objectValue)
        var chat = try #require(apis["omnichat"]?.objectValue)
        var users = try #require(chat["users"]?.arrayValue)
        users[0] = .object(row)
        chat["users"] = .array(users)
        apis["omnichat"] = .object(chat)
        document["apis"] = .object(apis)
        let imported = try served.control("PUT", "/state", JSON.object(document).text)
        expectEqual(paths(imported, below: "$.apis.omnichat.users[0]."), expected, "\(imported.text)")
        #expect(try rows(served, "omnichat/users?changed=true").isEmpty)
    }

    @Test func `5 every fault of a window of a rate limit is told`() throws {
        let served = try Served()
        for end in ["[1]", "true", #""never""#] {
            let row = #"{"key":"k","used":"many","end":\#(end),"extra":1}"#
            let answer = try served.control("PUT", "/state/omnichat/windows/k", row)
            let paths = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
            expectEqual(answer.status, 422, "\(answer.text)")
            expectEqual(paths.sorted(), ["$.end", "$.extra", "$.used"], "\(answer.text)")
        }
    }

    @Test func `5 the first use of a world changes no row, and none that was written`() throws {
        let served = try Served()
        let rows = try rows(served, "carbscan/meals?limit=1000")
        let last = try #require(rows.last?["id"]?.stringValue)
        var row = try #require(rows.last?["row"]?.objectValue)
        row["carbEstimate"] = 77
        try expectEqual(served.control("PUT", "/state/carbscan/meals/\(last)", JSON.object(row).text).status, 200)
        let order = #"{"api":"carbscan","user":"free@carbscan.test","kind":"access"}"#
        try expectEqual(served.control("POST", "/tokens", order).status, 201)
        try expectEqual(served.control("GET", "/state/carbscan/meals/\(last)").json["row"]?["carbEstimate"], 77)
        let changed = try self.rows(served, "carbscan/meals?changed=true")
        expectEqual(changed.map { $0["id"] }, [.string(last)], "\(changed)")
        #expect(try self.rows(served, "carbscan/quotas?changed=true").isEmpty)
    }

    @Test(arguments: [
        ("sawaed/skills/skill_programming", "users/"), ("trendy/eventTypes", "events/"),
        ("omnichat/plans/daily", "users/"),
    ])
    func `5 a row that others need stays, and they are named`(path: String, needing: String) throws {
        let served = try Served()
        var path = path
        if path.split(separator: "/").count == 2 {
            let type = try rows(served, "trendy/events?limit=1").first?["row"]?["eventTypeId"]?.stringValue
            path += "/" + (try #require(type))
        }
        let answer = try served.control("DELETE", "/state/\(path)")
        #expect(answer.status == 409 && answer.text.contains(needing), "\(path): \(answer.text)")
        try expectEqual(served.control("GET", "/state/\(path)").status, 200)
    }
}
