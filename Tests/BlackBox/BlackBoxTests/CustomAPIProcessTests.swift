import Foundation
import JSON
import TestSupport
import Testing

/// Custom APIs in processes of their own: listings, limits, stores, and the same bytes (own-API contract, sections 1,
/// 19, 21 and 22).
@Suite(.serialized) struct CustomAPIProcessTests {
    private func port(_ served: Served, _ api: String = "shop") throws -> Int {
        let text = try #require(served.ready["apis"]?[api]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    private func ask(_ served: Served, _ method: String, _ target: String, _ body: String = "", token: String? = nil)
        throws -> WireAnswer
    {
        try Wire(port: try port(served)).ask(method, target, body: Array(body.utf8), token: token)
    }

    private static let document =
        #"""
        {"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{"/things/{id}":{"get":{"responses":{"200":\#
        {"description":"x","content":{"application/json":{"schema":{"type":"object","properties":{"id":\#
        {"type":"integer"},"at":{"type":"string","format":"date-time"},"tags":{"type":"array","items":\#
        {"type":"string"}}}}}}}}}}}}
        """#

    private static let shop = [
        "apis/shop/api.json":
            #"""
        {"tables":{"users":{"unique":["email"]}},"resources":[{"path":"/users","table":"users"},\#
        {"path":"/notes","table":"notes","list":{"paging":{"style":"cursor","limit":2}}}],\#
        "auth":{"users":"users","login":"/login","refresh":"/refresh","me":"/me","open":["/users","/notes",\#
        "/notes/*","/things/*"]}}
        """#,
        "apis/shop/openapi.json": document,
        "apis/shop/tables/users.json": #"[{"id":1,"email":"a@x.test","password":"secret"}]"#,
        "apis/shop/tables/notes.json": #"[{"id":"a","at":"T0-P1D"},{"id":"b"},{"id":"c"}]"#,
        "apis/shop/stubs/a.json": #"""
        {"match":{"method":"GET","path":"/stub/{x}"},"open":true,"response":\#
        {"body":{"x":"{{path.x}}","uuid":"{{uuid}}","n":"{{counter.c}}","die":"{{random 1 6}}"}}}
        """#,
    ]

    @Test func `19 routes tells the source of each own route, stubs included`() throws {
        let folder = try Folder(Self.shop)
        let items = try Program.run(["routes", "--api", "shop", "--json"], in: folder).json.arrayValue ?? []
        let sources = items.map {
            "\($0["method"]?.stringValue ?? "") \($0["path"]?.stringValue ?? "") \($0["status"]?.stringValue ?? "")"
        }
        #expect(sources.contains("GET /stub/{x} stub"))
        #expect(sources.contains("POST /login auth"))
        #expect(sources.contains("GET /notes/{id} resource"))
        #expect(sources.contains("GET /things/{id} openapi"))
        #expect(!sources.contains { $0.hasSuffix("documented") }, "\(sources)")
        let text = try Program.run(["routes", "--api", "shop"], in: folder).output
        #expect(text.contains("shop (\(items.count) endpoints)"))
        #expect(text.split(separator: "\n").contains { $0.contains("/things/{id}") && $0.hasSuffix("openapi") })
        #expect(try Program.run(["routes", "--api", "trendy"], in: folder).output.contains("documented"))
    }

    @Test func `1 config shows the port of each custom API as a number`() throws {
        let folder = try Folder([
            "apis/a/api.json": "{}", "apis/b/api.json": #"{"port":9123}"#, "apis/c/api.json": "{}",
        ])
        func ports(_ arguments: [String]) throws -> [String: String] {
            let rows = try Program.run(["config", "--json"] + arguments, in: folder).json.arrayValue ?? []
            return rows.reduce(into: [:]) { $0[$1["name"]?.stringValue ?? ""] = $1["value"]?.stringValue }
        }
        let usual = try ports([])
        expectEqual([usual["portA"], usual["portB"], usual["portC"]], ["4700", "9123", "4701"])
        let moved = try ports(["--port", "5000", "--port-a", "7000"])
        expectEqual([moved["portA"], moved["portB"], moved["portC"]], ["7000", "9123", "5020"])
        try expectEqual(ports(["--port", "0"])["portB"], "0")
    }

    @Test func `21 two processes give the same bytes for the same requests`() throws {
        let folder = try Folder(Self.shop)
        func journey() throws -> [String] {
            let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
            var bytes: [String] = []
            func note(_ method: String, _ target: String, _ body: String = "", token: String? = nil) throws
                -> WireAnswer
            {
                let answer = try ask(served, method, target, body, token: token)
                // The address has the port, which is another one each time.
                let port = try port(served)
                bytes.append(String(decoding: answer.raw, as: UTF8.self).replacing(":\(port)", with: ":PORT"))
                return answer
            }
            let login = try note("POST", "/login", #"{"email":"a@x.test","password":"secret"}"#)
            let token = try #require(login.json["accessToken"]?.stringValue)
            _ = try note("GET", "/me", token: token)
            let refresh = try #require(login.json["refreshToken"]?.stringValue)
            _ = try note("POST", "/refresh", #"{"refreshToken":"\#(refresh)"}"#)
            for _ in 0..<3 { _ = try note("GET", "/stub/7") }
            _ = try note("POST", "/notes", #"{"text":"x"}"#, token: token)
            _ = try note("GET", "/notes", token: token)
            _ = try note("GET", "/things/9", token: token)
            _ = try note("POST", "/users", #"{"email":"b@x.test"}"#, token: token)
            _ = try note("GET", "/nowhere")
            return bytes
        }
        let (first, second) = (try journey(), try journey())
        for (left, right) in zip(first, second) { expectEqual(left, right) }
        expectEqual(first.count, second.count)
    }

    @Test func `21 a store of an API whose folder has changed keeps its rows`() throws {
        let folder = try Folder(Self.shop)
        let flags = ["--api", "shop", "--state", "store"]
        func stop(_ served: Served) throws {
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
        }
        let first = try Served(flags, in: folder)
        try expectEqual(ask(first, "POST", "/users", #"{"email":"new@x.test"}"#).status, 201)
        let token = try #require(
            try ask(first, "POST", "/login", #"{"email":"a@x.test","password":"secret"}"#).json["accessToken"]?
                .stringValue
        )
        try expectEqual(ask(first, "GET", "/stub/1").json["n"], 1)
        try stop(first)

        // Another seed, one table less, another one more, and no stub.
        try folder.write(
            "apis/shop/api.json",
            #"""
            {"tables":{"users":{"unique":["email"]},"extra":{}},"resources":[{"path":"/users","table":"users"},\#
            {"path":"/extra","table":"extra"}],"auth":{"users":"users","login":"/login","me":"/me","open":["/users","/extra"]}}
            """#
        )
        try folder.write("apis/shop/tables/users.json", #"[{"id":1,"email":"other@x.test","password":"p"}]"#)
        try folder.write("apis/shop/tables/extra.json", #"[{"id":1}]"#)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("apis/shop/stubs"))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("apis/shop/tables/notes.json"))
        let second = try Served(flags, in: folder)
        let users = try ask(second, "GET", "/users", token: token).json.arrayValue ?? []
        expectEqual(users.map { $0["email"] }, ["a@x.test", "new@x.test"])
        try expectEqual(ask(second, "GET", "/me", token: token).json["email"], "a@x.test")
        try expectEqual(ask(second, "GET", "/notes", token: token).status, 404)
        let added = try ask(second, "POST", "/extra", "{}", token: token)
        expectEqual(added.status, 201, "\(added.text)")
        try stop(second)

        // The rows of the table that was gone come back with its declaration.
        for (name, text) in Self.shop { try folder.write(name, text) }
        let third = try Served(flags, in: folder)
        try expectEqual(
            ask(third, "GET", "/notes?limit=9", token: token).json.arrayValue?.map { $0["id"] },
            ["a", "b", "c"]
        )
        try expectEqual(ask(third, "GET", "/users", token: token).json.arrayValue?.count, 2)
        try stop(third)
    }

    @Test func `22 a world has 10,000 stubs, those of files and scenarios included`() throws {
        func stubs(_ count: Int, _ start: String) -> String {
            "[" + (0..<count).map { #"{"match":{"path":"/\#(start)\#($0)"},"response":{}}"# }.joined(separator: ",\n")
                + "]"
        }
        let folder = try Folder([
            "apis/a/api.json": "{}", "apis/a/stubs/all.json": stubs(9_998, "a"),
            "apis/a/scenarios/two.json": #"{"title":"T","expect":"E","stubs":\#(stubs(2, "s"))}"#,
            "apis/a/scenarios/one.json": #"{"title":"T","expect":"E","stubs":\#(stubs(1, "t"))}"#,
        ])
        let served = try Served(["--api", "a"], in: folder)
        try expectEqual(served.control("PUT", "/scenarios/a/one", "{}").status, 200)
        let refused = try served.control("PUT", "/scenarios/a/two", "{}")
        expectEqual(refused.status, 409, "\(refused.text)")
        expectEqual(refused.json["type"], "/__admin/problems/too-many-stubs")
        try expectEqual(served.control("GET", "/stubs?limit=1")["X-Total-Count"], "9999")
        let world = try served.control("POST", "/worlds", #"{"name":"w","scenarios":["a/one","a/two"]}"#)
        expectEqual(world.status, 409)
        try expectEqual(served.control("GET", "/worlds").json["items"]?.arrayValue?.count, 1)
        #expect(try served.control("DELETE", "/scenarios/a/one").status < 300)
        try expectEqual(served.control("PUT", "/scenarios/a/two", "{}").status, 200)

        try folder.write("apis/a/scenarios/three.json", #"{"title":"T","expect":"E","stubs":\#(stubs(3, "u"))}"#)
        let alone = try Program.run(["validate", "apis/a"], in: folder)
        expectEqual(alone.status, 1)
        #expect(
            alone.output.contains("apis/a/scenarios/three.json:1: $.stubs: with those of the files there are 10001")
        )
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("apis/a/scenarios/three.json"))
        let both = try Program.run(["serve", "--port", "0", "--api", "a", "--scenario", "a/one", "a/two"], in: folder)
        expectEqual(both.status, 2)
        #expect(both.errors.contains("--scenario: a/two can't be switched on"), "\(both.errors)")
        try folder.write("apis/b/api.json", "{}")
        try folder.write("apis/b/stubs/all.json", stubs(3, "b"))
        let two = try Program.run(["serve", "--port", "0", "--api", "a", "b"], in: folder)
        expectEqual(two.status, 2)
        #expect(two.errors.contains("apis/b/stubs:1: $: with the stubs of the APIs before it there are 10001"))
    }

    @Test func `22 stubs take the bodies of requests that no route has, also for built-in APIs`() throws {
        let folder = try Folder(["apis/shop/api.json": "{}"])
        let served = try Served(["--api", "shop", "trendy"], in: folder)
        let body = #"{"a":"\#(String(repeating: "x", count: 3 << 20))","b":5}"#
        for api in ["shop", "trendy"] {
            let stub =
                #"{"match":{"api":"\#(api)","method":"POST","path":"/nowhere"},"response":{"body":{"b":"{{body.b}}"}}}"#
            try expectEqual(served.control("POST", "/stubs", stub).status, 201)
            let answer = try Wire(port: port(served, api)).ask("POST", "/nowhere", body: Array(body.utf8))
            expectEqual(answer.text, #"{"b":5}"#)
        }
    }

    @Test func `8 long stubs are read and written as short ones are`() throws {
        let folder = try Folder(["apis/shop/api.json": "{}"])
        let served = try Served(["--api", "shop"], in: folder)
        let text = String(repeating: "y", count: 100_000)
        func stub(_ value: String, _ more: String = "") -> String {
            #"{"match":{"api":"shop","path":"/long"}\#(more),"response":{"text":"{{\#(value)}} \#(text)"}}"#
        }
        let bad = try served.control("POST", "/stubs", stub("nothing.here"))
        expectEqual(bad.status, 422)
        expectEqual(
            bad.json["errors"]?[0]?["path"]?.stringValue?.contains("$.response.text"),
            true,
            "\(bad.text.prefix(400))"
        )
        let made = try served.control("POST", "/stubs", stub("request.method", #","name":"first","position":1"#))
        expectEqual(made.status, 201)
        expectEqual(made.json["id"], "stb_1")
        expectEqual(made.json["hits"], 0)
        expectEqual(made.json["enabled"], true)
        try expectEqual(served.control("POST", "/stubs", stub("now", #","position":7"#)).status, 422)
        try expectEqual(ask(served, "GET", "/long").text, "GET " + text)
        let off = try served.control("PATCH", "/stubs/stb_1", #"{"enabled":false}"#)
        expectEqual(off.json["enabled"], false)
        expectEqual(off.json["hits"], 1)
        try expectEqual(served.control("PATCH", "/stubs/stb_1", #"{"bogus":1}"#).status, 422)
        try expectEqual(served.control("PATCH", "/stubs/stb_1", "{}").status, 422)
        let named = try served.control("PATCH", "/stubs/stb_1", #"{"name":"other","enabled":true}"#)
        expectEqual(named.json["name"], "other")
        expectEqual(named.json["hits"], 1)
        let other = try served.control("PUT", "/stubs/stb_1", stub("request.path"))
        expectEqual(other.json["hits"], 0)
        expectNil(other.json["name"])
        try expectEqual(ask(served, "GET", "/long").text, "/long " + text)
        try expectEqual(served.control("GET", "/stubs").json["items"]?.arrayValue?.count, 1)
        try expectEqual(served.control("GET", "/stubs/stb_1").json["hits"], 1)
    }

    @Test func `11 rows by call are held against the schema as clients see them`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"""
            {"tables":{"items":{"schema":{"type":"object","properties":{"n":{"type":"integer"},\#
            "at":{"type":"string","format":"date-time"}}}}}}
            """#,
            "apis/shop/tables/items.json": #"[{"id":"a","n":1,"at":"T0-P1D"}]"#,
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let row = try #require(try served.control("GET", "/state/shop/items/a").json["row"])
        expectEqual(row["at"], "T0-P1D")
        try expectEqual(served.control("PUT", "/state/shop/items/a", row.text).status, 200)
        let refused = try served.control("PUT", "/state/shop/items/a", #"{"id":"a","n":"x","at":"later"}"#)
        expectEqual(refused.status, 422)
        expectEqual(refused.json["errors"]?.arrayValue?.map { $0["path"] }, ["$.n", "$.at"])
    }

    @Test func `16 a long body is held against its operation as a short one is`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"validation":"enforce"}"#,
            "apis/shop/openapi.json": #"""
            {"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{"/sum":{"post":\#
            {"parameters":[{"name":"x","in":"query","required":true,"schema":{"type":"integer"}}],"requestBody":\#
            {"content":{"application/json":{"schema":{"type":"array","items":{"type":"integer"}}}}},\#
            "responses":{"204":{"description":"x"}}}}}}
            """#,
        ])
        let served = try Served(["--api", "shop"], in: folder)
        func sum(_ last: String, _ query: String = "?x=1") throws -> WireAnswer {
            let numbers = (0..<20_000).map(String.init).joined(separator: ",")
            return try ask(served, "POST", "/sum" + query, "[\(numbers),\(last)]")
        }
        try expectEqual(sum("1").status, 204)
        try expectEqual(sum(#""a""#).json["error"]?["details"]?.arrayValue?.map { $0["path"] }, ["$[20000]"])
        try expectEqual(sum(#""a""#, "").json["error"]?["details"]?.arrayValue?.map { $0["path"] }, ["?x", "$[20000]"])
        try expectEqual(sum("").status, 400)
    }
}
