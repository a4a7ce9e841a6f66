import JSON
import RegularExpressions

/// The condition that a JSON body, which has all of a value, has nothing else (own-API contract, section 20).
///
/// It counts the names of members, the scalars and the opening brackets: a body with all of them and no more has only
/// them.
enum ExactBody {
    /// Names, scalars in quotes or without, and opening brackets, each with the signs behind it.
    private static let token = #"(?:"(?:[^"\\]|\\.)*"|[\[{]|[^\s",:\[\]{}]+[\s,:\]}])[\s,:\]}]*"#

    /// Returns the condition `bodyText`; nil if it needs none, or is too large for an expression.
    static func condition(_ value: JSON) -> JSONObject? {
        guard !isImplied(value), let expression = try? RegularExpression("\\s*(?:\(token)){\(count(value))}") else {
            return nil
        }
        return ["regex": .string(expression.source)]
    }

    /// Tells whether a body that has all of the value can have nothing else.
    static func isImplied(_ value: JSON) -> Bool { value.arrayValue == nil && value.objectValue == nil }

    private static func count(_ json: JSON) -> Int {
        switch json {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .object(let object): object.members.reduce(1) { $0 + 1 + count($1.value) }
        case .null, .bool, .integer, .number, .string: 1
        }
    }
}
