/// A type that declares its own schema, because `Decodable` alone does not reveal it.
///
/// For types with a decoder of their own: identifiers, instants, enumerations with payload.
public protocol JSONSchemaDescribing: Decodable {
    /// The shape; its `sample()` must be a value that the type decodes.
    static var jsonSchema: JSONSchema { get }
}

/// An error for a type of which no schema can be made.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The way from the outermost type to the one that resists.
    public let path: [JSONPathElement]
    /// The name of the type that resists.
    public let type: String
    /// The unsupported behaviour of the type and a remedy.
    public let reason: String

    /// Path, type and reason.
    public var description: String { "\(path.formattedJSONPath) (\(type)): \(reason)" }
}

extension JSONSchema {
    /// A schema under a name that references use.
    public struct Component: Sendable, Hashable {
        /// The unqualified name of the type.
        public var name: String
        /// Its shape.
        public var schema: JSONSchema
    }

    /// The shape that a type decodes, found by letting it decode from a decoder that takes notes.
    ///
    /// Properties come in the order in which the type asks for them: declaration order for synthesised code. A property
    /// decoded with `decodeIfPresent` is not required. A type that contains itself becomes a reference to its
    /// unqualified name; `derivedWithComponents` also gives what those names stand for.
    ///
    /// - Parameters:
    ///   - type: The type to look at.
    ///   - additionalProperties: What objects say about other members; `.closed` fits strict decoding.
    /// - Returns: The shape.
    /// - Throws: `SchemaError` when the type reads in a way that notes cannot show.
    public static func derived<Value: Decodable>(
        from type: Value.Type,
        additionalProperties: AdditionalProperties = .open
    ) throws(SchemaError) -> JSONSchema {
        try derivedWithComponents(from: type, additionalProperties: additionalProperties).schema
    }

    /// The shape of a type, and of all types in it that contain themselves, in the order they were found.
    ///
    /// - Parameters:
    ///   - type: The type to look at.
    ///   - additionalProperties: What objects say about other members.
    /// - Returns: The shape and what its references stand for.
    /// - Throws: `SchemaError` when the type reads in a way that notes cannot show.
    public static func derivedWithComponents<Value: Decodable>(
        from type: Value.Type,
        additionalProperties: AdditionalProperties = .open
    ) throws(SchemaError) -> (schema: JSONSchema, components: [Component]) {
        let survey = SchemaSurvey(additionalProperties: additionalProperties)
        let schema = try survey.schema(of: type, at: [])
        return (schema, survey.components)
    }
}
