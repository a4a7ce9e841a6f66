import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, section 8: the coverage of a custom API, whose stubs are operations of its document too.
@Suite struct CustomAPICoverageTests {
    private static let files = [
        "apis/shop/api.json":
            #"{"tables":{"users":{},"pets":{}},"resources":[{"path":"/v1/pets","table":"pets"}],"auth":{"users":"users","login":"/v1/login","open":["/**"]}}"#,
        "apis/shop/openapi.json": #"""
        {"openapi":"3.1.0","info":{"title":"S","version":"1"},"servers":[{"url":"/v1"}],"paths":{\#
        "/z":{"get":{"responses":{"200":{"description":"x"},"418":{"description":"y"}}}},\#
        "/pets/{pet}":{"get":{"responses":{"200":{"description":"x"},"404":{"description":"y"}}}},\#
        "/a":{"post":{"responses":{"201":{"description":"x"},"default":{"description":"y"}}}}}}
        """#,
        "apis/shop/stubs/a.json": #"""
        [{"match":{"method":"GET","path":"/v1/health"},"response":{"status":200}},\#
        {"match":{"method":"GET","path":"/v1/items/{id}"},"response":{"status":200}},\#
        {"match":{"method":"GET","path":"/v1/items/{other}"},"response":{"status":404}},\#
        {"match":{"path":"/v1/any"},"response":{"status":200}},\#
        {"match":{"method":"GET","path":{"regex":"/v1/[a-c]+/x"}},"response":{"status":200}},\#
        {"match":{"method":"GET","path":"/v1/z","query":{"odd":"1"}},"response":{"status":418}}]
        """#,
    ]

    private func ask(_ served: Served, _ method: String, _ target: String) throws -> Int {
        try Wire(port: served.hub).ask(method, "/shop" + target).status
    }

    private func items(_ served: Served, world: String? = nil) throws -> [JSON] {
        let answer = try served.control("GET", "/coverage?api=shop", world: world)
        return try #require(answer.json["items"]?.arrayValue, "\(answer.text)")
    }

    private func name(_ item: JSON) -> String {
        "\(item["method"]?.stringValue ?? "?") \(item["route"]?.stringValue ?? "?")"
    }

    @Test func `8 every operation of the document is an item, in its order, with the statuses that it declares`() throws
    {
        let served = try Served(Served.frozen + ["--api", "shop"], in: try Folder(Self.files))
        let items = try items(served)
        var documented: [String] = []
        var statuses: [[JSON]] = []
        let paths = try served.control("GET", "/openapi/shop.json").json["paths"]?.objectValue?.members ?? []
        for path in paths {
            let isWhole = path.value["servers"] != nil
            for operation in path.value.objectValue?.members ?? [] where operation.value["responses"] != nil {
                documented.append("\(operation.name.uppercased()) \(isWhole ? "" : "/v1")\(path.name)")
                let codes = operation.value["responses"]?.objectValue?.members.compactMap { Int64($0.name) } ?? []
                statuses.append(codes.sorted().map { .integer($0) })
            }
        }
        // The resource names the parameter that the document calls otherwise.
        let shown = items.map { name($0).replacing("{id}", with: "{pet}") }
        expectEqual(shown, documented.map { $0.replacing("{id}", with: "{pet}") })
        expectEqual(items.map { $0["unseen"]?.arrayValue ?? [] }, statuses)
        expectEqual(items.map(name).prefix(1), ["GET /v1/z"])
        // An expression is no path of a document.
        #expect(!items.map(name).contains { $0.contains("[") } && !documented.contains { $0.contains("[") })
        #expect(items.map(name).contains("GET /v1/health") && items.map(name).contains("GET /v1/items/{id}"))
        let total = try served.control("GET", "/coverage?api=shop").json["endpoints"]?["total"]
        expectEqual(total, .integer(Int64(items.count)))
    }

    @Test func `8 requests that stubs answer are counted, and kept by forks, documents and the store`() throws {
        let folder = try Folder(Self.files)
        let flags = Served.frozen + ["--api", "shop", "--state", folder.url.appendingPathComponent("state").path]
        var served = try Served(flags, in: folder)
        try expectEqual(ask(served, "GET", "/v1/health"), 200)
        try expectEqual(ask(served, "HEAD", "/v1/health"), 200)
        try expectEqual(ask(served, "GET", "/v1/items/7"), 200)
        try expectEqual(ask(served, "GET", "/v1/z?odd=1"), 418)
        try expectEqual(ask(served, "GET", "/v1/any"), 200)
        try expectEqual(ask(served, "GET", "/v1/nothing"), 404)
        func seen(_ world: String? = nil) throws -> [String] {
            try items(served, world: world).filter { $0["count"] != 0 }.map { item in
                "\(name(item)) \(item["answers"]?.text ?? "")"
            }
        }
        let expected = [
            #"GET /v1/z [{"status":418,"count":1}]"#, #"GET /v1/health [{"status":200,"count":2}]"#,
            #"GET /v1/items/{id} [{"status":200,"count":1}]"#,
        ]
        try expectEqual(seen().sorted(), expected.sorted())
        try expectEqual(served.control("GET", "/coverage").json["unmatched"], 1)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"main"}"#)
        _ = try served.control("POST", "/worlds", #"{"name":"copy"}"#)
        let document = try served.control("GET", "/state").text
        try expectEqual(served.control("PUT", "/state", document, world: "copy").status, 200)
        for world in ["fork", "copy"] { try expectEqual(seen(world).sorted(), expected.sorted(), "\(world)") }
        served.child.signal(SIGTERM)
        _ = try served.child.waitForExit()
        served = try Served(flags, in: folder)
        try expectEqual(seen().sorted(), expected.sorted())
    }

    @Test(arguments: [#"{"status":429}"#, #"{"connection":"empty"}"#, #"{"respond":{"status":503,"text":"x"}}"#])
    func `8 an answer of a fault counts for the operation that only a stub of the files has`(effect: String) throws {
        let served = try Served(Served.frozen + ["--api", "shop"], in: try Folder(Self.files))
        let fault = #"{"match":{"api":"shop","path":"/v1/health"},"when":{"times":1},"effect":\#(effect)}"#
        try expectEqual(served.control("POST", "/faults", fault).status, 201, "\(effect)")
        _ = try? ask(served, "GET", "/v1/health")
        let line = try served.control("GET", "/requests?api=shop&view=line").json["items"]?[0]
        expectEqual(line?["route"], "/v1/health")
        let counts = try items(served).filter { name($0) == "GET /v1/health" }.map { $0["count"] }
        if !effect.contains("connection") { expectEqual(counts, [1]) }
        try expectEqual(served.control("GET", "/coverage?api=shop").json["unmatched"], 0)
        try expectEqual(served.control("GET", "/unmatched?api=shop").json["items"], [])
        // The fault has not used up the stub.
        try expectEqual(ask(served, "GET", "/v1/health"), 200)
    }

    @Test func `8 a request that a gate holds has the route of the stub that would take it`() throws {
        let served = try Served(Served.frozen + ["--api", "shop"], in: try Folder(Self.files))
        let gate = #"{"name":"g","match":{"api":"shop"},"phase":"before"}"#
        try expectEqual(served.control("POST", "/gates", gate).status, 201)
        func newest() throws -> JSON? { try served.control("GET", "/requests?api=shop&view=line").json["items"]?[0] }
        for path in ["/v1/health", "/v1/nothing"] {
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("GET", "/shop\(path)"))
            try Deadline().wait(for: "the gate") { try newest()?["path"]?.stringValue?.hasSuffix(path) == true }
            let isKnown = path == "/v1/health"
            try expectEqual(newest()?["route"]?.stringValue, isKnown ? path : nil)
            try expectEqual(served.control("GET", "/unmatched").json["items"]?.arrayValue?.count, isKnown ? 0 : 1)
            _ = try served.control("POST", "/gates/g/release")
            try expectEqual(wire.answer().status, isKnown ? 200 : 404)
            try expectEqual(newest()?["route"]?.stringValue, isKnown ? path : nil)
            let coverage = try served.control("GET", "/coverage?api=shop").json
            expectEqual(coverage["unmatched"], isKnown ? 0 : 1)
        }
        // The stub is gone when the gate lets it go.
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/shop/v1/health"))
        try Deadline().wait(for: "the gate") { try newest()?["outcome"] == "held" }
        for stub in try served.control("GET", "/stubs").json["items"]?.arrayValue ?? [] {
            _ = try served.control("DELETE", "/stubs/\(stub["id"]?.stringValue ?? "")")
        }
        _ = try served.control("POST", "/gates/g/release")
        try expectEqual(wire.answer().status, 404)
        try expectNil(newest()?["route"]?.stringValue)
    }

    @Test func `8 HEAD where only GET is known counts as unmatched, and for no operation`() throws {
        let served = try Served()
        try expectEqual(Wire(port: served.hub).ask("HEAD", "/trendy/health").status, 404)
        let coverage = try served.control("GET", "/coverage?api=trendy").json
        let health = coverage["items"]?.arrayValue?.first { $0["route"] == "/health" }
        #expect(health?["count"] == 0 && coverage["unmatched"] == 1)
        try expectEqual(served.control("GET", "/unmatched?api=trendy").json["items"]?.arrayValue?.count, 1)
    }
}
