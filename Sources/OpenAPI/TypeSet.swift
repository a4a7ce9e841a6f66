import Formats
import JSON

/// The types that a schema takes.
struct TypeSet: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1)
    static let boolean = TypeSet(rawValue: 2)
    static let object = TypeSet(rawValue: 4)
    static let array = TypeSet(rawValue: 8)
    /// Whole numbers, `1.0` among them.
    static let integer = TypeSet(rawValue: 16)
    /// Numbers that are not whole; `number` of JSON Schema is both.
    static let fraction = TypeSet(rawValue: 32)
    static let string = TypeSet(rawValue: 64)
    static let number: TypeSet = [.integer, .fraction]
    static let all: TypeSet = [.null, .boolean, .object, .array, .number, .string]

    /// The types of a keyword's value; nil if it names none.
    init?(_ value: JSON) {
        switch value {
        case .string(let name):
            guard let type = Self.named[name] else { return nil }
            self = type
        case .array(let names):
            let types = names.compactMap { $0.stringValue.flatMap { Self.named[$0] } }
            guard !types.isEmpty, types.count == names.count else { return nil }
            self = types.reduce([]) { $0.union($1) }
        default: return nil
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The type of a value.
    init(of value: JSON) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer: self = .integer
        case .number: self = Decimal(value)?.isWhole == true ? .integer : .fraction
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// Tells whether all of them are of arrays and objects.
    var isOfContainers: Bool { isSubset(of: [.object, .array]) }

    /// The types in words.
    var description: String {
        var names: [String] = []
        if contains(.string) { names.append("a string") }
        if contains(.number) { names.append("a number") } else if contains(.integer) { names.append("an integer") }
        if contains(.boolean) { names.append("a boolean") }
        if contains(.object) { names.append("an object") }
        if contains(.array) { names.append("an array") }
        if contains(.null) { names.append("null") }
        guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }

    private static let named: [String: TypeSet] = [
        "null": .null, "boolean": .boolean, "object": .object, "array": .array, "number": .number,
        "integer": .integer, "string": .string,
    ]
}
