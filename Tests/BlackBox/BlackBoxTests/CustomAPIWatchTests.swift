import Foundation
import JSON
import TestSupport
import Testing

/// `--watch` for the folders of custom APIs (own-API contract, section 21).
@Suite(.serialized) struct CustomAPIWatchTests {
    private static let table = "apis/shop/tables/items.json"

    private func folder() throws -> Folder {
        try Folder([
            "apis/shop/api.json": #"{"title":"One","resources":[{"path":"/items","table":"items"}]}"#,
            Self.table: #"[{"id":1,"name":"first"}]"#, "apis/other/api.json": "{}",
        ])
    }

    private func serve(_ folder: Folder) throws -> Served {
        try Served(Served.frozen + ["--watch", "--api", "shop", "omnichat"], in: folder)
    }

    private func ask(_ served: Served, _ path: String, world: String = "main") throws -> WireAnswer {
        try Wire(port: served.hub).ask("GET", "/@\(world)/shop\(path)")
    }

    /// The data of the `reload` events so far.
    private func reloads(_ served: Served) throws -> [JSON] {
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events", fields: ["Last-Event-ID: 0"]))
        try wire.wait(for: ": understudy")
        let mark = "\(UUID())".lowercased()
        _ = try served.control("POST", "/worlds", #"{"name":"\#(mark)"}"#)
        try wire.wait(for: mark)
        return try wire.text.components(separatedBy: "event: reload\n").dropFirst().map { piece in
            let line = piece.split(separator: "\n").first ?? ""
            return try JSONReader.read(text: String(line.dropFirst("data: ".count)))
        }
    }

    @Test func `21 main and new worlds have what was read, others keep theirs until a reset`() throws {
        let folder = try folder()
        let served = try serve(folder)
        _ = try served.control("POST", "/worlds", #"{"name":"old"}"#)
        _ = try served.control("POST", "/worlds", #"{"name":"idle"}"#)
        try expectEqual(ask(served, "/items", world: "old").json, [["id": 1, "name": "first"]])
        _ = try served.control("POST", "/clock/advance", #"{"seconds":60}"#)
        // Another table in front moves the place of the first.
        try folder.write("apis/shop/tables/a.json", #"[{"id":7}]"#)
        try folder.write(Self.table, #"[{"id":2,"name":"second"}]"#)
        try folder.write(
            "apis/shop/api.json",
            #"{"title":"Two","resources":[{"path":"/items","table":"items"},{"path":"/a","table":"a"}]}"#
        )
        try Deadline().wait(for: "the new folder") { try ask(served, "/a").status == 200 }
        try Deadline().wait(for: "the new rows") {
            try ask(served, "/items").json == [["id": 2, "name": "second"]]
        }
        try expectEqual(ask(served, "/items", world: "old").json, [["id": 1, "name": "first"]])
        try expectEqual(ask(served, "/a", world: "old").status, 404)
        try expectEqual(ask(served, "/a", world: "idle").status, 404)
        try expectEqual(served.control("GET", "/state", world: "old").status, 200)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"old"}"#)
        try expectEqual(ask(served, "/items", world: "fork").json, [["id": 1, "name": "first"]])
        _ = try served.control("POST", "/worlds", #"{"name":"new"}"#)
        try expectEqual(ask(served, "/a", world: "new").json, [["id": 7]])
        _ = try served.control("POST", "/reset", world: "old")
        try expectEqual(ask(served, "/a", world: "old").json, [["id": 7]])
        #expect(try served.control("GET", "/clock").text.contains("12:01:00"))
        let titles = try served.control("GET", "/openapi/shop.json").json["info"]?["title"]
        expectEqual(titles, "Two")
        let last = try #require(try reloads(served).last)
        expectEqual(last["api"], "shop")
        expectEqual(last["files"]?.intValue, 3)
    }

    @Test func `21 refused files change nothing, and the log and an event say why`() throws {
        let folder = try folder()
        let served = try serve(folder)
        try expectEqual(ask(served, "/items").json, [["id": 1, "name": "first"]])
        try folder.write(Self.table, "[{\"id\":2},\n{}")
        try Deadline().wait(for: "the refusal") {
            try served.child.errors().contains("\(Self.table):2: $: ")
        }
        try expectEqual(ask(served, "/items").json, [["id": 1, "name": "first"]])
        let refused = try reloads(served).last?["refused"]?.arrayValue ?? []
        expectEqual(refused.first?.stringValue?.hasPrefix("\(Self.table):2: $: "), true)
        try folder.write(Self.table, "[{\"id\":3}]")
        try Deadline().wait(for: "the mended file") { try ask(served, "/items").json == [["id": 3]] }
    }

    @Test func `21 a recording that can't be read is named once, with its line`() throws {
        let folder = try folder()
        let served = try serve(folder)
        try folder.write("apis/shop/recordings/a.har", "{\"log\":")
        try Deadline().wait(for: "the refusal") { try served.child.errors().contains("recordings/a.har:1: $.log: ") }
        let refused = try reloads(served).last?["refused"]?.arrayValue ?? []
        expectEqual(refused.count, 1)
        expectEqual(refused.first?.stringValue?.hasPrefix("apis/shop/recordings/a.har:1: $.log: "), true, "\(refused)")
    }

    @Test func `21 a new folder, a removed one and another port take a restart`() throws {
        let folder = try folder()
        let served = try serve(folder)
        try folder.write("apis/fresh/api.json", "{}")
        try Deadline().wait(for: "the word of it") {
            try served.child.errors().contains("the folder of fresh was added")
        }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("apis/other"))
        try Deadline().wait(for: "the word of it") {
            try served.child.errors().contains("the folder of other was removed")
        }
        try folder.write("apis/shop/api.json", #"{"port":4999}"#)
        try Deadline().wait(for: "the word of it") { try served.child.errors().contains("shop has another port") }
        #expect(try reloads(served).contains { $0["restart"] != nil })
    }
}
