import Foundation

/// The pause that a backend asks for with `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
enum RetryAfter: Equatable, Sendable {
    case seconds(Int)
    case date(Date)

    /// The longest pause that is kept; a longer one is a mistake of the server's.
    static let longest = 86_400

    init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            self = .seconds(Int(text) ?? Self.longest)
            return
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = formatter.date(from: text) else { return nil }
        self = .date(date)
    }

    /// Returns the pause from a moment on, in whole seconds.
    func pause(from now: Date) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(min(seconds, Self.longest))
        case .date(let date):
            .seconds(Int(min(max(date.timeIntervalSince(now), 0), Double(Self.longest)).rounded(.up)))
        }
    }
}
