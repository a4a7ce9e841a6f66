import TestSupport
import Testing

/// The rules about what a module adds to others, what its functions take and which API it names, with planted breaches.
@Suite struct ModuleRuleTests {
    private func file(_ target: String, _ name: String, _ text: String) -> SourceFile {
        SourceFile(path: "Sources/\(target)/\(name).swift", target: target, text: text)
    }

    @Test func `a type is extended outside its module at most once`() {
        expectEqual(Extensions.breaches(in: SourceTree.files), [])
    }

    @Test func `no function takes more than three arguments without a label`() {
        expectEqual(UnlabelledArguments.breaches(in: SourceTree.files), [])
    }

    @Test func `no API is named outside its folder`() {
        expectEqual(APINames.breaches(in: SourceTree.files), [])
    }

    @Test func `the second extension outside the module is found, with the first`() {
        let files = [
            file("Low", "A", "package struct Place<Value> {}\nextension Place {}"),
            file("High", "B", "package extension Place where Value: Equatable {}\n    // extension Place"),
            file("Higher", "C", "@MainActor\nextension Place: Equatable {}\nextension String {}"),
            // A type of one's own with the same name, and one out of reach.
            file("Top", "D", "struct Place {}\nextension Place {}\nextension Place {}"),
            file("Aside", "E", "extension Place {}"),
        ]
        let reach = ["High": ["Low"], "Higher": ["High", "Low"], "Top": ["Low"]] as [String: Set<String>]
        func breaches(_ files: [SourceFile], _ exceptions: Set<String> = []) -> [String] {
            Extensions.breaches(in: files, except: exceptions) { reach[$0] ?? [] }
        }
        expectEqual(
            breaches(files),
            [
                "Sources/High/B.swift:1: Low.Place is extended outside its module more than once",
                "Sources/Higher/C.swift:2: Low.Place is extended outside its module more than once",
            ]
        )
        expectEqual(breaches(files, ["Low.Place"]), [])
        expectEqual(breaches(Array(files.prefix(2))), [])
        expectEqual(breaches(Array(files.prefix(2)), ["Low.Place"]), ["Low.Place: the exception is no longer needed"])
    }

    @Test(arguments: [
        ("func f(_ a: A, _ b: B, _ c: C, _ d: D) {}", 1), ("func f(_ a: A, _ b: B, _ c: C, d: D) {}", 0),
        ("init?(\n    _ a: A,\n    _ b: B,\n    _ c: C,\n    _ d: D\n) {}", 1),
        ("func f<Value>(_ a: [A: B], _ b: (C, D) -> E, _ c: Map<F, G>, h: (_ i: I, _ j: J) -> K) {}", 0),
        ("func f(_ a: A = A(b, c), _ d: D = [e, f], _ g: G, _ h: H) -> (I, J) {}", 1),
        ("func f(a _: A, b _: B, c _: C, d _: D) {}", 0), ("// func f(_ a: A, _ b: B, _ c: C, _ d: D)", 0),
        ("let f = g(_: a, b: c)", 0),
    ])
    func `arguments without a label are counted`(text: String, count: Int) {
        let planted = file("JSON", "A", "struct S {\n\(text)\n}")
        expectEqual(UnlabelledArguments.breaches(in: [planted], ceilings: ["JSON": count]), [])
        let place = "Sources/JSON/A.swift:2"
        expectEqual(
            UnlabelledArguments.breaches(in: [planted], ceilings: [:]),
            count == 0 ? [] : ["JSON: 1 functions have more than 3 arguments without a label, at most 0 may: \(place)"]
        )
    }

    @Test func `a ceiling above the number is found`() {
        expectEqual(
            UnlabelledArguments.breaches(in: [file("JSON", "A", "func f() {}")], ceilings: ["JSON": 2]),
            ["JSON: 0 functions have more than 3 arguments without a label; write that down in place of 2"]
        )
    }

    @Test func `an API's name is found with its place, and an exception for nothing as well`() {
        let named = "// \"trendy\"\nlet trendy = api == \"trendy\"\nlet other = \"trendy.json\""
        func breaches(_ target: String, _ exceptions: Set<String> = []) -> [String] {
            APINames.breaches(in: [file(target, "A", named)], apis: ["Trendy"], except: exceptions)
        }
        expectEqual(breaches("Engine"), ["Sources/Engine/A.swift:2: \"trendy\" is named outside its folder"])
        expectEqual(breaches("Engine", ["Sources/Engine/A.swift"]), [])
        expectEqual(breaches("Trendy"), [])
        expectEqual(
            breaches("Trendy", ["Sources/Engine/A.swift"]),
            ["Sources/Engine/A.swift: the exception is no longer needed"]
        )
    }
}
