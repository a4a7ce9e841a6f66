extension JSONDecoding {
    /// The value as that type, or everything in it that does not fit.
    ///
    /// `decode` stops at the first part of a wrong type, as `Decodable` does. A user who corrects a file by hand needs
    /// the others too. They are searched for only then, by the schema that can be derived from the type; for a type
    /// without one only the first is reported.
    package static func decodeOrExplain<Value: Decodable>(
        _ type: Value.Type,
        from json: JSON,
        options: Options = Options()
    ) throws(JSONDecodingError) -> Value {
        do throws(JSONDecodingError) {
            return try decode(type, from: json, options: options)
        } catch {
            throw JSONDecodingError(issues: error.issues + others(than: error.issues, type, json, options))
        }
    }

    private static func others<Value: Decodable>(
        than known: [JSONIssue],
        _ type: Value.Type,
        _ json: JSON,
        _ options: Options
    ) -> [JSONIssue] {
        let bounds: JSONSchema.AdditionalProperties = options.rejectUnknownMembers ? .closed : .open
        guard let shape = try? JSONSchema.derivedWithComponents(from: type, additionalProperties: bounds) else {
            return []
        }
        let found = JSONSchemaValidator.validate(json, against: shape.schema) { name in
            shape.components.first { $0.name == name }?.schema
        }
        // What lies above or below a known issue is the same one, seen from elsewhere.
        return found.filter { issue in
            !known.contains { $0.path.starts(with: issue.path) || issue.path.starts(with: $0.path) }
        }
    }
}
