public import JSON

/// Members that may be null.
extension ResponseSchema.Member {
    /// A whole number, or null.
    public static func nullableInteger(_ name: String, _ read: @escaping @Sendable (Value) -> Int?) -> Self {
        custom(name, .nullable(.integer())) { value, writer in
            if let number = read(value) { writer.json.integer(Int64(number)) } else { writer.json.null() }
        }
    }

    /// A number that may have a fraction, or null.
    public static func nullableNumber(_ name: String, _ read: @escaping @Sendable (Value) -> Double?) -> Self {
        custom(name, .nullable(.number)) { value, writer in
            if let number = read(value) { writer.json.double(number) } else { writer.json.null() }
        }
    }

    /// True, false or null.
    public static func nullableBoolean(_ name: String, _ read: @escaping @Sendable (Value) -> Bool?) -> Self {
        custom(name, .nullable(.boolean)) { value, writer in
            if let flag = read(value) { writer.json.bool(flag) } else { writer.json.null() }
        }
    }

    /// One of the cases of an enumeration, or null.
    public static func nullableChoice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Choice?
    ) -> Self where Choice.RawValue == String {
        custom(name, .nullable(.string(enumeration: Choice.allCases.map(\.rawValue)))) { value, writer in
            if let choice = read(value) { writer.json.string(choice.rawValue) } else { writer.json.null() }
        }
    }

    /// A date-time in the API's form, or null.
    public static func nullableTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        custom(name, .nullable(.string(format: "date-time"))) { value, writer in
            if let time = read(value) { writer.write(time) } else { writer.json.null() }
        }
    }

    /// A day, `YYYY-MM-DD`, or null.
    public static func nullableDay(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        custom(name, .nullable(.string(format: "date"))) { value, writer in
            if let time = read(value) { writer.writeDay(time) } else { writer.json.null() }
        }
    }
}

/// Members that are left out when there is no value.
extension ResponseSchema.Member {
    /// A whole number, if there is one.
    public static func optionalInteger(
        _ name: String,
        _ schema: JSONSchema = .integer(),
        _ read: @escaping @Sendable (Value) -> Int?
    ) -> Self {
        optional(name, schema, read) { $1.json.integer(Int64($0)) }
    }

    /// A number that may have a fraction, if there is one.
    public static func optionalNumber(_ name: String, _ read: @escaping @Sendable (Value) -> Double?) -> Self {
        optional(name, .number, read) { $1.json.double($0) }
    }

    /// A date-time in the API's form, if there is one.
    public static func optionalTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        optional(name, .string(format: "date-time"), read) { $1.write($0) }
    }

    /// A day, `YYYY-MM-DD`, if there is one.
    public static func optionalDay(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        optional(name, .string(format: "date"), read) { $1.writeDay($0) }
    }

    /// A list of texts, if there is one.
    public static func optionalStrings(_ name: String, _ read: @escaping @Sendable (Value) -> [String]?) -> Self {
        optional(name, .array(.string()), read) { texts, writer in
            writer.json.beginArray()
            for text in texts { writer.json.string(text) }
            writer.json.endArray()
        }
    }

    /// An object of another shape, if there is one.
    public static func optionalObject<Inner: ResponseModel>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Inner?
    ) -> Self {
        optional(name, Inner.shape.schema, read) { $1.write($0) }
    }

    /// Any JSON, if there is some.
    public static func optionalJSON(
        _ name: String,
        _ schema: JSONSchema = .any,
        _ read: @escaping @Sendable (Value) -> JSON?
    ) -> Self {
        optional(name, schema, read) { $1.json.write($0) }
    }

    /// A value with a schema and a writer of its own, if there is one.
    public static func optional<Output>(
        _ name: String,
        _ schema: JSONSchema,
        _ read: @escaping @Sendable (Value) -> Output?,
        _ write: @escaping @Sendable (Output, inout ResponseWriter) -> Void
    ) -> Self {
        Self(name: name, schema: schema, isAlwaysPresent: false) { value, writer in
            guard let output = read(value) else { return }
            writer.json.name(name)
            write(output, &writer)
        }
    }
}

extension ResponseSchema.Member {
    /// One of the cases of an enumeration.
    public static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Choice
    ) -> Self where Choice.RawValue == String {
        string(name, oneOf: Choice.allCases.map(\.rawValue)) { read($0).rawValue }
    }

    /// A whole number of 64 bits.
    public static func integer64(_ name: String, _ read: @escaping @Sendable (Value) -> Int64) -> Self {
        custom(name, .integer()) { $1.json.integer(read($0)) }
    }
}
