import Emulation
import Understudy

/// The options of `serve`, which other commands share.
enum ServeOptions {
    static let shared: [Option] = [
        Option(name: "seed", kind: .value("N"), help: "seeds every random choice of the worlds", standard: "42"),
        Option(
            name: "seeds",
            kind: .value("DIR"),
            help: "the folder of seed worlds",
            standard: "./seeds if it is there, else the built-in copy"
        ),
        Option(
            name: "clock",
            kind: .value("real|INSTANT|frozen:INSTANT"),
            help: "the worlds' clock at the start; INSTANT starts there and runs",
            standard: "real"
        ),
    ]

    /// Serve's flags as `exec` has them: its ports are free ones where the command line names none.
    static let onFreePorts: [Option] = serve.map { option in
        guard option.name == "port" || option.name.hasPrefix("port-") else { return option }
        return Option(name: option.name, kind: option.kind, help: option.help, standard: "a free one")
    }

    static let serve: [Option] =
        [
            Option(
                name: "host",
                kind: .value("ADDRESS"),
                help: "the address to listen on; any but a loopback one forces an admin token",
                standard: "127.0.0.1 and ::1"
            ),
            Option(
                name: "port",
                kind: .value("N"),
                help: "the hub's port; 0 picks free ports for all",
                standard: "4680"
            ),
        ]
        + APICatalogue.names.map { name in
            Option(
                name: "port-\(name)",
                kind: .value("N"),
                help: "the port of \(name)",
                standard: "\(4680 + (APICatalogue.portOffset(of: name) ?? 0))"
            )
        } + [
            Option(
                name: "api",
                kind: .list("NAME…"),
                help: "serves only these APIs",
                standard: APICatalogue.names.joined(separator: ",")
            )
        ] + shared + [
            Option(
                name: "scenario",
                kind: .list("NAME…"),
                help: "scenarios that the world main starts with",
                standard: "none"
            ),
            Option(
                name: "state",
                kind: .value("DIR"),
                help: "keeps every world in this folder, so that it survives a restart",
                standard: "none: worlds end with the process"
            ),
            Option(
                name: "faults",
                kind: .value("FILE"),
                help: "a JSON list of faults that the world main starts with",
                standard: "none"
            ),
            Option(
                name: "latency",
                kind: .value("PROFILE"),
                help: "how slow the world main starts: \(LatencyProfile.all.map(\.name).joined(separator: ", "))",
                standard: "none"
            ),
            Option(
                name: "allow-prefer",
                kind: .toggle,
                help: "lets requests of other machines ask for faults of their own (Prefer, __code)",
                standard: "off"
            ),
            Option(
                name: "world-required",
                kind: .toggle,
                help: "refuses requests that name no world",
                standard: "off"
            ),
            Option(
                name: "cors",
                kind: .list("ORIGIN…"),
                help: "web pages that may call the emulated APIs, such as http://localhost:3000, or *",
                standard: "what each API's own contract grants"
            ),
            Option(
                name: "admin-token",
                kind: .value("TOKEN|auto"),
                help: "asks for this token with every control call; auto makes one",
                standard: "none"
            ),
            Option(
                name: "journal-bytes",
                kind: .value("N"),
                help: "the bound of each world's journal",
                standard: "67108864"
            ),
            Option(
                name: "limit",
                kind: .list("NAME=N…"),
                help: "sets limits: " + Limits.names.map { "\($0.name) (\($0.counts))" }.joined(separator: ", "),
                standard: "see docs/security.md"
            ),
            Option(name: "log-format", kind: .value("text|json"), help: "the form of log lines", standard: "text"),
            Option(name: "quiet", kind: .toggle, help: "warnings and errors only on standard error", standard: "off"),
            Option(
                name: "watch",
                kind: .toggle,
                help: "takes changes of the seeds' folder while it runs, and resets the world main to them",
                standard: "off"
            ),
            Option(name: "verbose", kind: .toggle, help: "logs control calls too", standard: "off"),
            Option(
                name: "upstream-ca",
                kind: .value("FILE"),
                help: "more authorities to verify real backends with (PEM)",
                standard: "the system's alone"
            ),
            Option(
                name: "config",
                kind: .value("FILE"),
                help: "the configuration file",
                standard: "./understudy.json if it is there"
            ),
        ]
}
