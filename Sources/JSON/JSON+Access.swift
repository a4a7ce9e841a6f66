extension JSON {
    /// True for `null`.
    public var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The string, when this is one.
    public var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The whole number, when this is one that fits.
    ///
    /// Another spelling of a whole number (`1.0`, `1e5`, `-0`) counts up to 2^53, the range in which a double still
    /// tells neighbouring integers apart.
    public var intValue: Int64? {
        switch self {
        case .integer(let value):
            return value
        case .number(let number):
            let value = number.double
            guard value.magnitude <= 9_007_199_254_740_992 else { return nil }
            return Int64(whole: value)
        default:
            return nil
        }
    }

    /// The number as the nearest double, when this is a number; infinite when it is out of range.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let number): number.double
        default: nil
        }
    }

    /// The truth value, when this is one.
    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, when this is an array.
    public var arrayValue: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The object, when this is one.
    public var objectValue: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// The value of the last member of that name, when this is an object that has one.
    public subscript(_ key: String) -> JSON? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    /// The element at that place, when this is an array that reaches so far.
    public subscript(_ index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The JSON Schema name of this kind of value: `string`, `number`, `boolean`, `array`, `object` or `null`.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
