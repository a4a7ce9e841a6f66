import ClientCommands

/// `help`: prints the list of commands, or the help of one (control contract, section 2).
enum HelpCommand: Command {
    static let name = "help"
    static let summary = "prints the list of commands, or the help of one"
    static let usage = "[COMMAND]"
    static var operands: Operands { .name(Commands.all.map { $0.name }) }

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard let name = arguments.operands.first else {
            Terminal.out(HelpText.overview)
            return ExitCode.ok
        }
        Terminal.out(HelpText.help(of: try Commands.command(name)))
        return ExitCode.ok
    }
}
