/// The schema of a JSON value, with the keywords that the described APIs need.
public indirect enum JSONSchema: Sendable, Hashable {
    /// Anything.
    case any
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number of any spelling.
    case number
    /// A number between two bounds, both included.
    case boundedNumber(minimum: Double? = nil, maximum: Double? = nil)
    /// A whole number, `1.0` included, between two bounds, both included.
    case integer(minimum: Int64? = nil, maximum: Int64? = nil)
    /// A string.
    ///
    /// Lengths count code points, the pattern may match anywhere and the format is a note for people and generators:
    /// JSON Schema 2020-12 makes it an annotation, so the validator does not look at it.
    case string(
        format: String? = nil,
        enumeration: [String]? = nil,
        minLength: Int? = nil,
        maxLength: Int? = nil,
        pattern: String? = nil
    )
    /// An array of such elements.
    case array(JSONSchema, minItems: Int? = nil, maxItems: Int? = nil)
    /// An object.
    case object(Object)
    /// Such a value or `null`.
    case nullable(JSONSchema)
    /// A value that fits exactly one of these.
    case oneOf([JSONSchema])
    /// The schema that is kept elsewhere under that name.
    case reference(String)
    /// A schema with words for people and an example.
    case described(JSONSchema, description: String? = nil, example: JSON? = nil)

    /// The members that an object may have.
    public struct Object: Sendable, Hashable {
        /// The members with a name of their own, in order.
        public var properties: [Property]
        /// The rule for members without a declaration.
        public var additionalProperties: AdditionalProperties
        /// Words for people.
        public var description: String?

        /// Creates an object with those members; others are allowed by default.
        public init(
            _ properties: [Property] = [],
            additionalProperties: AdditionalProperties = .open,
            description: String? = nil
        ) {
            self.properties = properties
            self.additionalProperties = additionalProperties
            self.description = description
        }
    }

    /// Members that have no name of their own in the schema.
    public enum AdditionalProperties: Sendable, Hashable {
        /// None are allowed.
        case closed
        /// All are allowed.
        case open
        /// Allowed when their values fit.
        case schema(JSONSchema)
    }

    /// One member of an object.
    public struct Property: Sendable, Hashable {
        /// The name of the member.
        public var name: String
        /// The shape of its value.
        public var schema: JSONSchema
        /// Requires the member to be present.
        public var isRequired: Bool
        /// Words for people.
        public var description: String?
        /// A value such as the member may have.
        public var example: JSON?

        /// Creates a member, required by default.
        public init(
            _ name: String,
            _ schema: JSONSchema,
            isRequired: Bool = true,
            description: String? = nil,
            example: JSON? = nil
        ) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
            self.description = description
            self.example = example
        }
    }
}

extension JSONSchema {
    /// The schema with one property changed, such as given words; nil when this is no object or has no such property.
    public func changingProperty(_ name: String, _ change: (inout Property) -> Void) -> JSONSchema? {
        guard case .object(var object) = self, let place = object.properties.firstIndex(where: { $0.name == name })
        else { return nil }
        change(&object.properties[place])
        return .object(object)
    }
}
