import Backend
import JSON

extension ResponseSchema.Member {
    /// A number that may be unlimited; the world's setting selects how `nil` is sent (D12).
    static func unlimited(
        _ name: String,
        _ read: @escaping @Sendable (Value) -> (count: Int?, form: CarbScanSettings.Unlimited)
    ) -> Self {
        custom(name, .nullable(.integer())) { value, writer in
            let (count, form) = read(value)
            switch (count, form) {
            case (let count?, _): writer.json.integer(Int64(count))
            case (nil, .number): writer.json.integer(Int64(CarbScanAPI.unlimited))
            case (nil, .minusOne): writer.json.integer(-1)
            case (nil, .null): writer.json.null()
            }
        }
    }
}
