import Backend
import ClientCommands
import Control
import ForwardProxy
import JSON
import Proxying
import Recording
import Serving
import Transport
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The life of a serving process: start, ready line, stop by a signal, exit code.
enum EmulatorRun {
    /// Tells what is odd in the settings, in the form of the log.
    static func warn(_ settings: Settings, _ configuration: Configuration) {
        if configuration.logFormat == .json { Terminal.structureErrors() }
        Terminal.warn(settings.warnings)
    }

    /// Runs an emulator until a signal stops it.
    ///
    /// `drawsCode` tells how `--qr` wants its codes; nil without it.
    static func untilStopped(_ configuration: Configuration, drawsCode: Bool? = nil) -> Int32 {
        let signals = Signals()
        var configuration = configuration
        if configuration.logFormat == .json { Terminal.structureErrors() }
        // A recording that a control call started reports only its problems.
        configuration.onRecorded =
            configuration.onRecorded ?? { state in
                if let problem = state.problem { Terminal.fail(problem) }
            }
        let emulator: RunningEmulator
        do throws(StartError) {
            emulator = try RunningEmulator(configuration) { Terminal.write($0, to: STDERR_FILENO) }
        } catch {
            return report(error)
        }
        let file = configuration.readyFile.map(ReadyFile.init)
        signals.watch(emulator.handle) { file?.remove() }
        defer { file?.remove() }
        if let previous = emulator.keptRecording, let path = configuration.mode?.order.recording {
            Terminal.error("understudy: moved the previous recording from \(path) to \(previous)")
        }
        for order in ([configuration.mode].compactMap(\.self) + configuration.furtherModes).map(\.order)
        where order.mode == .record && configuration.logLevel != .quiet {
            Terminal.error(
                "understudy: recording \(order.upstream ?? "what the app asks") into \(order.recording ?? "")"
            )
        }
        // The table comes first, so that a reader of the ready line can already find a generated admin token.
        announce(emulator, configuration)
        announceNetwork(emulator, configuration, drawsCode: drawsCode)
        let line = emulator.readyLine(pid: Terminal.processID)
        if let file, !file.write(line) { return ExitCode.usage }
        // On a terminal the table says the same.
        if configuration.logLevel == .quiet || !Terminal.isTerminal(STDOUT_FILENO) {
            Terminal.out(line)
        }
        if configuration.logLevel != .quiet {
            emulator.examine { notes in
                Terminal.error(notes.map { "understudy: note: \($0.text)" }.joined(separator: "\n"))
            }
        }
        let cut = emulator.run()
        // Nothing is written where nobody reads: the process would wait for ever.
        guard !emulator.isLogStuck else { return code(of: signals, emulator) }
        Terminal.endCount()
        if cut > 0, configuration.logLevel != .quiet {
            Terminal.error("understudy: the shutdown cut off \(cut) \(cut == 1 ? "response" : "responses")")
        }
        if !emulator.isStateWritten {
            Terminal.fail("the last changes could not be written to the state folder")
        }
        return code(of: signals, emulator)
    }

    private static func code(of signals: Signals, _ emulator: RunningEmulator) -> Int32 {
        guard emulator.isStateWritten else { return ExitCode.failed }
        let signal = signals.stoppedBy
        return signal == 0 ? ExitCode.ok : 128 + signal
    }

    /// Prints why an emulator did not start and returns the exit code.
    static func report(_ error: StartError) -> Int32 {
        switch error {
        case .seeds(let faults):
            for item in faults.items { Terminal.fail("\(item.text)") }
            return ExitCode.usage
        case .recordings(let texts):
            for text in texts { Terminal.fail("\(text)") }
            return ExitCode.usage
        case .ports(let text):
            Terminal.fail("\(text)")
            return ExitCode.usage
        case .bind(let failure):
            Terminal.fail("\(failure)")
            if failure.portInUse {
                Terminal.fail(
                    "port \(failure.port) is in use; lsof -nP -iTCP:\(failure.port) -sTCP:LISTEN shows by "
                        + "which process. --port 0 picks free ports."
                )
            }
            return ExitCode.cannotBind
        case .unknownScenario(let name, let near):
            let hint = near == nil ? "; understudy scenarios lists all" : Suggestion.hint(near)
            Terminal.fail("--scenario: there is no scenario \"\(name)\"\(hint)")
            return ExitCode.usage
        case .proxy(let text):
            Terminal.fail("\(text)")
            return ExitCode.usage
        case .tls(let text):
            Terminal.fail("\(text)")
            return ExitCode.usage
        case .scenario(let name, let reason):
            Terminal.fail("--scenario: \(name) can't be switched on: \(reason)")
            return ExitCode.usage
        case .mode(let text):
            Terminal.fail("\(text)")
            return ExitCode.usage
        case .state(let path, let reason):
            Terminal.fail("--state: \(path) \(reason).")
            return ExitCode.usage
        case .system(let text):
            Terminal.fail("\(text)")
            return ExitCode.cannotBind
        }
    }

    /// Prints the table of addresses on standard error.
    ///
    /// With `--quiet` only the warning about exposure and a generated admin token remain.
    private static func announce(_ emulator: RunningEmulator, _ configuration: Configuration) {
        Terminal.warn(emulator.warnings)
        var lines: [String] = []
        let isStructured = configuration.logFormat == .json
        if isStructured, configuration.logLevel != .quiet {
            for text in emulator.notes.map(\.text) + emulator.certificateNotes {
                Terminal.tell("notice", ["text": .string(text)])
            }
            Terminal.tell("listening", emulator.listening(pid: Terminal.processID))
        } else if configuration.logLevel != .quiet {
            lines += emulator.notes.map { "understudy: note: \($0.text)" }
            lines += emulator.certificateNotes.map { "understudy: \($0)" }
            lines.append("understudy \(RunningEmulator.version) is ready")
            for (name, url) in [("hub", emulator.hub)] + emulator.origins.map({ ($0.name, $0.url) }) {
                lines.append("  " + name + String(repeating: " ", count: max(1, 14 - name.count)) + url)
            }
        }
        if configuration.logLevel != .quiet {
            switch emulator.tlsMode {
            case .off: break
            case .on: lines.append("  TLS           on: https answers at the same addresses" + root(emulator))
            case .required: lines.append("  TLS           required" + root(emulator))
            }
        }
        if let proxy = emulator.forwardProxy {
            if configuration.logLevel != .quiet {
                let hosts = proxy.map.entries.map(\.pattern.text).joined(separator: ", ")
                lines.append("  proxy         \(proxy.url)" + (hosts.isEmpty ? "" : "  for \(hosts)"))
            }
            if let token = proxy.token, configuration.forwardProxy?.isTokenMade == true {
                lines.append("  proxy token   \(token)")
            }
        }
        if configuration.localNetwork == nil, let host = configuration.hosts.first, !ControlSafety.isLoopback(host) {
            lines.append("  EXPOSED: other machines can reach all of the above at \(host).")
            if configuration.logLevel != .quiet, configuration.listensEverywhere {
                let hosts = InterfaceAddress.all().filter { address in
                    address.isReachable && (configuration.hosts.contains("::") || !address.host.contains(":"))
                }
                lines += hosts.map { "    also at \(url(emulator.hub, at: $0.host))  (\($0.interface))" }
            }
        }
        if !configuration.allowedHosts.isEmpty {
            let names = configuration.allowedHosts.map(\.text).joined(separator: ", ")
            lines.append("  Control calls are also accepted under \(names).")
        }
        if configuration.adminToken != nil,
            configuration.localNetwork != nil
                || configuration.hosts.first.map(ControlSafety.isLoopback) != true
                || !configuration.allowedHosts.isEmpty
        {
            lines.append("  Every control call needs the admin token.")
        }
        if let token = configuration.adminToken, configuration.isAdminTokenMade {
            lines.append("  admin token   \(token)")
            lines.append("  console       \(emulator.hub)/#token=\(token)")
        }
        if isStructured {
            for line in lines {
                let text = String(line.drop { $0 == " " })
                Terminal.tell(text.hasPrefix("EXPOSED") ? "warning" : "notice", ["text": .string(text)])
            }
        } else if !lines.isEmpty {
            Terminal.error(lines.joined(separator: "\n"))
        }
    }

    /// Tells people about device mode, and about its changes later.
    static func announceNetwork(_ emulator: RunningEmulator, _ configuration: Configuration, drawsCode: Bool?) {
        guard let state = emulator.localNetwork else { return }
        LANAnnouncement(
            state: state,
            inverts: drawsCode,
            isStructured: configuration.logFormat == .json,
            isQuiet: configuration.logLevel == .quiet
        )
        .show()
        emulator.onNetworkChange = { LANAnnouncement.show($0) }
    }

    /// Names the root that clients have to trust.
    private static func root(_ emulator: RunningEmulator) -> String {
        emulator.rootFile.map { "; the root is \($0)" } ?? ", with your certificates"
    }

    /// Returns an address of the server with another numeric host.
    private static func url(_ origin: String, at host: String) -> String {
        let port = origin.split(separator: ":").last ?? ""
        let scheme = origin.split(separator: ":").first ?? "http"
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
