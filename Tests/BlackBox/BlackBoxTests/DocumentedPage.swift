import Foundation
import JSON

/// A page of docs/ with the examples that it shows.
struct DocumentedPage {
    /// A block of shell lines, and their output according to the page.
    struct Example {
        var line: Int
        var script: String
        var language: String?
        var expected: String?
    }

    let name: String
    let examples: [Example]

    static let folder = Checkout.root.appendingPathComponent("docs")

    static func names() throws -> [String] {
        // Those pages start servers of their own: `scripts/run-blocks` runs them.
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".md") && !["own-api.md", "scenarios.md", "tls.md"].contains($0) }.sorted()
    }

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        var examples: [Example] = []
        var fence: (language: String, line: Int, lines: [String])?
        var isRightAfter = false
        for (place, line) in text.components(separatedBy: "\n").enumerated() {
            if let open = fence {
                guard line == "```" else {
                    fence?.lines.append(line)
                    continue
                }
                fence = nil
                let block = open.lines.joined(separator: "\n")
                if open.language == "sh", block.contains("curl ") {
                    examples.append(Example(line: open.line, script: block))
                    isRightAfter = true
                } else if isRightAfter, ["json", "text"].contains(open.language) {
                    examples[examples.count - 1].language = open.language
                    examples[examples.count - 1].expected = block
                    isRightAfter = false
                } else {
                    isRightAfter = false
                }
            } else if line.hasPrefix("```") {
                fence = (String(line.dropFirst(3)), place + 1, [])
            } else if !line.isEmpty {
                isRightAfter = false
            }
        }
        self.examples = examples
    }

    /// One shell that runs all examples in order; what each one prints ends with a line of its own.
    func script(ports: [(documented: Int, hostTime: Int)]) -> String {
        let text = examples.enumerated().map { place, example in
            "\(example.script)\nprintf '\\n\(Self.mark) \(place)\\n'"
        }.joined(separator: "\n")
        return Self.renumbered(text, Dictionary(uniqueKeysWithValues: ports.map { ($0.documented, $0.hostTime) }))
    }

    /// The text with other numbers after its colons, each replaced once, and as a whole: a real port may begin like a
    /// documented one.
    static func renumbered(_ text: String, _ numbers: [Int: Int]) -> String {
        text.replacing(/:([0-9]+)/) { found in
            Int(found.1).flatMap { numbers[$0] }.map { ":\($0)" } ?? String(found.0)
        }
    }

    private static let mark = "== end of example"

    /// The output of each example.
    func outputs(of text: String, ports: [(documented: Int, hostTime: Int)]) -> [String] {
        var text = Self.renumbered(text, Dictionary(uniqueKeysWithValues: ports.map { ($0.hostTime, $0.documented) }))
        return examples.indices.map { place in
            guard let end = text.range(of: "\n\(Self.mark) \(place)\n") else { return "(the shell ended before)" }
            defer { text = String(text[end.upperBound...]) }
            return text[..<end.lowerBound].trimmingCharacters(in: .newlines)
        }
    }
}

/// Compares the output in a page with the printed one; `…` stands for anything.
enum Printed {
    /// The difference; nil if there is none.
    static func difference(_ expected: String, _ printed: String, language: String) -> String? {
        if language == "json", let left = values(expected), let right = values(printed) {
            guard left.count == right.count else {
                return "\(left.count) documents are shown, \(right.count) were printed"
            }
            for (left, right) in zip(left, right) {
                if let found = difference(left, right, at: "$") { return found }
            }
            return nil
        }
        let left = lines(expected)
        let right = lines(printed)
        for place in 0..<max(left.count, right.count) {
            guard place < left.count else { return "also printed: \(right[place])" }
            if left[place] == "…" { return nil }
            guard place < right.count else { return "not printed: \(left[place])" }
            guard fits(right[place], left[place]) else { return "shown: \(left[place])\nprinted: \(right[place])" }
        }
        return nil
    }

    private static func lines(_ text: String) -> [String] {
        text.replacingOccurrences(of: "\r", with: "").components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The documents of a text: one over many lines, or one a line.
    private static func values(_ text: String) -> [JSON]? {
        if let one = try? JSONReader.read(text: text) { return [one] }
        var values: [JSON] = []
        var pending = ""
        for line in text.components(separatedBy: "\n") {
            pending += line + "\n"
            if let value = try? JSONReader.read(text: pending) {
                values.append(value)
                pending = ""
            }
        }
        return pending.allSatisfy(\.isWhitespace) && !values.isEmpty ? values : nil
    }

    private static func difference(_ expected: JSON, _ printed: JSON, at path: String) -> String? {
        switch (expected, printed) {
        case (.string("…"), _): return nil
        case (.string(let left), .string(let right)):
            return fits(right, left) ? nil : "\(path): shown \(expected.text), printed \(printed.text)"
        case (.array(let left), .array(let right)):
            let goesOn = left.last == .string("…")
            let shown = goesOn ? Array(left.dropLast()) : left
            guard goesOn ? right.count >= shown.count : right.count == shown.count else {
                return "\(path): \(shown.count) items are shown, \(right.count) were printed"
            }
            for place in shown.indices {
                if let found = difference(shown[place], right[place], at: "\(path)[\(place)]") { return found }
            }
            return nil
        case (.object(let left), .object(let right)):
            let goesOn = left.members.last?.name == "…"
            let shown = goesOn ? Array(left.members.dropLast()) : left.members
            for member in shown {
                guard let value = right[member.name] else { return "\(path).\(member.name): not printed" }
                if let found = difference(member.value, value, at: "\(path).\(member.name)") { return found }
            }
            let names = Set(shown.map(\.name))
            if !goesOn, let extra = right.members.first(where: { !names.contains($0.name) }) {
                return "\(path).\(extra.name): printed, not shown"
            }
            return nil
        default: return expected == printed ? nil : "\(path): shown \(expected.text), printed \(printed.text)"
        }
    }

    /// Tells whether a text matches a pattern in which `…` stands for anything.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard parts.count > 1 else { return text == pattern }
        guard text.hasPrefix(parts[0]) else { return false }
        var rest = text.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}
