import Backend
package import HTTPMessage
import JSON
package import RegularExpressions

/// The condition on a value of a query or a field, or on the text of a body (own-API contract, section 6).
enum ValueCondition: Sendable {
    case equal(String)
    case contains(String, ByteSearch)
    case expression(RegularExpression)
    /// There is no value.
    case absent

    /// The forms of a condition that is written as an object.
    private static let forms = ["contains", "regex", "absent"]

    /// Reads the condition that a value of `query` or `headers` states.
    static func read(_ json: JSON, _ name: String, _ check: inout BodyCheck) -> ValueCondition? {
        switch json {
        case .string(let text): return .equal(text)
        case .integer, .number, .bool: return .equal(json.text)
        case .object(let object):
            var inner = BodyCheck(object, at: "\(check.path).\(name.cut)")
            let condition = one(of: forms, &inner)
            inner.refuseUnknown()
            check.add(inner.items)
            return condition
        case .null, .array:
            check.fault(name, "must be a string, a number, a boolean or an object with a condition")
            return nil
        }
    }

    /// Reads the condition that `bodyText` states.
    static func readText(_ check: inout BodyCheck) -> ValueCondition? {
        one(of: ["equals", "contains", "regex"], &check)
    }

    /// Reads a regular expression.
    static func expression(_ check: inout BodyCheck) -> RegularExpression? {
        guard let source = check.string("regex") else { return nil }
        do throws(RegularExpressionError) {
            return try RegularExpression(source)
        } catch {
            check.fault("regex", "\(error)")
            return nil
        }
    }

    private static func one(of forms: [String], _ check: inout BodyCheck) -> ValueCondition? {
        let given = check.named(forms)
        // The names are known members, whatever is wrong with their number.
        for form in forms { _ = check.value(form) }
        guard given.count == 1 else {
            check.fault("must have exactly one of \(forms.joined(separator: ", "))")
            return nil
        }
        switch given[0] {
        case "equals": return check.string("equals").map { .equal($0) }
        case "contains": return check.string("contains").map { .contains($0, ByteSearch(Array($0.utf8))) }
        case "regex": return expression(&check).map { .expression($0) }
        default:
            guard check.boolean("absent") ?? true else {
                check.fault("absent", "must be true")
                return nil
            }
            return check.value("absent")?.boolValue == true ? .absent : nil
        }
    }

    /// Tells whether a value fits.
    func fits(_ value: String) -> Bool {
        switch self {
        case .equal(let wanted): value.hasSameCodePoints(as: wanted)
        case .contains(_, let search):
            if value.utf8.count < search.bytes.count {
                false
            } else {
                search.end(in: Array(value.utf8), 0..<value.utf8.count) != nil
            }
        case .expression(let expression): expression.matchesWhole(value)
        case .absent: false
        }
    }

    /// The condition as differences tell it.
    var shown: String {
        switch self {
        case .equal(let text): Matcher.quoted(text)
        case .contains(let text, _): "text that contains \(Matcher.quoted(text))"
        case .expression(let expression): "a match of \(Matcher.quoted(expression.source))"
        case .absent: "none"
        }
    }

    /// The bytes that it is written with.
    var length: Int {
        switch self {
        case .equal(let text), .contains(let text, _): text.utf8.count
        case .expression(let expression): expression.source.utf8.count
        case .absent: 0
        }
    }

    /// The steps that a byte of the value takes at most; none where it is only compared.
    var steps: Int {
        switch self {
        case .equal, .absent: 0
        case .contains: 1
        case .expression(let expression): expression.size
        }
    }
}

/// The condition on a path: a pattern, or a regular expression for the path as the journal writes it.
package enum PathCondition: Sendable {
    case pattern(PathPattern)
    case expression(RegularExpression)

    /// The text that it was read from.
    package var text: String {
        switch self {
        case .pattern(let pattern): pattern.text
        case .expression(let expression): expression.source
        }
    }

    /// The condition as differences tell it.
    var shown: String {
        switch self {
        case .pattern(let pattern): pattern.text
        case .expression(let expression): "a match of \(Matcher.quoted(expression.source))"
        }
    }

    /// The text with the segments of a path in the places of its parameters.
    func filled(from segments: [String]) -> String {
        switch self {
        case .pattern(let pattern): pattern.filled(from: segments)
        case .expression(let expression): expression.source
        }
    }

    /// Returns whether a path matches.
    package func matches(_ path: Path) -> Bool {
        switch self {
        case .pattern(let pattern): pattern.matches(path.segments, endingInSlash: path.hasTrailingSlash)
        case .expression(let expression): expression.matchesWhole(path.text)
        }
    }

    /// Tells whether some path matches: it begins with a slash and holds neither a query nor a character that is escaped
    /// there.
    package var mayMatch: Bool {
        switch self {
        case .pattern: true
        case .expression(let expression): expression.mayMatch(Self.letters, after: "/")
        }
    }

    /// The characters of a path as it is written out.
    private static let letters: [Unicode.Scalar] = (0x21...0x7E).map { Unicode.Scalar(UInt8($0)) }
        .filter { !"\"#<>?[\\]^`{|}".unicodeScalars.contains($0) }

    /// Returns whether the path of a request matches.
    func matches(_ subject: MatchSubject) -> Bool {
        switch self {
        case .pattern(let pattern): pattern.matches(subject.segments, endingInSlash: subject.hasTrailingSlash)
        case .expression(let expression): expression.matchesWhole(subject.path)
        }
    }

    /// Tells whether the path of a request would match with the other form of its end.
    func differsBySlash(from subject: MatchSubject) -> Bool {
        guard !subject.segments.isEmpty else { return false }
        return switch self {
        case .pattern(let pattern):
            pattern.matches(subject.segments, endingInSlash: !subject.hasTrailingSlash)
        case .expression(let expression):
            expression.matchesWhole(
                Path(segments: subject.segments, hasTrailingSlash: !subject.hasTrailingSlash).text
            )
        }
    }
}
