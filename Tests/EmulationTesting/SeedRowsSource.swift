package import Emulation
import Foundation
import Locking

/// The source that makes the rows of an API's seed without reading a file.
///
/// `make seeds` writes it. A table has none where its rows have parts that a source of another file can't make.
package struct SeedRowsSource {
    /// Rows in one function: the type checker takes longer for long lists.
    private static let rowsPerFunction = 40

    private let api: String
    private let target: String
    private var tables: [(name: String, type: String, rows: [String])] = []

    /// Reads the seed of an API, every table of which is written as a source.
    package init<API: EmulatedAPI>(_ api: API.Type) throws {
        self.api = API.identity.name
        target = String(String(reflecting: api).prefix { $0 != "." })
        let noted = Locked<[(String, any Sendable)]>([])
        var files = try SeedFolder.files(of: API.identity.name)
        files.onTable = { name, rows in noted.withLock { $0.append((name, rows)) } }
        _ = try API.readSeed(files)
        for (name, rows) in noted.withLock({ $0 }) {
            guard let rows = rows as? [any Sendable], let first = rows.first, let row = Self.name(of: type(of: first))
            else { continue }
            let texts = rows.compactMap { Self.text(of: $0) }
            guard texts.count == rows.count else { continue }
            tables.append((name, row, texts))
        }
    }

    /// Returns whether the project has this source; where `UNDERSTUDY_WRITE` says `seeds`, it is written first.
    package func isCurrent() throws -> Bool {
        if ProcessInfo.processInfo.environment["UNDERSTUDY_WRITE"] == "seeds" {
            try Data(text.utf8).write(to: place)
        }
        return try String(contentsOf: place, encoding: .utf8) == text
    }

    private var place: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(
                "Sources/\(target)/Seed/\(target)SeedRows.generated.swift"
            )
    }

    private var text: String {
        var lines = [
            "// Made by `make seeds` from seeds/\(api); do not edit.", "// swift-format-ignore-file", "",
            "import CivilTime", "import Emulation", "", "extension \(target)API {",
            "    /// The rows of a table as its file holds them; nil for one whose file is to be read.",
            "    package static func builtInRows(of table: String) -> (any Sendable)? {", "        switch table {",
        ]
        var functions: [String] = []
        for (number, table) in tables.enumerated() {
            var calls: [String] = []
            for start in stride(from: 0, to: table.rows.count, by: Self.rowsPerFunction) {
                let name = "seedRows\(number)_\(calls.count)"
                calls.append(name + "()")
                functions += ["", "    private static func \(name)() -> [\(table.type)] {", "        ["]
                functions += table.rows[start...].prefix(Self.rowsPerFunction).map { "            \($0)," }
                functions += ["        ]", "    }"]
            }
            lines.append("        case \"\(table.name)\": seedRows\(number)()")
            let parts = "[\(calls.joined(separator: ", "))].flatMap { $0 }"
            functions += ["", "    private static func seedRows\(number)() -> [\(table.type)] { \(parts) }"]
        }
        lines += ["        default: nil", "        }", "    }"] + functions + ["}", ""]
        return lines.joined(separator: "\n")
    }

    /// The name of a type without its module; nil where another file can't write it.
    private static func name(of type: Any.Type) -> String? {
        let parts = String(reflecting: type).split(separator: ".")
        guard parts.count > 1, !parts.contains(where: { $0.contains("(") || $0.contains("<") }) else { return nil }
        return parts.dropFirst().joined(separator: ".")
    }

    private static func text(of value: Any) -> String? {
        switch value {
        case let value as String: return literal(value)
        case let value as Bool: return "\(value)"
        case let value as any BinaryInteger: return "\(value)"
        case let value as Double: return "\(value)"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .collection: return list(mirror).map { "[\($0)]" }
        case .enum:
            guard let chosen = mirror.children.first else { return ".\(value)" }
            guard let label = chosen.label, let payload = text(of: chosen.value) else { return nil }
            return ".\(label)(\(payload))"
        case .struct:
            guard let name = name(of: mirror.subjectType), let members = list(mirror) else { return nil }
            return "\(name)(\(members))"
        default: return nil
        }
    }

    private static func list(_ mirror: Mirror) -> String? {
        let parts = mirror.children.compactMap { child in
            text(of: child.value).map { (child.label.map { $0 + ": " } ?? "") + $0 }
        }
        return parts.count == mirror.children.count ? parts.joined(separator: ", ") : nil
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case " "..."~": literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }
}
