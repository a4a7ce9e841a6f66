extension JSONSchema {
    /// The place where OpenAPI keeps named schemas.
    public static let componentsPrefix = "#/components/schemas/"

    /// The schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1.
    ///
    /// A nullable type becomes a list of types where there is one (`["string","null"]`) and a choice otherwise.
    /// References are the prefix and the name, escaped as a JSON pointer (RFC 6901 section 3).
    public func json(referencePrefix: String = componentsPrefix) -> JSON {
        .object(printed(referencePrefix))
    }

    private func printed(_ prefix: String) -> JSONObject {
        switch self {
        case .any:
            return [:]
        case .null:
            return ["type": "null"]
        case .boolean:
            return ["type": "boolean"]
        case .number:
            return ["type": "number"]
        case .boundedNumber(let minimum, let maximum):
            return printedNumber("number", minimum.map(JSON.double), maximum.map(JSON.double))
        case .integer(let minimum, let maximum):
            return printedNumber("integer", minimum.map(JSON.integer), maximum.map(JSON.integer))
        case .string(let format, let enumeration, let minLength, let maxLength, let pattern):
            var schema: JSONObject = ["type": "string"]
            schema["format"] = format.map(JSON.string)
            schema["enum"] = enumeration.map { .array($0.map(JSON.string)) }
            schema["minLength"] = minLength.map { .integer(Int64($0)) }
            schema["maxLength"] = maxLength.map { .integer(Int64($0)) }
            schema["pattern"] = pattern.map(JSON.string)
            return schema
        case .array(let items, let minItems, let maxItems):
            var schema: JSONObject = ["type": "array", "items": items.json(referencePrefix: prefix)]
            schema["minItems"] = minItems.map { .integer(Int64($0)) }
            schema["maxItems"] = maxItems.map { .integer(Int64($0)) }
            return schema
        case .object(let object):
            return printed(object, prefix)
        case .nullable(let schema):
            return schema.printedNullable(prefix)
        case .oneOf(let alternatives):
            return ["oneOf": .array(alternatives.map { $0.json(referencePrefix: prefix) })]
        case .reference(let name):
            return ["$ref": .string(prefix + Self.escapedForPointer(name))]
        case .described(let schema, let description, let example):
            var printed = schema.printed(prefix)
            printed.describe(description, example)
            return printed
        }
    }

    private func printedNumber(_ type: JSON, _ minimum: JSON?, _ maximum: JSON?) -> JSONObject {
        var schema: JSONObject = ["type": type]
        schema["minimum"] = minimum
        schema["maximum"] = maximum
        return schema
    }

    private func printed(_ object: Object, _ prefix: String) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        schema.describe(object.description, nil)
        var properties = JSONObject()
        for property in object.properties {
            var printed = property.schema.printed(prefix)
            printed.describe(property.description, property.example)
            properties.append(property.name, .object(printed))
        }
        if !properties.isEmpty { schema["properties"] = .object(properties) }
        let required = object.properties.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        switch object.additionalProperties {
        case .open: break
        case .closed: schema["additionalProperties"] = false
        case .schema(let values): schema["additionalProperties"] = values.json(referencePrefix: prefix)
        }
        return schema
    }

    private func printedNullable(_ prefix: String) -> JSONObject {
        switch self {
        case .any, .null, .nullable:
            return printed(prefix)
        case .described(let schema, let description, let example):
            var printed = schema.printedNullable(prefix)
            printed.describe(description, example)
            return printed
        case .oneOf(let alternatives):
            return JSONSchema.oneOf(alternatives + [.null]).printed(prefix)
        case .reference:
            return ["anyOf": .array([json(referencePrefix: prefix), JSONSchema.null.json()])]
        default:
            var schema = printed(prefix)
            if let type = schema["type"] { schema["type"] = .array([type, "null"]) }
            // An enumeration holds for every type, so null has to be in it.
            if let values = schema["enum"]?.arrayValue { schema["enum"] = .array(values + [.null]) }
            return schema
        }
    }

    private static func escapedForPointer(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension JSONObject {
    /// Adds words and an example to a printed schema; the outer ones win.
    fileprivate mutating func describe(_ description: String?, _ example: JSON?) {
        if let description { self["description"] = .string(description) }
        if let example { self["examples"] = .array([example]) }
    }
}
