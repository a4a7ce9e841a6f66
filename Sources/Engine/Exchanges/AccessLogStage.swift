import Backend
import CivilTime
import HTTPMessage
package import Journal
import Worlds

/// Writes a log line for each exchange that has ended (clients contract, section 3).
package protocol AccessLogging: AnyObject {
    /// Logs an exchange.
    ///
    /// `isUnmatched` tells that nothing answered it: no endpoint, fault, stub, recording or real backend.
    func log(_ line: JournalLine, world: String, isUnmatched: Bool)
}

extension Emulator {
    /// Notes the status and the size that the log shows; the line follows at the end.
    func log(_ exchange: Exchange) -> Progress {
        exchange.loggedStatus = exchange.response.status
        if case .bytes(let content) = exchange.response.body, !exchange.call.request.head.isMethod(.head) {
            exchange.loggedBytes = content.count
        }
        return .next
    }

    /// Logs an exchange at its end by the line of its entry, once.
    func log(_ line: JournalLine, of exchange: Exchange) {
        guard let accessLog, !exchange.isLogged else { return }
        exchange.isLogged = true
        let isUnmatched = line.seemsUnmatched && !exchange.hosted.world.journal.isTakenElsewhere(line.seq)
        accessLog.log(line, world: exchange.hosted.world.name, isUnmatched: isUnmatched)
    }

    /// Logs an exchange that the journal does not have, or that one before a reset had.
    func logUnkept(
        _ exchange: Exchange,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings,
        contentSent: Int?,
        at ended: Instant?
    ) {
        guard let accessLog, !exchange.isLogged, exchange.loggedStatus != nil || exchange.journalEntry != nil else {
            return
        }
        exchange.isLogged = true
        var line = JournalLine(
            exchange,
            api: apiNames[exchange.apiIndex],
            status: exchange.loggedStatus ?? .unanswered,
            outcome,
            timings
        )
        line.endedAt = exchange.end(at: ended, precisely: stopwatch?(), atLeast: .zero)
        line.responseBytes = contentSent ?? exchange.loggedBytes
        accessLog.log(line, world: exchange.hosted.world.name, isUnmatched: false)
    }
}

extension JournalLine {
    /// Tells that no route took the request; a granted preflight of a browser counts as taken.
    fileprivate var seemsUnmatched: Bool {
        route == nil && (method != HTTPMethod.options.rawValue || !(200..<300).contains(status))
    }
}
