import Emulation
import JSON
import Transport
import Understudy

extension Commands {
    private static let validateOptions = [
        Option(name: "json", kind: .toggle, help: "prints a JSON list of the problems", standard: "off")
    ]

    /// `validate FILE…`: every problem as `file:line: path: reason` (control contract, section 2).
    static func validate(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: validateOptions, takesOperands: .max)
        if arguments.wantsHelp {
            let usage = "FILE… [--json]"
            let help = Help.command("validate", usage: usage, options: validateOptions, isConfigurable: false)
            Terminal.out("\(help)\n\nWhat a file is: \(Validator.rules).")
            return ExitCode.ok
        }
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
        if arguments.values["json"] != nil {
            let items = problems.map { item -> JSON in
                [
                    "file": .string(item.place), "line": .integer(Int64(item.line)), "path": .string(item.path),
                    "reason": .string(item.reason),
                ]
            }
            Terminal.out(JSON.array(items).text)
        } else {
            for item in problems { Terminal.out(item.text) }
        }
        // What people want to know beside it, out of the way of those who read the list.
        for report in reports {
            for note in report.notes { Terminal.error("note: \(note)") }
            let count = report.problems.count
            let verdict = count == 0 ? "good" : count == 1 ? "1 problem" : "\(count) problems"
            Terminal.error("\(report.path): \(report.kind): \(verdict)")
        }
        return problems.isEmpty ? ExitCode.ok : ExitCode.failed
    }
}
