import JSON
import OpenAPI
import TestSupport
import Testing

/// Hostile documents, and the limits (own-API contract, sections 22 and 23): an error with file and line, soon.
@Suite struct HostileTests {
    private func errors(_ text: String, name: String = "openapi.yaml", _ limits: DocumentLimits = DocumentLimits())
        throws -> [String]
    {
        var options = OpenAPIReader.Options()
        options.limits = limits
        var found: [String] = []
        // A debug build takes ten times what a release does.
        let time = ProcessorTime.measure {
            found = OpenAPIReader.read(name, options: options) { $0 == name ? .content(Array(text.utf8)) : .missing }
                .errors.map(\.description)
        }
        #expect(time < .seconds(50), "\(time)")
        return found
    }

    private let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n"

    @Test(arguments: ["openapi.yaml", "openapi.json"])
    func `22 nine megabytes are refused before they are read`(name: String) throws {
        let text = head + String(repeating: "# comment\n", count: 950_000)
        try expectEqual(errors(text, name: name), ["\(name):1: $: more than 8388608 bytes"])
    }

    @Test func `22 alias bombs are refused with their line`() throws {
        var text = head + "x-0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<12 {
            let names = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "x-\(level): &a\(level) [\(names)]\n"
        }
        try expectEqual(errors(text), ["openapi.yaml:9: $: more than 500000 values, aliases written out, column 26"])
    }

    @Test func `22 deep nesting is refused with its line`() throws {
        let deep = head + "x: " + String(repeating: "[", count: 100_000) + "\n"
        try expectEqual(
            errors(deep),
            [
                "openapi.yaml:4: $: more than 128 mappings and sequences inside one another, column 131"
            ]
        )
        let json = String(repeating: "{\"a\":", count: 100_000)
        try expectEqual(
            errors(json, name: "openapi.json"),
            [
                "openapi.json:1: $: more than 128 arrays and objects inside one another, column 641"
            ]
        )
    }

    @Test func `22 long chains of references end, in circles and straight`() throws {
        var circle = head + "components:\n  schemas:\n"
        for index in 0..<2_000 { circle += "    S\(index): {$ref: '#/components/schemas/S\((index + 1) % 2_000)'}\n" }
        let found = try errors(circle)
        expectEqual(found.count, 100)
        expectEqual(found.first, "openapi.yaml:6: $.components.schemas.S0['$ref']: the reference is circular")
        // Through allOf a schema is no reference to itself: it is cyclic, and says nothing beside its own keywords.
        for (own, reasons) in [("", []), ("type: integer, ", ["is nested too deep to be checked"])] {
            var combined = head + "components:\n  schemas:\n"
            for index in 0..<2_000 {
                combined += "    S\(index): {\(own)allOf: [{$ref: '#/components/schemas/S\((index + 1) % 2_000)'}]}\n"
            }
            let reading = Fixture.read(["openapi.yaml": combined])
            expectEqual(reading.errors, [])
            let schema = try #require(reading.document).schema(["$ref": "#/components/schemas/S0"])
            expectEqual(schema.validate(1).map(\.reason), reasons)
        }
    }

    @Test func `23 names with escapes are shown as text without control characters`() throws {
        let text = head + "components: {schemas: {\"a\\e[31m\\u0007'\\n\": {$ref: \"#/\\e[2J\"}}}\n"
        let found = Fixture.read(["openapi.yaml": text]).notes.map(\.description)
        expectEqual(
            found,
            [
                #"openapi.yaml:4: $.components.schemas['a\u001b[31m\u0007\'\n']['$ref']: the reference "#
                    + ##""#/\u001b[2J" can't be resolved; no operation needs it"##
            ]
        )
        #expect(!found.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }

    @Test func `23 no name that a document gives brings a control character into a finding`() throws {
        let evil = "a\\e[1mb\\u0085\\u009b"
        let text = """
            openapi: 3.0.3
            paths:
              /a:
                get:
                  parameters: [{name: q, in: query, schema: {format: "\(evil)", pattern: "("}}, {$ref: "\(evil).yaml"}]
                  responses: {'200': {content: {"\(evil)": {}}}}
              "/a/{\(evil)}/{\(evil)}": {get: {}}
            components: {schemas: {A: {$ref: '#/components/schemas/B', "\(evil)": 1}, B: {}}}
            """
        let reading = Fixture.read(["openapi.yaml": text])
        let lines = (reading.errors + reading.notes).map(\.description)
        #expect(lines.count >= 5, "\(lines)")
        for line in lines {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
        }
    }

    @Test func `22 files, bytes together and operations have limits`() throws {
        func read(_ count: Int, _ change: (inout DocumentLimits) -> Void) -> [String] {
            var options = OpenAPIReader.Options()
            change(&options.limits)
            let references = (0..<count).map { "  S\($0): {$ref: 'f\($0).yaml'}" }.joined(separator: "\n")
            let text =
                "openapi: 3.1.0\npaths: {/a: {get: {}}, /b: {get: {}}}\nx: 1\ncomponents:\n schemas:\n\(references)\n"
            return OpenAPIReader.read("openapi.yaml", options: options) { name in
                .content(Array((name == "openapi.yaml" ? text : "type: string").utf8))
            }
            .errors.map(\.description)
        }
        expectEqual(read(3) { $0.files = 4 }, [])
        expectEqual(
            read(3) { $0.files = 3 },
            [
                "openapi.yaml:8: $.components.schemas.S2['$ref']: "
                    + "the reference leads to f2.yaml, which can't be read: more than 3 files are referred to"
            ]
        )
        let size = 116
        expectEqual(read(2) { $0.totalBytes = 1_000 }, [])
        #expect(read(2) { $0.totalBytes = size }.contains { $0.contains("has more than \(size) bytes") })
        expectEqual(read(0) { $0.operations = 2 }, [])
        expectEqual(read(0) { $0.operations = 1 }, ["openapi.yaml:2: $.paths['/b'].get: more than 1 operations"])
        expectEqual(read(0) { $0.nodes = 8 }.isEmpty, false)
        expectEqual(read(0) { $0.nodes = 11 }, [])
    }

    @Test func `22 work on examples and samples is bounded`() throws {
        // No branch of any level fits, and there are many.
        let branches = (0..<40).map {
            "{required: [a\($0)], properties: {a\($0): {$ref: '#/components/schemas/S'}}, not: {}}"
        }
        let operations = (0..<200).map {
            "  /p\($0): {get: {responses: {'200': {content: {application/json: {schema: {type: object, title: t\($0), oneOf: [{$ref: '#/components/schemas/S'}]}}}}}}}"
        }
        let text =
            "openapi: 3.1.0\npaths:\n\(operations.joined(separator: "\n"))\ncomponents: {schemas: {S: {anyOf: [\(branches.joined(separator: ", "))]}}}\n"
        let document = try Fixture.document(text)
        var notes: [DocumentFinding] = []
        let time = ProcessorTime.measure { notes = document.examine() }
        #expect(time < .seconds(100), "\(time)")
        #expect(!notes.isEmpty)
    }
}
