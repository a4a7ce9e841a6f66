extension JSONSchema {
    /// The smallest value that fits: the example where there is one, required members only, no elements.
    ///
    /// Patterns and unresolved references are not looked into; a schema with a pattern needs an example.
    public func sample() -> JSON {
        switch self {
        case .any, .null, .nullable, .reference:
            return .null
        case .boolean:
            return false
        case .number:
            return 0
        case .boundedNumber(let minimum, let maximum):
            return .double(max(minimum ?? -.infinity, min(0, maximum ?? .infinity)))
        case .integer(let minimum, let maximum):
            return .integer(max(minimum ?? .min, min(0, maximum ?? .max)))
        case .string(let format, let enumeration, let minLength, _, _):
            if let first = enumeration?.first { return .string(first) }
            if let known = Self.samples(ofFormat: format) { return .string(known) }
            return .string(String(repeating: "a", count: max(0, minLength ?? 0)))
        case .array(let items, let minItems, _):
            return .array(Array(repeating: items.sample(), count: max(0, minItems ?? 0)))
        case .object(let object):
            return .object(
                JSONObject(
                    object.properties.filter(\.isRequired).map {
                        JSONObject.Member(name: $0.name, value: $0.example ?? $0.schema.sample())
                    }
                )
            )
        case .oneOf(let alternatives):
            return alternatives.first?.sample() ?? .null
        case .described(let schema, _, let example):
            return example ?? schema.sample()
        }
    }

    private static func samples(ofFormat format: String?) -> String? {
        switch format {
        case "date-time": "2025-01-01T00:00:00Z"
        case "date": "2025-01-01"
        case "uuid": "00000000-0000-0000-0000-000000000000"
        case "uri": "https://example.com/"
        case "email": "someone@example.com"
        case "duration": "PT1S"
        default: nil
        }
    }
}
