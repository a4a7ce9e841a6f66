import Backend
import CivilTime

/// Dates in requests (contract, section 2): RFC 3339 instants only.
enum TimeText {
    /// The instant of a text, or nil.
    static func read(_ text: String) -> Timestamp? { Instant(iso8601: text).map { .at($0) } }

    /// Tells whether a text is an existing day, such as `2024-01-01`.
    static func isDay(_ text: String) -> Bool { Instant(isoDayOrDateTime: text) != nil && text.utf8.count == 10 }

    /// Go's zero time, which represents a time that was never set.
    static let never = Timestamp.at(Instant(seconds: -62_135_596_800))
}
