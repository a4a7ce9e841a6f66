import TestSupport
import Testing

/// Tests of the rules themselves, each of which has to find a planted breach.
@Suite struct ScannerTests {
    private func file(_ target: String, _ text: String) -> SourceFile {
        SourceFile(path: "Sources/\(target)/Planted.swift", target: target, text: text)
    }

    private func breaches(_ target: String, _ text: String) -> [String] {
        Rule.all.flatMap { $0.breaches(in: [file(target, text)]) }
    }

    @Test(
        arguments: [
            ("import Foundation", "no Foundation in the product: import Foundation"),
            ("let p: UnsafePointer<Int>", "no unsafe code in pure targets: Unsafe"),
            ("array.withUnsafeBytes { $0 }", "no unsafe code in pure targets: withUnsafe"),
            ("let x = unsafe y", "no unsafe code in pure targets: unsafe "),
            ("let n = Int.random(in: 0...1)", "no clock, chance, environment or output below the edges: .random("),
            ("items.shuffled()", "no clock, chance, environment or output below the edges: .shuffled("),
            ("popen(command, \"r\")", "no process is started: popen("),
            ("let now = Date()", "no clock, chance, environment or output below the edges: Date()"),
            ("key.hashValue", "no clock, chance, environment or output below the edges: hashValue"),
            ("print(x)", "no clock, chance, environment or output below the edges: print("),
            ("\"\\(UUID())\"", "no clock, chance, environment or output below the edges: UUID()"),
            (
                "final class A: @unchecked Sendable {}",
                "concurrency checks are switched off at the edges only: @unchecked Sendable"
            ),
            ("let a = try! b()", "no force: try!"),
            ("let a = b as! C", "no force: as!"),
        ]
    )
    func `a planted breach is found with its place`(line: String, expected: String) {
        let found = breaches("Engine", "// A comment.\nfunc f() {\n    \(line)\n}\n")
        #expect(found.contains("Sources/Engine/Planted.swift:3: \(expected)"), "\(found)")
    }

    @Test(arguments: [
        "// import Foundation", "/// Never `UUID()`.", "let text = \"Date() print(x)\"", "func pprint(x: Int) {}",
        "reprint(x)",
        "/* try! /* as! */ hashValue */", "let a = #\"print(\"x\")\"#", "let t = \"\"\"\n    print(x)\n    \"\"\"",
        "lastHash = value",
        "let u = \"\\\"print(\"",
    ])
    func `comments, texts and longer words are no breach`(text: String) {
        expectEqual(breaches("Engine", text), [])
    }

    @Test func `a rule for some targets leaves the others alone`() {
        expectEqual(
            breaches("Transport", "let p: UnsafePointer<Int>; print(p)\nextension A: @unchecked Sendable {}"),
            []
        )
        #expect(!breaches("Transport", "import Foundation").isEmpty)
    }

    @Test(
        arguments: [
            ("HTTPMessage", "import JSON", "JSON"), ("JSON", "package import CivilTime", "CivilTime"),
            ("OmniChat", "import Transport", "Transport"), ("Engine", "@testable import OmniChat", "OmniChat"),
            ("Control", "import OmniChat", "OmniChat"), ("HTTPWire", "import Glibc", "Glibc"),
            ("Engine", "import struct COpenSSL.EVP", "COpenSSL"),
            ("Transport", "private import Engine", "Engine"),
            ("CivilTime", "@preconcurrency public import Dispatch", "Dispatch"),
        ]
    )
    func `a planted import is found with its place`(target: String, line: String, module: String) {
        let found = Imports.breaches(in: [file(target, "// import JSON\n\n\(line)\n")])
        expectEqual(found, ["Sources/\(target)/Planted.swift:3: \(target) must not import \(module)"])
    }

    @Test func `an allowed import is no breach, an unknown target is one`() {
        expectEqual(Imports.breaches(in: [file("Engine", "package import JSON\nimport Crypto")]), [])
        expectEqual(
            Imports.breaches(in: [file("Novel", "")]),
            [
                "Sources/Novel/Planted.swift:1: the target Novel is not in the manifest"
            ]
        )
    }

    @Test func `something unfinished is found in a comment too`() {
        let words = ["// TO" + "DO: later", "/// FIX" + "ME", "fatalError(\"not imple" + "mented\")"]
        for word in words {
            expectEqual(Rule.unfinished.breaches(in: [file("Transport", "\n\(word)")]).count, 1, "\(word)")
        }
    }

    @Test(arguments: Summaries.openings)
    func `a summary that begins with a paraphrase is found`(opening: String) {
        let expected = "Sources/JSON/Planted.swift:3: a summary begins with a noun or a verb, found \"\(opening)\""
        expectEqual(
            Summaries.breaches(in: [file("JSON", "struct A {\n\n    /// \(opening) it is.\n    let a = 1\n}")]),
            [
                expected
            ]
        )
        expectEqual(Summaries.breaches(in: [file("JSON", "\n\n///\(opening), then.\n///\n/// More.")]), [expected])
    }

    @Test(arguments: [
        "/// The number.\n/// What follows is no summary.\n///\n/// Whether or not.",
        "// What an ordinary comment says.",
        "/// Whatsoever.", "/// Howl.", "/// Thatch.", "/// So manyfold.", "let a = \"/// What\"",
        "let a = 1  /// What.",
    ])
    func `later lines, ordinary comments and longer words are no breach`(text: String) {
        expectEqual(Summaries.breaches(in: [file("JSON", text)]), [])
    }

    @Test func `each comment has a summary of its own`() {
        let text = "/// A.\nlet a = 1\n/// Why.\nlet b = 2\n\n/// How.\nlet c = 3"
        expectEqual(Summaries.breaches(in: [file("HTTPWire", text)]).count, 2)
        expectEqual(Summaries.breaches(in: [file("Novel", text)]).count, 2)
    }

    @Test(arguments: [
        ("struct NewNote: RequestModel {", "Endpoints", 1), ("    struct Item: Sendable, ResponseModel {", "Model", 1),
        ("extension Note: ResponseModel {", "Requests", 1), ("private struct A: RequestModel where B: C {", "", 1),
        ("struct NewNote: RequestModel {", "Requests", 0), ("extension Note: ResponseModel {", "Responses", 0),
        ("func read<Model: RequestModel>(_ type: Model.Type) {", "Endpoints", 0),
        ("struct Pair<Value: Sendable>: RequestModeling {", "Endpoints", 0),
        ("extension List where Item: ResponseModel {", "Endpoints", 0), ("// struct A: RequestModel {", "Model", 0),
    ])
    func `a body's type beside its endpoint is a breach`(text: String, folder: String, count: Int) {
        let planted = SourceFile(path: "Sources/Backends/Trendy/\(folder)/Planted.swift", target: "Trendy", text: text)
        expectEqual(Roles.breaches(in: [planted], apis: ["Trendy"]).count, count)
        expectEqual(Roles.breaches(in: [planted], apis: ["CarbScan"]), [])
    }

    @Test func `code inside an interpolation is code`() {
        expectEqual(
            CodeScanner.code(of: #"a("x \(f("y", b)) z") // c"#),
            [#"a("\(f("", b))") "#.replacing("\\", with: "")]
        )
        expectEqual(CodeScanner.code(of: "a /* b\nc */ d"), ["a ", " d"])
        expectEqual(CodeScanner.code(of: "\"\"\"\n\\(x)\n\"\"\"\ny"), ["\"\"\"", "(x)", "\"\"\"", "y"])
    }

    @Test(arguments: [
        "#expect(a == b)", "#expect(try await f(x) == [\"a\": 1], \"\\(x)\")",
        "if a { #expect(b != c); #expect(f { $0 && $1 } == nil) }",
        "#expect(\n    f(\n        a, b\n    )\n        == c,\n    \"why\"\n)", "#expect((a, b).count == c)",
        "#expect((a ?? b) == c)",
    ])
    func `a plain comparison of a test is found`(text: String) {
        expectEqual(
            Comparisons.breaches(in: [file("Planted", "\n" + text)]),
            ["Sources/Planted/Planted.swift:2: a comparison by #expect"]
        )
    }

    @Test(arguments: [
        "expectEqual(a, b)", "#expect(a)", "#expect(a != b)", "#expect(a == b && c)", "#expect(a || b == c)",
        "#expect(a ? b == c : d)", "#expect(!(a == b))", "#expect(f { $0 == 1 })", "#expect(a, \"a == b\")",
        "#expect(a < b) // a == b",
        "#expect(throws: E.self) { a == b }", "#expect(try f() == (0, [1]))", "#expect((a, b) == c)",
        "#require(a == b)",
    ])
    func `other expectations are no plain comparison`(text: String) {
        expectEqual(Comparisons.breaches(in: [file("Planted", text)]), [])
    }

    @Test func `the APIs of a manifest are read from its list`() {
        let text = """
            let apis = ["One", "Two"]
            let apiDependencies: [Target.Dependency] = ["A", "B"]
            let package = Package(
                targets: [
                    .target(name: "All", dependencies: apis.map { .byName(name: $0) } + ["A"]),
                ]
            )

            let pureTargets: Set<String> = Set(apis).union(["A"])
            """
        expectEqual(
            Manifest.targets(in: text),
            [
                Manifest.Target(name: "One", kind: "target", dependencies: ["A", "B"]),
                Manifest.Target(name: "Two", kind: "target", dependencies: ["A", "B"]),
                Manifest.Target(name: "All", kind: "target", dependencies: ["One", "Two", "A"]),
            ]
        )
        expectEqual(Manifest.pureTargets(in: text), ["One", "Two", "A"])
    }

    @Test func `a manifest's targets are read with their dependencies`() {
        let text = """
            products: [.library(name: "L", targets: ["A"])],
            targets: [
                .systemLibrary(name: "C"),
                .target(
                    name: "D",
                    cSettings: [.define("X", to: "\\"\\(Context.environment["Y"] ?? "")\\"")]
                ),
                .target(name: "A"),
                .target(name: "B", dependencies: ["A", .target(name: "C", condition: .when(platforms: [.linux]))], path: "x"),
                .testTarget(
                    name: "T",
                    dependencies: [
                        "A", "B",
                    ]
                ),
            ]
            """
        expectEqual(
            Manifest.targets(in: text),
            [
                Manifest.Target(name: "C", kind: "systemLibrary", dependencies: []),
                Manifest.Target(name: "D", kind: "clangTarget", dependencies: []),
                Manifest.Target(name: "A", kind: "target", dependencies: []),
                Manifest.Target(name: "B", kind: "target", dependencies: ["A", "C"]),
                Manifest.Target(name: "T", kind: "testTarget", dependencies: ["A", "B"]),
            ]
        )
    }
}
