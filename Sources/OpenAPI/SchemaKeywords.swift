import JSON

/// The forms of the keywords of a schema.
enum SchemaKeywords {
    /// Returns the expected form of a keyword's value if it has another one; such a keyword is not checked.
    static func mistake(_ name: String, _ value: JSON, _ dialect: Dialect) -> String? {
        switch name {
        case "type": return isType(value, dialect) ? nil : "the name of a type"
        case "minimum", "maximum": return value.doubleValue == nil ? "a number" : nil
        case "multipleOf": return (value.doubleValue ?? 0) > 0 ? nil : "a number above 0"
        case "exclusiveMinimum", "exclusiveMaximum":
            switch dialect {
            case .openAPI30: return value.boolValue == nil ? "a boolean" : nil
            case .jsonSchema202012: return value.doubleValue == nil ? "a number" : nil
            }
        case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains",
            "maxContains":
            return (value.intValue ?? -1) >= 0 ? nil : "a whole number from 0"
        case "uniqueItems", "nullable", "readOnly", "writeOnly": return value.boolValue == nil ? "a boolean" : nil
        case "pattern", "format": return value.stringValue == nil ? "a string" : nil
        case "required":
            return value.arrayValue?.allSatisfy { $0.stringValue != nil } == true ? nil : "an array of strings"
        case "enum": return value.arrayValue == nil ? "an array" : nil
        default: return nil
        }
    }

    /// The keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have.
    static let later: Set<String> = [
        "const", "prefixItems", "contains", "propertyNames", "dependentSchemas", "unevaluatedProperties",
        "unevaluatedItems", "if",
    ]

    static let types = ["null", "boolean", "object", "array", "number", "string", "integer"]

    private static func isType(_ value: JSON, _ dialect: Dialect) -> Bool {
        switch value {
        case .string(let name): types.contains(name) && (dialect == .jsonSchema202012 || name != "null")
        case .array(let names):
            dialect == .jsonSchema202012 && !names.isEmpty
                && names.allSatisfy { types.contains($0.stringValue ?? "") }
        default: false
        }
    }
}
