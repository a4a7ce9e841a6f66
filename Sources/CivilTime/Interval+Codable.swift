extension Interval: Codable {
    /// Reads an ISO 8601 duration, or whole microseconds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let microseconds = try? container.decode(Int64.self) {
            self.init(microseconds: microseconds)
            return
        }
        let text = try container.decode(String.self)
        guard let interval = try? Interval(iso8601Duration: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is not an ISO 8601 duration such as PT15M"
            )
        }
        self = interval
    }

    /// Writes an ISO 8601 duration; the microseconds where that would not read back the same.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let text = iso8601
        if let read = try? Interval(iso8601Duration: text), read == self {
            try container.encode(text)
        } else {
            try container.encode(microseconds)
        }
    }
}
