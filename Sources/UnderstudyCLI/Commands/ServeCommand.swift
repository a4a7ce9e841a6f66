import ClientCommands
import Understudy

/// `serve`: runs the emulator until a signal stops it (control contract, section 2).
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "runs the emulator until interrupted"
    static let part: CommandPart? = .serving
    static let usage = "[flags]"
    static let settings = ServeOptions.serve
    static let discussion = "--host beyond loopback, --allow-host and --lan turn the admin token on."
    static let examples = [
        Example("understudy serve --api omnichat --clock frozen:2025-01-01T12:00:00Z", "one API, with a frozen clock"),
        Example("understudy serve --port 0 --state ./state", "free ports; worlds survive a restart"),
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        let configuration = try Configuration(settings)
        EmulatorRun.warn(settings, configuration)
        return EmulatorRun.untilStopped(configuration, drawsCode: try LANOptions.inverts(settings))
    }
}
