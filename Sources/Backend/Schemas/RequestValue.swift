package import JSON

/// A kind of value that a member of a request body may have: its schema, and the reader that agrees with it.
package struct RequestValue<Output: Sendable>: Sendable {
    /// The value as the OpenAPI document shows it.
    package let schema: JSONSchema
    /// Reads the value, or notes its issues and returns nil.
    package let read: @Sendable (JSON, inout [FieldIssue]) -> Output?

    package init(_ schema: JSONSchema, read: @escaping @Sendable (JSON, inout [FieldIssue]) -> Output?) {
        self.schema = schema
        self.read = read
    }

    /// The same kind with its value converted.
    package func map<Other: Sendable>(_ convert: @escaping @Sendable (Output) -> Other) -> RequestValue<Other> {
        RequestValue<Other>(schema) { [read] json, issues in read(json, &issues).map(convert) }
    }

    /// The same kind with its value converted; a failed conversion is that issue.
    package func map<Other: Sendable>(
        orIssue kind: FieldIssue.Kind,
        _ convert: @escaping @Sendable (Output) -> Other?
    ) -> RequestValue<Other> {
        RequestValue<Other>(schema) { [read] json, issues in
            guard let output = read(json, &issues) else { return nil }
            if let other = convert(output) { return other }
            issues.note(kind, json)
            return nil
        }
    }

    /// The same kind with another schema in the document: a narrower one, for a rule that is checked after the reading,
    /// or one with a description.
    package func documented(as schema: JSONSchema) -> Self { Self(schema, read: read) }

    /// The same kind with all of its issues, at any depth, merged into one of the value as a whole.
    package func withOneIssue(_ kind: FieldIssue.Kind) -> Self {
        Self(schema) { [read] json, issues in
            var inner: [FieldIssue] = []
            if let output = read(json, &inner), inner.isEmpty { return output }
            issues.note(kind, json)
            return nil
        }
    }

    /// The same kind, for which `null` stands for that value.
    package func orNull(_ value: Output) -> Self {
        Self(.nullable(schema)) { [read] json, issues in json.isNull ? value : read(json, &issues) }
    }

    /// The same kind, for which a value that does not fit counts as none.
    package func orIgnored(_ description: String? = nil) -> RequestValue<Output?> {
        RequestValue<Output?>(description.map { .described(.any, description: $0) } ?? .any) { [read] json, _ in
            var inner: [FieldIssue] = []
            let output = read(json, &inner)
            return .some(inner.isEmpty ? output : nil)
        }
    }
}

extension RequestValue where Output == String {
    /// The same text, which must be in a format.
    package func format(_ name: String, where isValid: @escaping @Sendable (String) -> Bool) -> Self {
        format(name) { isValid($0) ? $0 : nil }
    }

    /// The same text, converted from a format.
    package func format<Other: Sendable>(
        _ name: String,
        reading convert: @escaping @Sendable (String) -> Other?
    ) -> RequestValue<Other> {
        documented(as: schema.withFormat(name)).map(orIssue: .wrongFormat(name), convert)
    }
}

extension RequestValue where Output == JSON {
    /// Any value.
    package static var any: Self { Self(.any) { json, _ in json } }
}

extension RequestValue where Output == JSONObject {
    /// An object of any members.
    package static var anyObject: Self {
        Self(.object(JSONSchema.Object())) { json, issues in
            guard case .object(let object) = json else {
                issues.note(.wrongType(.object), json)
                return nil
            }
            return object
        }
    }
}

extension JSONSchema {
    /// The schema of the same string in a format.
    fileprivate func withFormat(_ name: String) -> JSONSchema {
        guard case .string(_, let enumeration, let minLength, let maxLength, let pattern) = self else { return self }
        return .string(
            format: name,
            enumeration: enumeration,
            minLength: minLength,
            maxLength: maxLength,
            pattern: pattern
        )
    }
}
