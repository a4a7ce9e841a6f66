import CivilTime
import HTTPMessage

/// An exchange that has ended, for the access log (clients contract, section 3).
package struct LoggedExchange: Sendable {
    package let line: JournalLine
    package let world: String
    /// Tells that nothing answered it: no endpoint, fault, stub, recording or real backend.
    package let isUnmatched: Bool
}

/// Writes a log line for each exchange that has ended.
package protocol AccessLogging: AnyObject {
    /// Logs an exchange.
    func log(_ exchange: LoggedExchange)
}

extension Emulator {
    /// Notes the status that the log shows; the line follows at the end.
    func log(_ exchange: Exchange) -> Progress {
        exchange.loggedStatus = exchange.response.status
        return .next
    }

    /// Logs an exchange at its end, once.
    ///
    /// `seq` is the number of its entry; nil where the journal has none, or one of before a reset.
    func logEnd(
        of exchange: Exchange,
        _ seq: UInt64?,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings,
        at ended: Instant?
    ) {
        guard let accessLog, !exchange.isLogged, exchange.loggedStatus != nil || exchange.journalEntry != nil else {
            return
        }
        exchange.isLogged = true
        if let seq, let entry = exchange.hosted.world.journal[seq] {
            accessLog.log(
                LoggedExchange(line: JournalLine(entry), world: entry.world, isUnmatched: entry.isUnmatched)
            )
            return
        }
        var line = JournalLine(
            exchange,
            api: apiNames[exchange.apiIndex],
            status: exchange.loggedStatus ?? .unanswered,
            outcome,
            timings
        )
        line.endedAt = exchange.end(at: ended, precisely: stopwatch?(), atLeast: .zero)
        accessLog.log(LoggedExchange(line: line, world: exchange.hosted.world.name, isUnmatched: false))
    }
}

extension JournalEntry {
    /// Tells that nothing answered the request; a granted preflight of a browser counts as answered.
    var isUnmatched: Bool {
        guard route == nil, !isTakenElsewhere else { return false }
        return method != .options || !(200..<300).contains(status.code)
    }
}
