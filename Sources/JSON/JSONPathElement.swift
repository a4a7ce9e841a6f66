/// One step from a value into one of its parts.
public enum JSONPathElement: Hashable, Sendable {
    /// Into the member of that name.
    case key(String)
    /// Into the element at that place, from 0.
    case index(Int)
}

extension JSONPathElement: ExpressibleByStringLiteral {
    /// Into the member of that name.
    public init(stringLiteral value: String) { self = .key(value) }
}

extension JSONPathElement: ExpressibleByIntegerLiteral {
    /// Into the element at that place.
    public init(integerLiteral value: Int) { self = .index(value) }
}

extension Sequence where Element == JSONPathElement {
    /// The path as people write it: `$.a[3].b`, with `['…']` around names that are not identifiers.
    ///
    /// Quotes, backslashes and control characters in such names are escaped as in RFC 9535 section 2.3.1.
    public var formattedJSONPath: String {
        var text = "$"
        for element in self {
            switch element {
            case .index(let index): text += "[\(index)]"
            case .key(let name): text += name.isPlainName ? ".\(name)" : "['\(name.escapedForPath)']"
            }
        }
        return text
    }
}

extension String {
    /// ASCII letters, digits and underscores, not starting with a digit.
    fileprivate var isPlainName: Bool {
        guard let first = utf8.first, !first.isDigit else { return false }
        return utf8.allSatisfy { $0.isDigit || $0 == 0x5F || ($0 | 0x20) &- 0x61 < 26 }
    }

    fileprivate var escapedForPath: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "'": text += "\\'"
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
