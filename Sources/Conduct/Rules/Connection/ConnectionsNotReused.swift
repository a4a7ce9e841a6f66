import ConductKit
import HTTPMessage

/// `conn/not-reused`.
struct ConnectionsNotReused: ConductRule {
    static let declaration = RuleDeclaration(
        "conn/not-reused",
        "Connections not reused",
        .warning,
        situation: "`times` requests in a row to one origin within `withinSeconds`",
        breach: "each on a new connection",
        excused: [
            "connections that the server closed (HTTP/1.0, a cut, or `Connection: close` that the client had not sent)"
        ],
        settings: [(.times, 10), (.withinSeconds, 10)],
        source: [.rfc(9112, "9.3")],
        exercisedBy: ["any ten requests in a row"],
        what: "Each of several requests in a row used a new connection.",
        why: "Each connection costs the user one to three round trips before the first byte.",
        expected: "Use one session or agent for all requests, so that connections are reused.",
        urlsession: """
            Create one `URLSession`, keep it, and send all requests through it:

                static let session = URLSession(configuration: .default)
            """,
        fetch: """
            Send all requests through one agent with keep-alive (Node):

                const agent = new Agent({ keepAliveTimeout: 10_000 })
            """
    )

    private struct Origin: Hashable {
        var place: Int32
        var host: String
    }

    private struct Run {
        var rows: [Int32] = []
        var seen: Set<Int> = []
        var isReported = false
        /// Tells whether the server closed the connection of the last exchange.
        var wasClosed = false
        /// The rows in a row, whatever their connections.
        var recent: [Int32] = []
    }

    private var runs: [Origin: Run] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.row.connection >= 0 else { return }
        let origin = Origin(place: x.row.place, host: x.field(.host) ?? x.exchange.api)
        // Taken out, so that what it has seen is not copied.
        var run = runs.removeValue(forKey: origin) ?? Run()
        let limits = context.limits(x)
        let times = Int(limits[.times])
        if let last = run.recent.last, x.row.begin < context[last].end { run.recent = [] }
        run.recent.append(x.index)
        if run.recent.count > times { run.recent.removeFirst() }
        let isInTime =
            run.recent.count >= times
            && run.recent.first.map {
                Fairness.interval(context[$0], x.row) <= limits.seconds(.withinSeconds)
            } ?? false
        if isInTime { context.situation(x) }

        let isNew = run.seen.insert(x.row.connection).inserted
        let overlaps = run.rows.last.map { x.row.begin < context[$0].end } ?? false
        if !isNew || overlaps || run.wasClosed {
            run.rows = []
            run.isReported = false
        }
        // One on a connection that was there before begins nothing.
        if isNew { run.rows.append(x.index) }
        if run.rows.count > times { run.rows.removeFirst() }
        run.wasClosed = Self.isClosedByServer(x)
        if !run.isReported, run.rows.count >= times, let start = run.rows.first,
            Fairness.interval(context[start], x.row) <= limits.seconds(.withinSeconds)
        {
            run.isReported = true
            context.breach(run.rows, "\(times) requests in a row up to \(x.row.id) each used a new connection.")
        }
        runs[origin] = run
    }

    /// Tells whether the server closed the connection after an exchange without being asked.
    private static func isClosedByServer(_ x: JudgedExchange) -> Bool {
        if x.row.outcome == .cut || x.row.status == 0 { return true }
        // The statuses with which a request is refused before it was read.
        if [400, 408, 413, 414, 431, 501, 503].contains(x.row.status) { return true }
        func closes(_ fields: Fields) -> Bool {
            fields.listElements(.connection).contains { $0.lowercased() == "close" }
        }
        return closes(x.exchange.responseFields) && !closes(x.exchange.fields)
    }
}
