import CivilTime
import Control
import Emulation
import HTTPMessage
import JSON
import Transport
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The commands: words in, exit code out.
enum Commands {
    static func run(_ words: [String]) -> Int32 {
        guard let command = words.first else {
            Terminal.error(Help.overview)
            return ExitCode.usage
        }
        let rest = Array(words.dropFirst())
        do throws(UsageError) {
            switch command {
            case "serve": return try serve(rest)
            case "exec": return try exec(rest)
            case "record": return try record(rest)
            case "replay": return try replay(rest)
            case "diff": return try diff(rest)
            case "routes": return try routes(rest)
            case "scenarios": return try scenarios(rest)
            case "openapi": return try openapi(rest)
            case "token": return try token(rest)
            case "config": return try config(rest)
            case "validate": return try validate(rest)
            case "help": return try help(rest)
            case "-h", "--help":
                Terminal.out(Help.overview)
                return ExitCode.ok
            case "--version", "version":
                Terminal.out("understudy \(RunningEmulator.version)")
                return ExitCode.ok
            default:
                let known = Help.commands.map(\.name) + ["--help", "--version"]
                let hint = Suggestion.nearest(to: command, among: known).map { "; did you mean \($0)?" } ?? ""
                throw UsageError(message: "unknown command \"\(command)\"\(hint)")
            }
        } catch {
            Terminal.error("understudy: \(error.message)")
            Terminal.error(Help.pointer(after: command))
            return ExitCode.usage
        }
    }

    private static func help(_ words: [String]) throws(UsageError) -> Int32 {
        guard let name = words.first else {
            Terminal.out(Help.overview)
            return ExitCode.ok
        }
        return run([name, "--help"])
    }

    // MARK: serve

    private static func serve(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: ServeOptions.serve)
        if arguments.wantsHelp {
            Terminal.out(Help.command("serve", usage: "[flags]", options: ServeOptions.serve))
            return ExitCode.ok
        }
        let settings = try Settings(
            ServeOptions.serve,
            arguments: arguments,
            environment: Environment.variables
        )
        let configuration = try Configuration(settings)
        Terminal.warn(settings.warnings)
        return operate(configuration)
    }

    /// Runs an emulator until it is stopped.
    static func operate(_ configuration: Configuration) -> Int32 {
        let signals = Signals()
        var configuration = configuration
        // Whoever records by a control call is told of what goes wrong alone.
        configuration.onRecorded =
            configuration.onRecorded ?? { state in
                if let problem = state.problem { Terminal.error("understudy: \(problem)") }
            }
        let emulator: RunningEmulator
        do throws(StartError) {
            emulator = try RunningEmulator(configuration) { Terminal.write($0, to: STDERR_FILENO) }
        } catch {
            return report(error)
        }
        signals.watch(emulator.handle)
        if let previous = emulator.keptRecording, let path = configuration.mode?.order.recording {
            Terminal.error("understudy: what was in \(path) is now \(previous)")
        }
        // First what people read: who waits for the ready line then finds a token that was made here.
        announce(emulator, configuration)
        Terminal.out(emulator.readyLine(pid: Terminal.processID))
        let cut = emulator.run()
        Terminal.endCount()
        if cut > 0, configuration.logLevel != .quiet {
            Terminal.error(
                "understudy: \(cut) \(cut == 1 ? "answer" : "answers") under way \(cut == 1 ? "was" : "were") cut by the stop"
            )
        }
        if !emulator.isStateWritten {
            Terminal.error("understudy: the last changes could not be written to the state folder")
            return ExitCode.failed
        }
        let signal = signals.stoppedBy
        return signal == 0 ? ExitCode.ok : 128 + signal
    }

    static func report(_ error: StartError) -> Int32 {
        switch error {
        case .seeds(let faults):
            for item in faults.items { Terminal.error("understudy: \(item.text)") }
            return ExitCode.usage
        case .bind(let failure):
            Terminal.error("understudy: \(failure)")
            if failure.portInUse {
                Terminal.error(
                    "understudy: port \(failure.port) is taken; lsof -nP -iTCP:\(failure.port) -sTCP:LISTEN shows by whom. "
                        + "--port 0 picks free ports."
                )
            }
            return ExitCode.cannotBind
        case .unknownScenario(let name, let near):
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            Terminal.error("understudy: --scenario: there is no scenario \"\(name)\"\(hint)")
            return ExitCode.usage
        case .mode(let text):
            Terminal.error("understudy: \(text)")
            return ExitCode.usage
        case .state(let path, let reason):
            Terminal.error("understudy: --state: \(path) \(reason).")
            return ExitCode.usage
        case .system(let text):
            Terminal.error("understudy: \(text)")
            return ExitCode.cannotBind
        }
    }

    /// The short table for people, on standard error.
    ///
    /// With `--quiet` only what is a warning, and a token that nobody could know otherwise.
    private static func announce(_ emulator: RunningEmulator, _ configuration: Configuration) {
        var lines: [String] = []
        if configuration.logLevel != .quiet {
            lines.append("understudy \(RunningEmulator.version) is ready")
            for (name, url) in [("hub", emulator.hub)] + emulator.origins.map({ ($0.name, $0.url) }) {
                lines.append("  " + name + String(repeating: " ", count: max(1, 14 - name.count)) + url)
            }
        }
        if let host = configuration.hosts.first, !ControlSafety.isLoopback(host) {
            lines.append("  EXPOSED: everything above can be reached by other machines under \(host).")
            lines.append("  Control calls from anywhere need the admin token.")
        }
        if let token = configuration.adminToken, configuration.isAdminTokenMade {
            lines.append("  admin token   \(token)")
        }
        if !lines.isEmpty { Terminal.error(lines.joined(separator: "\n")) }
    }

    // MARK: Lists and documents

    private static let listOptions = [
        Option(name: "api", kind: .list("NAME…"), help: "only these APIs", standard: "all"),
        Option(name: "json", kind: .toggle, help: "prints JSON", standard: "off"),
    ]

    /// Whoever adds scenarios of his own finds them listed where a `serve` would find them.
    private static let scenarioOptions = listOptions + ServeOptions.shared.filter { $0.name == "seeds" }

    private static func loadedAPIs(
        _ names: [String]?,
        from seeds: SeedSource = .builtIn
    ) throws(UsageError) -> [AnyAPI] {
        for name in names ?? [] where !APICatalogue.names.contains(name) {
            let hint = Suggestion.nearest(to: name, among: APICatalogue.names).map { "; did you mean \($0)?" } ?? ""
            let known = APICatalogue.names.joined(separator: ", ")
            throw UsageError(message: "there is no API \"\(name)\" (there is \(known))\(hint)")
        }
        do throws(SeedError) {
            return try APICatalogue.load(names ?? APICatalogue.names, from: seeds)
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"))
        }
    }

    private static func routes(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: listOptions)
        if arguments.wantsHelp {
            let usage = "[--api NAME…] [--json]"
            Terminal.out(Help.command("routes", usage: usage, options: listOptions, isConfigurable: false))
            return ExitCode.ok
        }
        let apis = try loadedAPIs(arguments.values["api"])
        if arguments.values["json"] != nil {
            let items = apis.flatMap { api in
                api.routes.map { route -> JSON in
                    [
                        "api": .string(api.identity.name), "method": .string(route.method.rawValue),
                        "path": .string(route.template), "status": .string(route.standing.rawValue),
                        "summary": .string(route.summary),
                    ]
                }
            }
            Terminal.out(JSON.array(items).text)
            return ExitCode.ok
        }
        for api in apis {
            Terminal.out("\(api.identity.name) (\(api.routes.count) endpoints)")
            for route in api.routes {
                let method = route.method.rawValue
                let gap = String(repeating: " ", count: max(1, 8 - method.count))
                let path = route.template + String(repeating: " ", count: max(1, 42 - route.template.count))
                Terminal.out("  \(method)\(gap)\(path)\(route.standing.rawValue)")
            }
        }
        return ExitCode.ok
    }

    private static func scenarios(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: scenarioOptions)
        if arguments.wantsHelp {
            let usage = "[--api NAME…] [--seeds DIR] [--json]"
            let help = Help.command("scenarios", usage: usage, options: scenarioOptions, isConfigurable: false)
            Terminal.out(
                "\(help)\n\nThe folder can be set as UNDERSTUDY_SEEDS in the environment too, or as seeds in understudy.json."
            )
            return ExitCode.ok
        }
        let others = ServeOptions.serve.filter { option in !scenarioOptions.contains { $0.name == option.name } }
        let settings = try Settings(
            scenarioOptions + others,
            arguments: arguments,
            environment: Environment.variables
        )
        Terminal.warn(settings.warnings)
        let names = arguments.values["api"]
        let seeds = try Configuration.seeds(settings, APICatalogue.names)
        let all = try loadedAPIs(names, from: seeds).flatMap(\.scenarios)
        if arguments.values["json"] != nil {
            let items = all.map { scenario -> JSON in
                [
                    "name": .string(scenario.name), "title": .string(scenario.title),
                    "expect": .string(scenario.expect),
                ]
            }
            Terminal.out(JSON.array(items).text)
        } else {
            for scenario in all {
                Terminal.out(
                    scenario.name + String(repeating: " ", count: max(1, 36 - scenario.name.count)) + scenario.title
                )
            }
        }
        return ExitCode.ok
    }

    private static func openapi(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: [], takesOperands: 1)
        if arguments.wantsHelp {
            Terminal.out(Help.command("openapi", usage: "NAME (an API, or control)", options: []))
            return ExitCode.ok
        }
        guard let name = arguments.operands.first else {
            throw UsageError(message: "openapi needs a name: control, \(APICatalogue.names.joined(separator: ", "))")
        }
        let document: JSON
        if name == "control" {
            document = ControlAPI.document(servers: ["http://127.0.0.1:4680"], apis: APICatalogue.names).document
        } else {
            let api = try loadedAPIs([name])[0]
            let servers = ["http://127.0.0.1:\(4680 + api.identity.portOffset)", "http://127.0.0.1:4680/\(name)"]
            document = OpenAPI(api, servers: servers).document
        }
        Terminal.out(String(decoding: document.serialized(options: JSONWriter.Options(pretty: true)), as: UTF8.self))
        return ExitCode.ok
    }

    // MARK: config

    /// What a default comes to where it depends on other values.
    private static func effective(_ option: Option, _ configuration: Configuration) -> String {
        let prefix = "port-"
        if option.name.hasPrefix(prefix),
            let offset = APICatalogue.portOffset(of: String(option.name.dropFirst(prefix.count)))
        {
            return configuration.port == 0 ? "0" : "\(configuration.port + offset)"
        }
        switch option.name {
        case "api": return configuration.apis.joined(separator: ",")
        case "seeds":
            if case .folder(let folder) = configuration.seeds { return folder }
            return "built-in"
        case "host": return configuration.hosts.joined(separator: ",")
        case "config": return FolderReader.exists("understudy.json") ? "understudy.json" : "none"
        default: return option.standard
        }
    }

    private static func config(_ words: [String]) throws(UsageError) -> Int32 {
        let json = Option(name: "json", kind: .toggle, help: "prints JSON", standard: "off")
        let arguments = try Arguments(words, options: ServeOptions.serve + [json])
        if arguments.wantsHelp {
            Terminal.out(Help.command("config", usage: "[serve flags] [--json]", options: ServeOptions.serve + [json]))
            return ExitCode.ok
        }
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        // Checked as serve would check it.
        let configuration = try Configuration(settings)
        Terminal.warn(settings.warnings)
        var items: [JSON] = []
        func show(_ name: String, key: String, _ text: String, from origin: String) {
            if arguments.values["json"] != nil {
                items.append(["name": .string(key), "value": .string(text), "origin": .string(origin)])
            } else {
                let name = name + String(repeating: " ", count: max(1, 18 - name.count))
                Terminal.out("\(name)\(text)  (\(origin))")
            }
        }
        for option in ServeOptions.serve {
            let value = settings.values[option.name]
            let origin = value?.origin ?? "default"
            guard option.name != "limit" else {
                // Each is a value of its own, and those that nobody set hold as well.
                let set = Set((value?.texts ?? []).map { String($0.prefix { $0 != "=" }) })
                for limit in configuration.limits.all {
                    let name = "limit.\(limit.name)"
                    show(name, key: name, "\(limit.number)", from: set.contains(limit.name) ? origin : "default")
                }
                continue
            }
            let shown = option.name == "admin-token" && value != nil ? "(set)" : value?.texts.joined(separator: ",")
            show(option.name, key: option.key, shown ?? effective(option, configuration), from: origin)
        }
        if arguments.values["json"] != nil {
            items += LatencyProfile.all.map {
                [
                    "name": .string("latencyProfiles.\($0.name)"), "value": .string($0.summary), "origin": "built-in",
                ]
            }
            Terminal.out(JSON.array(items).text)
        } else {
            Terminal.out("\nlatency profiles (GET, PUT /__admin/latency, --latency)")
            for profile in LatencyProfile.all {
                let name = profile.name + String(repeating: " ", count: max(1, 18 - profile.name.count))
                Terminal.out("\(name)\(profile.summary)")
            }
        }
        return ExitCode.ok
    }
}
