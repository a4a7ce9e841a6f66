import Backend
import CivilTime
import JSON

/// An absolute time in a row that was created at run time; written as ISO 8601 with microseconds.
struct Moment: Sendable, Hashable, Comparable {
    var instant: Instant

    init(_ instant: Instant) { self.instant = instant }

    static func < (left: Moment, right: Moment) -> Bool { left.instant < right.instant }
}

extension Moment: JSONSchemaDescribing {
    /// The text form.
    static var jsonSchema: JSONSchema { .string(format: "date-time") }
}

extension Moment: Codable {
    /// Reads the text form.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Instant(iso8601: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 instant")
        }
        self.instant = instant
    }

    /// Writes the text form.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(instant.iso8601(.microseconds))
    }
}
