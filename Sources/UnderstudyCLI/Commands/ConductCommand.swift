import ClientCommands
import Conduct
import ConductKit
import JSON
import Understudy

/// `conduct`: judges the clients of a running server, or of recordings (conduct contract, section 12).
enum ConductCommand: Command {
    static let name = "conduct"
    static let summary = "judges how clients behave, from a running server or files; exits 1 if the verdict is fail"
    static let part: CommandPart? = .looking
    static let usage = "[flags] [FILE.har…]"
    static let operands = Operands.files(atMost: .max)
    static let options = ConductOptions.all
    static let settings = [CustomAPIOptions.folders]
    static let discussion = """
        Without files it asks the running server. With GITHUB_ACTIONS=true it also prints annotations, and adds the report
        to the file that GITHUB_STEP_SUMMARY names. Exit codes: 0 verdict pass, 1 verdict fail, 2 a mistake in the command
        line, a file that can't be read, or no server.
        """
    static let examples = [
        Example("understudy conduct --format junit=report.xml", "judges the world main, and writes a report for CI"),
        Example("understudy conduct --api trendy afternoon.har", "judges a recording of a proxy or browser"),
        Example("understudy conduct --explain auth/repeat-after-401", "what a rule is about, and how to fix a breach"),
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        if let id = arguments[ConductOptions.explain.name] { return try explain(id) }
        let formats = arguments.values[ConductOptions.format.name] ?? []
        let json = arguments.isOn(ConductOptions.json.name) ? [ConductFormat.json.rawValue] : []
        let output = try ConductOutput(formats + json, flag: "--format")
        let files = arguments.operands
        if !files.isEmpty {
            for flag in [ConductOptions.user, ConductOptions.since, ConductOptions.world]
            where arguments[flag.name] != nil {
                throw UsageError(message: "\(flag.flag) can't be combined with files")
            }
        } else if arguments[ConductOptions.host.name] != nil {
            throw UsageError(message: "--host requires files: understudy conduct --host GLOB FILE.har")
        }
        // Everything of the command line is checked before anybody is asked.
        let filter = try ConductOptions.filter(arguments)
        let required = try ConductOptions.required(arguments)
        let failOn = try ConductOptions.failure(arguments)
        let baseline = try ConductFiles.baseline(arguments[ConductOptions.baseline.name])
        if files.isEmpty {
            let question = ConductQuestion(
                server: try RunningServer(arguments),
                filter: filter,
                rules: arguments.values[ConductOptions.rule.name] ?? [],
                failOn: failOn,
                required: required,
                baseline: baseline
            )
            do throws(CommandFailure) {
                return try finish(try question.report(), output, arguments)
            } catch {
                _ = try question.server.report(error)
                return ExitCode.usage
            }
        }
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        Terminal.warn(settings.warnings)
        let api = try arguments[ConductOptions.api.name].map { (name) throws(UsageError) in
            try ConductFiles.api(name, settings.own)
        }
        var traffic = FileTraffic(
            APICatalogue.rules,
            api: api,
            hosts: arguments.values[ConductOptions.host.name] ?? [],
            files: files.count
        )
        do throws(CommandFailure) {
            try ConductFiles.read(files, into: &traffic)
            let report = traffic.report(settings.conduct?.settings ?? ConductSettings(), filter: filter) { context in
                context.baseline = baseline
                context.today = ConductFiles.today
                context.failOn = failOn
                context.require = required
            }
            return try finish(report, output, arguments)
        } catch {
            if case .failed(let text) = error { Terminal.error("understudy: \(text)") }
            return ExitCode.usage
        }
    }

    private static func explain(_ id: String) throws(UsageError) -> Int32 {
        do throws(UnknownRule) {
            Terminal.out(String(try RulePage(id, in: APICatalogue.rules).markdown.dropLast()))
            return ExitCode.ok
        } catch {
            throw ConductOptions.unknown("--explain", error)
        }
    }

    /// Writes the report, and the baseline if that is wanted.
    private static func finish(
        _ report: JudgementReport,
        _ output: ConductOutput,
        _ arguments: Arguments
    ) throws(CommandFailure) -> Int32 {
        try output.write(report)
        if let path = arguments[ConductOptions.writeBaseline.name] {
            try FileText.replace(path, with: Baseline.text(of: report), isReport: true)
            return ExitCode.ok
        }
        return report.verdict == .fail ? ExitCode.failed : ExitCode.ok
    }
}
