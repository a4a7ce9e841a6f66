import ClientCommands
import JSON
import Understudy

/// The table of commands and the entry point of the command line.
enum Commands {
    /// Every command, in the order of the help.
    static let all: [any Command.Type] = [
        ServeCommand.self,
        ExecCommand.self,
        RecordCommand.self,
        ReplayCommand.self,
        DiffCommand.self,
        NewCommand.self,
        RoutesCommand.self,
        ScenariosCommand.self,
        OpenAPICommand.self,
        ValidateCommand.self,
        TokenCommand.self,
        ConfigCommand.self,
        HealthCommand.self,
        LogCommand.self,
        RequestsCommand.self,
        OutboxCommand.self,
        VerifyCommand.self,
        ConductCommand.self,
        ResetCommand.self,
        ClockCommand.self,
        WorldCommand.self,
        SnapshotCommand.self,
        ScenarioCommand.self,
        FaultCommand.self,
        GateCommand.self,
        LatencyCommand.self,
        SettingsCommand.self,
        StateCommand.self,
        ProxyCommand.self,
        SeedsCommand.self,
        TrustCommand.self,
        UntrustCommand.self,
        CompletionsCommand.self,
        ManCommand.self,
        HelpCommand.self,
    ]

    static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }

    /// Runs a command line without the program's name and returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        guard let name = words.first else {
            Terminal.error(HelpText.overview)
            return ExitCode.usage
        }
        do throws(UsageError) {
            switch name {
            case "-h", "--help":
                Terminal.out(HelpText.overview)
                return ExitCode.ok
            case "--version", "version":
                Terminal.out(Launch.version)
                return ExitCode.ok
            case CompletionAnswer.command:
                for word in CompletionAnswer.words(for: Array(words.dropFirst())) { Terminal.out(word) }
                return ExitCode.ok
            default: return try run(command(name), Array(words.dropFirst()))
            }
        } catch {
            Terminal.fail(error.message)
            if error.isAboutLine { Terminal.error(HelpText.pointer(after: name)) }
            return ExitCode.usage
        }
    }

    /// Finds a command by its name; the error suggests the nearest one.
    static func command(_ name: String) throws(UsageError) -> any Command.Type {
        if let command = named(name) { return command }
        let known = all.map { $0.name } + ["--help", "--version"]
        var near = Synonyms.command(for: name) ?? Suggestion.nearest(to: name, among: known)
        if name == "-v" || name == "-V" { near = "--version" }
        let flag = String(name.prefix { $0 != "=" })
        if ServerOptions.all.contains(where: { $0.flag == flag }),
            !ServeOptions.serve.contains(where: { $0.flag == flag })
        {
            let line = "understudy log \(flag)"
            throw UsageError(message: "unknown command \"\(name)\"; flags follow the command, as in \(line)")
        }
        // A flag without a command is most likely one of serve.
        if near == nil, name.hasPrefix("-") {
            near = NearestName.option(for: name, among: ServeOptions.serve).map { "\(ServeCommand.name) \($0.flag)" }
        }
        throw UsageError(message: "unknown command \"\(name)\"" + Suggestion.hint(near))
    }

    private static func run(_ command: any Command.Type, _ words: [String]) throws(UsageError) -> Int32 {
        // What is refused before the settings are read has its form as well (clients contract, section 3).
        if command.part == .serving, LogFormatWord.isJSON(words) { Terminal.structureErrors() }
        ReadyFile.removeFormer(of: command, words)
        let arguments = try Arguments(words, of: command, unlisted: CustomAPIOptions.port(flag:among:))
        if arguments.wantsHelp {
            Terminal.out(HelpText.help(of: command))
            return ExitCode.ok
        }
        do throws(UsageError) {
            return try command.run(arguments)
        } catch {
            throw Settings.complete(error, arguments)
        }
    }
}
