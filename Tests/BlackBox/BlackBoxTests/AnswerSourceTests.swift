import Foundation
import JSON
import TestSupport
import Testing

/// The answerer of a request, where people look: `log`, `requests show`, the access log and the control API (own-API contract,
/// section 4; clients contract, sections 1 and 3).
@Suite(.serialized) struct AnswerSourceTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Bikes, version: "1"}
        paths:
          /bikes:
            get:
              operationId: listBikes
              parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
              responses:
                "200": {description: x, content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}}}}
        """

    private func folder() throws -> Folder {
        try Folder([
            "apis/shop/api.json": "{}", "apis/shop/openapi.yaml": Self.document,
            "apis/shop/stubs/a.json": """
            [{"match":{"path":"/bikes","query":{"page":"2"}},"response":{"body":{"n":"no"}}}]
            """,
            "apis/shop/recordings/a.har": CustomAPIRecordingTests.archive([("GET", "/old", "", #"{"n":1}"#)]),
        ])
    }

    private func ask(_ served: Served, _ target: String) throws -> WireAnswer {
        try Wire(port: served.hub).ask("GET", "/shop" + target)
    }

    private func words(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test func `4 log and requests show say what answered, what nearly did, and what breaks the document`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--api", "shop"], log: [], in: folder)
        for target in ["/bikes?limit=500", "/bikes?page=2", "/old", "/nowhere"] { _ = try ask(served, target) }
        let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
        func run(_ arguments: [String]) throws -> Program.Result { try Program.run(arguments, environment: variables) }
        let marks = [
            #"1 violation sample 200 of listBikes not stub stb_1 (file:stubs/a.json): query.page: expected "2", found none"#,
            "1 violation stub stb_1 (file:stubs/a.json)", "entry 0 of a.har",
        ]
        func lines(_ text: String) -> [String] { words(text).filter { $0.contains("shop GET") } }
        // A thread of its own writes the access log.
        try Deadline().wait(for: "the access log") { try lines(served.child.errors()).count == 4 }
        for text in [try run(["log"]).output, try served.child.errors()] {
            let lines = lines(text)
            expectEqual(lines.count, 4, text)
            for (line, mark) in zip(lines, marks) { #expect(line.hasSuffix(" \(mark)"), "\(line)") }
            expectEqual(lines.last?.contains("unmatched"), true, "\(lines)")
        }
        try expectEqual(words(run(["log", "is:violating"]).output).count, 2)
        try expectEqual(words(run(["log", "-is:violating,unmatched"]).output).count, 1)
        try expectEqual(words(run(["log", "method:GET,POST", "status:400+"]).output).count, 1)
        let refused = try run(["log", "is:violated"])
        #expect(refused.status == 2 && refused.errors.contains("is takes one of unmatched, replay, held, violating"))
        let shown = words(try run(["requests", "show", "req_1"]).output)
        #expect(shown.contains("answered by sample 200 of listBikes"), "\(shown)")
        #expect(shown.contains { $0.hasPrefix("nearest stub stb_1") }, "\(shown)")
        #expect(shown.contains { $0.hasPrefix("violations") && $0.contains("?limit") }, "\(shown)")
        let lines = try served.control("GET", "/requests?view=line").json["items"]?.arrayValue ?? []
        expectEqual(lines.map { $0["violations"] }, [nil, nil, 1, 1])
        expectEqual(lines.map { $0["answeredBy"] != nil }, [false, true, true, true])
        let fields = try served.control("GET", "/requests?fields=answeredBy,source,violations&limit=1&path=/bikes").json
        expectEqual(fields["items"]?[0]?["source"], "stub")
        expectEqual(fields["items"]?[0]?["violations"]?.arrayValue?.count, 1)
    }

    @Test func `1 an endpoint of a built-in API is told by its route`() throws {
        let served = try Served()
        _ = try served.chat("GET", "/conversations")
        let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
        let shown = words(try Program.run(["requests", "show", "req_1"], environment: variables).output)
        #expect(shown.contains("answered by endpoint GET /api/v1/conversations"), "\(shown)")
        let item = try served.control("GET", "/requests?view=line").json["items"]?[0]
        #expect(item?["answeredBy"] == nil && item?["violations"] == nil && item?["nearestStub"] == nil)
    }

    @Test func `8 a drift leaves problem documents of ours alone, and changes those of a backend`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let order = #"{"api":"shop","mode":"replay","recording":"a.har"}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        _ = try served.control("POST", "/faults", #"{"effect":{"drift":{"add":{"path":"extra","value":1}}}}"#)
        let missed = try ask(served, "/none")
        expectEqual(missed.json["type"], "/__admin/problems/no-recording", missed.text)
        expectNil(missed.json["extra"])
        try expectEqual(ask(served, "/old").json["extra"], 1)
        let decisions = try served.control("GET", "/requests?path=/none").json["items"]?[0]?["decisions"]
        expectEqual(decisions?[0]?["reason"], "problem document")
        let own =
            #"{"match":{"path":"/own"},"response":{"headers":{"Content-Type":"application/problem+json"},"text":"{\"type\":\"/p\"}"}}"#
        try expectEqual(served.control("POST", "/stubs?api=shop", own).status, 201)
        try expectEqual(ask(served, "/own").json["extra"], 1)
    }
}
