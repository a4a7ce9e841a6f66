import CivilTime
import JSON
import Traffic

/// `clock`: shows or moves the world's clock (clients contract, section 1).
package enum ClockCommand: ServerCommand {
    package static let name = "clock"
    package static let summary = "shows or moves the world's clock"
    package static let part: CommandPart? = .steering
    package static let usage = "[advance D | freeze [INSTANT] | set INSTANT | run | upcoming]"
    package static let operands = Operands.actions([
        Action("", "", "shows the clock"),
        Action("advance", "D", "moves it forward by a duration", counts: 1...1),
        Action("freeze", "[INSTANT]", "freezes it, at INSTANT if one is given", counts: 0...1),
        Action("set", "INSTANT", "sets it; a frozen clock stays frozen, a running one keeps running", counts: 1...1),
        Action("run", "", "runs it from its current time, at rate 1"),
        Action("upcoming", "", "lists upcoming timed events: tokens, codes, limits, delayed responses"),
    ])
    package static let options = [
        Option(
            name: "until",
            kind: .value("INSTANT"),
            help: "upcoming: only events up to this instant",
            default: "none"
        ).only(for: "upcoming"),
        Option(
            name: "kind",
            kind: .value("KIND"),
            values: .names(kinds),
            help: "upcoming: only this kind, such as access or otp",
            default: "all"
        ).only(for: "upcoming"),
        Option(name: "user", kind: .value("WHO"), help: "upcoming: only this user", default: "all")
            .only(for: "upcoming"),
    ]
    package static let discussion =
        "D is \(DurationText.form.dropFirst("a duration such as ".count)); INSTANT is 2025-01-01T12:00:00Z."
    package static let examples = [Example("understudy clock advance 15m", "just past the lifetime of an access token")]

    private static let kinds = [
        "access", "refresh", "otp", "magic-link", "qr", "cool-down", "rate-limit", "quota", "answer", "fault-from",
        "fault-until",
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        switch arguments.action?.name {
        case "advance": try advance(arguments.operands[0], server)
        case "freeze":
            var body: JSONObject = ["mode": "frozen"]
            if let text = arguments.operands.first { body.append("now", .string(try instant(text))) }
            show(try server.call("PUT", "/clock", body: .object(body)), server)
        case "set": try set(arguments.operands[0], server)
        case "run": try resume(server)
        case "upcoming": try upcoming(arguments, server)
        default: show(try server.call("GET", "/clock"), server)
        }
        return ExitCode.ok
    }

    private static func advance(_ text: String, _ server: RunningServer) throws(CommandFailure) {
        guard !text.hasPrefix("-") else {
            throw .usage("clock advance: \"\(text)\" is negative; clock set INSTANT moves a clock back")
        }
        guard let by = DurationText.iso8601(text) else {
            throw .usage("clock advance: \"\(text)\" is not \(DurationText.form)")
        }
        show(try server.call("POST", "/clock/advance", body: ["by": .string(by)]), server)
    }

    /// The clock keeps its manner, which is asked first.
    private static func set(_ text: String, _ server: RunningServer) throws(CommandFailure) {
        let now = try instant(text)
        let clock = try server.call("GET", "/clock")
        guard !server.explains else {
            let frozen = #"-e 's/.*"mode":"frozen".*/"mode":"frozen"/'"#
            let running = #"-e 's/.*"rate":\([^,}]*\).*/"mode":"offset","rate":\1/'"#
            return explainPut(
                "{'\"$(\(server.quietCurl("/clock")) | sed \(frozen) -e t \(running))\"',\"now\":\"\(now)\"}",
                server
            )
        }
        var body: JSONObject = ["mode": clock["mode"] == "frozen" ? "frozen" : "offset", "now": .string(now)]
        if clock["mode"] == "offset", let rate = clock["rate"], rate != 1 { body.append("rate", rate) }
        show(try server.call("PUT", "/clock", body: .object(body)), server)
    }

    private static func resume(_ server: RunningServer) throws(CommandFailure) {
        let clock = try server.call("GET", "/clock")
        guard !server.explains else {
            let reading = #"sed 's/.*"now":"\([^"]*\)".*/\1/'"#
            return explainPut(
                "{\"mode\":\"offset\",\"now\":\"'\"$(\(server.quietCurl("/clock")) | \(reading))\"'\"}",
                server
            )
        }
        // A clock that runs at rate 1 does so already.
        guard clock["mode"] == "frozen" || clock["rate"] != 1, let now = clock["now"] else {
            return show(clock, server)
        }
        show(try server.call("PUT", "/clock", body: ["mode": "offset", "now": now]), server)
    }

    /// Prints the second call, whose body a shell completes from the answer of the first; `body` stands in single quotes.
    private static func explainPut(_ body: String, _ server: RunningServer) {
        Terminal.out("\(server.curl("PUT", "/clock")) -H 'Content-Type: application/json' -d '\(body)'")
    }

    private static func instant(_ text: String) throws(CommandFailure) -> String {
        guard let instant = Instant(iso8601: text, allowLowercase: true) else {
            throw .usage("clock: \"\(text)\" is not an instant such as 2025-01-01T12:00:00Z")
        }
        return instant.iso8601(instant.microseconds % 1_000 == 0 ? .milliseconds : .microseconds)
    }

    private static func show(_ clock: JSON, _ server: RunningServer) {
        server.show(clock) {
            let now = VisibleText.escaped(clock["now"]?.stringValue ?? "")
            let mode: String
            switch clock["mode"]?.stringValue {
            case "frozen": mode = "frozen"
            case "offset":
                let rate = clock["rate"] ?? 1
                mode = rate == 1 ? "set, runs" : "set, runs at rate \(rate.text)"
            default: mode = "real"
            }
            var text = "\(now)  \(mode)"
            if let fired = clock["fired"]?.intValue { text += "; \(fired) \(fired == 1 ? "wait" : "waits") came due" }
            Terminal.out(text)
        }
    }

    private static func upcoming(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) {
        var query: [(name: String, value: String)] = []
        for name in ["until", "kind", "user"] {
            if let value = arguments[name] { query.append((name, name == "until" ? try instant(value) : value)) }
        }
        guard let found = try server.send("GET", "/clock/upcoming", query: query) else { return }
        let answer = found.json
        server.show(answer) {
            var table = TextTable([
                .init("WHEN"), .init("KIND"), .init("API"), .init("USER", isFlexible: true),
                .init("WHAT", isFlexible: true),
            ])
            for item in answer["items"]?.arrayValue ?? [] {
                table.add(["at", "kind", "api", "user", "what"].map { .init(item[$0]?.stringValue ?? "") })
            }
            table.print(server.style, orSay: "No upcoming events.")
            if let total = found.totalCount, total > table.rows.count {
                Terminal.error(
                    "The first \(table.rows.count) of \(total); --until, --kind, --user and --api narrow them."
                )
            }
        }
    }
}
