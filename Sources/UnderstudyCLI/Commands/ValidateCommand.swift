import Emulation
import JSON
import Transport
import Understudy

/// `validate`: checks files and prints every problem as `file:line: path: reason` (control contract, section 2).
enum ValidateCommand: Command {
    static let name = "validate"
    static let summary = "checks seeds, scenarios, fault files, recordings and configurations"
    static let usage = "FILE… [--json]"
    static let operands = Operands.files(atMost: .max)
    static let options = [
        Option(name: "json", kind: .toggle, help: "prints the problems as a JSON list", default: "off")
    ]
    static let discussion = "How a file is recognised: \(Validator.rules)."
    static let examples = [
        Example("understudy validate seeds understudy.json", "a folder of seeds and a configuration")
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard !arguments.operands.isEmpty else {
            throw UsageError(message: "validate needs a file or a folder: understudy validate FILE…")
        }
        for path in arguments.operands where !FolderReader.exists(path) {
            throw UsageError(message: "\(path): there is no such file")
        }
        var progress = Progress()
        let validator = Validator(
            workingFolder: WorkingFolder.path,
            configurationKeys: ServeOptions.serve.map(\.key),
            configuration: Settings.problems,
            progress: { progress.show($0, $1, of: $2) }
        )
        let reports = arguments.operands.flatMap(validator.check)
        progress.clear()
        let problems = reports.flatMap(\.problems)
        if arguments.isOn("json") {
            Terminal.out(JSON.array(problems.map(json)).text)
        } else {
            for item in problems { Terminal.out(item.text) }
        }
        // Notes and verdicts go to standard error, so that standard output holds the problems alone.
        for report in reports {
            for note in report.notes { Terminal.error("note: \(note)") }
            let count = report.problems.count
            let verdict = count == 0 ? "good" : count == 1 ? "1 problem" : "\(count) problems"
            Terminal.error("\(report.path): \(report.kind): \(verdict)")
        }
        return problems.isEmpty ? ExitCode.ok : ExitCode.failed
    }

    private static func json(_ item: SeedError.Item) -> JSON {
        [
            "file": .string(item.place), "line": .integer(Int64(item.line)), "path": .string(item.path),
            "reason": .string(item.reason),
        ]
    }
}
