import ClientCommands
import Understudy

/// The help texts, made from the declarations and wrapped to the terminal (clients contract, section 2).
enum HelpText {
    static let purpose = "emulates mobile backends on your own machine"

    /// The column at which explanations begin.
    private static let column = 30

    static var overview: String {
        var sections = [
            "understudy \(RunningEmulator.version): \(purpose)", "usage: understudy <command> [flags]",
        ]
        for part in CommandPart.allCases {
            let rows = Commands.all.filter { $0.part == part }.map { row($0.name, $0.summary, column: 15) }
            if !rows.isEmpty { sections.append(([part.rawValue + ":"] + rows).joined(separator: "\n")) }
        }
        let shared = ServerOptions.all.map { row($0.usageInHelp, explanation(of: $0), column: column) }
        sections.append((["Flags of commands for a running server:"] + shared).joined(separator: "\n"))
        sections.append(
            paragraph("understudy <command> --help shows a command's flags. --version prints the version.")
        )
        return sections.joined(separator: "\n\n")
    }

    static func help(of command: any Command.Type) -> String {
        var sections = [paragraph("understudy \(command.name): \(command.summary)"), usageLines(of: command)]
        if case .actions(let actions) = command.operands {
            let rows = actions.map { action in
                row(words(command.name, action.name, action.usage), action.summary, column: column)
            }
            sections.append((["Actions:"] + rows).joined(separator: "\n"))
        }
        sections += flagSections(of: command)
        sections += namedFlags(of: command)
        var notes = [settingsNote(of: command) ?? "", command.discussion].filter { !$0.isEmpty }
        // A discussion of one line needs no paragraph of its own.
        if !command.discussion.contains("\n") { notes = [notes.joined(separator: " ")] }
        notes = notes.filter { !$0.isEmpty }
        if !notes.isEmpty { sections.append(notes.map { paragraph($0) }.joined(separator: "\n")) }
        if let example = command.examples.first {
            sections.append("Example:\n  # \(example.explanation)\n  \(example.line)")
        }
        return sections.joined(separator: "\n\n")
    }

    /// The hint below a usage error: the help of the command, or the list of commands for an unknown one.
    static func pointer(after name: String) -> String {
        Commands.named(name) != nil && name != HelpCommand.name
            ? "understudy \(name) --help lists its flags" : "understudy --help lists the commands"
    }

    /// Explains where else the settings of a command can come from; nil for a command without settings.
    static func settingsNote(of command: any Command.Type) -> String? {
        guard let first = command.settings.first else { return nil }
        if command.settings.count == 1 {
            return "\(first.flag) can also be set as \(first.variable) in the environment or as \(first.key) in "
                + "understudy.json."
        }
        return "UNDERSTUDY_NAME in the environment, or a key in understudy.json, sets a flag of serve, too."
    }

    // MARK: Flags

    /// The flags that this help describes: those of the command alone, and those of `serve` in its own help or where
    /// they mean something else.
    private static func described(by command: any Command.Type) -> [Option] {
        if command.name == ServeCommand.name {
            return CustomAPIOptions.merged(command.flags).filter { !ProxyOptions.isDetail($0) }
        }
        let serve = CustomAPIOptions.merged(ServeOptions.serve)
        return command.options
            + CustomAPIOptions.merged(command.settings).filter { option in
                !serve.contains { $0.name == option.name && $0.default == option.default }
            }
    }

    private static func flagSections(of command: any Command.Type) -> [String] {
        let options = described(by: command)
        return Option.Group.allCases.compactMap { group in
            let rows = options.filter { $0.group == group }.map {
                row($0.usageInHelp, explanation(of: $0), column: column)
            }
            return rows.isEmpty ? nil : (["\(group.rawValue):"] + rows).joined(separator: "\n")
        }
    }

    /// Names the flags that are described elsewhere, by group.
    private static func namedFlags(of command: any Command.Type) -> [String] {
        var sections: [String] = []
        let shown = Set(described(by: command).map(\.name))
        let isServe = command.name == ServeCommand.name
        let named = CustomAPIOptions.merged(command.settings).filter {
            !shown.contains($0.name) && !(isServe && ProxyOptions.isDetail($0))
        }
        if named.count == 1, let option = named.first {
            sections.append(paragraph("\(option.flag) is described by understudy serve --help."))
        } else if !named.isEmpty {
            let rows = Option.Group.allCases.compactMap { group -> String? in
                let flags = named.filter { $0.group == group }.map(\.flag)
                return flags.isEmpty ? nil : row(group.rawValue, flags.joined(separator: " "), column: 20)
            }
            sections.append((["Flags of serve, described by understudy serve --help:"] + rows).joined(separator: "\n"))
        }
        if !command.serverFlags.isEmpty {
            let flags = command.serverFlags.map(\.flag).joined(separator: " ")
            sections.append(
                "Flags for a running server, described by understudy --help:\n" + row("Server", flags, column: 20)
            )
        }
        return sections
    }

    private static func explanation(of option: Option) -> String {
        ["off", "none"].contains(option.default) ? option.help : "\(option.help) (default: \(option.default))"
    }

    // MARK: Layout

    private static func usageLines(of command: any Command.Type) -> String {
        hanging("usage: \(command.usageLine)", indent: 11)
    }

    private static func words(_ parts: String...) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }

    private static func paragraph(_ text: String) -> String { hanging(text, indent: 0) }

    private static func hanging(_ text: String, indent: Int) -> String {
        TextLayout.wrapped(text, width: Terminal.helpWidth, indent: indent)
    }

    /// A term and its explanation, which goes below a term that is too long.
    private static func row(_ term: String, _ text: String, column: Int) -> String {
        let width = Terminal.helpWidth
        // A narrow terminal has no room for two columns.
        let column = min(column, max(width / 3, 4))
        let lines = TextLayout.lines(of: text, width: width - column)
        let start = "  \(term)"
        let margin = String(repeating: " ", count: column)
        guard TextLayout.width(of: start) + 2 <= column, let first = lines.first else {
            return ([start] + lines.map { margin + $0 }).joined(separator: "\n")
        }
        let gap = String(repeating: " ", count: column - TextLayout.width(of: start))
        return ([start + gap + first] + lines.dropFirst().map { margin + $0 }).joined(separator: "\n")
    }
}
