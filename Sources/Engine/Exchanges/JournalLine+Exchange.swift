import Backend
import Conditions
import HTTPMessage
import Journal
import Worlds

extension JournalLine {
    /// Creates the line of an exchange that the journal does not have.
    init(
        _ exchange: Exchange,
        api: String,
        status: Status,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings
    ) {
        let startedAt = exchange.start()
        self.init(
            id: exchange.journalKey.isEmpty ? exchange.call.requestID : exchange.journalKey,
            seq: exchange.journalEntry ?? 0,
            // A request that has found no world has no world's time.
            at: exchange.hasWorld ? exchange.call.now : startedAt,
            startedAt: startedAt,
            endedAt: nil,
            api: api,
            route: exchange.call.route,
            user: exchange.shownUser?.label,
            method: exchange.call.method.rawValue,
            path: exchange.shownPath,
            query: exchange.shownQuery,
            status: status.code,
            outcome: outcome,
            timings: timings,
            requestBytes: exchange.call.request.body.length,
            responseBytes: 0,
            fault: exchange.decisions.lineName,
            scenario: nil,
            gate: nil,
            replayOf: nil,
            answeredBy: nil,
            nearestStub: nil,
            violations: 0
        )
    }
}
