import Foundation
import Testing

/// Records an issue unless both values are equal.
///
/// `#expect(a == b)` says the same, and costs the compiler 20 ms more at each place: 4 minutes in all tests. For the same
/// reason the place is made of its parts after a failure, not as an argument.
package func expectEqual<Value: Equatable>(
    _ actual: Value,
    _ expected: Value,
    _ comment: String = "",
    _ fileID: String = #fileID,
    _ filePath: String = #filePath,
    _ line: Int = #line,
    _ column: Int = #column
) {
    if actual == expected { return }
    let (found, wanted) = (ExpectationFailure.text(actual), ExpectationFailure.text(expected))
    ExpectationFailure(
        summary: "\(found) == \(wanted)",
        difference: ExpectationFailure.difference(actual, expected) ?? ExpectationFailure.difference(found, wanted),
        comment: comment,
        place: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ).record(filePath)
}

/// Records an issue unless there is no value, as `#expect(a == nil)` does.
package func expectNil<Value>(
    _ actual: Value?,
    _ comment: String = "",
    _ fileID: String = #fileID,
    _ filePath: String = #filePath,
    _ line: Int = #line,
    _ column: Int = #column
) {
    guard let actual else { return }
    ExpectationFailure(
        summary: "\(ExpectationFailure.text(actual)) == nil",
        difference: nil,
        comment: comment,
        place: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ).record(filePath)
}

/// The text of a failed comparison.
private struct ExpectationFailure {
    var summary: String
    var difference: String?
    var comment: String
    var place: SourceLocation

    func record(_ path: String) {
        let exchange = LastExchange.text
        let lines = [
            comment, "Expectation failed: \(summary)", difference ?? "", source(path),
            exchange.isEmpty ? "" : "The last exchange: \(exchange)",
        ]
        Issue.record("\(lines.filter { !$0.isEmpty }.joined(separator: "\n"))", sourceLocation: place)
    }

    /// The call as it is written, from its first line to its last.
    private func source(_ path: String) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return "" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(place.line - 1)
        guard let first = lines.first else { return "" }
        let indent = first.prefix { $0 == " " }
        guard first.hasSuffix("(") else { return String(first.dropFirst(indent.count)) }
        let end = lines.firstIndex { $0.hasPrefix("\(indent))") } ?? lines.startIndex
        return lines[...end].map { $0.hasPrefix(indent) ? String($0.dropFirst(indent.count)) : String($0) }
            .joined(separator: "\n")
    }

    static func text(_ value: Any) -> String {
        guard let content = content(value) else { return "nil" }
        return String(describingForTest: content)
    }

    /// What an optional holds; any other value as it is.
    private static func content(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { content($0.value) }
    }

    /// The first place at which two lists differ, and their lengths if they do.
    static func difference(_ actual: Any, _ expected: Any) -> String? {
        guard let found = content(actual) as? [Any], let wanted = content(expected) as? [Any],
            min(found.count, wanted.count) > 0, max(found.count, wanted.count) > 1
        else { return nil }
        let (founds, wanteds) = (found.map { text($0) }, wanted.map { text($0) })
        let counts = found.count == wanted.count ? "" : "; \(found.count) elements, not \(wanted.count)"
        let place = zip(founds, wanteds).prefix { $0 == $1 }.count
        guard place < max(found.count, wanted.count) else { return nil }
        func part(_ texts: [String]) -> String { place < texts.count ? texts[place] : "nothing" }
        return "first difference at [\(place)]: \(part(founds)), not \(part(wanteds))\(counts)"
    }

    /// The first place at which two long texts differ.
    static func difference(_ actual: String, _ expected: String) -> String? {
        guard min(actual.count, expected.count) > 60 else { return nil }
        let same = zip(actual, expected).prefix { $0 == $1 }.count
        func part(_ text: String) -> String { "…\(text.dropFirst(max(0, same - 20)).prefix(60))…" }
        return "first difference at character \(same): \(part(actual)), not \(part(expected))"
    }
}
