import ClientCommands
import Conditions
import Serving
import Understudy

/// The settings of `serve`, which other commands share.
enum ServeOptions {
    static let shared: [Option] = [
        Option(name: "seed", kind: .value("N"), help: "seeds every random choice in the worlds", default: "42"),
        Option(
            name: "seeds",
            kind: .value("DIR"),
            values: .folders,
            help: "the folder of seed worlds",
            default: "./seeds, else built in"
        ),
        Option(
            name: "clock",
            kind: .value("real|INSTANT|frozen:INSTANT"),
            values: .names(["real", "frozen"]),
            help: "the clock of every world; INSTANT alone keeps running",
            default: "real"
        ),
    ].grouped(.world)

    /// The flags of `serve` as `exec` takes them, with free ports as the default.
    static let onFreePorts: [Option] = serve.map { option in
        guard option.name == "port" || option.name.hasPrefix("port-") else { return option }
        return Option(name: option.name, kind: option.kind, help: option.help, default: "a free one")
            .grouped(option.group)
    }

    static let serve: [Option] =
        (addresses + [CustomAPIOptions.folders, onlyAPIs, ReadyFile.option]).grouped(.addresses)
        + (TLSOptions.all + LANOptions.all).grouped(.devices) + shared
        + (worlds + safety + logging).map { $0.grouped(groups[$0.name] ?? .safety) }
        // Last, so that `--token` still means that of the control calls.
        + ProxyOptions.all.grouped(.devices)

    /// The groups of the flags that are neither addresses nor shared.
    private static let groups: [String: Option.Group] = [
        "scenario": .world, "faults": .world, "latency": .world, "allow-prefer": .world, "world-required": .world,
        "state": .state, "journal-bytes": .state, "watch": .state, "no-watch": .state, "config": .state,
        "log-format": .logging, "quiet": .logging, "verbose": .logging,
    ]

    /// Returns the options followed by those of `serve` with other names.
    static func adding(to options: [Option]) -> [Option] {
        options + serve.filter { option in !options.contains { $0.name == option.name } }
    }

    private static let addresses =
        [
            Option(
                name: "host",
                kind: .value("ADDRESS"),
                help: "the address to listen on",
                default: "127.0.0.1 and ::1"
            ),
            Option(
                name: "allow-host",
                kind: .list("NAME…"),
                help: "host names, or suffixes such as .local, that control calls may use",
                default: "none"
            ),
            Option(
                name: "port",
                kind: .value("N"),
                help: "the port of the hub; 0 picks free ports for all",
                default: "4680"
            ),
        ]
        + APICatalogue.names.map { name in
            Option(
                name: "port-\(name)",
                kind: .value("N"),
                help: "the port of \(name)",
                default: "\(4680 + (APICatalogue.portOffset(of: name) ?? 0))"
            )
        }

    private static let onlyAPIs = Option(
        name: "api",
        kind: .list("NAME…"),
        values: .apis,
        help: "serves only these APIs",
        default: "all"
    )

    private static let worlds = [
        Option(
            name: "scenario",
            kind: .list("NAME…"),
            values: .scenarios,
            help: "scenarios to switch on in the world main",
            default: "none"
        ),
        Option(
            name: "state",
            kind: .value("DIR"),
            values: .folders,
            help: "persists every world in this folder, across restarts",
            default: "none"
        ),
        Option(
            name: "faults",
            kind: .value("FILE"),
            values: .files,
            help: "a JSON list of faults to add to the world main",
            default: "none"
        ),
        Option(
            name: "latency",
            kind: .value("PROFILE"),
            values: .names(LatencyProfile.all.map(\.name) + [LatencyProfile.none]),
            help: "the latency profile of the world main (understudy config lists them)",
            default: "none"
        ),
        Option(
            name: "allow-prefer",
            kind: .toggle,
            help: "lets other machines request faults (Prefer, __code)",
            default: "off"
        ),
        Option(
            name: "world-required",
            kind: .toggle,
            help: "refuses requests that name no world",
            default: "off"
        ),
    ]

    private static let safety = [
        Option(
            name: "cors",
            kind: .list("ORIGIN…"),
            help: "web origins that may call the APIs, or *",
            default: "each API's"
        ),
        Option(
            name: "admin-token",
            kind: .value("TOKEN|auto"),
            values: .names(["auto"]),
            help: "the token that every control call must send; auto generates one",
            default: "none"
        ),
        Option(
            name: "journal-bytes",
            kind: .value("N"),
            help: "the size limit of each world's journal, in bytes",
            default: "67108864"
        ),
        Option(
            name: "limit",
            kind: .list(Option.pairs),
            help: "limits such as faults=100",
            default: "understudy config lists them"
        ),
    ]

    private static let logging = [
        Option(
            name: "log-format",
            kind: .value("text|json"),
            values: .names(AccessLog.Format.allCases.map(\.rawValue)),
            help: "the format of log lines",
            default: "text"
        ),
        Option(
            name: "quiet",
            kind: .toggle,
            help: "prints only warnings and errors on standard error",
            default: "off"
        ),
        Option(
            name: "watch",
            kind: .toggle,
            help: "reloads changed seeds, and resets the world main to them",
            default: "off"
        ),
        Option(
            name: "no-watch",
            kind: .toggle,
            help: "leaves your own APIs as they were read, when their files are saved",
            default: "off"
        ),
        Option(name: "verbose", kind: .toggle, help: "logs control calls too", default: "off"),
        Option(
            name: "upstream-ca",
            kind: .value("FILE"),
            values: .files,
            help: "more authorities for real backends (PEM)",
            default: "the system's"
        ),
        Option(
            name: "config",
            kind: .value("FILE"),
            values: .files,
            help: "the configuration file",
            default: "./understudy.json if present"
        ),
    ]
}
