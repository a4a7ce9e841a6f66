package import CivilTime

/// The wait that a `Retry-After` field asks for (RFC 9110, section 10.2.3; wire contract, section 10).
package enum RetryAfter: Sendable, Equatable {
    /// Sent as that number.
    case seconds(Int)
    /// Sent as the HTTP date that far ahead of the world's clock.
    case date(Interval)

    /// The whole seconds of the wait, for an API's own form of them.
    package var wholeSeconds: Int64 {
        switch self {
        case .seconds(let seconds): Int64(seconds)
        case .date(let interval): interval.wholeSeconds
        }
    }

    /// Returns the value of the field in a response that is made at that time.
    package func text(at now: Instant) -> String {
        switch self {
        case .seconds(let seconds): "\(seconds)"
        case .date(let interval): (now + interval).httpDate
        }
    }
}
