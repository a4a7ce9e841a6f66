import Backend
package import CivilTime
import Conditions
import HTTPMessage

/// An exchange in a line: who asked for what, the outcome and the times, without headers and bodies (console contract,
/// section 1).
package struct JournalLine: Sendable {
    // A member that the initializer sets has no value before, not even nil: the whole line would be copied at its end.

    package var id: String
    package var seq: UInt64
    package var at: Instant
    package var startedAt: Instant
    package var endedAt: Optional<Instant>
    package var api: String
    package var route: Optional<String>
    package var user: Optional<String>
    package var method: String
    package var path: String
    package var query: Optional<String>
    package var status: Int
    package var outcome: JournalEntry.Outcome
    package var timings: JournalEntry.Timings
    package var requestBytes: Int
    package var responseBytes: Int
    /// The id of the fault that acted, or `prefer`.
    package var fault: Optional<String>
    package var scenario: Optional<String>
    package var gate: Optional<String>
    package var replayOf: Optional<String>
    package var answeredBy: Optional<String>
    package var nearestStub: Optional<String>
    /// The number of the rules that it breaks of the API's document.
    package var violations: Int

    package init(_ entry: JournalEntry) {
        self.init(
            id: entry.id,
            seq: entry.seq,
            at: entry.at,
            startedAt: entry.startedAt,
            endedAt: entry.endedAt,
            api: entry.api,
            route: entry.route,
            user: entry.user?.label,
            method: entry.method.rawValue,
            path: entry.path,
            query: entry.query,
            status: entry.status.code,
            outcome: entry.outcome,
            timings: entry.timings,
            requestBytes: entry.body.length,
            responseBytes: entry.responseBody.length,
            fault: entry.decisions.lineName,
            scenario: entry.scenario,
            gate: entry.gate,
            replayOf: entry.replayOf,
            answeredBy: entry.answeredBy,
            nearestStub: entry.nearestStub,
            violations: entry.violations?.count ?? 0
        )
    }

    /// Creates the line from the members of an entry.
    package init(
        id: String,
        seq: UInt64,
        at: Instant,
        startedAt: Instant,
        endedAt: Instant?,
        api: String,
        route: String?,
        user: String?,
        method: String,
        path: String,
        query: String?,
        status: Int,
        outcome: JournalEntry.Outcome?,
        timings: JournalEntry.Timings,
        requestBytes: Int,
        responseBytes: Int,
        fault: String?,
        scenario: String?,
        gate: String?,
        replayOf: String?,
        answeredBy: String?,
        nearestStub: String?,
        violations: Int
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.api = api
        self.route = route
        self.user = user
        self.method = method
        self.path = path
        self.query = query
        self.status = status
        // A response that has not ended is being held.
        self.outcome = outcome ?? .held
        self.timings = timings
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        self.fault = fault
        self.scenario = scenario
        self.gate = gate
        self.replayOf = replayOf
        self.answeredBy = answeredBy
        self.nearestStub = nearestStub
        self.violations = violations
    }

    /// The milliseconds from the first byte of the request to the last of the response; nil before that.
    package var milliseconds: Double? {
        endedAt.map { Double(($0 - startedAt).microseconds) / 1_000 }
    }
}
