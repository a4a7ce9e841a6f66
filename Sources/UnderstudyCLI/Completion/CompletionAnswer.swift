import CivilTime
import Emulation
import JSON
import Traffic
import Transport
import Understudy

/// The words that the completion scripts ask for: names that only a running server or the seeds have (clients
/// contract, section 2).
///
/// It prints one word a line, or `@files` or `@folders` where the shell completes paths, and never an error.
enum CompletionAnswer {
    /// The word after the program's name by which the scripts ask.
    static let command = "__complete"

    /// The time for the server's answer; with the start of the process it stays below 200 ms.
    private static let limit = Interval.milliseconds(120)

    /// Returns what fits the last of the words, which follow the program's name.
    static func words(for line: [String]) -> [String] {
        guard let name = line.first, let command = Commands.named(name), let current = line.last, line.count > 1 else {
            return []
        }
        let values = values(command, line.dropFirst().dropLast())
        return candidates(values, line).filter { $0.hasPrefix("@") || $0.hasPrefix(current) }
    }

    /// The values that fit after the words before the last.
    private static func values(_ command: any Command.Type, _ words: ArraySlice<String>) -> Option.Values {
        var operands: [String] = []
        var pending: Option?
        for word in words {
            if pending != nil, !word.hasPrefix("--") {
                if case .list = pending?.kind {} else { pending = nil }
                continue
            }
            guard word.hasPrefix("-"), word.utf8.count > 1 else {
                operands.append(word)
                continue
            }
            let flag = String(word.prefix { $0 != "=" })
            let option = command.flags.first { $0.isMeant(by: flag) }
            pending = option?.kind == .toggle || word.contains("=") ? nil : option
        }
        if let pending { return pending.values }
        switch command.operands {
        case .filters: return .names(TrafficFilter.Key.allCases.map { "\($0.rawValue):" })
        case .actions(let actions):
            if let word = operands.first, let action = actions.first(where: { $0.name == word && !word.isEmpty }) {
                return operands.count - 1 < action.counts.upperBound ? action.values : .names([])
            }
            return operands.isEmpty ? .names(actions.map(\.name).filter { !$0.isEmpty }) : .names([])
        case .none, .name, .files, .program: return .names([])
        }
    }

    private static func candidates(_ values: Option.Values, _ line: [String]) -> [String] {
        switch values {
        case .anything: []
        case .files: ["@files"]
        case .folders: ["@folders"]
        case .names(let names): names
        case .scenarios: offline(.scenarios)
        case .apis: offline(.apis)
        case .running(let names): running(names, line) ?? offline(names)
        }
    }

    // MARK: Names

    /// The names that the server of the line has; nil if none answers in time.
    private static func running(_ names: RunningNames, _ line: [String]) -> [String]? {
        // A line that is being typed need not be one that a command takes: only the flags of the server count.
        let flags = line.dropFirst().dropLast()
        var words: [String] = []
        for option in [ServerOptions.url, ServerOptions.world, ServerOptions.adminToken] {
            if let place = flags.lastIndex(of: option.flag), let value = flags[(place + 1)...].first {
                words += [option.flag, value]
            } else if let joined = flags.last(where: { $0.hasPrefix(option.flag + "=") }) {
                words.append(joined)
            }
        }
        guard let arguments = try? Arguments(words, of: LogCommand.self), let server = try? RunningServer(arguments)
        else {
            return nil
        }
        switch names {
        case .apis: return try? server.names(at: "/apis", within: limit)
        case .scenarios: return try? server.names(at: "/scenarios", within: limit)
        case .worlds: return try? server.names(at: "/worlds", within: limit)
        case .snapshots: return try? server.names(at: "/snapshots", within: limit)
        case .faults: return try? server.names(at: "/faults", by: "id", within: limit)
        case .gates: return try? server.names(at: "/gates", within: limit)
        case .settings: return (try? server.call("GET", "/settings", within: limit)).map { SettingPaths.all(of: $0) }
        case .latencies: return nil
        }
    }

    /// The names that the binary knows.
    private static func offline(_ names: RunningNames) -> [String] {
        switch names {
        case .apis: APICatalogue.names + own.names
        case .scenarios: apis.flatMap(\.scenarios).map(\.name)
        case .settings: settings
        case .latencies: LatencyProfile.all.map(\.name) + [LatencyProfile.none]
        case .worlds: ["main"]
        case .snapshots, .faults, .gates: []
        }
    }

    private static var apis: [AnyAPI] {
        let builtIn = (try? APICatalogue.load(APICatalogue.names, from: .builtIn)) ?? []
        return builtIn + ((try? OwnAPILoad(own.places).apis) ?? []) as [AnyAPI]
    }

    /// The own APIs in the folders that a listing would look at.
    private static var own: OwnCatalogue {
        guard let arguments = try? Arguments([], of: RoutesCommand.self),
            let settings = try? LoadedAPIs.settings(of: RoutesCommand.self, arguments)
        else { return OwnCatalogue() }
        return settings.own
    }

    private static var settings: [String] {
        let time = TimeSource.system
        let apis = apis
        let emulator = Emulator(
            apis: apis,
            configuration: Configuration().emulator,
            at: HostTime(wall: time.wall(), monotonic: time.monotonic())
        )
        guard let main = emulator[world: WorldName.main] else { return [] }
        return apis.enumerated().flatMap { place, api in
            SettingPaths.leaves(of: api.readSettings(main.world, place), below: api.identity.name).map(\.name)
        }
    }
}
