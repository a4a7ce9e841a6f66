import Foundation
import JSON
import TestSupport
import Testing

/// Recordings of custom APIs (own-API contract, section 18).
@Suite(.serialized) struct CustomAPIRecordingTests {
    /// An archive with these requests and their answers.
    static func archive(_ entries: [(method: String, target: String, body: String, answer: String)]) -> String {
        let texts = entries.map { entry -> String in
            let post =
                entry.body.isEmpty
                ? "" : ",\"postData\":{\"mimeType\":\"application/json\",\"text\":\(JSON.string(entry.body).text)}"
            return """
                {"startedDateTime":"2025-01-01T12:00:00.000Z","time":1,
                "request":{"method":"\(entry.method)","url":"https://api.example.com\(entry.target)",
                "httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":-1\(post)},
                "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],
                "headers":[{"name":"Content-Type","value":"application/json"}],
                "content":{"size":-1,"mimeType":"application/json","text":\(JSON.string(entry.answer).text)},
                "redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}
                """
        }
        return "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\",\"version\":\"1\"},\"entries\":["
            + texts.joined(separator: ",\n") + "]}}"
    }

    private static func port(_ served: Served, _ api: String = "shop") throws -> Int {
        let text = try #require(served.ready["apis"]?[api]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    private static func ask(_ served: Served, _ method: String, _ target: String, _ body: String = "") throws
        -> WireAnswer
    {
        try Wire(port: try port(served)).ask(method, target, body: Array(body.utf8))
    }

    @Test func `18 the entries of a folder answer, behind resources and in front of nobody`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"resources":[{"path":"/items","table":"items","methods":["list"]}]}"#,
            "apis/shop/tables/items.json": #"[{"id":1}]"#,
            "apis/shop/recordings/a.har": Self.archive([
                ("GET", "/items", "", #"["recorded"]"#), ("GET", "/old?x=1", "", #"{"n":1}"#),
                ("GET", "/old?x=1", "", #"{"n":2}"#), ("POST", "/sums", #"{"a":1}"#, #"{"sum":1}"#),
            ]),
            "apis/shop/recordings/b.har": Self.archive([("GET", "/later", "", #"{"n":3}"#)]),
            "apis/shop/recordings/a.previous.har": Self.archive([("GET", "/replaced", "", "{}")]),
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        try expectEqual(Self.ask(served, "GET", "/items").json, [["id": 1]])
        try expectEqual(Self.ask(served, "GET", "/old?x=1").json["n"], 1)
        try expectEqual(Self.ask(served, "GET", "/old?x=1").json["n"], 2)
        try expectEqual(Self.ask(served, "GET", "/old?x=2").status, 404)
        try expectEqual(Self.ask(served, "POST", "/sums", #"{"a":1}"#).json["sum"], 1)
        try expectEqual(Self.ask(served, "POST", "/sums", #"{"a":2}"#).status, 404)
        try expectEqual(Self.ask(served, "GET", "/later").json["n"], 3)
        try expectEqual(Self.ask(served, "GET", "/replaced").status, 404)
        try expectEqual(served.control("GET", "/mode?api=shop").json["mode"], "emulate")
        // Each world goes through the entries by itself.
        _ = try served.control("POST", "/worlds", #"{"name":"w"}"#)
        try expectEqual(Self.ask(served, "GET", "/@w/old?x=1").json["n"], 1)
        let misses = try served.control("GET", "/unmatched").json["items"]?.arrayValue ?? []
        #expect(misses.contains { $0.text.contains("/old?x=1") }, "\(misses)")
    }

    @Test func `18 the member recordings says what is ignored, also all of it`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"recordings":{"ignore":{"query":["*"],"body":["*"]},"exhausted":"fail"}}"#,
            "apis/shop/recordings/a.har": Self.archive([
                ("POST", "/a?x=1", #"{"n":1}"#, #"{"ok":1}"#)
            ]),
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        try expectEqual(Self.ask(served, "POST", "/a?y=7", "anything").json["ok"], 1)
        try expectEqual(Self.ask(served, "POST", "/a?x=1", #"{"n":1}"#).status, 404)
        try folder.write("apis/shop/api.json", #"{"recordings":{"sped":1,"speed":-1,"exhausted":"x","links":"y"}}"#)
        let result = try Program.run(["validate", "apis/shop"], in: folder)
        for path in ["sped", "speed", "exhausted", "links"] {
            #expect(result.output.contains("apis/shop/api.json:1: $.recordings.\(path): "), "\(result.output)")
        }
    }

    @Test func `16 what a recording answers is held against its operation, and refused under enforce`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"tables":{"users":{}},"auth":{"users":"users","login":"/login"}}"#,
            "apis/shop/openapi.json": #"""
            {"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{"/things":\#
            {"get":{"parameters":[{"name":"limit","in":"query","schema":{"type":"integer"}}],"responses":\#
            {"200":{"description":"x","content":{"application/json":{"schema":{"type":"object"}}}}}}}}}
            """#,
            "apis/shop/recordings/a.har": Self.archive([
                ("GET", "/things?limit=ten", "", "[1]"), ("GET", "/things?limit=ten", "", "[2]"),
                ("GET", "/other", "", "[3]"),
            ]),
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        try expectEqual(Self.ask(served, "GET", "/things?limit=ten").text, "[1]")
        let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["source"], "recording")
        expectEqual(entry?["violations"]?.arrayValue?.map { $0["path"] }, ["?limit", "response.body"])
        _ = try served.control("PUT", "/settings", #"{"shop":{"validation":"enforce"}}"#)
        let refused = try Self.ask(served, "GET", "/things?limit=ten")
        expectEqual(refused.status, 422)
        expectEqual(refused.json["error"]?["details"]?[0]?["path"], "?limit")
        try expectEqual(Self.ask(served, "GET", "/other").text, "[3]")
        // Nothing was used up by the refusal, and no token is asked for.
        _ = try served.control("PUT", "/settings", #"{"shop":{"validation":"report"}}"#)
        try expectEqual(Self.ask(served, "GET", "/things?limit=ten").text, "[2]")
    }

    @Test func `16 what a backend is asked and answers is held against its operation in every mode`() throws {
        let backend = try Backend()
        let folder = try Folder([
            "apis/shop/api.json": "{}",
            "apis/shop/openapi.json": #"""
            {"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{"/echo":{"post":{\#
            "parameters":[{"name":"lim","in":"query","required":true,"schema":{"type":"integer"}}],\#
            "requestBody":{"content":{"application/json":{"schema":{"properties":{"email":{"enum":["a"]}}}}}},\#
            "responses":{"200":{"description":"x","content":{"application/json":{"schema":{"type":"object",\#
            "required":["weight"],"properties":{"path":{"type":"number"}}}}}}}}}}}
            """#,
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let text = #"{"email":"anna@example.com"}"#
        func told(_ mode: String) throws -> JSON? {
            let order = #"{"api":"shop","mode":"\#(mode)","upstream":"\#(backend.url())"}"#
            try expectEqual(served.control("PUT", "/mode", order).status, 200)
            _ = try Self.ask(served, "POST", "/echo?mode=\(mode)", text)
            return try served.control("GET", "/requests?limit=1").json["items"]?[0]?["violations"]
        }
        for mode in ["spy", "record", "record-missing"] {
            let found = try told(mode)
            expectEqual(
                found?.arrayValue?.map { $0["path"] },
                ["?lim", "$.email", "response.body.weight", "response.body.path"],
                "\(mode)"
            )
            expectEqual(found?.text.contains("anna@"), false, "\(found?.text ?? "")")
        }
        // The answer of the emulation is that of the client here.
        try expectEqual(told("diff")?.arrayValue?.map { $0["path"] }, ["?lim", "$.email"])
        _ = try served.control("PUT", "/settings", #"{"shop":{"validation":"off"}}"#)
        try expectNil(told("spy"))
    }

    @Test func `4 the text for what nobody takes names the nearest, recorded entries included`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"tables":{"items":{}},"resources":[{"path":"/items","table":"items"}]}"#,
            "apis/shop/stubs/a.json": #"""
            [{"match":{},"enabled":false,"response":{}},\#
            {"match":{"method":"POST","path":"/orders","headers":{"X-A":"b"}},"response":{}}]
            """#,
            "apis/shop/recordings/a.har": Self.archive([("GET", "/hello/world?x=1", "", "{}")]),
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        func text(_ method: String, _ target: String) throws -> String {
            let answer = try Self.ask(served, method, target)
            expectEqual(answer.status, 404)
            return answer.json["error"]?["message"]?.stringValue ?? ""
        }
        #expect(try text("GET", "/hello/world").contains("The nearest is GET /hello/world?x=1: query: x is missing"))
        #expect(try text("GET", "/hello/word?x=1").contains("The nearest is GET /hello/world?x=1: path: "))
        #expect(try text("GET", "/itemz").contains("The nearest is GET /items: typo in the path"))
        #expect(try text("POST", "/orders").contains("The nearest is POST /orders: "))
        // A stub for every path says nothing while it is off.
        #expect(try !text("GET", "/far/from/all").contains("**"))
        let told = try served.control("GET", "/unmatched").text
        #expect(!told.contains("it is off"), "\(told)")
        // Routes and recorded entries stand side by side, the nearest first.
        let items = try served.control("GET", "/unmatched").json["items"]?.arrayValue ?? []
        func first(_ path: String) -> JSON? { items.first { $0["path"]?.stringValue == path }?["nearest"]?[0]?["path"] }
        expectEqual(first("/itemz"), "/items", "\(told)")
        expectEqual(first("/hello/word"), "/hello/world?x=1", "\(told)")
    }

    @Test func `4 HEAD is taken wherever a recording has a GET`() throws {
        let folder = try Folder([
            "apis/shop/api.json": "{}",
            "apis/shop/recordings/a.har": Self.archive([("GET", "/a?x=1", "", #"{"n":1}"#), ("POST", "/b", "", "{}")]),
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        try expectEqual(Self.ask(served, "HEAD", "/a?x=1").status, 200)
        try expectEqual(Self.ask(served, "HEAD", "/a?x=2").status, 404)
        try expectEqual(Self.ask(served, "HEAD", "/b").status, 404)
        try expectEqual(Self.ask(served, "GET", "/a?x=1").json["n"], 1)
    }

    @Test func `18 a recording that can't be read is a problem of the folder`() throws {
        let folder = try Folder(["apis/shop/api.json": "{}", "apis/shop/recordings/a.har": "{\n[]"])
        let result = try Program.run(["serve", "--port", "0"], in: folder)
        expectEqual(result.status, 2)
        #expect(result.errors.contains("apis/shop/recordings/a.har:2: "), "\(result.errors)")
        #expect(try Program.run(["validate", "apis/shop"], in: folder).output.contains("recordings/a.har:2: "))
    }

    @Test func `18 record and replay take any name, and modes look into the folder first`() throws {
        let backend = try Backend()
        let folder = try Folder(["apis/shop/api.json": "{}"])
        let recorder = try Child(
            ["record", "--quiet", "--port", "0", "--api", "shop", "--upstream", backend.url()],
            in: folder
        )
        try Deadline().wait(for: "the ready line") { try recorder.output().hasSuffix("\n") }
        let ready = try JSONReader.read(text: String(recorder.output().dropLast()))
        let port = try #require(ready["apis"]?["shop"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) })
        try expectEqual(Wire(port: port).ask("GET", "/echo?x=1").status, 200)
        recorder.signal(SIGINT)
        _ = try recorder.waitForExit()
        let recorded = folder.url.appendingPathComponent("apis/shop/recordings/shop.har")
        #expect(FileManager.default.fileExists(atPath: recorded.path))

        // The folder answers with it from now on.
        let served = try Served(["--api", "shop"], in: folder)
        try expectEqual(Self.ask(served, "GET", "/echo?x=1").status, 200)
        try folder.write("recordings/mine.har", Self.archive([("GET", "/mine", "", #"{"n":5}"#)]))
        try folder.write("recordings/shop.har", Self.archive([("GET", "/wrong", "", "{}")]))
        let mine = try served.control("PUT", "/mode?api=shop", #"{"mode":"replay","recording":"mine"}"#)
        expectEqual(mine.status, 200, "\(mine.text)")
        try expectEqual(Self.ask(served, "GET", "/mine").json["n"], 5)
        try expectEqual(served.control("PUT", "/mode?api=shop", #"{"mode":"replay","recording":"shop"}"#).status, 200)
        try expectEqual(Self.ask(served, "GET", "/echo?x=1").status, 200)
        try expectEqual(served.control("PUT", "/mode?api=other", #"{"mode":"emulate"}"#).status, 422)

        // Without a folder.
        let replay = try Child(
            ["replay", "recordings/mine.har", "--quiet", "--port", "0", "--api", "nobody", "--miss", "fail"],
            in: folder
        )
        try Deadline().wait(for: "the ready line") { try replay.output().hasSuffix("\n") || !replay.isRunning }
        let line = try JSONReader.read(text: String(replay.output().dropLast()))
        expectEqual(line["apis"]?.objectValue?.members.map(\.name), ["nobody"])
        let other = try #require(line["apis"]?["nobody"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) })
        try expectEqual(Wire(port: other).ask("GET", "/mine").json["n"], 5)
        try expectEqual(Wire(port: other).ask("GET", "/__admin/apis").json["items"]?[0]?["source"], "name")
        try expectEqual(Program.run(["replay", "recordings/mine.har", "--api", "No Name"], in: folder).status, 2)
        let compared = try Program.run(["diff", "recordings/mine.har", "--api", "nobody"], in: folder)
        expectEqual(compared.status, 2)
        #expect(compared.errors.contains("there is no API \"nobody\" (known: sawaed, "), "\(compared.errors)")
    }
}
