import ClientCommands
import ConductKit
import JSON
import Understudy

/// The flags of `conduct`, with their checks (conduct contract, section 12).
enum ConductOptions {
    static let world = Option(
        name: "world",
        kind: .value("NAME|*"),
        values: .running(.worlds),
        help: "the world; * judges every world",
        default: "UNDERSTUDY_WORLD, else main"
    )
    static let api = Option(
        name: "api",
        kind: .value("NAME"),
        values: .apis,
        help: "only this API; files are read as its traffic",
        default: "all; in files the hosts"
    )
    static let user = Option(
        name: "user",
        kind: .value("WHO"),
        help: "only the clients of a user, by e-mail or id",
        default: "all"
    )
    static let since = Option(
        name: "since",
        kind: .value("SEQ"),
        help: "only exchanges with a larger seq",
        default: "0"
    )
    static let rule = Option(
        name: "rule",
        kind: .list("ID…"),
        help: "only these rules: ids, names of instances, globs such as auth/*",
        default: "all"
    )
    static let host = Option(
        name: "host",
        kind: .list("GLOB…"),
        help: "only the entries of matching hosts in files",
        default: "all"
    )
    static let format = Option(
        name: "format",
        kind: .list("F[=PATH]…"),
        values: .names(ConductFormat.allCases.map(\.rawValue)),
        help: "a format of the report, and its output file: "
            + ConductFormat.allCases.map(\.rawValue).joined(separator: ", "),
        default: "text on standard output"
    )
    static let failOn = Option(
        name: "fail-on",
        kind: .value("error|warning|never"),
        values: .names(ConductFailure.allCases.map(\.rawValue)),
        help: "the lowest severity at which a finding fails",
        default: "the setting failOn, which is error"
    )
    static let require = Option(
        name: "require",
        kind: .list("ID…"),
        help: "rules that have to be exercised",
        default: "the setting require"
    )
    static let baseline = Option(
        name: "baseline",
        kind: .value("FILE"),
        values: .files,
        help: "known findings, which don't count",
        default: "none"
    )
    static let writeBaseline = Option(
        name: "write-baseline",
        kind: .value("FILE"),
        values: .files,
        help: "writes the findings as a baseline, and exits 0",
        default: "none"
    )
    static let json = Option(name: "json", kind: .toggle, help: "the same as --format json", default: "off")
    static let explain = Option(
        name: "explain",
        kind: .value("ID"),
        help: "explains a rule",
        default: "none"
    )

    static let all = [
        ServerOptions.url, ServerOptions.adminToken, world, api, user, since, rule, host, format, failOn, require,
        baseline, writeBaseline, json, ServerOptions.noColor, explain,
    ]

    // MARK: Checks

    /// The rules that the flags select.
    static func filter(_ arguments: Arguments) throws(UsageError) -> ReportFilter {
        var filter = ReportFilter()
        for name in arguments.values[rule.name] ?? [] {
            do throws(UnknownRule) {
                try APICatalogue.rules.add(name, to: &filter)
            } catch {
                throw unknown("--rule", error)
            }
        }
        filter.user = arguments[user.name]
        if let text = arguments[since.name] {
            guard let number = UInt64(text), number <= UInt64(Int64.max) else {
                throw UsageError(message: "--since: \"\(text)\" is not a whole number from 0")
            }
            filter.since = number
        }
        return filter
    }

    static func required(_ arguments: Arguments) throws(UsageError) -> [String] {
        let names = arguments.values[require.name] ?? []
        for name in names where !APICatalogue.rules.names.contains(name) {
            throw unknown("--require", APICatalogue.rules.unknown(name))
        }
        return names
    }

    /// The refusal of a rule that is not there.
    static func unknown(_ flag: String, _ error: UnknownRule) -> UsageError {
        UsageError(message: "\(flag): there is no rule \"\(error.name)\"" + Suggestion.hint(error.nearest))
    }

    static func failure(_ arguments: Arguments, _ name: String = failOn.name) throws(UsageError) -> ConductFailure? {
        guard let text = arguments[name] else { return nil }
        guard let level = ConductFailure(rawValue: text) else {
            let known = ConductFailure.allCases.map(\.rawValue)
            let hint = Suggestion.hint(to: text, among: known)
            throw UsageError(message: "--\(name): \"\(text)\" is not one of \(known.joined(separator: ", "))\(hint)")
        }
        return level
    }
}
