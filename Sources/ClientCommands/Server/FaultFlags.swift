import CivilTime
import JSON

/// The flags of `fault add`, and the fault that they describe (clients contract, section 9).
enum FaultFlags {
    static let all =
        MatchOptions.all + [
            Option(name: "skip", kind: .value("N"), help: "skips the first N matches", default: "0"),
            Option(name: "times", kind: .value("N"), help: "acts at most N times", default: "always"),
            Option(name: "every", kind: .value("N"), help: "acts on every Nth match", default: "1"),
            Option(name: "probability", kind: .value("P"), help: "the chance of acting, from 0 to 1", default: "1"),
            Option(
                name: "phase",
                kind: .value("before|after"),
                values: .names(["before", "after"]),
                help: "before or after the endpoint has run",
                default: "before, with --delay after"
            ),
            Option(name: "status", kind: .value("N"), help: "effect: responds with this status", default: "none"),
            Option(
                name: "retry-after",
                kind: .value("N"),
                help: "Retry-After with --status: seconds, or PT30S for a date",
                default: "none"
            ),
            Option(name: "delay", kind: .value("D"), help: "effect: delays the response, as 800ms", default: "none"),
            Option(
                name: "connection",
                kind: .value("KIND"),
                values: .names(["reset", "empty", "stall", "truncate", "garbage", "malformed-chunk", "close"]),
                help: "effect: breaks the connection, such as reset or stall",
                default: "none"
            ),
            Option(
                name: "after-bytes",
                kind: .value("N"),
                help: "bytes of the body before the failure, with --connection reset, truncate or stall",
                default: "none"
            ),
            Option(
                name: "tokens",
                kind: .value("expire|revoke"),
                values: .names(["expire", "revoke"]),
                help: "effect: expires or revokes the credential that was sent",
                default: "none"
            ),
            Option(name: "name", kind: .value("TEXT"), help: "a name to show in lists", default: "none"),
        ]

    /// Tells whether any part of a fault is given by a flag.
    static func areUsed(_ arguments: Arguments) -> Bool {
        all.contains { $0.name != "api" && arguments.isOn($0.name) }
    }

    static func fault(_ arguments: Arguments) throws(CommandFailure) -> JSON {
        var fault = JSONObject()
        if let name = arguments["name"] { fault.append("name", .string(name)) }
        let match = try MatchOptions.match(arguments)
        if !match.isEmpty { fault.append("match", .object(match)) }
        var when = JSONObject()
        for name in ["skip", "times", "every"] {
            if let number = try integer(name, arguments) { when.append(name, number) }
        }
        if let text = arguments["probability"] {
            guard let number = Double(text), (0...1).contains(number) else {
                throw .usage("--probability: \"\(text)\" is not a number from 0 to 1")
            }
            when.append("probability", .double(number))
        }
        if !when.isEmpty { fault.append("when", .object(when)) }
        if let phase = try phase(arguments) { fault.append("phase", .string(phase)) }
        fault.append("effect", try effect(arguments))
        return .object(fault)
    }

    static func phase(_ arguments: Arguments) throws(CommandFailure) -> String? {
        guard let phase = arguments["phase"] else { return nil }
        guard ["before", "after"].contains(phase) else {
            throw .usage("--phase: \"\(phase)\" is neither before nor after")
        }
        return phase
    }

    private static func effect(_ arguments: Arguments) throws(CommandFailure) -> JSON {
        let named = ["status", "delay", "connection", "tokens"].filter { arguments[$0] != nil }
        guard named.count < 2 else {
            throw .usage("a fault has exactly one effect, found \(named.map { "--" + $0 }.joined(separator: " and "))")
        }
        if arguments["retry-after"] != nil, named != ["status"] { throw .usage("--retry-after requires --status") }
        if arguments["after-bytes"] != nil, named != ["connection"] {
            throw .usage("--after-bytes requires --connection")
        }
        switch named.first {
        case "status":
            guard let status = try integer("status", arguments) else { break }
            var effect: JSONObject = ["status": status]
            if let text = arguments["retry-after"]?.uppercased(), text.hasPrefix("P") {
                effect.append("retryAfter", .string(text))
            } else if let seconds = try integer("retry-after", arguments) {
                effect.append("retryAfter", seconds)
            }
            return .object(effect)
        case "delay":
            let text = arguments["delay"] ?? ""
            guard let delay = DurationText.interval(text) else {
                throw .usage("--delay: \"\(text)\" is not \(DurationText.form)")
            }
            return ["delay": ["ms": .double(Double(delay.microseconds) / 1_000)]]
        case "connection":
            var effect: JSONObject = ["connection": .string(arguments["connection"] ?? "")]
            if let bytes = try integer("after-bytes", arguments) { effect.append("afterBytes", bytes) }
            return .object(effect)
        case "tokens": return ["tokens": .string(arguments["tokens"] ?? "")]
        default: break
        }
        throw .usage(
            "fault add needs an effect: --status N, --delay D, --connection KIND or --tokens expire|revoke, or a fault as "
                + "FILE, - or JSON"
        )
    }

    private static func integer(_ name: String, _ arguments: Arguments) throws(CommandFailure) -> JSON? {
        guard let text = arguments[name] else { return nil }
        guard !text.hasPrefix("+"), let number = Int64(text), number >= 0 else {
            throw .usage("--\(name): \"\(text)\" is not a whole number")
        }
        return .integer(number)
    }
}

extension RunningServer {
    /// The same server without the API: the flag names that of the match.
    func withoutAPI() -> RunningServer {
        var copy = self
        copy.api = nil
        return copy
    }
}
