import Emulation
import JSON

extension ResponseSchema.Member {
    /// A date-time, or null.
    static func nullableTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .custom(name, .nullable(Schemas.time)) { value, writer in
            if let time = read(value) { writer.write(time) } else { writer.json.null() }
        }
    }

    /// A date-time, left out when there is none.
    static func optionalTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .optionalCustom(name, Schemas.time, isPresent: { read($0) != nil }) { value, writer in
            if let time = read(value) { writer.write(time) }
        }
    }

    /// A day, left out when there is none.
    static func optionalDay(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .optionalCustom(name, Schemas.day, isPresent: { read($0) != nil }) { value, writer in
            if let time = read(value) { writer.writeDay(time) }
        }
    }

    /// A whole number, left out when there is none.
    static func optionalInteger(_ name: String, _ read: @escaping @Sendable (Value) -> Int?) -> Self {
        .optionalCustom(name, .integer(), isPresent: { read($0) != nil }) { value, writer in
            writer.json.integer(Int64(read(value) ?? 0))
        }
    }

    /// A number, left out when there is none.
    static func optionalNumber(_ name: String, _ read: @escaping @Sendable (Value) -> Double?) -> Self {
        .optionalCustom(name, .number, isPresent: { read($0) != nil }) { value, writer in
            writer.json.double(read(value) ?? 0)
        }
    }

    /// An object of another shape, left out when there is none.
    static func optionalObject<Inner: ResponseModel>(_ name: String, _ read: @escaping @Sendable (Value) -> Inner?)
        -> Self
    {
        .optionalCustom(name, Inner.shape.schema, isPresent: { read($0) != nil }) { value, writer in
            if let inner = read(value) { writer.write(inner) }
        }
    }
}
