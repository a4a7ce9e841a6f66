import Foundation

/// The control API's texts of times.
enum Instant {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func text(_ date: Date) -> String { date.formatted(style) }

    static func date(_ text: String) throws(ControlError) -> Date {
        do {
            return try Date(text, strategy: style)
        } catch {
            throw .unreachable("not a time: \(text)")
        }
    }

    /// A length as an ISO 8601 duration in whole milliseconds: a number's own text may have an exponent.
    static func duration(_ duration: Duration) -> String {
        let seconds = min(max(duration.seconds, 0), 1e9)
        let count = Int((seconds * 1_000).rounded())
        return "PT\(count / 1_000)." + String(count % 1_000 + 1_000).dropFirst() + "S"
    }
}

extension Duration {
    /// The length in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
