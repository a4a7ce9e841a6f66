import APIFolders
import ClientCommands
import CustomAPIs
import Understudy

/// The settings of custom APIs (own-API contract, section 1).
enum CustomAPIOptions {
    /// The folders that hold the folders of custom APIs.
    static let folders = Option(
        name: "apis",
        kind: .list("DIR…"),
        values: .folders,
        help: "folders that hold your own APIs",
        default: "./apis if present"
    ).grouped(.addresses)

    private static let portPrefix = "port-"

    /// Returns the options with the ports of the APIs as one row, as the help and the manual page show them.
    static func merged(_ options: [Option]) -> [Option] {
        let ports = options.filter { $0.name.hasPrefix(portPrefix) }
        guard let first = ports.first, let last = ports.last else { return options }
        let shown = first.default == last.default ? first.default : "\(first.default) to \(last.default), then your own"
        let row = Option(name: portPrefix + "NAME", kind: .value("N"), help: "the port of an API", default: shown)
        return options.flatMap { option -> [Option] in
            if option.name == first.name { return [row.grouped(first.group)] }
            return option.name.hasPrefix(portPrefix) ? [] : [option]
        }
    }

    /// The option for the port of an API, which is one of a command that has the others.
    static func port(of name: String) -> Option {
        Option(
            name: portPrefix + name,
            kind: .value("N"),
            help: "the port of \(name)",
            default: "its own port, or the next free one from the hub's plus \(CustomAPICatalogue.firstOffset)"
        )
    }

    /// Returns the option that a flag is if a custom API has the name in it; nil for any other flag.
    ///
    /// The APIs are found when the settings are read. Then a flag without its API is refused.
    static func port(flag: String, among options: [Option]) -> Option? {
        let start = "--" + portPrefix
        guard flag.hasPrefix(start), options.contains(where: { $0.name == "port" }) else { return nil }
        let name = String(flag.dropFirst(start.count))
        return CustomAPIName.refusal(of: name) == nil ? port(of: name) : nil
    }
}
