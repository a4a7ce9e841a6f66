import Foundation
import JSON
import TestSupport
import Testing

/// Folders of custom APIs that mean harm: each ends in an error that names the file and the line, and nothing else
/// (own-API contract, sections 22 and 23).
@Suite struct CustomAPIHostileTests {
    /// A folder, and the beginning of the line that refuses it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var files: [String: String]
        /// A link, or a pipe if it leads nowhere.
        var link: (place: String, target: String?)?
        var problem: String

        var testDescription: String { name }
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func document(_ rest: String) -> [String: String] {
        ["api.json": "{}", "openapi.yaml": "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\n" + rest]
    }

    private static func stub(_ text: String) -> [String: String] { ["api.json": "{}", "stubs/a.json": text] }

    private static let large = String(repeating: "x", count: 9 << 20)

    private static let bomb: String = {
        let first = "x-a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        let levels = zip("abcdefgh", "bcdefghi").map { former, name in
            "x-\(name): &\(name) [" + Array(repeating: "*\(former)", count: 10).joined(separator: ", ") + "]\n"
        }
        return first + levels.joined()
    }()

    private static let mergeBomb =
        "x-0: &m0 {k0: 1}\n"
        + (1..<30).map { level in
            let merged = Array(repeating: "*m\(level - 1)", count: 8).joined(separator: ", ")
            return "x-\(level): &m\(level) {<<: [\(merged)], k\(level): 1}\n"
        }
        .joined()

    static let cases: [Case] = [
        Case(
            name: "a link out of the folder",
            files: ["api.json": "{}"],
            link: ("stubs/a.json", "/etc/passwd"),
            problem: "apis/shop/stubs/a.json:1: $: is a link that leads out of the folder"
        ),
        Case(
            name: "a folder that is a link out",
            files: ["api.json": "{}"],
            link: ("stubs", "/etc"),
            problem: "apis/shop/stubs:1: $: is a link that leads out of the folder"
        ),
        Case(
            name: "a link to a device",
            files: ["api.json": "{}"],
            link: ("openapi.yaml", "/dev/zero"),
            problem: "apis/shop/openapi.yaml:1: $: is a link that leads out of the folder"
        ),
        Case(
            name: "a link to itself",
            files: ["api.json": "{}"],
            link: ("stubs/a.json", "a.json"),
            problem: "apis/shop/stubs/a.json:1: $: is a link that leads nowhere"
        ),
        Case(
            name: "a folder in itself",
            files: ["api.json": "{}"],
            link: ("files/loop", "."),
            problem: "apis/shop/files/loop:1: $: is a link to a folder around it"
        ),
        Case(
            name: "a pipe for the declaration",
            files: ["stubs/a.json": "[]"],
            link: ("api.json", nil),
            problem: "apis/shop/api.json:1: $: is neither a file nor a folder"
        ),
        Case(
            name: "a pipe among the contents",
            files: ["api.json": "{}"],
            link: ("files/a", nil),
            problem: "apis/shop/files/a:1: $: is neither a file nor a folder"
        ),
        Case(
            name: "folders without end",
            files: ["api.json": "{}", "files/" + String(repeating: "d/", count: 200) + "x": ""],
            problem: "apis/shop/files/"
        ),
        Case(
            name: "a name with escapes",
            files: stub("[]").merging(["stubs/\u{1B}[31m\n.json": "\n{"]) { $1 },
            problem: "apis/shop/stubs/\\u001b[31m\\u000a.json:2: $: Invalid JSON"
        ),
        Case(
            name: "a member with escapes and one that turns the text",
            files: ["api.json": #"{"a\u001b[2J":1,"b\u202e":2}"#],
            problem: "apis/shop/api.json:1: $['a\\u001b[2J']: unknown member"
        ),
        Case(
            name: "a deep declaration",
            files: ["api.json": "\n{\"errors\":{\"body\":\(nested(100_000))}}"],
            problem: "apis/shop/api.json:2: $: Invalid JSON at line 2, column 81: more than 64 arrays and objects"
        ),
        Case(
            name: "a deep stub",
            files: stub(nested(100_000)),
            problem: "apis/shop/stubs/a.json:1: $: Invalid JSON at line 1, column 65: more than 64 arrays and objects"
        ),
        Case(
            name: "a deep row",
            files: ["api.json": "{}", "tables/a.json": "[\n{\"id\":1,\"a\":\(nested(63))}]"],
            problem: "apis/shop/tables/a.json:2: $: Invalid JSON"
        ),
        Case(
            name: "a deep document",
            files: document("x-a: " + String(repeating: "[", count: 100_000)),
            problem: "apis/shop/openapi.yaml:4: $: more than 128 mappings and sequences inside one another"
        ),
        Case(
            name: "a deep document by indentation",
            files: document((0..<2_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()),
            problem: "apis/shop/openapi.yaml:"
        ),
        Case(
            name: "aliases of aliases",
            files: document(bomb),
            problem: "apis/shop/openapi.yaml:9: $: more than 500000 values, aliases written out"
        ),
        Case(
            name: "merges of merges",
            files: document(mergeBomb),
            problem: "apis/shop/openapi.yaml:10: $: more than 500000 values, aliases written out"
        ),
        Case(
            name: "an alias in what it stands for",
            files: document("x-a: &a\n  b: *a\n"),
            problem: "apis/shop/openapi.yaml:5: $: the alias *a refers to itself"
        ),
        Case(
            name: "references in a circle",
            files: document(
                "components:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n"
            ),
            problem: "apis/shop/openapi.yaml:6: $.components.schemas.A['$ref']: the reference is circular"
        ),
        Case(
            name: "a reference out of the folder",
            files: document("components:\n  schemas:\n    A: {$ref: '%2e%2e/%2e%2e/x.yaml'}\n"),
            problem: "apis/shop/openapi.yaml:6: $.components.schemas.A['$ref']: a reference with \"..\" is not followed"
        ),
        Case(
            name: "a document of 9 MiB",
            files: document("#\(large)"),
            problem: "apis/shop/openapi.yaml:1: $: more than 8388608 bytes"
        ),
        Case(
            name: "a declaration of 9 MiB",
            files: ["api.json": "{\"description\":\"\(large)\"}"],
            problem: "apis/shop/api.json:1: $: has 9437202 bytes; the limit is 8388608"
        ),
        Case(
            name: "a stub of 9 MiB",
            files: stub("[\"\(large)\"]"),
            problem: "apis/shop/stubs/a.json:1: $: has 9437188 bytes; the limit is 8388608"
        ),
        Case(
            name: "one file too many",
            files: ["api.json": "{}"].merging((0..<1_000).map { ("files/\($0)", "") }) { $1 },
            problem: "apis/shop:1: $: has 1001 files; an API has at most 1000"
        ),
        Case(
            name: "one stub too many",
            files: stub("[" + Array(repeating: "{\"response\":{}}", count: 10_001).joined(separator: ",\n") + "]"),
            problem: "apis/shop/stubs/a.json:10001: $[10000]: a world has at most 10000 stubs"
        ),
        Case(
            name: "one row too many",
            files: [
                "api.json": "{}",
                "tables/a.json": "[" + (0...100_000).map { "{\"id\":\($0)}" }.joined(separator: ",\n") + "]",
            ],
            problem: "apis/shop/tables/a.json:100001: $[100000]: a table has at most 100000 rows"
        ),
        Case(
            name: "a regular expression that unfolds",
            files: stub(#"{"match":{"path":{"regex":"((((a{1,999}){1,999}){1,999}){1,999})"}},"response":{}}"#),
            problem: "apis/shop/stubs/a.json:1: $.match.path.regex: the repetitions written out"
        ),
    ]

    @Test(arguments: cases) func `23 a hostile folder ends in an error with file and line`(_ hostile: Case) throws {
        let folder = try Folder(
            Dictionary(uniqueKeysWithValues: hostile.files.map { ("apis/shop/" + $0.key, $0.value) })
        )
        if let link = hostile.link {
            let place = folder.url.appendingPathComponent("apis/shop/\(link.place)")
            let manager = FileManager.default
            try manager.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            if let target = link.target {
                try manager.createSymbolicLink(atPath: place.path, withDestinationPath: target)
            } else {
                expectEqual(mkfifo(place.path, 0o600), 0)
            }
        }
        let checked = try Program.run(["validate", "apis/shop"], in: folder)
        expectEqual(checked.status, 1)
        let lines = checked.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix(hostile.problem) }, "\(checked.output.prefix(500))")
        let foreign: (Unicode.Scalar) -> Bool = {
            ($0.value < 0x20 && $0 != "\n") || (0x202A...0x202E).contains($0.value)
        }
        #expect(!(checked.output + checked.errors).unicodeScalars.contains(where: foreign))

        let served = try Program.run(["serve", "--port", "0", "--api", "shop"], in: folder)
        expectEqual(served.status, 2)
        #expect(served.output.isEmpty)
        #expect(served.errors.contains(hostile.problem), "\(served.errors.prefix(500))")
    }
}
