/// One derivation: which types are being looked at and which of them contain themselves.
final class SchemaSurvey {
    let additionalProperties: JSONSchema.AdditionalProperties
    private(set) var components: [JSONSchema.Component] = []
    private var open: [ObjectIdentifier] = []
    private var recursive: [ObjectIdentifier] = []
    private var namedTypes: [String: ObjectIdentifier] = [:]

    init(additionalProperties: JSONSchema.AdditionalProperties) {
        self.additionalProperties = additionalProperties
    }

    /// The shape of a type.
    func schema<Value: Decodable>(of type: Value.Type, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema {
        if let known = knownSchema(of: type) { return known }
        if let wrapper = type as? any SchemaWrapper.Type { return try wrapper.schema(in: self, at: path) }
        if open.contains(ObjectIdentifier(type)) { return try reference(to: type, at: path) }
        return try probe(type, at: path).schema
    }

    /// Returns the schema of a type and a value of it, with which a type that contains it continues decoding.
    func value<Value: Decodable>(
        of type: Value.Type,
        at path: [JSONPathElement]
    ) throws(SchemaError) -> (schema: JSONSchema, value: Value) {
        if let known = knownSchema(of: type) {
            do {
                return (known, try JSONDecoding.decode(type, from: known.sample()))
            } catch {
                throw failure(type, "does not decode the sample of its own schema: \(error)", at: path)
            }
        }
        if let wrapper = type as? any SchemaWrapper.Type {
            let schema = try wrapper.schema(in: self, at: path)
            if let value = wrapper.emptyValue as? Value { return (schema, value) }
        }
        guard !open.contains(ObjectIdentifier(type)) else {
            throw failure(type, "contains itself as a required part, so no finite value exists", at: path)
        }
        return try probe(type, at: path)
    }

    private func knownSchema<Value: Decodable>(of type: Value.Type) -> JSONSchema? {
        if let describing = type as? any JSONSchemaDescribing.Type { return describing.jsonSchema }
        if let scalar = scalarSchema(of: type) { return scalar }
        return rawNames(of: type).map { .string(enumeration: $0) }
    }

    private func probe<Value: Decodable>(
        _ type: Value.Type,
        at path: [JSONPathElement]
    ) throws(SchemaError) -> (schema: JSONSchema, value: Value) {
        open.append(ObjectIdentifier(type))
        defer { open.removeLast() }
        let probe = SchemaProbe(survey: self, path: path)
        let value: Value
        do {
            value = try Value(from: probe)
        } catch let error as SchemaError {
            throw error
        } catch {
            let hint = probe.readsKeysDynamically ? "reads its keys dynamically" : "refuses the values of the probe"
            throw failure(type, "\(hint) (\(error)); conform it to JSONSchemaDescribing", at: path)
        }
        guard let schema = probe.schema() else {
            let hint = probe.readsKeysDynamically ? "reads its keys dynamically" : "decodes nothing"
            throw failure(type, "\(hint); conform it to JSONSchemaDescribing", at: path)
        }
        if recursive.contains(ObjectIdentifier(type)) {
            let name = name(of: type)
            if !components.contains(where: { $0.name == name }) {
                components.append(JSONSchema.Component(name: name, schema: schema))
            }
        }
        return (schema, value)
    }

    private func reference<Value>(to type: Value.Type, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema {
        let name = name(of: type)
        if let other = namedTypes[name], other != ObjectIdentifier(type) {
            throw failure(type, "shares its name with another type that contains itself", at: path)
        }
        namedTypes[name] = ObjectIdentifier(type)
        recursive.append(ObjectIdentifier(type))
        return .reference(name)
    }

    private func name<Value>(of type: Value.Type) -> String { String(describing: type) }

    func failure<Value>(_ type: Value.Type, _ reason: String, at path: [JSONPathElement]) -> SchemaError {
        SchemaError(path: path, type: name(of: type), reason: reason)
    }
}

/// The shape of the types that the standard library decodes as scalars, and of JSON itself.
private func scalarSchema(of type: Any.Type) -> JSONSchema? {
    switch type {
    case is JSON.Type: .any
    case is JSONObject.Type: .object(JSONSchema.Object())
    case is Bool.Type: .boolean
    case is String.Type: .string()
    case is Double.Type, is Float.Type: .number
    case is Int.Type, is Int64.Type: .integer()
    case is UInt.Type, is UInt64.Type: .integer(minimum: 0)
    case let type as any FixedWidthInteger.Type: boundedSchema(type)
    default: nil
    }
}

private func boundedSchema<Value: FixedWidthInteger>(_ type: Value.Type) -> JSONSchema {
    .integer(minimum: Int64(exactly: type.min), maximum: Int64(exactly: type.max))
}

/// A generic container whose shape follows from its parts; asked before `init(from:)`, which would not tell an array
/// of none or a dictionary from an object that reads its keys dynamically.
protocol SchemaWrapper {
    static var emptyValue: Self { get }
    static func schema(in survey: SchemaSurvey, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema
}

extension Optional: SchemaWrapper where Wrapped: Decodable {
    static var emptyValue: Wrapped? { nil }

    static func schema(in survey: SchemaSurvey, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema {
        .nullable(try survey.schema(of: Wrapped.self, at: path))
    }
}

extension Array: SchemaWrapper where Element: Decodable {
    static var emptyValue: [Element] { [] }

    static func schema(in survey: SchemaSurvey, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema {
        .array(try survey.schema(of: Element.self, at: path + [.index(0)]))
    }
}

extension Set: SchemaWrapper where Element: Decodable {
    static var emptyValue: Set<Element> { [] }

    static func schema(in survey: SchemaSurvey, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema {
        .array(try survey.schema(of: Element.self, at: path + [.index(0)]))
    }
}

extension Dictionary: SchemaWrapper where Key == String, Value: Decodable {
    static var emptyValue: [String: Value] { [:] }

    static func schema(in survey: SchemaSurvey, at path: [JSONPathElement]) throws(SchemaError) -> JSONSchema {
        let values = try survey.schema(of: Value.self, at: path + [.key("*")])
        return .object(JSONSchema.Object(additionalProperties: .schema(values)))
    }
}
