import Formats
import JSON

extension JSON {
    /// A text that equal values share, and no others: numbers by value, objects without the order of their members.
    var canonicalText: String {
        switch self {
        case .null, .bool, .string: text
        case .integer, .number: Decimal(self)?.canonicalText ?? text
        case .array(let elements): "[" + elements.map(\.canonicalText).joined(separator: ",") + "]"
        case .object(let object): Self.canonicalText(of: object)
        }
    }

    private static func canonicalText(of object: JSONObject) -> String {
        let members = object.members.map { "\(JSON.string($0.name).text):\($0.value.canonicalText)" }
        return "{" + members.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ",") + "}"
    }

    /// Equality as JSON Schema has it.
    func isSame(as other: JSON) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameCodePoints(as: right)
        case (.integer, .number), (.number, .integer), (.number, .number):
            if let left = Decimal(self), let right = Decimal(other) { left == right } else { false }
        case (.array, .array), (.object, .object): canonicalText == other.canonicalText
        default: self == other
        }
    }
}
