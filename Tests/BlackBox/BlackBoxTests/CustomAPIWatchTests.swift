import Foundation
import JSON
import TestSupport
import Testing

/// Folders of custom APIs are read again when their files are saved (own-API contract, section 21).
@Suite(.serialized) struct CustomAPIWatchTests {
    private static let table = "apis/shop/tables/items.json"

    private func folder() throws -> Folder {
        try Folder([
            "apis/shop/api.json": #"{"title":"One","resources":[{"path":"/items","table":"items"}]}"#,
            Self.table: #"[{"id":1,"name":"first"}]"#, "apis/other/api.json": "{}",
        ])
    }

    private func serve(_ folder: Folder, _ flags: [String] = []) throws -> Served {
        try Served(Served.frozen + flags + ["--api", "shop", "omnichat"], in: folder)
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

    private static let users = #"[{"id":1,"email":"a@x.test","password":"pass"}]"#

    private static func api(_ open: String = "", _ more: String = "") -> String {
        """
        {"tables":{"users":{}},"resources":[{"path":"/items","table":"items"}]\(more),
         "auth":{"users":"users","login":"/login","refresh":"/refresh","me":"/me","open":["/items"\(open)]}}
        """
    }

    /// A change of a file, the parts that begin anew by it, and what the log says of them.
    private static let changes: [(file: String, content: String, anew: JSON, words: String)] = [
        ("stubs/a.json", #"[{"match":{"path":"/x"},"open":true,"response":{}}]"#, [], "sessions and rows stay"),
        ("tables/more.json", #"[{"id":1}]"#, [], "sessions and rows stay"),
        ("api.json", api(#","/y""#), [], "sessions and rows stay"),
        ("tables/items.json", #"[{"id":5}]"#, ["items"], "rows of items begin anew"),
        ("tables/items.json", #"[ {"id": 5} ]"#, [], "sessions and rows stay"),
        ("api.json", api("", #","validation":"off""#), [], "sessions and rows stay"),
        ("tables/users.json", users + " ", [], "sessions and rows stay"),
        (
            "tables/users.json", #"[{"id":1,"email":"b@x.test","password":"pass"}]"#, ["sessions", "users"],
            "sessions and rows of users begin anew"
        ),
    ]

    @Test func `21 sessions and rows stay where their tables did not change, and the reload says what begins anew`()
        throws
    {
        let folder = try Folder([
            "apis/shop/api.json": Self.api(), Self.table: #"[{"id":1}]"#, "apis/shop/tables/users.json": Self.users,
        ])
        let served = try serve(folder)
        let wire = try Wire(port: served.hub)
        let body = Array(#"{"email":"a@x.test","password":"pass"}"#.utf8)
        let tokens = try wire.ask("POST", "/shop/login", body: body).json
        let (access, refresh) = (tokens["accessToken"]?.stringValue ?? "", tokens["refreshToken"]?.stringValue ?? "")
        func status() throws -> Int { try Wire(port: served.hub).ask("GET", "/shop/me", token: access).status }
        func items() throws -> [Int64] {
            try ask(served, "/items").json.arrayValue?.compactMap { $0["id"]?.intValue } ?? []
        }
        try expectEqual(wire.ask("POST", "/shop/items", body: Array("{}".utf8)).status, 201)
        try expectEqual(status(), 200)
        var (number, rows) = (0, [Int64](arrayLiteral: 1, 2))
        for change in Self.changes {
            try folder.write("apis/shop/" + change.file, change.content)
            number += 1
            try Deadline().wait(for: "the reload") { try reloads(served).count == number }
            try expectEqual(reloads(served).last?["anew"], change.anew)
            let words = "files; in main \(change.words)"
            try Deadline().wait(for: words) { try served.child.errors().contains(words) }
            let isRenewed = change.anew.arrayValue?.contains("items") ?? false
            if isRenewed { rows = [5] }
            try expectEqual(items(), rows)
            if isRenewed {
                let made = try Wire(port: served.hub).ask("POST", "/shop/items", body: Array("{}".utf8))
                rows.append(made.json["id"]?.intValue ?? 0)
            }
            try expectEqual(status(), change.anew.arrayValue?.contains("sessions") ?? false ? 401 : 200)
        }
        let renewed = try Wire(port: served.hub).ask(
            "POST",
            "/shop/refresh",
            body: Array(#"{"refreshToken":"\#(refresh)"}"#.utf8)
        )
        expectEqual(renewed.status, 401)
        let notes = try served.control("GET", "/notes").text
        #expect(notes.contains("The files of shop were read again: sessions and rows of users begin anew"), "\(notes)")
    }

    @Test func `21 while a scenario of the API is on everything begins anew`() throws {
        let folder = try folder()
        let scenario = #"{"title":"x","expect":"x","changes":[{"table":"items","insert":{"id":9}}]}"#
        try folder.write("apis/shop/scenarios/more.json", scenario)
        let served = try serve(folder, ["--scenario", "shop/more"])
        try expectEqual(ask(served, "/items").json.arrayValue?.count, 2)
        try folder.write("apis/shop/stubs/a.json", #"[{"match":{"path":"/x"},"response":{}}]"#)
        try Deadline().wait(for: "the reload") { try reloads(served).count == 1 }
        try expectEqual(reloads(served).last?["anew"], ["items"])
        try expectEqual(ask(served, "/items").json.arrayValue?.count, 2)
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

    /// Saves another file of another API and waits until it is taken: by then an earlier change would have been, too.
    private func waitForLaterChange(_ folder: Folder, _ served: Served, _ number: Int) throws {
        try folder.write("apis/other/stubs/a.json", #"[{"match":{"path":"/x"},"response":{"text":"\#(number)"}}]"#)
        try Deadline().wait(for: "the later change") {
            try Wire(port: served.hub).ask("GET", "/other/x").text == "\(number)"
        }
    }

    @Test func `21 files that are saved as they were, and leftovers of editors, reset nothing`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--api", "shop", "other"], in: folder)
        try waitForLaterChange(folder, served, 1)
        let row = Array(#"{"id":9,"name":"mine"}"#.utf8)
        try expectEqual(served.control("PUT", "/state/shop/items/9", String(decoding: row, as: UTF8.self)).status, 200)
        try folder.write(Self.table, #"[{"id":1,"name":"first"}]"#)
        for name in ["tables/.items.json.swp", "tables/items.json~", "README.md", "#api.json#", "api.json.tmp"] {
            try folder.write("apis/shop/\(name)", "no JSON")
        }
        try waitForLaterChange(folder, served, 2)
        try expectEqual(ask(served, "/items").json.arrayValue?.count, 2)
        let files = try reloads(served).filter { $0["api"] == "shop" }
        expectEqual(files.count, 0, "\(files)")
    }

    @Test func `21 a file that takes another's place counts, whatever its size and time are`() throws {
        let folder = try folder()
        let served = try serve(folder)
        let path = folder.url.appendingPathComponent(Self.table).path
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        try folder.write("apis/shop/tables/new.tmp", #"[{"id":1,"name":"other"}]"#)
        let new = folder.url.appendingPathComponent("apis/shop/tables/new.tmp").path
        try FileManager.default.setAttributes([.modificationDate: try #require(time)], ofItemAtPath: new)
        expectEqual(rename(new, path), 0)
        try Deadline().wait(for: "the new rows") { try ask(served, "/items").json == [["id": 1, "name": "other"]] }
    }

    @Test func `21 a mistake is told once, and what it was is told anew after a good state`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--api", "shop", "other"], in: folder)
        func refusals() throws -> Int {
            try served.child.errors().components(separatedBy: "\(Self.table):1: $").count - 1
        }
        try folder.write(Self.table, "[{]")
        try Deadline().wait(for: "the refusal") { try refusals() == 1 }
        try folder.write(Self.table, "[{] ")
        try waitForLaterChange(folder, served, 1)
        try expectEqual(refusals(), 1)
        try expectEqual(ask(served, "/items").json, [["id": 1, "name": "first"]])
        try folder.write(Self.table, "[]")
        try Deadline().wait(for: "the mended file") { try ask(served, "/items").json == [] }
        try folder.write(Self.table, "[{]")
        try Deadline().wait(for: "the second refusal") { try refusals() == 2 }
    }

    @Test func `21 a recording that this process writes resets nothing`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--api", "shop", "other"], in: folder)
        let upstream = try Served(in: folder)
        try waitForLaterChange(folder, served, 1)
        _ = try served.control("PUT", "/state/shop/items/9", #"{"id":9}"#)
        let order =
            #"{"api":"shop","mode":"record","upstream":"http://127.0.0.1:\#(upstream.api)","recording":"a.har"}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        try expectEqual(ask(served, "/api/v1/user/profile").status, 401)
        try waitForLaterChange(folder, served, 2)
        try expectEqual(served.control("PUT", "/mode", #"{"api":"shop","mode":"emulate"}"#).status, 200)
        try waitForLaterChange(folder, served, 3)
        try waitForLaterChange(folder, served, 4)
        try expectEqual(ask(served, "/items").json.arrayValue?.count, 2)
        #expect(
            FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("apis/shop/recordings/a.har").path)
        )
    }

    @Test(arguments: [["--no-watch"], ["UNDERSTUDY_NO_WATCH=1"], ["UNDERSTUDY_WATCH=false"], ["noWatch"]])
    func `21 with --no-watch, its variable and its key nothing is reloaded`(_ way: [String]) throws {
        let folder = try folder()
        if way == ["noWatch"] { try folder.write("understudy.json", #"{"noWatch":true}"#) }
        let pair = way[0].split(separator: "=").map(String.init)
        let served = try Served(
            Served.frozen + (way[0].hasPrefix("--") ? way : []) + ["--api", "shop"],
            environment: pair.count == 2 ? [pair[0]: pair[1]] : [:],
            in: folder
        )
        // One that watches the same files tells when the change would have been taken.
        let other = try Served(
            Served.frozen + ["--watch", "--api", "shop", "--apis", folder.url.appendingPathComponent("apis").path]
        )
        try folder.write(Self.table, #"[{"id":2}]"#)
        try Deadline().wait(for: "the other server") { try ask(other, "/items").json == [["id": 2]] }
        try expectEqual(ask(served, "/items").json, [["id": 1, "name": "first"]])
    }

    @Test func `21 --watch and --no-watch contradict each other, and a flag beats a file`() throws {
        let folder = try folder()
        let refused = try Program.run(["serve", "--port", "0", "--watch", "--no-watch"], in: folder)
        #expect(refused.status == 2 && refused.errors.contains("--watch and --no-watch can't be combined"))
        try folder.write("understudy.json", #"{"noWatch":true}"#)
        let served = try serve(folder, ["--watch"])
        try folder.write(Self.table, "[]")
        try Deadline().wait(for: "the new rows") { try ask(served, "/items").json == [] }
    }
}
