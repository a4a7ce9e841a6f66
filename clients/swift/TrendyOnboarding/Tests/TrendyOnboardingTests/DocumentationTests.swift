import Foundation
import Testing

/// The examples of the documentation, which are quotes of sources that compile.
@Suite struct DocumentationTests {
    /// The folder of this package, which may be a copy (`scripts/break-rules`).
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The folder of the emulator's package, with the page and the examples.
    private static let root = package.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func sources(_ folder: String, in place: URL = package) throws -> [(name: String, text: String)] {
        let place = place.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { ($0, try String(contentsOf: place.appending(path: $0), encoding: .utf8)) }
    }

    /// The lines of a text without indentation and empty lines.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The swift blocks of a text.
    private static func blocks(_ text: String) -> [[String]] {
        text.components(separatedBy: "```swift\n").dropFirst().map { part in
            lines(part.components(separatedBy: "```").first ?? "")
        }
    }

    private static func quoted() throws -> String {
        try sources("Examples/Sources/Onboarding", in: root)
            .map { "\n" + lines($0.text).joined(separator: "\n") + "\n" }.joined()
    }

    @Test func `each example of the page compiles with the examples`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/trendy-onboarding.md"), encoding: .utf8)
        let source = try Self.quoted()
        // The manifest's lines are not the app's.
        let blocks = Self.blocks(page).filter { $0.first != "// Package.swift" }
        expectEqual(blocks.count, 8)
        for block in blocks {
            #expect(source.contains("\n" + block.joined(separator: "\n") + "\n"), "\(block)")
        }
    }

    @Test func `each public declaration has a comment`() throws {
        var count = 0
        for file in try Self.sources("Sources/TrendyOnboarding") {
            // Attributes and conditions of compilation may stand between the comment and the declaration.
            let lines = Self.lines(file.text).filter { !$0.hasPrefix("@") && !$0.hasPrefix("#") }
            for (former, line) in zip(lines, lines.dropFirst()) {
                guard line.hasPrefix("public "), !line.hasPrefix("public import") else { continue }
                count += 1
                #expect(former.hasPrefix("///"), "\(file.name): \(line)")
            }
        }
        #expect(count > 100)
    }

    @Test func `each example of the library's comments compiles with the examples`() throws {
        let source = try Self.quoted()
        var count = 0
        for file in try Self.sources("Sources/TrendyOnboarding") {
            let comments = file.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }.joined(separator: "\n")
            for block in Self.blocks(comments) {
                count += 1
                #expect(source.contains("\n" + block.joined(separator: "\n") + "\n"), "\(file.name): \(block)")
            }
        }
        #expect(count >= 50)
    }

    /// The public declarations with one of these beginnings, with the comments above them.
    private static func declarations(_ text: String, _ beginnings: [String]) -> [(line: String, comment: String)] {
        var comment = ""
        var found: [(String, String)] = []
        for line in text.components(separatedBy: "\n") {
            let code = line.trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("///") {
                comment += code + "\n"
            } else if !code.hasPrefix("@"), !code.hasPrefix("#") {
                if beginnings.contains(where: line.hasPrefix) { found.append((code, comment)) }
                comment = ""
            }
        }
        return found
    }

    @Test func `each public type, call, initializer and shown property has an example`() throws {
        let files = try Self.sources("Sources/TrendyOnboarding")
        let kinds = ["struct", "final class", "enum", "protocol"].map { "public \($0) " }
        let types = files.flatMap { Self.declarations($0.text, kinds) }
        expectEqual(types.count, 25)
        let calls = ["func", "var", "nonisolated let"].map { "    public \($0) " }
        let members = files.filter {
            $0.name.contains("OnboardingStatusService") || $0.name.contains("OnboardingCache")
        }
        .flatMap { Self.declarations($0.text, calls) }
        expectEqual(members.count, 23)
        // An app calls none of the witnesses of Codable.
        let others = files.flatMap {
            Self.declarations($0.text, ["init", "func", "static func", "mutating func"].map { "    public \($0)" })
        }
        .filter { !$0.line.contains("init(from") && !$0.line.contains("encode(to") }
        expectEqual(others.count, 45)
        for declaration in types + members + others {
            #expect(declaration.comment.contains("```swift"), "\(declaration.line)")
        }
    }

    @Test func `L1 no call of the library's has a default value that hides another call`() throws {
        for file in try Self.sources("Sources/TrendyOnboarding/Service") {
            for line in Self.lines(file.text) where line.hasPrefix("public func ") {
                let head = line.components(separatedBy: "{").first ?? line
                #expect(!head.contains("="), "\(file.name): \(line)")
            }
        }
    }

    @Test func `11-4 the page tells of each rule how it was broken, and which tests failed`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/trendy-onboarding.md"), encoding: .utf8)
        let rows = Self.lines(page).filter { $0.hasPrefix("| L") }.map { row in
            row.components(separatedBy: " | ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "| ")) }
        }
        var rules: [String] = []
        for row in rows where rules.last != row[0] { rules.append(row[0]) }
        expectEqual(rules, (1...25).map { "L\($0)" })
        let names = try Self.sources("Tests/TrendyOnboardingTests").flatMap { Self.names(in: $0.text) }
        for row in rows where row.last != "does not compile" {
            let failed = row.last?.components(separatedBy: " · ").filter { !$0.hasSuffix(" more") } ?? []
            #expect(!failed.isEmpty, "\(row)")
            for name in failed {
                #expect(names.contains(name), "\(row[0]): \(name)")
                // Its own test, by the name.
                #expect(name.components(separatedBy: " ").contains(row[0]), "\(row[0]): \(name)")
            }
        }
    }

    @Test func `11-5 each case has a test under its name`() throws {
        let names = try Self.sources("Tests/TrendyOnboardingTests").flatMap { Self.names(in: $0.text) }
        for number in 1...45 {
            let id = "T" + (number < 10 ? "0" : "") + String(number)
            #expect(names.contains { $0.hasPrefix(id + " ") }, "\(id)")
        }
    }

    /// The names of the tests in a source.
    private static func names(in text: String) -> [String] {
        text.components(separatedBy: "func `").dropFirst().map { $0.components(separatedBy: "`").first ?? "" }
    }
}
