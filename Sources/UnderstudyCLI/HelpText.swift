import Understudy

/// The help texts, made from the declarations.
enum HelpText {
    static let purpose = "emulates mobile backends on your own machine"

    static var overview: String {
        let rows = Commands.all.map { "  \(padded($0.name, 13))\($0.summary)" }.joined(separator: "\n")
        return """
            understudy \(RunningEmulator.version): \(purpose)

            usage: understudy <command> [flags]

            \(rows)

            understudy <command> --help shows a command's flags. --version prints the version.
            """
    }

    static func help(of command: any Command.Type) -> String {
        var sections = ["understudy \(command.name): \(command.summary)", "usage: " + usage(of: command)]
        if !command.flags.isEmpty {
            sections.append(command.flags.map(row).joined(separator: "\n"))
        }
        if let note = settingsNote(of: command) { sections.append(note) }
        if !command.discussion.isEmpty { sections.append(command.discussion) }
        if !command.examples.isEmpty {
            let lines = command.examples.map { "  # \($0.explanation)\n  \($0.line)" }
            sections.append((["examples:"] + lines).joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n")
    }

    static func usage(of command: any Command.Type) -> String {
        "understudy \(command.name)" + (command.usage.isEmpty ? "" : " \(command.usage)")
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
        return "The flags of serve can also be set as UNDERSTUDY_NAME in the environment or by their keys in "
            + "understudy.json."
    }

    private static func row(_ option: Option) -> String {
        "  \(padded(option.usage + " ", 40))\(option.help) (default: \(option.default))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
