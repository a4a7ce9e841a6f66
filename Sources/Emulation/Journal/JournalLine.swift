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
            fault: entry.fault,
            scenario: entry.scenario,
            gate: entry.gate,
            replayOf: entry.replayOf
        )
    }

    /// Creates the line from the members of an entry.
    init(
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
        fault: FaultDecision?,
        scenario: String?,
        gate: String?,
        replayOf: String?
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
        self.fault = fault.map { $0.id ?? Self.preference }
        self.scenario = scenario
        self.gate = gate
        self.replayOf = replayOf
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
        startedAt = exchange.start()
        // A request that has found no world has no world's time.
        at = exchange.hasWorld ? exchange.call.now : startedAt
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
        /// The value of a member, read from a line.
        fileprivate enum Value: Sendable {
            case text(@Sendable (JournalLine) -> String)
            /// Null where there is none.
            case textOrNull(@Sendable (JournalLine) -> String?)
            /// Left out where there is none.
            case someText(@Sendable (JournalLine) -> String?)
            case integer(@Sendable (JournalLine) -> Int64)
            case instant(Instant.Precision, @Sendable (JournalLine) -> Instant)
            /// Left out where there is none.
            case someNumber(@Sendable (JournalLine) -> Double?)
            case timings
        }

        package let name: String
        /// The name as JSON text, with its colon.
        private let label: [UInt8]
        private let source: Value

        fileprivate init(_ name: String, _ source: Value) {
            self.name = name
            self.source = source
            label = JSON.string(name).serialized() + [UInt8(ascii: ":")]
        }

        /// Tells whether every line has it.
        package var isRequired: Bool {
            switch source {
            case .someText, .someNumber: false
            case .text, .textOrNull, .integer, .instant, .timings: true
            }
        }

        /// Returns the value; nil for a line that does not have the member.
        package func value(_ line: JournalLine) -> JSON? {
            switch source {
            case .text(let read): .string(read(line))
            case .textOrNull(let read): read(line).map { .string($0) } ?? .null
            case .someText(let read): read(line).map { .string($0) }
            case .integer(let read): .integer(read(line))
            case .instant(let precision, let read): .string(read(line).iso8601(precision))
            case .someNumber(let read): read(line).map { .double($0) }
            case .timings: line.timings.json
            }
        }

        /// Appends name and value without making the value first; nothing for a line that does not have the member.
        package func append(_ line: JournalLine, to writer: inout JSONWriter) {
            switch source {
            case .text(let read):
                writer.name(label: label)
                writer.string(read(line))
            case .textOrNull(let read):
                writer.name(label: label)
                if let text = read(line) { writer.string(text) } else { writer.null() }
            case .someText(let read):
                guard let text = read(line) else { return }
                writer.name(label: label)
                writer.string(text)
            case .integer(let read):
                writer.name(label: label)
                writer.integer(read(line))
            case .instant(let precision, let read):
                writer.name(label: label)
                writer.plainString { read(line).appendISO8601(precision, to: &$0) }
            case .someNumber(let read):
                guard let number = read(line) else { return }
                writer.name(label: label)
                writer.double(number)
            case .timings:
                writer.name(label: label)
                line.timings.append(to: &writer)
            }
        }
    }

    /// The members in the order of the contract.
    package static let members: [Member] = [
        Member("id", .text { $0.id }),
        Member("seq", .integer { Int64(clamping: $0.seq) }),
        Member("at", .instant(.milliseconds) { $0.at }),
        Member("startedAt", .instant(.microseconds) { $0.startedAt }),
        Member("api", .text { $0.api }),
        Member("route", .textOrNull { $0.route }),
        Member("user", .someText { $0.user }),
        Member("method", .text { $0.method }),
        Member("path", .text { $0.path }),
        Member("query", .text { $0.query ?? "" }),
        Member("status", .integer { Int64($0.status) }),
        Member("outcome", .text { $0.outcome.rawValue }),
        Member("ms", .someNumber { $0.milliseconds }),
        Member("timings", .timings),
        Member("requestBytes", .integer { Int64($0.requestBytes) }),
        Member("responseBytes", .integer { Int64($0.responseBytes) }),
        Member("fault", .someText { $0.fault }),
        Member("scenario", .someText { $0.scenario }),
        Member("gate", .someText { $0.gate }),
        Member("replayOf", .someText { $0.replayOf }),
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

    /// The names as JSON text, with their colons.
    private static let labels = JournalEntry.Timings().parts.map { part in
        JSON.string(part.key).serialized() + [UInt8(ascii: ":")]
    }

    /// Writes the value of `json`.
    fileprivate func append(to writer: inout JSONWriter) {
        writer.beginObject()
        for (label, part) in zip(Self.labels, parts) {
            writer.name(label: label)
            writer.double(part.value)
        }
        writer.endObject()
    }
}
