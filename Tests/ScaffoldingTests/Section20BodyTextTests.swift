import JSON
import TestSupport
import Testing

/// Several body patterns as one condition on the text, which may be looser than all of them, and never tighter (own-API
/// contract, section 20).
@Suite struct Section20BodyTextTests {
    private static func imported(_ patterns: String) throws -> (stub: JSON, listed: [String]) {
        let imported = try Imported(mapping(request: #"{"bodyPatterns":\#(patterns)}"#))
        expectEqual(imported.mistakes, [])
        return (try imported.stubs[0], imported.omissions)
    }

    @Test(arguments: [
        (#"[{"matchesJsonPath":"$.a.b"},{"matchesJsonPath":"$.a.c"}]"#, #"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1}}"#),
        (#"[{"matchesJsonPath":"$.a"},{"matchesJsonPath":"$.a.b"}]"#, #"{"a":{"b":1}}"#, #"{"a":1}"#),
        (
            #"[{"matchesJsonPath":{"expression":"$.o.x","equalTo":"1"}},{"matchesJsonPath":{"expression":"$.o.y","equalTo":"2"}}]"#,
            #"{"o":{"y":2,"x":1}}"#, #"{"o":{"y":1,"x":2}}"#
        ),
        (#"[{"matchesJsonPath":"$.status"},{"contains":"status"}]"#, #"{"status":1}"#, #"{"b":"status"}"#),
        (#"[{"matchesJsonPath":"$.id"},{"contains":"\"status\":\"ok\""}]"#, #"{"status":"ok","id":1}"#, #"{"id":1}"#),
        (#"[{"matchesJsonPath":"$.id"},{"contains":"\"id\": 5"}]"#, #"{"id": 5}"#, #"{"id":5}"#),
        (#"[{"contains":"foo"},{"contains":"foobar"}]"#, "a foobar", "foo bar"),
        (#"[{"contains":"foo"},{"contains":"foo"}]"#, "foo", "fo"),
        (#"[{"contains":""},{"contains":"foo"}]"#, "foo", ""),
        (#"[{"contains":"oof"},{"contains":"foo"}]"#, "foof", "foo"),
        (#"[{"contains":"abab"},{"contains":"baba"},{"contains":"c"}]"#, "ababac", "ababa"),
        (
            #"[{"matchesJsonPath":{"expression":"$.n","equalTo":"5"}},{"contains":"5"}]"#,
            #"{"n":5}"#, #"{"n":6,"m":5}"#
        ),
        (
            #"[{"matchesJsonPath":{"expression":"$.n","equalTo":"5"}},{"matchesJsonPath":"$.n"}]"#,
            #"{"n":"5"}"#, #"{"n":6}"#
        ),
        (
            #"[{"matchesJsonPath":"$.a.id"},{"matchesJsonPath":"$.b.id"}]"#, #"{"a":{"id":1},"b":{"id":2}}"#,
            #"{"id":1}"#
        ),
    ])
    func `20 conditions on the same part of a body are merged`(_ patterns: String, _ body: String, _ other: String)
        throws
    {
        let (stub, listed) = try Self.imported(patterns)
        expectNil(stub["enabled"])
        #expect(listed.allSatisfy { $0.contains("is looser here") })
        #expect(try stub.takes(body: body), "\(stub.text)")
        #expect(try !stub.takes(body: other), "\(stub.text)")
    }

    @Test(arguments: [
        #"[{"matchesJsonPath":"$.a"},{"contains":": 1"}]"#,
        #"[{"matchesJsonPath":"$.a"},{"contains":"{\""}]"#,
        #"[{"matchesJsonPath":"$.a"},{"contains":"1,\"a"}]"#,
        #"[{"matchesJsonPath":"$.a"},{"contains":" "}]"#,
        #"[{"matchesJsonPath":"$.é"},{"contains":"u00e9"}]"#,
        #"[{"matchesJsonPath":{"expression":"$.n","equalTo":"5"}},{"contains":"}"}]"#,
        #"[{"matchesJsonPath":{"expression":"$.n","equalTo":"1e5"}},{"contains":"100"}]"#,
    ])
    func `20 conditions that may lie upon one another are listed`(_ patterns: String) throws {
        let (stub, listed) = try Self.imported(patterns)
        expectEqual(stub["enabled"], false)
        expectEqual(
            listed.last,
            "wm/mappings/a.json:1: $.request.bodyPatterns: may overlap, which one condition "
                + "on the text can't express"
        )
    }

    @Test func `6 conditions are joined up to the length of a regular expression`() throws {
        func patterns(_ count: Int) -> String {
            // [\s\S]*(?:a…a[\s\S]*b|b[\s\S]*a…a)[\s\S]*
            #"[{"contains":"\#(String(repeating: "a", count: count))"},{"contains":"b"}]"#
        }
        let most = (1_000 - 35) / 2
        try expectNil(Self.imported(patterns(most)).stub["enabled"])
        let (stub, listed) = try Self.imported(patterns(most + 1))
        expectEqual(stub["enabled"], false)
        expectEqual(listed, ["wm/mappings/a.json:1: $.request.bodyPatterns: are too many for one regular expression"])
        // Of texts that another one holds only so many bytes are compared.
        func nested(_ count: Int) -> String {
            let text = String(repeating: "a", count: count)
            return #"[{"contains":"\#(text)"},{"contains":"a"}]"#
        }
        try expectNil(Self.imported(nested(16 * 1_024 - 1)).stub["enabled"])
        try expectEqual(Self.imported(nested(16 * 1_024)).stub["enabled"], false)
        func letters(_ count: Int) -> String {
            "[\("abcdefgh".prefix(count).map { "{\"contains\":\"\($0)\"}" }.joined(separator: ","))]"
        }
        try expectNil(Self.imported(letters(4)).stub["enabled"])
        try expectEqual(Self.imported(letters(5)).stub["enabled"], false)
    }

    @Test(
        arguments: [
            ("$.a/b", nil, [#"{"a/b":1}"#, #"{"a\/b":1}"#, #"{"a\u002fb":1}"#]),
            ("$.é", nil, [#"{"é":1}"#, #"{"\u00E9":1}"#, #"{"\u00e9":1}"#]),
            ("$.😀", nil, [#"{"😀":1}"#, #"{"\ud83d\uDE00":1}"#]),
            ("$.ab", nil, [#"{"ab":1}"#, #"{"\u0061b":1}"#]),
            ("$.n", "0", [#"{"n":0}"#, #"{"n":-0}"#, #"{"n":"0"}"#]),
            ("$.n", "5.0", [#"{"n":5.0}"#, #"{"n":50e-1}"#, #"{"n":"5.0"}"#]),
            ("$.n", "-5", [#"{"n":-5}"#, #"{"n":"\u002D5"}"#]),
            ("$.n", "true", [#"{"n" : true }"#, #"{"n":"true"}"#]),
        ] as [(String, String?, [String])]
    )
    func `20 a member is found however JSON spells it`(_ path: String, _ value: String?, _ bodies: [String]) throws {
        let matcher = value.map { #"{"expression":"\#(path)","equalTo":"\#($0)"}"# } ?? "\"\(path)\""
        let (stub, _) = try Self.imported(#"[{"matchesJsonPath":\#(matcher)}]"#)
        expectNil(stub["enabled"])
        for body in bodies { #expect(try stub.takes(body: body), "\(stub.text) \(body)") }
        #expect(try !stub.takes(body: #"{"other":1}"#))
    }

    // MARK: Property

    private static let samples = 500

    /// A body with the parts of it that patterns may ask for.
    private struct Sample {
        var random: SeededGenerator
        private(set) var text = ""
        private var members: [(path: String, value: String?)] = []
        private static let names = ["a", "b", "ab", "n", "é", "a/b", "a b"]
        private static let scalars = ["5", "0", "-0", "55", "5.0", "true", "null", "\"5\"", "\"a\"", "\"ab\""]

        init(_ random: SeededGenerator) {
            self.random = random
            text = object("$", depth: 0)
        }

        private mutating func blank() -> String { random.below(3) == 0 ? [" ", "\n", "  "][random.below(3)] : "" }

        private mutating func spelled(_ name: String) -> String {
            name.unicodeScalars.map { scalar in
                guard random.below(8) == 0 else { return scalar == "/" && random.below(2) == 0 ? "\\/" : "\(scalar)" }
                let digits = String(scalar.value, radix: 16, uppercase: random.below(2) == 0)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
        }

        private mutating func object(_ path: String, depth: Int) -> String {
            var names = Self.names.shuffled(using: &random)
            names.removeLast(random.below(names.count))
            let pieces = names.map { name -> String in
                let inner = "\(path)['\(name)']"
                let start = blank() + "\"\(spelled(name))\"" + blank() + ":" + blank()
                guard depth == 2 || random.below(3) > 0 else {
                    members.append((inner, nil))
                    return start + object(inner, depth: depth + 1) + blank()
                }
                let scalar = Self.scalars[random.below(Self.scalars.count)]
                let isText = scalar.hasPrefix("\"")
                // The value as WireMock reads it.
                let value = isText ? String(scalar.dropFirst().dropLast()) : scalar == "-0" ? "0" : scalar
                members.append((inner, value))
                return start + (isText ? "\"\(spelled(value))\"" : scalar) + blank()
            }
            return "{\(pieces.joined(separator: ","))}"
        }

        /// A pattern that holds for the body.
        mutating func pattern() -> String {
            let member = members.randomElement(using: &random) ?? ("$", nil)
            switch random.below(4) {
            case 0 where !members.isEmpty: return #"{"matchesJsonPath":\#(JSON.string(member.path).text)}"#
            case 1 where member.value != nil:
                let (path, value) = (JSON.string(member.path).text, JSON.string(member.value ?? "").text)
                return #"{"matchesJsonPath":{"expression":\#(path),"equalTo":\#(value)}}"#
            default:
                let scalars = Array(text.unicodeScalars)
                let start = random.below(scalars.count)
                let end = min(scalars.count, start + random.below(5))
                let part = String(String.UnicodeScalarView(scalars[start..<end]))
                return #"{"contains":\#(JSON.string(part).text)}"#
            }
        }
    }

    @Test func `20 an enabled stub takes every body for which all patterns hold`() throws {
        var random = SeededGenerator.announced()
        var bodies: [String] = []
        var mappings: [String] = []
        for _ in 0..<Self.samples {
            var sample = Sample(SeededGenerator(seed: random.next()))
            let patterns = (0...random.below(3)).map { _ in sample.pattern() }.joined(separator: ",")
            bodies.append(sample.text)
            mappings.append(mapping(request: "{\"bodyPatterns\":[\(patterns)]}"))
        }
        let imported = try Imported(mappings.enumerated().map { ("\($0.offset).json", $0.element) })
        var enabled = 0
        for (place, stub) in try imported.stubs.reversed().enumerated() where stub["enabled"] == nil {
            enabled += 1
            #expect(
                try stub.takes(body: bodies[place]),
                "seed \(random.seed): \(mappings[place])\n\(bodies[place])\n\(stub.text)"
            )
        }
        // Those of one pattern, and many of several.
        #expect(enabled > Self.samples / 2, "\(enabled)")
    }
}
