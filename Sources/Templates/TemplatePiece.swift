import Basics
import CivilTime
import JSON

/// One `{{…}}`: a placeholder with its default and its filter.
struct TemplatePiece: Hashable, Sendable {
    let placeholder: Placeholder
    let fallback: JSON?
    let filter: TemplateFilter?

    /// The value, with default and filter applied.
    func value(from values: inout some TemplateValues) -> TemplateValue? {
        guard let value = values.found(placeholder) ?? fallback.map({ .json($0) }) else { return nil }
        guard let filter else { return value }
        return filter.apply(to: value)
    }

    /// Reads what stands between the braces.
    init(_ text: Substring, names: TemplateNames) throws(TemplateFormError) {
        var (rest, filter) = try Self.split(text)
        if let filter {
            guard let known = TemplateFilter(rawValue: filter) else {
                throw .unknown("filter", filter, TemplateFilter.allCases.map(\.rawValue))
            }
            self.filter = known
        } else {
            self.filter = nil
        }
        if let mark = rest.firstRange(of: "??") {
            fallback = try Self.fallback(rest[mark.upperBound...].trimmed)
            rest = rest[..<mark.lowerBound]
        } else {
            fallback = nil
        }
        placeholder = try PlaceholderReader(names: names).read(String(rest.trimmed))
    }

    /// The part before the last `|` outside of quotes, and the filter behind it.
    private static func split(_ text: Substring) throws(TemplateFormError) -> (Substring, String?) {
        var isQuoted = false
        var bars: [Substring.Index] = []
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            switch text.unicodeScalars[index] {
            case "\"" where !isEscaped: isQuoted.toggle()
            case "|" where !isQuoted: bars.append(index)
            default: break
            }
            isEscaped = isQuoted && text.unicodeScalars[index] == "\\" && !isEscaped
        }
        guard bars.count <= 1 else { throw .form("has one filter at most") }
        guard let bar = bars.first else { return (text, nil) }
        return (text[..<bar], String(text[text.unicodeScalars.index(after: bar)...].trimmed))
    }

    /// The value of a default: JSON if it is that, else the text itself.
    private static func fallback(_ text: Substring) throws(TemplateFormError) -> JSON {
        guard let first = text.unicodeScalars.first else { throw .form("has no value after ??") }
        if let json = try? JSONReader.read(text: String(text)) { return json }
        guard !["\"", "[", "{"].contains(first) else { throw .form("has a value after ?? that is not JSON: \(text)") }
        return .string(String(text))
    }
}

/// A defect within the braces of a placeholder.
enum TemplateFormError: Error {
    /// A name, or a filter, that does not exist, and those that do.
    case unknown(String, String, [String])
    case form(String)

    /// The reason for a placeholder of that text.
    func reason(_ text: Substring) -> String {
        let placeholder = "{{\(text)}}"
        switch self {
        case .form(let what): return "\(placeholder) \(what)"
        case .unknown(let kind, let name, let known):
            let nearest = Suggestion.hint(to: name, among: known)
            let all = known.isEmpty ? "there is none here" : "known are \(known.joined(separator: ", "))"
            return "\(placeholder): unknown \(kind) \(name)\(nearest.isEmpty ? "; \(all)" : nearest)"
        }
    }
}

extension Substring {
    /// The text without blanks around it.
    var trimmed: Substring {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !Self.isBlank($0) }),
            let last = scalars.lastIndex(where: { !Self.isBlank($0) })
        else { return self[endIndex...] }
        return Substring(scalars[first...last])
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
}
