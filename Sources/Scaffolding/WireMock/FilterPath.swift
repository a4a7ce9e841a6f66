import Basics
import JSON

/// A JSONPath that ends in a filter of equalities, such as `$.items[?(@.sku == 'A' && @.count == 2)]`.
struct FilterPath {
    /// The part that a body has to have.
    let subset: JSON
    /// The difference from what fits in WireMock.
    let looseness: String

    /// Reads a path; nil for any other.
    init?(_ path: String) {
        guard let start = path.firstRange(of: "[?("), path.hasSuffix(")]"),
            let names = MemberPath.names(String(path[..<start.lowerBound]))
        else { return nil }
        var wanted: JSON?
        var hasContainer = false
        for part in Self.split(path[start.upperBound...].dropLast(2), at: "&&") {
            guard let (value, isContainer) = Self.equality(part) else { return nil }
            guard let both = wanted.map({ StubConversion.union($0, value) }) ?? value else { return nil }
            (wanted, hasContainer) = (both, hasContainer || isContainer)
        }
        guard let wanted else { return nil }
        // A member of the root, or an element of an array.
        if names.isEmpty, case .object = wanted {
            subset = wanted
        } else {
            subset = MemberPath.value(.array([wanted]), at: names)
        }
        let other =
            names.isEmpty && subset == wanted ? "an object, not in an array of such" : "an array, not in one object"
        looseness = "is looked for in \(other)" + (hasContainer ? ", and with further elements too" : "")
    }

    /// The value that an equality asks for, and whether it holds others.
    private static func equality(_ text: Substring) -> (JSON, Bool)? {
        let sides = split(text, at: "==").map { $0.trimmingBlanks }
        guard sides.count == 2, sides[0].hasPrefix("@"), let names = MemberPath.names("$" + sides[0].dropFirst()),
            let value = RelaxedJSON.value(sides[1])
        else { return nil }
        let isContainer = value.arrayValue != nil || value.objectValue != nil
        return (MemberPath.value(value, at: names), isContainer)
    }

    /// The parts between the occurrences of a sign outside of quotes.
    private static func split(_ text: Substring, at sign: String) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var quote: Character?
        var place = text.startIndex
        while place < text.endIndex {
            let character = text[place]
            if quote == nil, text[place...].hasPrefix(sign) {
                parts.append(text[start..<place])
                place = text.index(place, offsetBy: sign.count)
                start = place
                continue
            }
            if let open = quote {
                if character == "\\" { place = text.index(after: place) }
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            }
            if place < text.endIndex { place = text.index(after: place) }
        }
        return parts + [text[start...]]
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
