import Foundation
import JSON
import TestSupport
import Testing

/// The selection of custom APIs (own-API contract, section 1).
@Suite(.serialized) struct CustomAPISelectionTests {
    private static let builtIn = Checkout.apis

    private func names(_ served: Served) -> [String] { served.ready["apis"]?.objectValue?.members.map(\.name) ?? [] }

    private func port(_ served: Served, _ api: String) throws -> Int {
        let text = try #require(served.ready["apis"]?[api]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    /// A run that has to end with code 2; returns what it says.
    private func refused(_ arguments: [String], in folder: Folder) throws -> String {
        let result = try Program.run(arguments, in: folder)
        expectEqual(result.status, 2)
        expectEqual(result.output, "")
        return result.errors
    }

    @Test func `1 the APIs of ./apis stand behind the built-in ones, by name, with all that these have`() throws {
        let folder = try Folder([
            "apis/zoo/api.json": "{}", "apis/my-shop/api.json": #"{"title":"My shop","version":"2.1"}"#,
            "apis/.hidden/x": "", "apis/_draft/x": "", "apis/README.md": "",
        ])
        let served = try Served([], log: [], in: folder)
        expectEqual(names(served), Self.builtIn + ["my-shop", "zoo"])
        let items = try served.control("GET", "/apis").json["items"]?.arrayValue ?? []
        expectEqual(
            items.map { $0["source"]?.stringValue },
            Self.builtIn.map { _ in "built-in" } + ["folder", "folder"]
        )
        expectEqual(items[5]["title"], "My shop")
        let shop = try port(served, "my-shop")
        try expectEqual(Wire(port: shop).ask("GET", "/nothing").status, 404)
        try expectEqual(Wire(port: served.hub).ask("GET", "/my-shop/nothing").status, 404)
        let entries = try served.control("GET", "/requests?api=my-shop").json["items"]?.arrayValue ?? []
        expectEqual(entries.count, 2)
        let document = try served.control("GET", "/openapi/my-shop.json").json
        expectEqual(document["info"]?["version"], "2.1")
        try expectEqual(Wire(port: served.hub).ask("GET", "/docs/my-shop").status, 200)
        try expectEqual(Wire(port: shop).ask("GET", "/__admin/health").status, 200)
        let errors = try served.child.errors()
        #expect(errors.contains("  my-shop       http://127.0.0.1:\(shop)"))
        #expect(!errors.contains("warning"))
    }

    @Test func `1 a subfolder without api.json is passed over with a warning`() throws {
        let folder = try Folder(["apis/shop/stubs/a.json": "[]"])
        let served = try Served([], in: folder)
        expectEqual(names(served), Self.builtIn)
        #expect(try served.child.errors().contains("warning: apis/shop has no api.json and is skipped"))
    }

    @Test func `1 flag, variable and key name the folders, and the usual one is not looked at then`() throws {
        let folder = try Folder(["apis/usual/api.json": "{}", "a/one/api.json": "{}", "b/two/api.json": "{}"])
        try expectEqual(names(Served(["--api", "one", "two", "--apis", "a", "b"], in: folder)), ["one", "two"])
        try expectEqual(
            names(Served(["--api", "one", "two", "--apis", "a", "--apis", "b/"], in: folder)),
            ["one", "two"]
        )
        let variable = ["UNDERSTUDY_APIS": "b,a"]
        try expectEqual(names(Served(["--api", "one,two"], environment: variable, in: folder)), ["one", "two"])
        try folder.write("understudy.json", #"{"apis":["a"],"api":["one","trendy"]}"#)
        try expectEqual(names(Served([], in: folder)), ["trendy", "one"])
        try folder.write("understudy.json", #"{"apis":"b","api":"two"}"#)
        try expectEqual(names(Served([], in: folder)), ["two"])
        try expectEqual(names(Served(["--apis", "a", "--api", "one"], in: folder)), ["one"])
        #expect(try refused(["serve", "--apis", "a", "--api", "two"], in: folder).contains("there is no API \"two\""))
    }

    @Test func `1 a folder that is named and not there is refused`() throws {
        let folder = try Folder()
        #expect(try refused(["serve", "--apis", "no"], in: folder).contains("--apis: there is no folder \"no\""))
        try folder.write("understudy.json", #"{"apis":"gone"}"#)
        #expect(try refused(["routes"], in: folder).contains("understudy.json: apis: there is no folder \"gone\""))
        try expectEqual(Program.run(["validate", "understudy.json"], in: folder).status, 1)
    }

    @Test(arguments: ["Shop", "9lives", "a_b", "shop-", "hub", "all", "control", "docs", "trendy"])
    func `1 a folder with another name is refused`(_ name: String) throws {
        let folder = try Folder(["apis/\(name)/api.json": "{}"])
        #expect(try refused(["serve", "--port", "0"], in: folder).contains("apis/\(name):1: $: "))
    }

    @Test func `1 a name has 32 characters at most, and one folder`() throws {
        let longest = String(repeating: "a", count: 32)
        let folder = try Folder(["x/\(longest)/api.json": "{}", "y/\(longest)/api.json": "{}"])
        try expectEqual(names(Served(["--apis", "x", "--api", longest], in: folder)), [longest])
        let twice = try refused(["serve", "--apis", "x", "y"], in: folder)
        #expect(twice.contains("y/\(longest):1: $: x/\(longest) has the same name"))
        try folder.write("z/\(longest)a/api.json", "{}")
        #expect(try refused(["serve", "--apis", "z"], in: folder).contains("1 to 32"))
    }

    @Test func `22 there are 100 custom APIs at most`() throws {
        let folder = try Folder()
        for number in 0..<100 { try folder.write("apis/a\(number)/api.json", "{}") }
        try expectEqual(names(Served(["--api", "a7"], in: folder)), ["a7"])
        try folder.write("apis/a100/api.json", "{}")
        #expect(try refused(["serve"], in: folder).contains("there are 101 custom APIs; a process has at most 100"))
    }

    @Test func `1 an unknown name is an error that names the nearest`() throws {
        let folder = try Folder(["apis/shop/api.json": "{}"])
        for command in ["serve", "routes", "scenarios"] {
            #expect(try refused([command, "--api", "shp"], in: folder).contains("did you mean shop?"))
        }
        #expect(try refused(["serve", "--port-shp", "1"], in: folder).contains("did you mean --port-shop?"))
        #expect(try refused(["serve", "--port-shop", "x"], in: folder).contains("--port-shop: \"x\" is not a whole"))
    }

    // MARK: Ports

    @Test func `1 ports: the flag, then api.json, then the hub's plus 20 in the order of the names`() throws {
        // Below the ports that the system gives to other tests.
        let hub = 24_000 + Int.random(in: 0..<150) * 50
        let folder = try Folder([
            "apis/a/api.json": "{}", "apis/b/api.json": #"{"port":\#(hub + 33)}"#, "apis/c/api.json": "{}",
            "apis/d/api.json": "{}",
        ])
        let child = try Child(
            ["serve", "--quiet", "--port", "\(hub)", "--api", "a", "b", "c", "d", "--port-c", "\(hub + 41)"],
            in: folder
        )
        try Deadline().wait(for: "the ready line") { try child.output().hasSuffix("\n") || !child.isRunning }
        let ready = try JSONReader.read(text: String(child.output().dropLast()))
        let ports = ready["apis"]?.objectValue?.members.map { $0.value.stringValue ?? "" }
        expectEqual(ports, [20, 33, 41, 21].map { "http://127.0.0.1:\(hub + $0)" }, "hub \(hub)")
    }

    @Test func `1 with port 0 the port of api.json is not looked at`() throws {
        let folder = try Folder(["apis/a/api.json": #"{"port":1}"#])
        #expect(try port(Served(["--api", "a"], in: folder), "a") != 1)
    }

    @Test func `1 two APIs on one port are refused`() throws {
        let folder = try Folder(["apis/a/api.json": #"{"port":4681}"#, "apis/b/api.json": #"{"port":4680}"#])
        let shared = "would share port"
        #expect(try refused(["serve", "--api", "sawaed", "a"], in: folder).contains("sawaed and a \(shared) 4681"))
        #expect(try refused(["serve", "--api", "b"], in: folder).contains("the hub and b \(shared) 4680"))
        let flags = ["serve", "--api", "a", "b", "--port", "0", "--port-a", "4999", "--port-b", "4999"]
        #expect(try refused(flags, in: folder).contains("a and b \(shared) 4999"))
    }

    @Test func `1 exec gives the program an address under the name in capitals`() throws {
        let folder = try Folder(["apis/my-shop/api.json": #"{"port":4680}"#])
        let result = try Program.run(
            ["exec", "--api", "my-shop", "--", "sh", "-c", "echo $UNDERSTUDY_MY_SHOP_URL"],
            in: folder
        )
        #expect(result.output.hasPrefix("http://127.0.0.1:") && !result.output.contains("4680"))
    }

    // MARK: Problems

    @Test func `2 all problems of all folders stop a start and the listings`() throws {
        let folder = try Folder([
            "apis/a/api.json": "{\n \"titel\": \"x\",\n \"port\": 0\n}", "apis/b/api.json": "[",
        ])
        for arguments in [["serve"], ["routes"], ["scenarios"], ["openapi", "a"], ["exec", "--", "true"]] {
            let errors = try refused(arguments, in: folder)
            #expect(errors.contains("apis/a/api.json:2: $.titel: "), "\(errors)")
            #expect(errors.contains("apis/a/api.json:3: $.port: "))
            guard arguments.count < 2 || arguments[1] != "a" else { continue }
            #expect(errors.contains("apis/b/api.json:1: $: "))
        }
        // Another API alone is not stopped.
        try expectEqual(Program.run(["routes", "--api", "trendy"], in: folder).status, 0)
    }

    @Test func `23 links out of a folder, loops, devices and pipes are refused`() throws {
        let folder = try Folder([
            "apis/a/api.json": "{}", "apis/a/stubs/x.txt": "", "apis/a/tables/good.json": "[]", "outside.json": "[]",
        ])
        let manager = FileManager.default
        func link(_ name: String, to target: String) throws {
            let place = folder.url.appendingPathComponent("apis/a/\(name)")
            try? manager.removeItem(at: place)
            try manager.createSymbolicLink(atPath: place.path, withDestinationPath: target)
        }
        try link("tables/out.json", to: "../../../outside.json")
        try link("tables/gone.json", to: "nothing.json")
        try link("tables/null.json", to: "/dev/null")
        expectEqual(mkfifo(folder.url.appendingPathComponent("apis/a/tables/pipe.json").path, 0o600), 0)
        let result = try Program.run(["validate", "apis/a"], in: folder)
        expectEqual(result.status, 1)
        for (name, reason) in [
            ("out", "leads out of the folder"), ("gone", "leads nowhere"), ("null", "leads out of the folder"),
            ("pipe", "neither a file nor a folder"),
        ] {
            let line = result.output.split(separator: "\n").first { $0.hasPrefix("apis/a/tables/\(name).json:1: $: ") }
            expectEqual(line?.contains(reason), true, "\(name): \(result.output)")
        }
        #expect(!result.output.contains("good.json"))
        try link("files", to: "..")
        #expect(try Program.run(["validate", "apis/a"], in: folder).output.contains("apis/a/files:1: $: "))
    }
}
