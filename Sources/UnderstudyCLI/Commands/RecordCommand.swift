import ClientCommands
import Control
import ForwardProxy
import Proxying
import Recording
import Serving
import Transport
import Understudy

/// `record`: proxies one API to its real backend and writes a recording (control contract, section 13).
enum RecordCommand: Command {
    static let name = "record"
    static let summary = "serves an API from its real backend and writes a redacted recording"
    static let part: CommandPart? = .serving
    static let usage =
        "--api NAME --upstream URL | --proxy --map HOST… [--out FILE.har] [--links here|keep] [--fresh] [serve flags]"
    static let options = [
        RecordingOptions.api, RecordingOptions.upstream,
        Option(
            name: "out",
            kind: .value("FILE.har"),
            values: .files,
            help: "the recording",
            default: "recordings/NAME.har, in the folder of the API if it has one"
        ),
        Option(
            name: "links",
            kind: .value("here|keep"),
            values: .names(ModeOrder.Links.allCases.map(\.rawValue)),
            help: "here: links to the backend point to this server; the recording keeps the original",
            default: "keep"
        ),
        Option(
            name: "fresh",
            kind: .toggle,
            help: "takes If-None-Match and If-Modified-Since out of requests, so that 200s are recorded and no 304s",
            default: "off"
        ),
        Option(
            name: "no-redact",
            kind: .toggle,
            help: "keeps every secret in the recording, whose name then ends in .unredacted.har",
            default: "off"
        ),
    ]
    static let settings = RecordingOptions.serve
    static let examples = [
        Example(
            "understudy record --api trendy --upstream https://api.example.com --out trendy.har",
            "records while an app uses the API's port"
        )
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let (configuration, names, drawsCode) = try recorded(arguments)
        return try run(arguments, configuration, of: names, drawsCode: drawsCode)
    }

    /// Returns the configuration with the APIs that are recorded: the one that a flag names, or those that hosts are mapped to.
    private static func recorded(
        _ arguments: Arguments
    ) throws(UsageError) -> (Configuration, names: [String], drawsCode: Bool?) {
        let settings = try Settings(
            ServeOptions.adding(to: flags),
            arguments: arguments,
            environment: Environment.variables
        )
        guard settings[RecordingOptions.api.name] == nil, settings[ProxyOptions.proxy.name] != nil else {
            let (configuration, api, drawsCode) = try RecordingOptions.configuration(of: self, arguments)
            return (configuration, [api], drawsCode)
        }
        var configuration = try Configuration(settings, takesNames: true)
        EmulatorRun.warn(settings, configuration)
        let names = try configuration.nameMappedAPIs()
        guard !names.isEmpty else { throw UsageError(message: "record --proxy needs --map HOST, the hosts to record") }
        try configuration.select(names, settings, takesNames: true)
        let order = configuration.apis + configuration.customAPIs.map(\.name)
        return (configuration, order, try LANOptions.inverts(settings))
    }

    private static func run(
        _ arguments: Arguments,
        _ configuration: Configuration,
        of names: [String],
        drawsCode: Bool?
    ) throws(UsageError) -> Int32 {
        var configuration = configuration
        try RecordingOptions.checkShared(configuration, name)
        let isProxied = configuration.forwardProxy?.entries.isEmpty == false
        guard names.count == 1 || arguments["out"] == nil else {
            throw UsageError(message: "--out names one recording, and \(names.joined(separator: ", ")) have one each")
        }
        let redacts = !arguments.isOn("no-redact")
        var made: [ModePreparation] = []
        for (place, api) in names.enumerated() {
            var order = ModeOrder(api: place, mode: .record)
            if arguments["upstream"] != nil || !isProxied {
                order.upstream = try RecordingOptions.origin(arguments["upstream"], "record")
            }
            if let text = arguments["links"] {
                guard let links = ModeOrder.Links(rawValue: text) else {
                    throw UsageError(message: "--links: \"\(text)\" is neither here nor keep")
                }
                order.links = links
            }
            order.fresh = arguments.isOn("fresh")
            made.append(try preparation(order, of: api, arguments, configuration, redacts: redacts))
        }
        configuration.mode = made.first
        configuration.furtherModes = Array(made.dropFirst())
        let path = made.compactMap(\.order.recording).joined(separator: ", ")
        if !redacts {
            Terminal.error(
                "understudy: warning: --no-redact: \(path) will hold every password, token and personal detail in the "
                    + "traffic"
            )
        }
        if configuration.logLevel != .quiet {
            configuration.onRecorded = { RecordingCounts.show($0.entries, $0.bytes, $0.problem) }
        }
        return EmulatorRun.untilStopped(configuration, drawsCode: drawsCode)
    }

    /// Opens the recording of an API.
    private static func preparation(
        _ order: ModeOrder,
        of api: String,
        _ arguments: Arguments,
        _ configuration: Configuration,
        redacts: Bool
    ) throws(UsageError) -> ModePreparation {
        var order = order
        // The recordings of a custom API belong to its folder.
        let own = configuration.customAPIs.first { $0.name == api }?.folder
        let folder = own.map { "\($0)/recordings" } ?? "recordings"
        let path = RecordingFiles.outputName(arguments["out"] ?? "\(folder)/\(api).har", redacts: redacts)
        if arguments["out"] == nil {
            do throws(Errno) {
                try DataFile.makeFolder(folder)
            } catch {
                throw UsageError(
                    message: "can't create the folder \(folder): \(error); --out FILE.har names another place"
                )
            }
        }
        order.recording = path
        do throws(RecordingError) {
            return try ModePreparation.make(order, [.path(path)], redacts: redacts)
        } catch {
            throw UsageError(message: error.text)
        }
    }
}

extension Configuration {
    /// Names the APIs of mapped hosts that name none after their hosts, and returns all names.
    fileprivate mutating func nameMappedAPIs() throws(UsageError) -> [String] {
        var names: [String] = []
        var hosts: [String: Substring] = [:]
        for place in forwardProxy?.entries.indices ?? 0..<0 {
            guard var entry = forwardProxy?.entries[place] else { continue }
            if entry.api == nil {
                // A host and those below it are one API.
                let lower = HostName.canonical(entry.host) ?? entry.host
                let host = lower.hasPrefix("*.") ? lower.dropFirst(2) : lower[...]
                let made = host.split(separator: ".").joined(separator: "-")
                guard hosts[made] == nil || hosts[made] == host else {
                    throw UsageError(
                        message:
                            "\(entry.place): the name \(made) is also that of another host; \(entry.host)=NAME gives another"
                    )
                }
                hosts[made] = host
                guard made.utf8.count <= 32 else {
                    throw UsageError(
                        message:
                            "\(entry.place): the name \(made) is over 32 characters; \(entry.host)=NAME gives another"
                    )
                }
                entry.api = made
                forwardProxy?.entries[place] = entry
            }
            if let api = entry.api, !names.contains(api) { names.append(api) }
        }
        return names
    }
}
