public import JSON

/// A response type: its members are declared once, and the declaration writes it and describes it.
public protocol ResponseModel: Sendable {
    /// The members in the order in which they are written.
    static var shape: ResponseSchema<Self> { get }
}

/// The members of a response type in the order in which they are written.
///
/// It is not `Encodable`, because its containers would cost several times the whole budget of a request, and because
/// the contracts are most precise about order and presence (null or absent).
public struct ResponseSchema<Value>: Sendable {
    /// One member.
    public struct Member: Sendable {
        let name: String
        let schema: JSONSchema
        let isAlwaysPresent: Bool
        /// Writes name and value, or nothing when the member is absent.
        let write: @Sendable (Value, inout ResponseWriter) -> Void

        init(
            name: String,
            schema: JSONSchema,
            isAlwaysPresent: Bool,
            write: @escaping @Sendable (Value, inout ResponseWriter) -> Void
        ) {
            self.name = name
            self.schema = schema
            self.isAlwaysPresent = isAlwaysPresent
            self.write = write
        }
    }

    /// The name of the schema in the OpenAPI document.
    public let name: String
    /// The members, in order.
    public let members: [Member]
    /// The members' functions alone, because a walk over whole members would count references to their descriptions.
    let writers: [@Sendable (Value, inout ResponseWriter) -> Void]

    /// Creates a schema of that name with those members.
    public init(_ name: String, _ members: [Member]) {
        self.name = name
        self.members = members
        writers = members.map(\.write)
    }

    /// Writes the members without the braces.
    public func write(_ value: Value, to writer: inout ResponseWriter) {
        for write in writers { write(value, &writer) }
    }

    /// Returns the members for a type that holds such a value, for types that begin alike.
    public func members<Outer>(of read: @escaping @Sendable (Outer) -> Value) -> [ResponseSchema<Outer>.Member] {
        members.map { member in
            let write = member.write
            return ResponseSchema<Outer>.Member(
                name: member.name,
                schema: member.schema,
                isAlwaysPresent: member.isAlwaysPresent
            ) { outer, writer in
                write(read(outer), &writer)
            }
        }
    }

    /// The schema of the whole object.
    public var schema: JSONSchema {
        .object(
            JSONSchema.Object(
                members.map {
                    JSONSchema.Property($0.name, $0.schema, isRequired: $0.isAlwaysPresent)
                }
            )
        )
    }
}

extension ResponseSchema.Member {
    /// The name as JSON text, encoded once.
    static func encoded(_ name: String) -> [UInt8] { JSON.string(name).serialized() }

    static func always(
        _ name: String,
        _ schema: JSONSchema,
        _ write: @escaping @Sendable (Value, inout ResponseWriter) -> Void
    ) -> Self {
        let encoded = encoded(name)
        return Self(name: name, schema: schema, isAlwaysPresent: true) { value, writer in
            writer.json.name(encoded: encoded)
            write(value, &writer)
        }
    }

    /// A text that is always present.
    public static func string(
        _ name: String,
        oneOf values: [String]? = nil,
        _ read: @escaping @Sendable (Value) -> String
    ) -> Self {
        always(name, .string(enumeration: values)) { $1.json.string(read($0)) }
    }

    /// A text, or null if there is no value.
    public static func nullableString(_ name: String, _ read: @escaping @Sendable (Value) -> String?) -> Self {
        always(name, .nullable(.string())) { value, writer in
            if let text = read(value) { writer.json.string(text) } else { writer.json.null() }
        }
    }

    /// A text that is left out if there is no value.
    public static func optionalString(_ name: String, _ read: @escaping @Sendable (Value) -> String?) -> Self {
        Self(name: name, schema: .string(), isAlwaysPresent: false) { value, writer in
            guard let text = read(value) else { return }
            writer.json.name(name)
            writer.json.string(text)
        }
    }

    /// A whole number.
    public static func integer(_ name: String, _ read: @escaping @Sendable (Value) -> Int) -> Self {
        always(name, .integer()) { $1.json.integer(Int64(read($0))) }
    }

    /// A number that may have a fraction.
    public static func number(_ name: String, _ read: @escaping @Sendable (Value) -> Double) -> Self {
        always(name, .number) { $1.json.double(read($0)) }
    }

    /// True or false.
    public static func boolean(_ name: String, _ read: @escaping @Sendable (Value) -> Bool) -> Self {
        always(name, .boolean) { $1.json.bool(read($0)) }
    }

    /// A Boolean that is left out if there is no value.
    public static func optionalBoolean(_ name: String, _ read: @escaping @Sendable (Value) -> Bool?) -> Self {
        Self(name: name, schema: .boolean, isAlwaysPresent: false) { value, writer in
            guard let flag = read(value) else { return }
            writer.json.name(name)
            writer.json.bool(flag)
        }
    }

    /// A date-time in the API's form.
    public static func time(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp) -> Self {
        always(name, .string(format: "date-time")) { $1.write(read($0)) }
    }

    /// A day, `YYYY-MM-DD`.
    public static func day(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp) -> Self {
        always(name, .string(format: "date")) { value, writer in
            writer.writeDay(read(value))
        }
    }

    /// A list of texts.
    public static func strings(_ name: String, _ read: @escaping @Sendable (Value) -> [String]) -> Self {
        always(name, .array(.string())) { value, writer in
            writer.json.beginArray()
            for text in read(value) { writer.json.string(text) }
            writer.json.endArray()
        }
    }

    /// An object of another schema.
    public static func object<Inner: ResponseModel>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Inner
    )
        -> Self
    {
        always(name, Inner.shape.schema) { $1.write(read($0)) }
    }

    /// An object of another schema, or null.
    public static func nullableObject<Inner: ResponseModel>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Inner?
    ) -> Self {
        always(name, .nullable(Inner.shape.schema)) { value, writer in
            if let inner = read(value) { writer.write(inner) } else { writer.json.null() }
        }
    }

    /// A list of objects of another schema.
    public static func array<Inner: ResponseModel>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> [Inner]
    )
        -> Self
    {
        always(name, .array(Inner.shape.schema)) { $1.write(read($0)) }
    }

    /// A member with a schema and a writer of its own.
    public static func custom(
        _ name: String,
        _ schema: JSONSchema,
        _ write: @escaping @Sendable (Value, inout ResponseWriter) -> Void
    ) -> Self {
        always(name, schema, write)
    }

    /// A member that may be left out, with a schema and a writer of its own.
    public static func optionalCustom(
        _ name: String,
        _ schema: JSONSchema,
        isPresent: @escaping @Sendable (Value) -> Bool,
        _ write: @escaping @Sendable (Value, inout ResponseWriter) -> Void
    ) -> Self {
        Self(name: name, schema: schema, isAlwaysPresent: false) { value, writer in
            guard isPresent(value) else { return }
            writer.json.name(name)
            write(value, &writer)
        }
    }
}
