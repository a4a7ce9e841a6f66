import Emulation
import JSON

extension ResponseSchema.Member {
    /// A date, left out if it is nil.
    static func optionalTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .optionalCustom(name, .string(format: "date-time"), isPresent: { read($0) != nil }) { value, writer in
            if let time = read(value) { writer.write(time) }
        }
    }

    /// A date, null if it is nil.
    static func nullableTime(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        .custom(name, .nullable(.string(format: "date-time"))) { value, writer in
            if let time = read(value) { writer.write(time) } else { writer.json.null() }
        }
    }

    /// A number, left out if it is nil.
    static func optionalNumber(_ name: String, _ read: @escaping @Sendable (Value) -> Double?) -> Self {
        .optionalCustom(name, .number, isPresent: { read($0) != nil }) { value, writer in
            if let number = read(value) { writer.json.double(number) }
        }
    }

    /// Any JSON, left out if it is nil.
    static func optionalJSON(
        _ name: String,
        _ schema: JSONSchema = .any,
        _ read: @escaping @Sendable (Value) -> JSON?
    ) -> Self {
        .optionalCustom(name, schema, isPresent: { read($0) != nil }) { value, writer in
            if let json = read(value) { writer.json.write(json) }
        }
    }

    /// A number of the change log.
    static func number64(_ name: String, _ read: @escaping @Sendable (Value) -> Int64) -> Self {
        .custom(name, .integer()) { $1.json.integer(read($0)) }
    }
}
