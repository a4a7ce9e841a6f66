import Foundation
import TestSupport
import Testing

/// The links between the documents: each leads to a file that is there, and to a heading that it has.
@Suite struct DocumentLinkTests {
    private static let root = SourceTree.root.resolvingSymlinksInPath()

    /// Every document of the package, as a path from its root.
    private static func documents() -> [String] {
        let manager = FileManager.default
        var found = ["README.md", "CHANGELOG.md"]
        for folder in ["docs", "Examples", "clients"] {
            let items = manager.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
            while let url = items?.nextObject() as? URL {
                let path = String(url.resolvingSymlinksInPath().path.dropFirst(root.path.count + 1))
                if path.hasSuffix(".md"), !path.contains("/.build/"), !path.contains("/node_modules/") {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }

    /// The text without its blocks and spans of code, in which no link stands.
    private static func prose(_ text: String) -> String {
        var lines: [Substring] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "code")
    }

    /// The anchor of a heading, as GitHub makes it.
    static func anchor(_ heading: some StringProtocol) -> String {
        let words = heading.lowercased().replacing(/\[([^\]]*)\]\([^)]*\)/, with: { String($0.output.1) })
        return String(
            words.trimmingCharacters(in: .whitespaces).compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            }
        )
    }

    private static func anchors(_ text: String) -> Set<String> {
        var found: Set<String> = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if !isCode, line.hasPrefix("#") {
                let plain = anchor(line.drop { $0 == "#" })
                var name = plain
                var number = 0
                while !found.insert(name).inserted {
                    number += 1
                    name = "\(plain)-\(number)"
                }
            }
        }
        return found
    }

    @Test func `each link of a document leads somewhere`() throws {
        var broken: [String] = []
        var count = 0
        var known: [String: Set<String>] = [:]
        for path in Self.documents() {
            let text = try SourceTree.text(of: path)
            for match in Self.prose(text).matches(of: /\]\(([^)\s]+)\)/) {
                let link = String(match.output.1)
                guard !link.contains("://"), !link.hasPrefix("mailto:") else { continue }
                count += 1
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let folder = URL(filePath: path, relativeTo: Self.root).deletingLastPathComponent()
                let target = parts[0].isEmpty ? Self.root.appending(path: path) : folder.appending(path: parts[0])
                guard FileManager.default.fileExists(atPath: target.path) else {
                    broken.append("\(path): there is no \(link)")
                    continue
                }
                guard parts.count == 2, target.pathExtension == "md" else { continue }
                let name = target.standardizedFileURL.path
                if known[name] == nil { known[name] = Self.anchors(try String(contentsOf: target, encoding: .utf8)) }
                if known[name]?.contains(parts[1]) != true { broken.append("\(path): no heading for \(link)") }
            }
        }
        // Fewer would mean that they are not found any more.
        #expect(count > 200)
        expectEqual(broken, [])
    }

    @Test(arguments: [
        ("Scenarios and settings", "scenarios-and-settings"),
        ("Replay, comparison, coverage, notes", "replay-comparison-coverage-notes"),
        ("What answers `serve`?", "what-answers-serve"), ("12. Resources", "12-resources"),
    ])
    func `a heading has the anchor that GitHub gives it`(heading: String, anchor: String) {
        expectEqual(Self.anchor(heading), anchor)
    }

    @Test(arguments: [
        "first-test-in-xcode", "ui-tests", "phone", "ci", "record-your-backend", "your-own-api", "expired-tokens",
        "bad-networks", "troubleshooting", "coming-from", "what-can-i-stage", "caching", "resuming",
        "redirects-and-cookies", "event-streams",
    ])
    func `clients 8 the README leads to a guide, and the guide to another page`(name: String) throws {
        let path = "docs/guides/\(name).md"
        #expect(try SourceTree.text(of: "README.md").contains("(\(path))"))
        #expect(Self.prose(try SourceTree.text(of: path)).contains("]("))
    }
}
