extension Instant: Codable {
    /// Reads an ISO 8601 instant, or whole microseconds since 1970.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let microseconds = try? container.decode(Int64.self) {
            self.init(microseconds: microseconds)
            return
        }
        let text = try container.decode(String.self)
        guard let instant = Instant(iso8601: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is not an ISO 8601 instant such as 2025-01-01T12:00:00.000000Z"
            )
        }
        self = instant
    }

    /// Writes it with all its microseconds; as their number where the year has no four digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let text = iso8601(.microseconds)
        if Instant(iso8601: text) == self {
            try container.encode(text)
        } else {
            try container.encode(microseconds)
        }
    }
}
