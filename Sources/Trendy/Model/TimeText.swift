import CivilTime
import Emulation

/// Dates as they come in (contract, section 2): RFC 3339 instants only.
enum TimeText {
    /// The instant of a text, or nil.
    static func read(_ text: String) -> Timestamp? { Instant(iso8601: text).map { .at($0) } }

    /// Whether a text is a day that exists, such as `2024-01-01`.
    static func isDay(_ text: String) -> Bool { Instant(isoDayOrDateTime: text) != nil && text.utf8.count == 10 }

    /// Go's zero time, which stands for a moment that never was.
    static let never = Timestamp.at(Instant(seconds: -62_135_596_800))
}
