package import JSON

extension OpenAPIDescription {
    /// Returns the document as OpenAPI 3.0.3, for APIs whose contract names that version.
    ///
    /// Types with null become `nullable`, and lists of examples become one example. The bearer scheme gets the given
    /// name and holds for the whole document; operations state only deviations.
    package func document303(securityScheme name: String, bearerFormat: String) -> JSON {
        guard case .object(var document) = document else { return .null }
        document["openapi"] = "3.0.3"
        if var components = document["components"]?.objectValue {
            if let schemas = components["schemas"]?.objectValue {
                components["schemas"] = .object(
                    JSONObject(
                        schemas.members.map { JSONObject.Member(name: $0.name, value: Self.schema303($0.value)) }
                    )
                )
            }
            components["securitySchemes"] = .object([
                name: ["type": "http", "scheme": "bearer", "bearerFormat": .string(bearerFormat)]
            ])
            document["components"] = .object(components)
        }
        let everywhere: JSON = .array([.object([name: .array([])])])
        document["security"] = everywhere
        document["paths"] = document["paths"].map { paths in
            Self.mapMembers(paths) { item in
                Self.mapMembers(item) { operation in Self.operation303(operation, name, everywhere) }
            }
        }
        return .object(document)
    }

    private static func mapMembers(_ json: JSON, _ change: (JSON) -> JSON) -> JSON {
        guard case .object(let object) = json else { return json }
        return .object(JSONObject(object.members.map { JSONObject.Member(name: $0.name, value: change($0.value)) }))
    }

    private static func operation303(_ json: JSON, _ scheme: String, _ everywhere: JSON) -> JSON {
        guard case .object(var operation) = withSchemas303(json) else { return json }
        if let security = operation["security"] {
            let renamed = JSON.array(
                (security.arrayValue ?? []).map { $0["bearer"] == nil ? $0 : .object([scheme: .array([])]) }
            )
            operation["security"] = renamed == everywhere ? nil : renamed
        }
        return .object(operation)
    }

    /// Returns the JSON with every member `schema` rewritten.
    private static func withSchemas303(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(withSchemas303))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        switch member.name {
                        case "schema": JSONObject.Member(name: member.name, value: schema303(member.value))
                        // An example belongs to the API, whatever its members are called.
                        case "example", "examples": member
                        default: JSONObject.Member(name: member.name, value: withSchemas303(member.value))
                        }
                    }
                )
            )
        default: json
        }
    }

    /// Returns a schema of JSON Schema 2020-12 in the dialect of OpenAPI 3.0.
    static func schema303(_ json: JSON) -> JSON {
        guard case .object(let object) = json else { return json }
        var printed = JSONObject()
        for member in object.members {
            switch member.name {
            case "type":
                guard case .array(let types) = member.value else {
                    if member.value == "null" {
                        printed["nullable"] = true
                        printed["enum"] = .array([.null])
                    } else {
                        printed["type"] = member.value
                    }
                    continue
                }
                printed["type"] = types.first { $0 != "null" }
                if types.contains("null") { printed["nullable"] = true }
            case "anyOf", "oneOf":
                let choices = member.value.arrayValue ?? []
                let rest = choices.filter { $0["type"] != "null" }
                if rest.count < choices.count { printed["nullable"] = true }
                printed[rest.count == 1 ? "allOf" : member.name] = .array(rest.map(schema303))
            case "properties": printed["properties"] = mapMembers(member.value, schema303)
            case "items", "additionalProperties": printed[member.name] = schema303(member.value)
            case "examples": printed["example"] = member.value[0]
            default: printed[member.name] = member.value
            }
        }
        return .object(printed)
    }
}
