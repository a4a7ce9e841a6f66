import Backend
import CivilTime
import ClientCommands
import Conditions
import Engine
import JSON
import Transport
import Understudy
import Worlds

/// The names that a word of a command line may be: those of a running server, else those that the binary knows (clients
/// contract, section 2).
struct CompletionNames {
    /// The words behind the program's name; the last one is being typed.
    let line: [String]
    /// The words before the last that are neither flags nor their values, the action's name first.
    let operands: [String]

    /// The time for the server's answer; with the start of the process it stays below 200 ms.
    private static let limit = Interval.milliseconds(120)
    /// The number of the newest exchanges that are offered.
    private static let mostExchanges = "20"

    // MARK: A running server

    /// The names that the server of the line has; nil if none answers in time.
    func running(_ names: RunningNames) -> [String]? {
        guard let server else { return nil }
        switch names {
        case .apis: return try? server.names(at: "/apis", within: Self.limit)
        case .scenarios: return try? server.names(at: "/scenarios", within: Self.limit)
        case .activeScenarios: return named("name", at: "/scenarios", server) { $0["active"] == true }
        case .inactiveScenarios: return named("name", at: "/scenarios", server) { $0["active"] != true }
        case .worlds: return try? server.names(at: "/worlds", within: Self.limit)
        case .otherWorlds: return named("name", at: "/worlds", server) { $0["name"]?.stringValue != WorldName.main }
        case .snapshots: return try? server.names(at: "/snapshots", within: Self.limit)
        case .faults: return try? server.names(at: "/faults", by: "id", within: Self.limit)
        case .activeFaults: return named("id", at: "/faults", server) { $0["enabled"] != false }
        case .inactiveFaults: return named("id", at: "/faults", server) { $0["enabled"] == false }
        case .gates: return try? server.names(at: "/gates", within: Self.limit)
        case .heldExchanges: return held(server)
        case .exchanges: return exchanges(server)
        case .users: return users(server)
        case .settings: return settings(server).map { SettingPaths.all(of: $0) }
        case .settingValues: return settings(server).map(values)
        case .latencies: return nil
        }
    }

    /// The server of the line.
    ///
    /// A line that is being typed need not be one that a command takes: only the flags of the server count.
    private var server: RunningServer? {
        let flags = line.dropFirst().dropLast()
        var words: [String] = []
        for option in [ServerOptions.url, ServerOptions.world, ServerOptions.adminToken] {
            if let value = value(of: option, in: flags) { words += [option.flag, value] }
        }
        guard let arguments = try? Arguments(words, of: LogCommand.self) else { return nil }
        return try? RunningServer(arguments)
    }

    private func value(of option: Option, in flags: ArraySlice<String>) -> String? {
        if let place = flags.lastIndex(of: option.flag) { return flags[(place + 1)...].first }
        let start = option.flag + "="
        return flags.last { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    private func named(
        _ member: String,
        at list: String,
        _ server: RunningServer,
        where fits: (JSON) -> Bool
    ) -> [String]? {
        let answer = try? server.call("GET", list, within: Self.limit)
        return answer?["items"]?.arrayValue?.filter(fits).compactMap { $0[member]?.stringValue }
    }

    /// Returns what the gate of the line holds, without the ids that are typed already.
    private func held(_ server: RunningServer) -> [String]? {
        let answer = try? server.call("GET", "/gates", within: Self.limit)
        let gate = answer?["items"]?.arrayValue?.first { $0["name"]?.stringValue == operands.dropFirst().first }
        return gate?["held"]?.arrayValue?.compactMap(\.stringValue).filter { !operands.contains($0) }
    }

    private func exchanges(_ server: RunningServer) -> [String]? {
        let query = [(name: "view", value: "line"), (name: "limit", value: Self.mostExchanges)]
        let answer = try? server.call("GET", "/requests", query: query, within: Self.limit)
        return answer?["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
    }

    private func users(_ server: RunningServer) -> [String]? {
        var narrowed = server
        narrowed.api = value(of: ServerOptions.api, in: line.dropFirst().dropLast())
        let answer = try? narrowed.call("GET", "/users", within: Self.limit)
        return answer?["items"]?.arrayValue?.compactMap { ($0["email"] ?? $0["id"])?.stringValue }
    }

    private func settings(_ server: RunningServer) -> JSON? { try? server.call("GET", "/settings", within: Self.limit) }

    /// The values of the setting that the line names, where it is a switch.
    private func values(of settings: JSON) -> [String] {
        let path = operands.dropFirst().first ?? ""
        let value = path.split(separator: ".").reduce(settings as JSON?) { inner, name in inner?[String(name)] }
        return value?.boolValue == nil ? [] : ["true", "false"]
    }

    // MARK: The binary

    /// The names that the binary knows.
    func offline(_ names: RunningNames) -> [String] {
        switch names {
        case .apis: APICatalogue.names + own.names
        case .scenarios, .activeScenarios, .inactiveScenarios: apis.flatMap(\.scenarios).map(\.name)
        case .settings: settingPaths
        case .latencies: LatencyProfile.all.map(\.name) + [LatencyProfile.none]
        case .worlds: [WorldName.main]
        case .users: seededUsers
        case .snapshots, .faults, .activeFaults, .inactiveFaults, .gates, .heldExchanges, .exchanges, .otherWorlds,
            .settingValues:
            []
        }
    }

    private var apis: [AnyAPI] {
        let builtIn = (try? APICatalogue.load(APICatalogue.names, from: .builtIn)) ?? []
        return builtIn + ((try? CustomAPILoad(own.places).apis) ?? []) as [AnyAPI]
    }

    /// The custom APIs in the folders that a listing would look at.
    private var own: CustomAPICatalogue {
        guard let arguments = try? Arguments([], of: RoutesCommand.self),
            let settings = try? LoadedAPIs.settings(of: RoutesCommand.self, arguments)
        else { return CustomAPICatalogue() }
        return settings.own
    }

    private var settingPaths: [String] {
        let apis = apis
        guard let main = Self.emulator(of: apis)[world: WorldName.main] else { return [] }
        return apis.enumerated().flatMap { place, api in
            SettingPaths.leaves(of: api.readSettings(main.world, place), below: api.identity.name).map(\.name)
        }
    }

    /// The users of the line's API as a new server has them.
    private var seededUsers: [String] {
        guard let name = value(of: ServerOptions.api, in: line.dropFirst().dropLast()),
            let api = apis.first(where: { $0.identity.name == name }),
            let main = Self.emulator(of: [api])[world: WorldName.main]
        else { return [] }
        return api.ledger(main.world, 0).users.map { $0.email ?? $0.id }
    }

    private static func emulator(of apis: [AnyAPI]) -> Emulator {
        let time = TimeSource.system
        return Emulator(
            apis: apis,
            configuration: Configuration().emulator,
            at: HostTime(wall: time.wall(), monotonic: time.monotonic())
        )
    }
}
