import Secrets

/// An object of JSON that may describe values, so that the names in it are those of what is described.
struct SchemaObject {
    /// The names of members whose own members are described by schemas.
    static let names: Set<String> = ["properties", "patternProperties", "schemas", "definitions", "$defs"]
    /// Members with the version of OpenAPI.
    static let versions: Set<String> = ["openapi", "swagger"]
    /// Members that tell a schema from other objects.
    private static let keywords: Set<String> = [
        "type", "$ref", "allOf", "anyOf", "oneOf", "enum", "format", "description", "properties", "pattern",
    ]
    /// Members that the description of a field has, and no credential.
    private static let traits: Set<String> = [
        "type", "label", "title", "description", "help", "help_text", "helpText", "placeholder", "format", "pattern",
        "required", "nullable", "read_only", "readOnly", "write_only", "writeOnly", "min_length", "max_length",
        "minLength", "maxLength", "min", "max", "enum", "choices", "default", "example", "examples", "deprecated",
        "hidden", "order", "unique", "$ref",
    ]
    /// The bytes that are examined.
    static let mostExamined = 64 * 1_024

    /// Its first members, with their texts.
    private var members: [(name: String, text: String?)] = []

    init(members: [(name: String, text: String?)]) { self.members = members }

    /// Creates the object that opens at a place of a text, from its beginning.
    init(_ bytes: [UInt8], at place: Int) {
        var depth = 0
        var next = place
        var isValue = false
        let end = min(bytes.count, place + Self.mostExamined)
        while next < end {
            switch bytes[next] {
            case 0x22:
                let start = next + 1
                next = start
                while next < end, bytes[next] != 0x22 { next += bytes[next] == 0x5C ? 2 : 1 }
                guard depth == 1, next < end else { break }
                let text = String(decoding: bytes[start..<next], as: UTF8.self)
                if !isValue {
                    members.append((text, nil))
                } else if !members.isEmpty {
                    members[members.count - 1].text = text
                }
            case 0x3A where depth == 1: isValue = true
            case 0x2C where depth == 1: isValue = false
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return }
            default: break
            }
            next += 1
        }
    }

    /// Tells whether it is an OpenAPI document or a JSON schema.
    var isDocument: Bool {
        members.contains { Self.versions.contains($0.name) && $0.text?.first?.isNumber == true }
            || members.contains { $0.name == "$schema" || $0.name == "type" && $0.text == "object" }
                && members.contains { Self.names.contains($0.name) }
    }

    /// Tells whether it has schemas alone, each in braces of YAML.
    var hasFlowSchemas: Bool {
        !members.isEmpty && members.allSatisfy { SchemaObject(flow: Array(($0.text ?? "").utf8)[...]).isSchema }
    }

    /// Tells whether it is a schema, where one is expected; a setting has a value.
    var isSchema: Bool {
        members.contains { Self.keywords.contains($0.name) } && !members.contains { SecretNames.isLabelled($0.name) }
    }

    /// Tells whether it describes a field and has nothing else.
    var isDescription: Bool {
        members.contains { $0.name == "type" } && members.allSatisfy { Self.traits.contains($0.name) }
    }
}
