import Foundation
import JSON
import TestSupport
import Testing

/// Schemas of custom APIs that ask for much, or say one thing in several places, in a process (own-API contract,
/// sections 16, 17 and 22).
@Suite struct CustomAPISchemaTests {
    private static func document(_ paths: [String: String], _ schemas: String = "{}") -> [String: String] {
        let items = paths.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return [
            "apis/shop/api.json": "{}",
            "apis/shop/openapi.json":
                #"{"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{\#(items)},"components":{"schemas":\#(schemas)}}"#,
        ]
    }

    private static func get(_ schema: String) -> String {
        #"{"get":{"responses":{"200":{"description":"d","content":{"application/json":{"schema":\#(schema)}}}}}}"#
    }

    private func ask(
        _ served: Served,
        _ method: String,
        _ target: String,
        _ body: String = ""
    ) throws -> WireAnswer {
        let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
        let port = try #require(text.split(separator: ":").last.flatMap { Int($0) })
        return try Wire(port: port).ask(method, target, body: Array(body.utf8))
    }

    @Test func `16 schemas that are alone in a combination may follow one another as often as they like`() throws {
        let words = ["allOf", "anyOf", "oneOf"]
        func one(_ name: String, _ word: String, _ other: String) -> String {
            ##""\##(name)":{"\##(word)":[{"$ref":"#/components/schemas/\##(other)"}]}"##
        }
        var schemas = (0..<500).map { one("S\($0)", words[$0 % 3], "S\($0 + 1)") }
        schemas.append(#""S500":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#)
        // One that stands for itself takes anything.
        schemas += (0..<40).map { one("C\($0)", "allOf", "C\(max(1, ($0 + 1) % 40))") }
        let body = { (name: String) in
            """
            {"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/\(name)"}}}},\
            "responses":{"204":{"description":"d"}}}}
            """
        }
        var files = Self.document(
            ["/a": Self.get(##"{"$ref":"#/components/schemas/S0"}"##), "/b": body("S0"), "/c": body("C0")],
            "{\(schemas.joined(separator: ","))}"
        )
        files["apis/shop/api.json"] = #"{"validation":"enforce"}"#
        let served = try Served(Served.frozen + ["--api", "shop"], in: try Folder(files))
        let sample = try ask(served, "GET", "/a")
        expectEqual(sample.status, 200, sample.text)
        expectEqual(sample.json["a"]?.intValue != nil, true)
        try expectEqual(ask(served, "POST", "/b", #"{"a":1}"#).status, 204)
        try expectEqual(ask(served, "POST", "/b", #"{"a":"x"}"#).status, 422)
        try expectEqual(ask(served, "POST", "/c", #"{"a":"x"}"#).status, 204)
    }

    private static let hostile = [
        #"{"type":"object","minProperties":4611686018427387904}"#,
        #"{"type":"object","minProperties":9223372036854775807,"propertyNames":{"pattern":"^[a-z]+$"}}"#,
        #"{"type":"array","contains":{"const":1},"minContains":9223372036854775807,"minItems":1}"#,
        #"{"type":"array","allOf":[{"contains":{"const":1},"minContains":5000000000},{"contains":{"const":2},"minContains":9223372036854775807}]}"#,
        #"{"type":"array","minItems":20001}"#, #"{"type":"string","format":"byte","minLength":9223372036854775807}"#,
        #"{"type":"array","minItems":19000,"items":{"type":"string","minLength":100000}}"#,
        #"{"allOf":[{"type":"object","minProperties":3},{"minProperties":9007199254740993}]}"#,
    ]

    @Test func `22 numbers that ask for too much are notes, and the process goes on`() throws {
        let paths = Dictionary(uniqueKeysWithValues: Self.hostile.enumerated().map { ("/p\($0)", Self.get($1)) })
        let folder = try Folder(Self.document(paths))
        let checked = try Program.run(["validate", "apis/shop"], in: folder)
        expectEqual(checked.status, 0)
        let notes = (checked.output + checked.errors).split(separator: "\n").filter {
            $0.contains("no sample fits this schema")
        }
        expectEqual(notes.count, Self.hostile.count)
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        for place in Self.hostile.indices {
            let answer = try ask(served, "GET", "/p\(place)")
            expectEqual(answer.status, 501)
            expectEqual(answer.json["error"]?["code"], "no_sample")
        }
        try expectEqual(served.control("GET", "/health").status, 200)
    }

    @Test func `16 what is read or written only is so whichever branch says it and whichever requires it`() throws {
        let user =
            #"{"User":{"type":"object","properties":{"id":{"type":"integer","readOnly":true},"name":{"type":"string"},"password":{"type":"string","writeOnly":true}}}}"#
        let schema = ##"{"allOf":[{"$ref":"#/components/schemas/User"}],"required":["id","password"]}"##
        let content = #""content":{"application/json":{"schema":\#(schema)}}"#
        let item = #"{"post":{"requestBody":{\#(content)},"responses":{"201":{"description":"made",\#(content)}}}}"#
        let folder = try Folder(Self.document(["/users": item], user))
        expectEqual(try Program.run(["validate", "--strict", "apis/shop"], in: folder).status, 0)
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let made = try ask(served, "POST", "/users", #"{"name":"n","password":"p"}"#)
        expectEqual(made.status, 201)
        #expect(made.json["id"] != nil && made.json["password"] == nil, "\(made.text)")
        let wrong = try ask(served, "POST", "/users", #"{"name":"n"}"#)
        expectEqual(wrong.status, 201)
        let entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        let violations = entries.map { $0["violations"]?[0]?["path"]?.stringValue ?? "none" }
        expectEqual(violations.sorted(), ["$.password", "none"])
    }

    @Test func `17 lists have their elements, whatever these take`() throws {
        let scope = (0..<40).map { #"{"const":"s\#($0)"}"# }.joined(separator: ",")
        let schemas =
            ##"{"Scope":{"type":"string","oneOf":[\##(scope)]},"Params":{"type":"object","required":["scopes"],"properties":{"scopes":{"type":"array","uniqueItems":true,"items":{"type":"string","enum":["s38","s39"],"allOf":[{"$ref":"#/components/schemas/Scope"}]}}}}}"##
        let names = (0..<12).map { "m\($0)" }
        let members = names.map { ##""\##($0)":{"$ref":"#/components/schemas/Params"}"## }.joined(separator: ",")
        let required = names.map { "\"\($0)\"" }.joined(separator: ",")
        let element =
            #"{"type":"object","required":["id",\#(required)],"properties":{"id":{"type":"integer"},\#(members)}}"#
        let folder = try Folder(
            Self.document(
                [
                    "/list": Self.get(#"{"type":"array","items":\#(element)}"#),
                    "/tree": Self.get(
                        ##"{"$ref":"#/components/schemas/Tree"}"##
                    ),
                ],
                String(schemas.dropLast())
                    + ##","Tree":{"required":["l","r"],"properties":{"l":{"anyOf":[{"$ref":"#/components/schemas/Tree"},{"type":"null"}]},"r":{"anyOf":[{"$ref":"#/components/schemas/Tree"},{"type":"null"}]}}}}"##
            )
        )
        expectEqual(try Program.run(["validate", "--strict", "apis/shop"], in: folder).status, 0)
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let list = try #require(try ask(served, "GET", "/list").json.arrayValue)
        expectEqual(list.count, 2)
        for element in list { for name in names { expectEqual(element[name]?["scopes"]?.arrayValue?.count, 2) } }
        let tree = try ask(served, "GET", "/tree")
        expectEqual(tree.status, 200)
        #expect(tree.json["l"]?["r"] != nil, "\(tree.text.prefix(100))")
        let entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        #expect(entries.count == 2 && entries.allSatisfy { $0["violations"] == nil })
    }

    @Test func `16 a short body that asks for much is checked`() throws {
        let schemas =
            ##"{"S":{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#/components/schemas/S"}},"required":["z"]},{"type":"object","properties":{"a":{"$ref":"#/components/schemas/S"}},"required":["y"]},{"type":"string"}]}}"##
        let item =
            ##"{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/S"}}}},"responses":{"204":{"description":"d"}}}}"##
        var files = Self.document(["/a": item], schemas)
        files["apis/shop/api.json"] = #"{"validation":"enforce"}"#
        let served = try Served(Served.frozen + ["--api", "shop"], in: try Folder(files))
        for depth in [15, 40, 60] {
            let body = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
            let answer = try ask(served, "POST", "/a", body)
            expectEqual(answer.status, 422)
            #expect(!answer.text.contains("too much work"), "\(answer.text)")
        }
    }
}
