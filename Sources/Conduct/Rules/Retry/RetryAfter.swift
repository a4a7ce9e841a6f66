import CivilTime
import ConductKit
import HTTPMessage

/// The fields by which a server tells when to come back.
enum RetryAfter {
    /// The wait that an answer asks for, in microseconds; nil without a usable `Retry-After`.
    static func wait(_ x: JudgedExchange) -> Int64? {
        guard let value = x.exchange.responseFields[.retryAfter] else { return nil }
        if let seconds = Int64(value), seconds >= 0 { return min(seconds, 100_000_000) * 1_000_000 }
        guard let instant = Instant(httpDate: value) else { return nil }
        return max(0, left(until: instant.microseconds, of: x.row))
    }

    /// The time that is left of a spent limit, in microseconds; nil unless nothing remains and a reset is ahead.
    static func spent(_ x: JudgedExchange) -> Int64? {
        for prefix in ["RateLimit", "X-RateLimit"] {
            guard x.exchange.responseFields[named: prefix + "-Remaining"] == "0",
                let reset = x.exchange.responseFields[named: prefix + "-Reset"], let left = left(reset, of: x.row)
            else { continue }
            return left > 0 ? left : nil
        }
        return nil
    }

    /// Tells whether an answer says that requests are left.
    static func hasRoom(_ x: JudgedExchange) -> Bool {
        ["RateLimit", "X-RateLimit"].contains { prefix in
            x.exchange.responseFields[named: prefix + "-Remaining"].flatMap { Int64($0) }.map { $0 > 0 } ?? false
        }
    }

    /// Tells whether an answer says when a limit opens again.
    static func tellsReset(_ x: JudgedExchange) -> Bool {
        x.exchange.responseFields[named: "RateLimit-Reset"] != nil
            || x.exchange.responseFields[named: "X-RateLimit-Reset"] != nil
    }

    /// The time up to a reset, which is an instant, Unix seconds or the seconds left.
    private static func left(_ reset: String, of row: Row) -> Int64? {
        if let number = Int64(reset) {
            guard number >= 0, number < 100_000_000_000 else { return nil }
            return number > 1_000_000_000 ? left(until: number * 1_000_000, of: row) : number * 1_000_000
        }
        return Instant(iso8601: reset).map { left(until: $0.microseconds, of: row) }
    }

    /// The time from the end of an exchange, from which pauses count, up to an instant: by the clock that is there first, as
    /// a device compares it with its own.
    private static func left(until instant: Int64, of row: Row) -> Int64 {
        min(instant - row.at - (row.end - row.begin), instant - row.end)
    }
}

extension Fields {
    /// The value of a field whose name is made at run time.
    subscript(named name: String) -> String? { FieldName(name).flatMap { self[$0] } }
}
