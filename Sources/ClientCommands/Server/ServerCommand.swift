/// A command that asks a running server (clients contract, section 1).
protocol ServerCommand: Command {
    /// Runs the command against the server that the flags name.
    static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32
}

extension ServerCommand {
    package static var serverFlags: [Option] {
        ServerOptions.all.filter { option in !options.contains { $0.name == option.name } }
    }

    package static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        try Self.ask(arguments) { (server) throws(CommandFailure) in try run(arguments, server) }
    }

    /// Runs a body against the server of the flags, and prints why it ended early.
    static func ask(
        _ arguments: Arguments,
        _ body: (RunningServer) throws(CommandFailure) -> Int32
    ) throws(UsageError) -> Int32 {
        Signals.endWithReader()
        let server = try RunningServer(arguments)
        do throws(CommandFailure) {
            return try body(server)
        } catch {
            return try server.report(error)
        }
    }
}
