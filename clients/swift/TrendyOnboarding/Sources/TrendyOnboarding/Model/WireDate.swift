import Foundation

/// The text form of dates on the wire and in the store: UTC, whole seconds, `2025-01-01T12:00:00Z`.
enum WireDate {
    /// Returns the whole second in which a date lies.
    static func whole(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    /// Returns the text of a date's whole second.
    static func text(_ date: Date) -> String { whole(date).formatted(Date.ISO8601FormatStyle()) }

    /// Returns the date of a text with or without a fraction; nil if it is none.
    ///
    /// Foundation before Swift 6.2 refuses a fraction where it expects whole seconds. So the fraction is taken off and
    /// added afterwards, which gives the same date on every Foundation.
    static func date(_ text: String) -> Date? {
        if let date = wholeSeconds(text) { return date }
        guard let point = text.firstIndex(of: ".") else { return nil }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let fraction = Double("0." + digits) else { return nil }
        return wholeSeconds(String(text[..<point]) + text[digits.endIndex...])?.addingTimeInterval(fraction)
    }

    private static func wholeSeconds(_ text: String) -> Date? {
        guard !text.contains(".") else { return nil }
        return try? Date(text, strategy: Date.ISO8601FormatStyle())
    }
}
