package import CivilTime
import HTTPMessage
package import JSON

/// An exchange in a line: who asked for what, the outcome and the times, without headers and bodies (console contract,
/// section 1).
package struct JournalLine: Sendable {
    package var id: String
    package var seq: UInt64
    package var at: Instant
    package var startedAt: Instant
    package var endedAt: Instant?
    package var api: String
    package var route: String?
    package var user: String?
    package var method: String
    package var path: String
    package var query: String?
    package var status: Int
    package var outcome: JournalEntry.Outcome
    package var timings: JournalEntry.Timings
    package var requestBytes: Int
    package var responseBytes: Int
    /// The id of the fault that acted, or `prefer`.
    package var fault: String?
    package var scenario: String?
    package var gate: String?
    package var replayOf: String?

    package init(_ entry: JournalEntry) {
        id = entry.id
        seq = entry.seq
        at = entry.at
        startedAt = entry.startedAt
        endedAt = entry.endedAt
        api = entry.api
        route = entry.route
        user = entry.user?.label
        method = entry.method.rawValue
        path = entry.path
        query = entry.query
        status = entry.status.code
        // A response that has not ended is being held.
        outcome = entry.outcome ?? .held
        timings = entry.timings
        requestBytes = entry.body.length
        responseBytes = entry.responseBody.length
        fault = entry.decisions.isEmpty ? nil : entry.fault.map { $0.id ?? Self.preference }
        scenario = entry.scenario
        gate = entry.gate
        replayOf = entry.replayOf
    }

    /// Creates the line of an exchange that the journal does not have.
    init(
        _ exchange: Exchange,
        api: String,
        status: Status,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings
    ) {
        id = exchange.journalKey.isEmpty ? exchange.call.requestID : exchange.journalKey
        seq = exchange.journalEntry ?? 0
        at = exchange.call.now
        startedAt = exchange.start()
        self.api = api
        route = exchange.call.route
        user = exchange.shownUser?.label
        method = exchange.call.method.rawValue
        path = exchange.shownPath
        query = exchange.disclosure.map(\.query) ?? exchange.call.request.head.rawQuery
        self.status = status.code
        self.outcome = outcome
        self.timings = timings
        requestBytes = exchange.call.request.body.length
        responseBytes = 0
        fault = exchange.actingFault.map { $0.id ?? Self.preference }
    }

    private static let preference = "prefer"

    /// The milliseconds from the first byte of the request to the last of the response; nil before that.
    package var milliseconds: Double? {
        endedAt.map { Double(($0 - startedAt).microseconds) / 1_000 }
    }

    /// A member of a line.
    package struct Member: Sendable {
        package let name: String
        /// Tells whether every line has it.
        package let isRequired: Bool
        package let value: @Sendable (JournalLine) -> JSON?
        /// Writes the same value without making it first; nil where that is no cheaper.
        private let write: (@Sendable (JournalLine, inout JSONWriter) -> Void)?

        fileprivate init(
            _ name: String,
            isRequired: Bool = true,
            _ value: @escaping @Sendable (JournalLine) -> JSON?,
            write: (@Sendable (JournalLine, inout JSONWriter) -> Void)? = nil
        ) {
            self.name = name
            self.isRequired = isRequired
            self.value = value
            self.write = write
        }

        /// Appends name and value; false for a line that does not have the member.
        package func append(_ line: JournalLine, to writer: inout JSONWriter) -> Bool {
            if let write {
                writer.name(name)
                write(line, &writer)
                return true
            }
            guard let value = value(line) else { return false }
            writer.name(name)
            writer.write(value)
            return true
        }
    }

    /// The members in the order of the contract.
    package static let members: [Member] = [
        Member("id") { .string($0.id) },
        Member("seq") { .integer(Int64(clamping: $0.seq)) },
        Member("at") {
            .string($0.at.iso8601(.milliseconds))
        } write: { line, writer in
            writer.plainString { line.at.appendISO8601(.milliseconds, to: &$0) }
        },
        Member("startedAt") {
            .string($0.startedAt.iso8601(.microseconds))
        } write: { line, writer in
            writer.plainString { line.startedAt.appendISO8601(.microseconds, to: &$0) }
        },
        Member("api") { .string($0.api) },
        Member("route") { $0.route.map { .string($0) } ?? .null },
        Member("user", isRequired: false) { $0.user.map { .string($0) } },
        Member("method") { .string($0.method) },
        Member("path") { .string($0.path) },
        Member("query") { .string($0.query ?? "") },
        Member("status") { .integer(Int64($0.status)) },
        Member("outcome") { .string($0.outcome.rawValue) },
        Member("ms", isRequired: false) { $0.milliseconds.map { .double($0) } },
        Member("timings") {
            $0.timings.json
        } write: { line, writer in
            line.timings.append(to: &writer)
        },
        Member("requestBytes") { .integer(Int64($0.requestBytes)) },
        Member("responseBytes") { .integer(Int64($0.responseBytes)) },
        Member("fault", isRequired: false) { $0.fault.map { .string($0) } },
        Member("scenario", isRequired: false) { $0.scenario.map { .string($0) } },
        Member("gate", isRequired: false) { $0.gate.map { .string($0) } },
        Member("replayOf", isRequired: false) { $0.replayOf.map { .string($0) } },
    ]
}

extension JournalLine {
    /// The members of an event, which has number and time of its own.
    static let eventMembers = members.filter { !["seq", "at"].contains($0.name) }

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
            let gate = reader.optional({ $0.text() }), let replayOf = reader.optional({ $0.text() })
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
    }
}

extension JournalEntry.Timings {
    /// The parts by name, in the order of the contract.
    private var parts: KeyValuePairs<String, Double> {
        ["receive": receive, "handle": handle, "wait": wait, "send": send]
    }

    package var json: JSON {
        .object(JSONObject(parts.map { JSONObject.Member(name: $0.key, value: .double($0.value)) }))
    }

    /// Writes the value of `json`.
    fileprivate func append(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in parts {
            writer.name(name)
            writer.double(value)
        }
        writer.endObject()
    }
}
