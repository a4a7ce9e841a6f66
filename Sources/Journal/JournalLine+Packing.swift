import Backend
import CivilTime
import JSON

extension JournalLine {
    /// Writes the line in a form that can be read back.
    func pack(to writer: inout PackedWriter) {
        writer.text(id)
        writer.number(seq)
        writer.instant(at)
        writer.instant(startedAt)
        writer.optional(endedAt.map { $0.microseconds &- startedAt.microseconds })
        writer.text(api)
        writer.optional(route)
        writer.optional(user)
        writer.text(method)
        writer.text(path)
        writer.optional(query)
        writer.signed(Int64(status))
        writer.text(outcome.rawValue)
        for part in [timings.receive, timings.handle, timings.wait, timings.send] { writer.double(part) }
        writer.signed(Int64(requestBytes))
        writer.signed(Int64(responseBytes))
        writer.optional(fault)
        writer.optional(scenario)
        writer.optional(gate)
        writer.optional(replayOf)
        writer.optional(answeredBy)
        writer.optional(nearestStub)
        writer.signed(Int64(violations))
    }

    /// Reads a packed line.
    init?(_ reader: inout PackedReader) {
        guard let id = reader.text(), let seq = reader.number(), let at = reader.instant(),
            let startedAt = reader.instant(), let length = reader.optional({ $0.signed() }), let api = reader.text(),
            let route = reader.optional({ $0.text() }), let user = reader.optional({ $0.text() }),
            let method = reader.text(), let path = reader.text(), let query = reader.optional({ $0.text() }),
            let status = reader.int(), let outcome = reader.text().flatMap(JournalEntry.Outcome.init),
            let receive = reader.double(), let handle = reader.double(), let wait = reader.double(),
            let send = reader.double(), let requestBytes = reader.int(), let responseBytes = reader.int(),
            let fault = reader.optional({ $0.text() }), let scenario = reader.optional({ $0.text() }),
            let gate = reader.optional({ $0.text() }), let replayOf = reader.optional({ $0.text() }),
            let answeredBy = reader.optional({ $0.text() }), let nearestStub = reader.optional({ $0.text() }),
            let violations = reader.int()
        else { return nil }
        self.id = id
        self.seq = seq
        self.at = at
        self.startedAt = startedAt
        endedAt = length.map { Instant(microseconds: startedAt.microseconds &+ $0) }
        self.api = api
        self.route = route
        self.user = user
        self.method = method
        self.path = path
        self.query = query
        self.status = status
        self.outcome = outcome
        timings = JournalEntry.Timings(receive: receive, handle: handle, wait: wait, send: send)
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
}
