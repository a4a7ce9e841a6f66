import CivilTime
import Transport
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Commands {
    /// `exec [serve flags] -- CMD …`: serves on free ports while a program runs (control contract, section 2).
    static func exec(_ words: [String]) throws(UsageError) -> Int32 {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let arguments = try Arguments(
            Array(words[..<end]),
            options: ServeOptions.serve,
            takesOperands: words.count
        )
        if arguments.wantsHelp {
            Terminal.out(Help.command("exec", usage: "[serve flags] -- CMD …", options: ServeOptions.onFreePorts))
            return ExitCode.ok
        }
        if let word = arguments.operands.first {
            throw UsageError(
                message: "unexpected argument \"\(word)\"; the program comes after --: understudy exec -- CMD …"
            )
        }
        let program = Array(words[end...].dropFirst())
        guard !program.isEmpty else {
            throw UsageError(message: "exec needs a program: understudy exec [serve flags] -- CMD …")
        }
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        var configuration = try Configuration(settings)
        Terminal.warn(settings.warnings)
        // Free ports, also where a file names fixed ones: a serve may be running beside this.
        if arguments.values["port"] == nil { configuration.port = 0 }
        for name in APICatalogue.names where arguments.values["port-\(name)"] == nil {
            configuration.apiPorts[name] = nil
        }
        // The program's own output comes first.
        if !settings.isOn("verbose") { configuration.logLevel = .quiet }

        let signals = Signals()
        let emulator: RunningEmulator
        do throws(StartError) {
            emulator = try RunningEmulator(configuration) { Terminal.write($0, to: STDERR_FILENO) }
        } catch {
            return report(error)
        }
        Terminal.error(emulator.readyLine(pid: Terminal.processID))
        let child: ChildProgram
        do throws(ChildProgram.Failure) {
            child = try ChildProgram(program, adding: variables(of: emulator, configuration))
        } catch {
            Terminal.error("understudy: \(error.message)")
            return error.code
        }
        let handle = emulator.handle
        signals.forward { child.send($0) }
        child.whenEnded { handle.stop(gracefulWithin: .milliseconds(100)) }
        emulator.run()
        return child.code ?? 128 + SIGTERM
    }

    /// What the program needs to find the emulator, and to be let in where an admin token is asked for.
    private static func variables(
        of emulator: RunningEmulator,
        _ configuration: Configuration
    ) -> [(name: String, value: String)] {
        [("UNDERSTUDY_URL", emulator.hub)]
            + emulator.origins.map { ("UNDERSTUDY_\($0.name.uppercased())_URL", $0.url) }
            + (configuration.adminToken.map { [("UNDERSTUDY_ADMIN_TOKEN", $0)] } ?? [])
    }
}
