import Foundation
import JSON
import TestSupport
import Testing

/// Mappings of WireMock, imported by one process and served by another (own-API contract, section 20).
@Suite struct WireMockServeTests {
    private final class Imported {
        let served: Served
        let printed: String
        private let port: Int

        init(_ files: [String: String]) throws {
            let folder = try Folder(
                Dictionary(uniqueKeysWithValues: files.map { ("wm/\($0.key)", $0.value) })
            )
            let made = try Program.run(["new", "shop", "--wiremock", "wm"], in: folder)
            expectEqual(made.status, 0, "\(made.errors)")
            printed = made.output
            let checked = try Program.run(["validate", "apis/shop", "--strict"], in: folder)
            expectEqual(checked.status, 0, "\(checked.output)\(checked.errors)")
            served = try Served(Served.frozen + ["--api", "shop"], in: folder)
            let text = served.ready["apis"]?["shop"]?.stringValue ?? ""
            port = text.split(separator: ":").last.flatMap { Int($0) } ?? 0
        }

        /// The text of an answer.
        func ask(_ method: String, _ target: String, _ body: String = "") throws -> String {
            try Wire(port: port).ask(method, target, body: Array(body.utf8)).text
        }
    }

    private static func mapping(_ request: String, _ answer: String, _ more: String = "") -> String {
        #"{"request":\#(request),"response":{"status":200,"body":"\#(answer)"}\#(more)}"#
    }

    private static func list(_ mappings: [String]) -> String { "{\"mappings\":[\(mappings.joined(separator: ",\n"))]}" }

    @Test func `20 of equal priority the mapping that is read last answers, within a file and across files`() throws {
        let imported = try Imported([
            "mappings/a.json": Self.list([
                Self.mapping(#"{"urlPath":"/kept"}"#, "first", #","priority":4"#),
                Self.mapping(#"{"method":"ANY","urlPattern":".*"}"#, "any"),
                Self.mapping(#"{"method":"GET","url":"/users/7"}"#, "one"),
                Self.mapping(
                    #"{"method":"GET","urlPath":"/users/7","queryParameters":{"all":{"equalTo":"1"}}}"#,
                    "all"
                ),
            ]),
            "mappings/b/x.json": Self.mapping(#"{"urlPathPattern":"/b/[^/]+"}"#, "b, last by name"),
            "mappings/b.json": Self.mapping(#"{"urlPathPattern":"/b/.*"}"#, "b, first by name"),
            "mappings/c.json": Self.list([
                Self.mapping(#"{"urlPath":"/kept"}"#, "late"), Self.mapping(#"{"urlPath":"/same"}"#, "same 1"),
                Self.mapping(#"{"urlPath":"/same"}"#, "same 2"),
            ]),
        ])
        #expect(!imported.printed.contains("left out"), "\(imported.printed)")
        for (target, answer) in [
            ("/users/7", "one"), ("/users/7?all=1", "all"), ("/users/7?all=2", "any"), ("/users/7?x", "any"),
            ("/users/8", "any"), ("/kept", "first"), ("/same", "same 2"), ("/b/1", "b, first by name"),
        ] {
            try expectEqual(imported.ask("GET", target), answer, target)
        }
    }

    @Test func `20 scenarios go on as their mappings say, the latest of a state first`() throws {
        func step(_ required: String?, _ next: String?, _ answer: String) -> String {
            let state = [
                required.map { #","requiredScenarioState":"\#($0)""# }, next.map { #","newScenarioState":"\#($0)""# },
            ]
            return Self.mapping(
                #"{"urlPath":"/s"}"#,
                answer,
                #","scenarioName":"order""# + state.compactMap { $0 }.joined()
            )
        }
        let imported = try Imported([
            "mappings/a.json": Self.list([
                step("Started", "paid", "new"), step("paid", "sent", "older"), step("paid", "sent", "paid"),
                step("sent", nil, "sent"),
            ])
        ])
        for answer in ["new", "paid", "sent", "sent"] { try expectEqual(imported.ask("GET", "/s"), answer) }
    }

    @Test func `20 a body is compared as its pattern says`() throws {
        func body(_ pattern: String) -> String { #"{"method":"POST","urlPath":"/b","bodyPatterns":[\#(pattern)]}"# }
        let imported = try Imported([
            "mappings/a.json": Self.list([
                Self.mapping(body(#"{"equalToJson":{"sku":"A","gift":true}}"#), "gift"),
                Self.mapping(body(#"{"equalToJson":"{'sku':'A'}"}"#), "plain"),
                Self.mapping(body(#"{"equalToJson":{"ids":[1,2,3]},"ignoreArrayOrder":true}"#), "ids"),
                Self.mapping(body(#"{"matchesJsonPath":"$[?(@.event == 'PAID')]"}"#), "paid"),
                Self.mapping(body(#"{"matchesJsonPath":"$.items[?(@.sku == 'B' && @.count == 2)]"}"#), "two"),
            ])
        ])
        for (sent, answer) in [
            (#"{"sku":"A"}"#, "plain"), (#"{ "gift": true, "sku": "A" }"#, "gift"), (#"{"ids":[3,1,2]}"#, "ids"),
            (#"{"event":"PAID","at":1}"#, "paid"), (#"{"items":[{"sku":"A"},{"count":2.0,"sku":"B"}]}"#, "two"),
        ] {
            try expectEqual(imported.ask("POST", "/b", sent), answer, sent)
        }
        for sent in [
            #"{"sku":"A","more":1}"#, #"{"gift":true,"sku":"A","x":{}}"#, #"{"ids":[1,2]}"#, #"{"ids":[1,2,3,3]}"#,
            #"{"event":"SENT"}"#, #"{"items":[{"sku":"B","count":3}]}"#,
        ] {
            #expect(try imported.ask("POST", "/b", sent).contains("not_found"), "\(sent)")
        }
    }

    @Test func `20 parameters of a path, values in lists, files and times`() throws {
        let template = #""transformers":["response-template"]"#
        let imported = try Imported([
            "mappings/a.json": #"""
            // WireMock reads comments
            {'mappings': [
              {"request": {"urlPathTemplate": "/u/{id}/{part}", "pathParameters": {"id": {"equalTo": "a b"}}},
               "response": {"body": "{{request.path.id}}, {{request.path.part}}", \#(template)}},
              {"request": {"urlPathTemplate": "/n/{id}", "pathParameters": {"id": {"matches": "[0-9]{2}"}}}, "response": {"body": "two"}},
              {"request": {"urlPath": "/q", "queryParameters": {"t": {"includes": [{"equalTo": "x"}]}}}, "response": {"body": "x"}},
              {"request": {"urlPath": "/f"}, "response": {"bodyFileName": "/sub/e.txt"}},
              {"request": {"urlPath": "/d"}, "response": {"jsonBody": {"d": "{{now format='yyyy-MM-dd'}}", "s": "{{now format='unix'}}"}, \#(template)}},
              {"request": {"urlPath": "/t"}, "response": {"jsonBody": {"d": "{{request.query.d}}"}}}
            ]}
            """#,
            "mappings/broken.json": "{", "mappings/notes.txt": "x", "__files/sub/e.txt": "a file",
        ])
        for (target, answer) in [
            ("/u/a%20b/c", "a b, c"), ("/n/42", "two"), ("/q?t=y&t=x", "x"), ("/f", "a file"),
            ("/d", #"{"d":"2025-01-01","s":"1735732800"}"#), ("/t?d=1", #"{"d":"{{request.query.d}}"}"#),
        ] {
            try expectEqual(imported.ask("GET", target), answer, target)
        }
        for target in ["/u/b/c", "/n/4", "/q?t=y"] { #expect(try imported.ask("GET", target).contains("not_found")) }
        let lines = imported.printed.split(separator: "\n").filter { $0.hasPrefix("  ") }
        expectEqual(lines.map { String($0.prefix { $0 != " " || $0 == "$" }) }.count, 3, imported.printed)
        for line in [
            "  wm/mappings/broken.json:1: $: is not JSON",
            "  wm/mappings/a.json:9: $.mappings[5].response.jsonBody: has braces",
            "  wm/mappings/notes.txt:1: $: is not a mapping file; left out",
        ] {
            #expect(lines.contains { $0.hasPrefix(line) }, "\(imported.printed)")
        }
    }

    @Test func `20 a slash at the end of a path counts as in WireMock, wherever a mapping has one`() throws {
        let template = #""transformers":["response-template"]"#
        let imported = try Imported([
            "mappings/a.json": #"""
            {"$schema": "https://example.com/schema.json", "mappings": [
              {"$schema": "x", "request": {"urlPath": "/items"}, "response": {"body": "plain"}},
              {"request": {"urlPath": "/items/"}, "response": {"body": "slash"}, "priority": "4"},
              {"request": {"url": "/only/?a=1"}, "response": {"body": "only"}},
              {"request": {"urlPathTemplate": "/u/{id}/"}, "response": {"body": "all"}},
              {"request": {"urlPath": "/u/5"}, "response": {"body": "five"}},
              {"request": {"urlPathTemplate": "/v/{id}"}, "response": {"body": "v"}},
              {"request": {"urlPathTemplate": "/w/{id}/"}, "response": {"body": "{{request.path.id}}", \#(template)}}
            ]}
            """#
        ])
        for (target, answer) in [
            ("/items", "plain"), ("/items/", "slash"), ("/only/?a=1", "only"), ("/u/5", "five"), ("/u/5/", "all"),
            ("/u/6/", "all"), ("/v/5", "v"), ("/w/7/", "7"),
        ] {
            try expectEqual(imported.ask("GET", target), answer, target)
        }
        for target in ["/only?a=1", "/u/6", "/v/5/", "/w/7"] {
            #expect(try imported.ask("GET", target).contains("not_found"), "\(target)")
        }
        let lines = imported.printed.split(separator: "\n").filter { $0.hasPrefix("  ") }
        expectEqual(lines, [])
    }

    @Test func `20 a mapping beyond a limit, or a file that can't be read, is left out alone`() throws {
        func text(_ count: Int, of piece: String) -> String { String(repeating: piece, count: count) }
        let deep = text(300, of: "[") + text(300, of: "]")
        let imported = try Imported([
            "mappings/a.json": Self.list([
                Self.mapping(#"{"urlPath":"/first"}"#, "first"),
                #"{"request":{"urlPath":"/deep"},"response":{"jsonBody":\#(deep)}}"#,
                Self.mapping(#"{"urlPath":"/large"}"#, text(9 << 20, of: "x")),
                Self.mapping(#"{"urlPath":"/name"}"#, "name", #","name":"\#(text(1_001, of: "n"))""#),
                Self.mapping(#"{"urlPathPattern":"/\#(text(1_000, of: "a"))"}"#, "pattern"),
                Self.mapping(#"{"urlPath":"/last"}"#, "last"),
            ]),
            "mappings/b.json": text(2_000, of: "["), "mappings/c.json": "",
            "mappings/d.json": #"[{"request":{"urlPath":"/d"}}, 7]"#,
            "mappings/e.json": Self.mapping(#"{"urlPath":"/e"}"#, "e") + " {",
        ])
        for name in ["first", "last", "e"] { try expectEqual(imported.ask("GET", "/\(name)"), name) }
        for place in [
            "a.json:2: $.mappings[1].response.jsonBody", "a.json:3: $.mappings[2].response.body",
            "a.json:4: $.mappings[3].name",
            "a.json:5: $.mappings[4].request.urlPathPattern", "b.json:1: $", "c.json:1: $", "d.json:1: $[1]",
            "e.json:1: $",
        ] {
            #expect(imported.printed.contains("  wm/mappings/\(place): "), "\(place)")
        }
        #expect(imported.printed.contains("disabled with \"enabled\":false: 4 of 8 stubs"))
    }
}
