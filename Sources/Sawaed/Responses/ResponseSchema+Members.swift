import CivilTime
import Emulation
import JSON

/// Members of Sawaed's responses, in addition to the common ones.
extension ResponseSchema.Member {
    /// Integer milliseconds since 1970 (contract, section 2.1).
    static func milliseconds(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp) -> Self {
        custom(name, .integer()) { value, writer in
            let time = read(value).resolved(in: writer.epoch)
            writer.json.integer(time.milliseconds)
        }
    }

    static func nullableMilliseconds(_ name: String, _ read: @escaping @Sendable (Value) -> Timestamp?) -> Self {
        custom(name, .nullable(.integer())) { value, writer in
            if let time = read(value)?.resolved(in: writer.epoch) {
                writer.json.integer(time.milliseconds)
            } else {
                writer.json.null()
            }
        }
    }

    static func nullableInteger(_ name: String, _ read: @escaping @Sendable (Value) -> Int?) -> Self {
        custom(name, .nullable(.integer())) { value, writer in
            if let number = read(value) { writer.json.integer(Int64(number)) } else { writer.json.null() }
        }
    }

    static func nullableNumber(_ name: String, _ read: @escaping @Sendable (Value) -> Double?) -> Self {
        custom(name, .nullable(.number)) { value, writer in
            if let number = read(value) { writer.json.double(number) } else { writer.json.null() }
        }
    }

    static func nullableChoice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Choice?
    ) -> Self where Choice.RawValue == String {
        custom(name, .nullable(.string(enumeration: Choice.allCases.map(\.rawValue)))) { value, writer in
            if let choice = read(value) { writer.json.string(choice.rawValue) } else { writer.json.null() }
        }
    }

    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> Choice
    ) -> Self where Choice.RawValue == String {
        string(name, oneOf: Choice.allCases.map(\.rawValue)) { read($0).rawValue }
    }
}
