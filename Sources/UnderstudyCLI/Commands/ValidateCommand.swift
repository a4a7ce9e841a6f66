import Backend
import ClientCommands
import JSON
import Transport
import Understudy

/// `validate`: checks files and prints every problem as `file:line: path: reason` (control contract, section 2).
enum ValidateCommand: Command {
    static let name = "validate"
    static let summary = "checks your own APIs, seeds, scenarios, fault files, recordings and configurations"
    static let part: CommandPart? = .own
    static let usage = "[PATH…] [--apis DIR…] [--strict] [--json]"
    static let operands = Operands.files(atMost: .max)
    static let options = [
        Option(name: "strict", kind: .toggle, help: "exits with 1 for notes too", default: "off"),
        Option(name: "json", kind: .toggle, help: "prints problems and notes as a JSON list", default: "off"),
    ]
    static let settings = [CustomAPIOptions.folders]
    static let discussion =
        "Without a PATH it checks all of your own APIs and ./seeds. How a file is recognised: \(Validator.rules)."
    static let examples = [
        Example("understudy validate seeds understudy.json", "a folder of seeds and a configuration"),
        Example("understudy validate apis/shop --strict", "your own API, failing on notes too"),
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let own = try customAPIs(arguments)
        let paths = try paths(arguments, own)
        try NamedFile.expect(paths)
        var progress = Progress()
        let validator = Validator(
            workingFolder: WorkingFolder.path,
            customAPINames: own?.names ?? [],
            configurationKeys: ServeOptions.serve.map(\.key),
            configuration: Settings.problems,
            progress: { progress.show($0, $1, of: $2) }
        )
        let reports = paths.flatMap(validator.check)
        progress.clear()
        let problems = reports.flatMap(\.problems)
        if arguments.isOn("json") {
            Terminal.out(JSON.array(reports.flatMap { $0.problems + $0.notes }.map(json)).text)
        } else {
            for item in problems { Terminal.out(item.text) }
        }
        // Notes and verdicts go to standard error, so that standard output holds the problems alone.
        for report in reports {
            for note in report.notes { Terminal.error("note: \(note.text)") }
            let count = report.problems.count
            let verdict = count == 0 ? "good" : count == 1 ? "1 problem" : "\(count) problems"
            Terminal.error("\(report.path): \(report.kind): \(verdict)")
        }
        let isStrict = arguments.isOn("strict") && reports.contains { !$0.notes.isEmpty }
        return problems.isEmpty && !isStrict ? ExitCode.ok : ExitCode.failed
    }

    /// The custom APIs, whose names fault files may have; nil where the settings have a mistake and files are named,
    /// one of which may be the configuration with that mistake.
    private static func customAPIs(_ arguments: Arguments) throws(UsageError) -> CustomAPICatalogue? {
        do throws(UsageError) {
            return try LoadedAPIs.settings(of: self, arguments).own
        } catch {
            guard !arguments.operands.isEmpty, arguments.values["apis"] == nil else { throw error }
            return nil
        }
    }

    /// The named paths; without any the custom APIs and the seeds.
    private static func paths(_ arguments: Arguments, _ own: CustomAPICatalogue?) throws(UsageError) -> [String] {
        guard arguments.operands.isEmpty else { return arguments.operands }
        let seeds = ["seeds"].filter(FolderReader.isFolder)
        let paths = (own?.places ?? []).compactMap(\.folder) + seeds
        guard !paths.isEmpty else {
            throw UsageError(
                message: "validate needs a file or a folder, as there are none of your own APIs and no ./seeds: "
                    + "understudy validate PATH…"
            )
        }
        return paths
    }

    private static func json(_ item: SeedError.Item) -> JSON {
        [
            "file": .string(item.place), "line": .integer(Int64(item.line)), "path": .string(item.path),
            "reason": .string(item.reason), "severity": .string(item.severity.rawValue),
        ]
    }
}
