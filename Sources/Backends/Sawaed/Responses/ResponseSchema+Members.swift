import Backend
import CivilTime
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
}
