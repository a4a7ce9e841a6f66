import Basics
import CivilTime
import ClientCommands
import ConductKit
import Control
import ForwardProxy
import Serving
import Transport
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `exec`: serves on free ports while a program runs (control contract, section 2).
enum ExecCommand: Command {
    static let name = "exec"
    static let summary = "serves on free ports while a program runs, and exits with its code"
    static let part: CommandPart? = .serving
    static let usage = "[serve flags] [--conduct error|warning] -- CMD …"
    static let operands = Operands.program
    static let options = [conduct, conductFormat, noOtherHosts]
    static let settings = ServeOptions.onFreePorts
    static let discussion = """
        The program finds the emulator by UNDERSTUDY_URL (the hub), by UNDERSTUDY_NAME_URL for each API, and by
        UNDERSTUDY_ADMIN_TOKEN where control calls need a token.
        With --tls on or required these are https addresses. UNDERSTUDY_CA_FILE names the root that signs the
        certificates, and SSL_CERT_FILE, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE and NODE_EXTRA_CA_CERTS name files with that
        root and all that was trusted before, so that the program verifies the connection without any setup.
        With --proxy it also finds the proxy, by HTTP_PROXY, HTTPS_PROXY and UNDERSTUDY_PROXY_URL.
        With --conduct every world is judged, those that were deleted or reset included, and the report is printed on
        standard error; the exit code is 1 if the program succeeded and the verdict is fail.
        """
    static let examples = [
        Example("understudy exec --clock frozen:2025-01-01T12:00:00Z -- npm test", "a test run with a frozen clock"),
        Example("understudy exec --tls -- pytest", "the same over https, verified"),
        Example("understudy exec --conduct error -- swift test", "fails when the client misbehaves"),
    ]

    private static let conduct = Option(
        name: "conduct",
        kind: .value("error|warning"),
        values: .names(["error", "warning"]),
        help: "judges the clients of all worlds, and fails on findings of this severity or above",
        default: "off"
    )
    private static let conductFormat = Option(
        name: "conduct-format",
        kind: .list("F=PATH…"),
        values: .names(ConductFormat.allCases.map { $0.rawValue + "=" }),
        help: "also writes the report of --conduct to files",
        default: "none"
    )

    private static let noOtherHosts = Option(
        name: "no-other-hosts",
        kind: .toggle,
        help: "with the forward proxy: fails if the program asks for a host that is neither mapped nor in --tunnel",
        default: "off"
    )

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard !arguments.program.isEmpty else {
            throw UsageError(message: "exec needs a program: understudy exec [serve flags] -- CMD …")
        }
        let (asked, key, drawsCode) = try configuration(arguments)
        let folder = ExecFolder()
        defer { folder.remove() }
        var configuration = asked
        if configuration.keepsAuthorityApart { configuration.tls.folder = try folder.authority() }
        let judging = try ConductRun(
            arguments[conduct.name],
            formats: arguments.values[conductFormat.name] ?? [],
            baseline: key?.baselinePath
        )
        if configuration.logFormat == .json { Terminal.structureErrors() }
        let signals = Signals()
        let emulator: RunningEmulator
        do throws(StartError) {
            emulator = try RunningEmulator(configuration) { Terminal.write($0, to: STDERR_FILENO) }
        } catch {
            return EmulatorRun.report(error)
        }
        let file = configuration.readyFile.map(ReadyFile.init)
        defer { file?.remove() }
        if let file, !file.write(emulator.readyLine(pid: Terminal.processID)) { return ExitCode.usage }
        let trust: ExecTrust?
        do throws(UsageError) {
            trust = try ExecTrust(emulator, in: folder)
        } catch {
            Terminal.fail(error.message)
            return ExitCode.failed
        }
        Terminal.warn(emulator.warnings + (trust?.warnings ?? []))
        if configuration.logLevel == .verbose {
            if configuration.logFormat == .json {
                Terminal.tell("listening", emulator.listening(pid: Terminal.processID))
            } else {
                Terminal.error(emulator.readyLine(pid: Terminal.processID))
            }
        }
        if let judging { emulator.gatherConduct(judging.gatherer) }
        EmulatorRun.announceNetwork(emulator, configuration, drawsCode: drawsCode)
        let child: ChildProgram
        do throws(ChildProgram.Failure) {
            let proxied = emulator.forwardProxy.map { ProxyVariables.all(url: $0.environmentURL) } ?? []
            let added = variables(of: emulator, configuration) + (trust?.variables ?? []) + proxied
            child = try ChildProgram(arguments.program, adding: added)
        } catch {
            Terminal.fail(error.message)
            return error.code
        }
        let handle = emulator.handle
        signals.forward { child.send($0) }
        child.whenEnded { handle.stop(gracefulWithin: .milliseconds(100)) }
        emulator.run()
        let code = child.code ?? 128 + SIGTERM
        let judged = judging?.finish(emulator, code) ?? code
        return arguments.isOn(noOtherHosts.name) ? judge(emulator, judged) : judged
    }

    /// Lists the other hosts that the program asked for; they make a success a failure.
    private static func judge(_ emulator: RunningEmulator, _ code: Int32) -> Int32 {
        let others = emulator.forwardProxy?.seen.others ?? []
        guard !others.isEmpty else { return code }
        for host in others {
            Terminal.error("understudy: another host: \(host.host):\(host.port) (world \(host.world))")
        }
        return code == ExitCode.ok ? ExitCode.failed : code
    }

    private static func configuration(
        _ arguments: Arguments
    ) throws(UsageError) -> (Configuration, conduct: ConductKey?, drawsCode: Bool?) {
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        var configuration = try Configuration(settings, impliesProxy: arguments.isOn(noOtherHosts.name))
        EmulatorRun.warn(settings, configuration)
        // A `serve` with the same configuration file may hold the fixed ports and the ready file already.
        if arguments["port"] == nil { configuration.port = 0 }
        if arguments[ReadyFile.option.name] == nil { configuration.readyFile = nil }
        if arguments[ProxyOptions.proxy.name].flatMap({ Int($0) }) == nil { configuration.forwardProxy?.port = 0 }
        // Nothing of a test reaches the network by accident.
        if settings[ProxyOptions.unmapped.name] == nil { configuration.forwardProxy?.unmapped = .refuse }
        configuration.keepsAuthorityApart =
            configuration.forwardProxy != nil && settings[TLSOptions.folder.name] == nil
            && configuration.tls.pairs.isEmpty
        for name in APICatalogue.names + settings.own.names where arguments["port-\(name)"] == nil {
            configuration.apiPorts[name] = nil
        }
        // The program's own output comes first.
        if !settings.isOn("verbose") { configuration.logLevel = .quiet }
        return (configuration, settings.conduct, try LANOptions.inverts(settings))
    }

    /// The variable with the address of an API; a name can't have the hyphen of a custom API's.
    private static func variable(of api: String) -> String {
        "UNDERSTUDY_\(api.uppercased().replacing("-", with: "_"))_URL"
    }

    /// The addresses of the emulator, and the admin token if control calls need one.
    private static func variables(
        of emulator: RunningEmulator,
        _ configuration: Configuration
    ) -> [(name: String, value: String)] {
        func address(_ url: String) -> String {
            emulator.tlsMode == .on ? url.replacing("http://", with: "https://", maxReplacements: 1) : url
        }
        return [("UNDERSTUDY_URL", address(emulator.hub))]
            + emulator.origins.map { (variable(of: $0.name), address($0.url)) }
            + (configuration.adminToken.map { [("UNDERSTUDY_ADMIN_TOKEN", $0)] } ?? [])
    }
}
