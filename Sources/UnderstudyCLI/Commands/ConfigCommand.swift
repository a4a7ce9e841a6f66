import ClientCommands
import Conditions
import ForwardProxy
import JSON
import Transport
import Understudy

/// `config`: prints every setting with its value and origin (control contract, section 2).
enum ConfigCommand: Command {
    static let name = "config"
    static let summary = "prints the effective configuration and where each value came from"
    static let part: CommandPart? = .listing
    static let usage = "[serve flags] [--json]"
    static let options = [Option.json]
    static let settings = ServeOptions.serve
    static let examples = [Example("understudy config --config ci.json", "the effect of a configuration file")]

    /// A setting as it is printed.
    private struct Row {
        let name: String
        let key: String
        let value: String
        let origin: String
    }

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        // The same checks as for `serve`.
        let configuration = try Configuration(settings)
        Terminal.warn(settings.warnings + configuration.companyProxies.warnings)
        let ports = configuration.usualPorts
        let conduct = Row(
            name: ConductKey.name,
            key: ConductKey.name,
            value: settings.conduct?.json.text ?? "none",
            origin: settings.conduct?.origin ?? "default"
        )
        let rows = settings.options.flatMap { Self.rows(of: $0, settings, configuration, ports) } + [conduct]
        if arguments.isOn("json") {
            printJSON(rows)
        } else {
            printTable(rows)
        }
        return ExitCode.ok
    }

    private static func rows(
        of option: Option,
        _ settings: Settings,
        _ configuration: Configuration,
        _ ports: [String: Int]
    ) -> [Row] {
        let value = settings.values[option.name]
        let origin = value?.origin ?? "default"
        if option.name == "limit" {
            // Each limit has a row of its own, those left at their default included.
            let set = Set((value?.texts ?? []).map { String($0.prefix { $0 != "=" }) })
            return configuration.limits.all.map { limit in
                let name = "limit.\(limit.name)"
                let origin = set.contains(limit.name) ? origin : "default"
                return Row(name: name, key: name, value: "\(limit.number)", origin: origin)
            }
        }
        if option.name == ProxyOptions.upstream.name {
            // Without credentials.
            let shown = configuration.companyProxies.text
            let place = value == nil && shown != nil ? "environment" : origin
            return [Row(name: option.name, key: option.key, value: shown ?? CompanyProxies.none, origin: place)]
        }
        let isSecret = ["admin-token", "proxy-token"].contains(option.name)
        let shown = isSecret && value != nil ? "(set)" : value?.texts.joined(separator: ",")
        let text = shown ?? effectiveDefault(of: option, configuration, ports)
        return [Row(name: option.name, key: option.key, value: text, origin: origin)]
    }

    /// The default of an option, resolved where it depends on other values.
    private static func effectiveDefault(
        of option: Option,
        _ configuration: Configuration,
        _ ports: [String: Int]
    ) -> String {
        let prefix = "port-"
        if option.name.hasPrefix(prefix),
            let port = ports[String(option.name.dropFirst(prefix.count))]
        {
            return "\(port)"
        }
        switch option.name {
        case "api": return (configuration.apis + configuration.customAPIs.map(\.name)).joined(separator: ",")
        case CustomAPIOptions.folders.name:
            return FolderReader.isFolder(CustomAPICatalogue.usualFolder) ? CustomAPICatalogue.usualFolder : "none"
        case "seeds":
            if case .folder(let folder) = configuration.seeds { return folder }
            return "built-in"
        case "host": return configuration.hosts.joined(separator: ",")
        case "config": return FolderReader.exists("understudy.json") ? "understudy.json" : "none"
        default: return option.default
        }
    }

    private static func printJSON(_ rows: [Row]) {
        var items = rows.map { row -> JSON in
            ["name": .string(row.key), "value": .string(row.value), "origin": .string(row.origin)]
        }
        items += LatencyProfile.all.map {
            ["name": .string("latencyProfiles.\($0.name)"), "value": .string($0.summary), "origin": "built-in"]
        }
        Terminal.out(JSON.array(items).text)
    }

    private static func printTable(_ rows: [Row]) {
        func padded(_ name: String) -> String { name + String(repeating: " ", count: max(1, 18 - name.count)) }
        for row in rows { Terminal.out("\(padded(row.name))\(row.value)  (\(row.origin))") }
        Terminal.out("\nlatency profiles (GET, PUT /__admin/latency, --latency)")
        for profile in LatencyProfile.all { Terminal.out(padded(profile.name) + profile.summary) }
    }
}
