import Foundation
import JSON
import TestSupport
import Testing

/// Stores of custom APIs whose tables are declared otherwise since (own-API contract, section 21).
@Suite(.serialized) struct CustomAPIStoreKeyTests {
    private let folder: Folder

    init() throws { folder = try Folder(["apis/shop/api.json": "{}"]) }

    private final class Run {
        private let served: Served
        private let port: Int

        init(_ table: String, in folder: Folder, _ more: String = "") throws {
            try folder.write(
                "apis/shop/api.json",
                #"{"tables":{"items":\#(table)},"resources":[{"path":"/items","table":"items"}]\#(more)}"#
            )
            served = try Served(["--api", "shop", "--state", "store"], in: folder)
            let text = served.ready["apis"]?["shop"]?.stringValue ?? ""
            port = text.split(separator: ":").last.flatMap { Int($0) } ?? 0
        }

        func ask(_ method: String, _ target: String, _ body: String = "") throws -> WireAnswer {
            try Wire(port: port).ask(method, target, body: Array(body.utf8))
        }

        func stop() throws {
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
        }
    }

    /// The rows that a client sees, and the answers by key.
    private func rows(_ run: Run) throws -> [String] { try run.ask("GET", "/items").json.arrayValue?.map(\.text) ?? [] }

    @Test func `21 a row of a store is found by the key that its table has by now`() throws {
        let first = try Run("{}", in: folder)
        for row in [#"{"id":1,"sku":"b","n":10}"#, #"{"id":2,"sku":"a","n":11}"#, #"{"id":3}"#] {
            try expectEqual(first.ask("POST", "/items", row).status, 201)
        }
        try expectEqual(first.ask("POST", "/__admin/snapshots", #"{"name":"s"}"#).status, 201)
        try expectEqual(first.ask("PATCH", "/items/2", #"{"n":12}"#).status, 200)
        let before = try rows(first)
        try first.stop()

        for round in 1...2 {
            let second = try Run(#"{"key":"sku","newKey":"uuid"}"#, in: folder)
            try expectEqual(rows(second).prefix(3).map { $0 }, before)
            try expectEqual(second.ask("GET", "/items/a").json["id"], 2)
            try expectEqual(second.ask("GET", "/items/2").status, 404)
            // Without the new key a row goes by its former one.
            try expectEqual(second.ask("GET", "/items/3").status, 200)
            // The former key of one row may be the key of another.
            try expectEqual(second.ask("POST", "/items", #"{"sku":"1"}"#).status, round == 1 ? 201 : 409)
            try expectEqual(second.ask("GET", "/items/1").json, ["sku": "1"])
            try expectEqual(second.ask("POST", "/items", #"{"sku":"a"}"#).status, 409)
            let named = try second.ask("GET", "/__admin/state/shop/items").json["items"]?.arrayValue
            expectEqual(named?.map { $0["id"]?.stringValue }, ["b", "a", "3", "1"])
            let world = try second.ask("GET", "/__admin/state").text
            try expectEqual(second.ask("PUT", "/__admin/state/shop/items/a", #"{"sku":"a","id":2,"n":12}"#).status, 200)
            try expectEqual(second.ask("PUT", "/__admin/state", world).status, 200)
            try expectEqual(rows(second).prefix(3).map { $0 }, before)
            try expectEqual(second.ask("POST", "/__admin/snapshots/s/restore").status, 200)
            try expectEqual(second.ask("GET", "/items/a").json["n"], 11)
            try expectEqual(second.ask("PATCH", "/items/a", #"{"n":12}"#).status, 200)
            try expectEqual(second.ask("POST", "/items", #"{"sku":"1"}"#).status, 201)
            try second.stop()
        }

        let third = try Run("{}", in: folder)
        try expectEqual(third.ask("GET", "/items/2").json, ["id": 2, "sku": "a", "n": 12])
        try expectEqual(rows(third).count, 4)
        try third.stop()
    }

    @Test func `21 rows that have one key by now are taken from a document, too`() throws {
        let first = try Run("{}", in: folder)
        for row in [#"{"id":1,"s":"a"}"#, #"{"id":2,"s":"a"}"#, #"{"id":3,"s":7}"#, #"{"id":4,"s":"7"}"#, #"{"id":5}"#]
        {
            try expectEqual(first.ask("POST", "/items", row).status, 201)
        }
        let former = try first.ask("GET", "/__admin/state").text
        let before = try rows(first)
        try first.stop()
        let second = try Run(#"{"key":"s"}"#, in: folder)
        try expectEqual(second.ask("GET", "/items/2").json["id"], 2)
        let own = try second.ask("GET", "/__admin/state").text
        for document in [own, former] {
            let answer = try second.ask("PUT", "/__admin/state", document)
            expectEqual(answer.status, 200, answer.text)
            try expectEqual(rows(second), before)
            for (key, id) in [("a", 1), ("row-2", 2), ("7", 3), ("row-4", 4), ("row-5", 5)] as [(String, Int64)] {
                try expectEqual(second.ask("GET", "/items/\(key)").json["id"], .integer(id), key)
            }
            try expectEqual(second.ask("PATCH", "/items/row-2", #"{"n":1}"#).status, 200)
            let again = try second.ask("GET", "/__admin/state").text
            try expectEqual(second.ask("PUT", "/__admin/state", again).status, 200)
        }
        try second.stop()
        let third = try Run(#"{"key":"s"}"#, in: folder)
        try expectEqual(third.ask("GET", "/items/row-2").json, ["id": 2, "s": "a", "n": 1])
        try expectEqual(third.ask("DELETE", "/items/a").status, 204)
        try expectEqual(third.ask("GET", "/items/a").json["id"], 2)
        try third.stop()
    }

    @Test(arguments: [
        #"{"newKey":"uuid"}"#, #"{"newKey":{"prefix":"i_"}}"#, #"{"newKey":"client"}"#, #"{"unique":["n"]}"#,
        #"{"unique":[["n","sku"]]}"#, #"{"createdAt":"n","updatedAt":"sku"}"#, #"{"time":"unixms"}"#,
        #"{"readOnly":["n"],"writeOnly":["sku"]}"#, #"{"key":"n","newKey":"integer"}"#, #"{"key":"none"}"#,
        #"{"schema":{"type":"object","required":["x"],"properties":{"n":{"type":"string"}}}}"#,
    ])
    func `21 a store is taken whatever its table is declared as since`(_ table: String) throws {
        let first = try Run("{}", in: folder)
        for row in [#"{"id":1,"sku":"a","n":1}"#, #"{"id":2,"sku":"a","n":1}"#, #"{"id":3,"n":"x"}"#] {
            try expectEqual(first.ask("POST", "/items", row).status, 201)
        }
        try first.stop()
        let second = try Run(table, in: folder)
        try expectEqual(rows(second).count, 3)
        try second.stop()
        let other = try Run(
            "{}",
            in: folder,
            #","auth":{"users":"items","identifier":"sku","login":"/l","open":["/**"]}"#
        )
        try expectEqual(rows(other).count, 3)
        try other.stop()
        try folder.write("apis/shop/api.json", "{}")
        let none = try Served(["--api", "shop", "--state", "store"], in: folder)
        none.child.signal(SIGTERM)
        _ = try none.child.waitForExit()
        let last = try Run("{}", in: folder)
        try expectEqual(rows(last).count, 3)
        try last.stop()
    }
}
