import Foundation

/// The sections of `docs/contract` that sources, tests and documents cite.
///
/// Read as citations are `control contract, section 13`, `section 8 of the control contract`, `contract, sections 3 and 4.1`,
/// and, in the folders and pages of an API, also `section 4.1` alone. Sections of an RFC or another specification that stand
/// behind its name are none.
struct Citations {
    struct Citation: Equatable {
        /// The file and line.
        var place: String
        /// The file of `docs/contract`, without its extension.
        var contract: String
        var section: String
    }

    private static let apis = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"]
    static let contracts =
        ["control"] + apis + ["own-api", "transport", "proxy", "wire", "clients", "console", "conduct"]
    private static let number = #"\d+(?:\.\d+)*"#
    private static let list = "\(number)(?:\\s*(?:,|and|to|or|–)\\s*(?:section\\s+)?\(number))*"
    private static let name =
        #"([Cc]ontrol|Sawaed|CarbScan|OmniChat|Trafikskola|Trendy|[Oo]wn-API|[Tt]ransport|[Ww]ire|[Cc]lients|[Cc]onsole|[Cc]onduct)"#
    /// Groups: the specification, the contract's name, the word, the sections; then the sections and the name in the other order.
    private static let pattern = regex(
        "(RFC\\s+\\d+,?\\s+|Fetch,?\\s+)?(?:\(name)(?:'s)?\\s+)?([Cc]ontract,?\\s+)?\\bsections?\\s+(\(list))"
            + "(?:\\s+of\\s+the\\s+\(name)\\s+contract)?"
    )
    private static let sectionNumber = regex(number)
    private static let heading = regex("^#+\\s+(\(number))\\.?\\s")

    /// The numbers of the headings of a contract.
    static func sections(of text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").compactMap { line in
                let line = String(line)
                return heading.firstMatch(in: line, range: whole(line)).flatMap { group(1, $0, line) }
            }
        )
    }

    /// Every citation in a text; one that spans two lines of a comment counts as well.
    static func all(in text: String, path: String) -> [Citation] {
        // The contract that a folder or a page of an API means.
        let own = apis.first { path.lowercased().contains("/\($0)") }
        var joined = ""
        var starts: [(offset: Int, line: Int)] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            starts.append((joined.utf16.count, index + 1))
            joined += line.drop { " \t/#*".contains($0) } + " "
        }
        return pattern.matches(in: joined, range: whole(joined)).flatMap { match -> [Citation] in
            guard group(1, match, joined) == nil, let list = group(4, match, joined) else { return [] }
            let named = (group(5, match, joined) ?? group(2, match, joined))?.lowercased()
            let isContract = group(3, match, joined) != nil || group(5, match, joined) != nil
            guard let contract = named ?? own ?? (isContract ? "control" : nil) else { return [] }
            let line = starts.last { $0.offset <= match.range.location }?.line ?? 1
            return sectionNumber.matches(in: list, range: whole(list)).compactMap { group(0, $0, list) }.map {
                Citation(place: "\(path):\(line)", contract: contract, section: $0)
            }
        }
    }

    /// The texts that may cite: sources, tests, documents, seeds and scripts.
    static func files() -> [(path: String, text: String)] {
        let folders = ["Sources", "Tests", "docs", "seeds", "scripts", "Benchmarks", "Examples", "clients"]
        let root = SourceTree.root.resolvingSymlinksInPath()
        var found: [(path: String, text: String)] = []
        for folder in folders {
            let place = root.appending(path: folder)
            let items = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
            while let url = items?.nextObject() as? URL {
                let path = url.resolvingSymlinksInPath().path.dropFirst(root.path.count + 1)
                // The tests of this rule plant citations.
                guard !path.hasPrefix("docs/contract/"), !path.hasPrefix("Tests/ArchitectureTests/"),
                    !path.contains("/.build/"),
                    ["swift", "md", "json", "py", "sh", ""].contains(url.pathExtension),
                    let text = try? String(contentsOf: url, encoding: .utf8)
                else { continue }
                found.append((String(path), text))
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    private static func regex(_ pattern: String) -> NSRegularExpression {
        guard let made = try? NSRegularExpression(pattern: pattern) else {
            preconditionFailure("not a pattern: \(pattern)")
        }
        return made
    }

    private static func whole(_ text: String) -> NSRange { NSRange(text.startIndex..., in: text) }

    private static func group(_ index: Int, _ match: NSTextCheckingResult, _ text: String) -> String? {
        Range(match.range(at: index), in: text).map { String(text[$0]) }
    }
}
