public import Foundation

/// A JSON value, written as Swift literals.
///
///     let value: JSONValue = ["user": ["email": "anna@example.com"], "count": 3]
///     let email = value["user"]?["email"]?.string
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The member of that name; nil if there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The item at that place; nil if there is none or this is no array.
    public subscript(place: Int) -> JSONValue? {
        if case .array(let items) = self, items.indices.contains(place) { items[place] } else { nil }
    }

    /// The text; nil if this is no string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number as an integer; nil if this is no number or has a fraction.
    public var int: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

    /// The number; nil if this is none.
    public var double: Double? { if case .number(let number) = self { number } else { nil } }

    /// The truth value; nil if this is none.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The items; nil if this is no array.
    public var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    /// The value as compact JSON, and a string as itself.
    var text: String {
        if let string { return string }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Parses a JSON document.
    ///
    ///     let value = try JSONValue(data: Data(#"{"count":3}"#.utf8))
    public init(data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value unchanged.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// An object; of two members with one name the later one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
