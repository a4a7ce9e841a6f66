import JSON
import OpenAPI
import TestSupport
import Testing
import YAML

/// YAML as custom APIs write it (own-API contract, sections 16 and 22).
@Suite struct YAMLReaderTests {
    private func read(_ text: String, _ limits: YAMLReader.Limits = YAMLReader.Limits()) throws -> JSON {
        try YAMLReader.read(Array(text.utf8), limits: limits).0
    }

    private func failure(_ text: String, _ limits: YAMLReader.Limits = YAMLReader.Limits()) -> String {
        do {
            return "read as \(try read(text, limits).text)"
        } catch let error as YAMLError {
            return "\(error.line):\(error.column) \(error.message)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("no", #""no""#), ("on", #""on""#), ("Yes", #""Yes""#), ("012", "12"), ("0o14", "12"), ("0x1F", "31"),
        ("0o19", #""0o19""#), ("true", "true"), ("True", "true"), ("FALSE", "false"), ("tRue", #""tRue""#),
        ("~", "null"),
        ("", "null"), ("null", "null"), ("nULL", #""nULL""#), ("1.0", "1.0"), ("-0", "0"), ("+12", "12"),
        ("1_000", #""1_000""#), (".5", "0.5"), ("5.", "5.0"), ("1e3", "1e3"), ("-1.5E+2", "-1.5e+2"), ("1e", #""1e""#),
        ("2024-01-01", #""2024-01-01""#), ("12:30:45", #""12:30:45""#), ("1.2.3", #""1.2.3""#),
        ("'12'", #""12""#), (#""true""#, #""true""#), (#""\x41\u00e9\0""#, #""Aé\u0000""#), ("--1", #""--1""#),
        ("12345678901234567890", "12345678901234567890"), ("00012345678901234567890", "12345678901234567890"),
        ("!!str 12", #""12""#), ("!!int '7'", "7"), ("! 12", #""12""#), ("!!float 1", "1"), ("!!null ''", "null"),
        ("-.nan", #""-.nan""#), ("=", #""=""#),
    ])
    func `16 plain scalars follow the core schema`(text: String, expected: String) throws {
        try expectEqual(read("a: \(text)\n")["a"]?.text, expected)
        try expectEqual(read("[\(text.isEmpty ? "~" : text)]")[0]?.text, expected)
    }

    @Test func `16 collections, keys and block texts become JSON in order`() throws {
        let text = """
            200: ok
            true: 1
            ~: 2
            "quoted key": >
              folded
              text
            literal: |
              two
              lines
            list:
            - a
            - [1, {b: c}]
            """
        let expected =
            #"{"200":"ok","true":1,"~":2,"quoted key":"folded text\n","literal":"two\nlines\n","list":["a",[1,{"b":"c"}]]}"#
        try expectEqual(read(text).text, expected)
        // JSON is YAML as well.
        let json = #"{"a":[1,2.50,"\u00e9\n",{"b":null}],"c":{"d":true}}"#
        try expectEqual(read(json).text, #"{"a":[1,2.50,"é\n",{"b":null}],"c":{"d":true}}"#)
        try expectEqual(read("\u{FEFF}a: 1").text, #"{"a":1}"#)
        try expectEqual(read("%YAML 1.2\n---\na: 1\n...\n").text, #"{"a":1}"#)
    }

    @Test func `16 merges take what a mapping does not say itself, the first source before the next`() throws {
        let text = """
            base: &base {a: 1, b: 2}
            more: &more {b: 3, c: 4}
            one: {<<: *base, b: 9, d: 5}
            two:
              x: 0
              <<: [*more, *base]
            quoted: {"<<": 1}
            """
        let value = try read(text)
        expectEqual(value["one"]?.text, #"{"a":1,"b":9,"d":5}"#)
        expectEqual(value["two"]?.text, #"{"x":0,"b":3,"c":4,"a":1}"#)
        expectEqual(value["quoted"]?.text, #"{"<<":1}"#)
        expectEqual(failure("a: {<<: 5}"), "1:9 only mappings can be merged")
        expectEqual(failure("a: {<<: [5]}"), "1:9 only mappings can be merged")
        expectEqual(failure("a: &a {}\nb:\n  <<: *a\n  <<: *a"), "4:3 the mapping already has a merge")
    }

    @Test func `16 aliases stand for their values, also as keys`() throws {
        try expectEqual(read("- &a [1, &b x]\n- *a\n- {*b : 1}\n- &a 2\n- *a").text, #"[[1,"x"],[1,"x"],{"x":1},2,2]"#)
        try expectEqual(read("&k key: *k").text, #"{"key":"key"}"#)
        expectEqual(failure("a: *b"), "1:4 the alias *b is not defined")
        expectEqual(failure("a: &a [1, *a]"), "1:11 the alias *a refers to itself")
        expectEqual(failure("&a {b: {c: *a}}"), "1:12 the alias *a refers to itself")
        expectEqual(failure("- &a [1]\n- {*a : 1}"), "2:4 a key is a scalar; *a is not")
    }

    @Test(arguments: [
        ("a: 1\nb: 2\na: 3", "3:1 the mapping already has the key \"a\""),
        ("a:\n  1: x\n  '1': y", "3:3 the mapping already has the key \"1\""),
        ("a: 1\n---\nb: 2", "2:1 a second document begins here"),
        ("a: !!binary aGk=", "1:4 the tag !!binary is not one of YAML's core schema"),
        ("a: !mine x", "1:4 the tag !mine is not one of YAML's core schema"),
        ("a: !!set {x}", "1:4 the tag !!set is not one of YAML's core schema"),
        ("a: !!map [1]", "1:4 the tag !!map does not fit a sequence"),
        ("a: !!int x", "1:4 \"x\" is not a value of the tag !!int"),
        ("a: .inf", "1:4 JSON has no infinite number"), ("a: .nan", "1:4 JSON has no value for .nan"),
        ("a: 0xFFFFFFFFFFFFFFFFFF", "1:4 the number 0xFFFFFFFFFFFFFFFFFF is too large"),
        ("? [1]\n: 2", "1:3 a key is a scalar; this is a mapping or a sequence"),
        ("", "1:1 there is no document"), ("# nothing\n", "1:1 there is no document"),
        ("a: [1", "2:1 while parsing a flow sequence: did not find expected ',' or ']'"),
        ("a:\n\tb: 1", "2:1 while scanning for the next token: found character that cannot start any token"),
        ("a: b: c", "1:5 mapping values are not allowed in this context"),
    ])
    func `16 what is not read is an error with its line`(text: String, expected: String) {
        expectEqual(failure(text), expected)
    }

    @Test func `16 bytes that are not UTF-8 are an error with their line`() {
        #expect(throws: YAMLError.self) { try YAMLReader.read([0x61, 0x3A, 0x20, 0xFF, 0xFE]) }
        do {
            _ = try YAMLReader.read(Array("a: 1\nb: ".utf8) + [0xC3, 0x28])
            Issue.record("read")
        } catch {
            expectEqual(error.line, 2)
        }
    }

    @Test func `22 bytes, depth and values have limits`() throws {
        try expectEqual(read("a: 1", YAMLReader.Limits(bytes: 4)).text, #"{"a":1}"#)
        expectEqual(failure("a: 1", YAMLReader.Limits(bytes: 3)), "1:1 more than 3 bytes")
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        try expectEqual(read(nested(128)).text, nested(128))
        expectEqual(failure(nested(129)), "1:129 more than 128 mappings and sequences inside one another")
        // An alias brings its own depth along.
        let limits = YAMLReader.Limits(depth: 3)
        try expectEqual(read("[&a [1], [*a]]", limits).text, "[[1],[[1]]]")
        expectEqual(failure("[&a [1], [[*a]]]", limits), "1:12 more than 3 mappings and sequences inside one another")
        try expectEqual(read("[&a [1, 2], *a]", YAMLReader.Limits(nodes: 7)).text, "[[1,2],[1,2]]")
        expectEqual(
            failure("[&a [1, 2], *a]", YAMLReader.Limits(nodes: 6)),
            "1:13 more than 6 values, aliases written out"
        )
    }

    @Test func `22 an alias bomb is refused before it is unfolded`() {
        var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<10 {
            let names = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            bomb += "a\(level): &a\(level) [\(names)]\n"
        }
        let found = failure(bomb)
        #expect(found.hasSuffix("more than 500000 values, aliases written out"), "\(found)")
        var merges = "m0: &m0 {k0: v}\n"
        for level in 1..<40 { merges += "m\(level): &m\(level) {<<: [*m\(level - 1), *m\(level - 1)], k\(level): v}\n" }
        let merged = failure(merges)
        #expect(merged.hasSuffix("values, aliases written out"), "\(merged)")
    }

    @Test func `2 a path leads to its line`() throws {
        let text = """
            openapi: 3.0.3
            paths:
              /a:
                get: {summary: x,
                      tags: [p, q]}
            base: &base
              deep: 1
            copy:
              <<: *base
              own: |
                text
            """
        let (_, positions) = try YAMLReader.read(Array(text.utf8))
        func line(_ path: [JSONPathElement]) -> Int? { positions.line(at: path)?.line }
        expectEqual(line([]), 1)
        expectEqual(line(["openapi"]), 1)
        expectEqual(line(["paths"]), 2)
        expectEqual(line(["paths", "/a"]), 3)
        expectEqual(line(["paths", "/a", "get", "tags", 1]), 5)
        expectEqual(line(["copy", "deep"]), 7)
        expectEqual(line(["copy", "own"]), 10)
        expectNil(line(["copy", "none"]))
        expectEqual(positions.closestLine(to: ["paths", "/a", "put", "x"]).line, 3)
        expectEqual(positions.closestLines(to: [["copy", "none"], ["paths"]]).map(\.line), [8, 2])
    }
}
