import CivilTime
import JSON
import Transport

/// `state`: the world as a document (clients contract, section 1).
package enum StateCommand: ServerCommand {
    package static let name = "state"
    package static let summary = "exports a world to a file, or imports one"
    package static let part: CommandPart? = .steering
    package static let usage = "export FILE | import FILE"
    package static let operands = Operands.actions([
        Action("export", "FILE", "writes the world to a file; - is standard output", counts: 1...1, values: .files),
        Action("import", "FILE", "imports a world from a file; - is standard input", counts: 1...1, values: .files),
    ])
    package static let examples = [Example("understudy state export bug-17.json", "a state to share")]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let file = arguments.operands[0]
        guard arguments.action?.name == "import" else {
            let answer = try server.send(
                "GET",
                "/state",
                within: .seconds(300),
                atMost: RunningServer.longestDocument,
                explainedAs: file == "-" ? nil : file
            )
            guard let answer else { return ExitCode.ok }
            if file == "-" || server.printsJSON { Terminal.out(answer.text) }
            if file != "-" {
                try FileText.replace(file, with: answer.content)
                Terminal.error("understudy: wrote \(answer.content.count) bytes to \(file)")
            }
            return ExitCode.ok
        }
        let content = try JSONText.bytes(of: file)
        // A mistake in the file is told with its line, before anything is sent.
        _ = try JSONText.read(content, of: file)
        let shown = file == "-" ? nil : file
        guard let answer = try server.send("PUT", "/state", content: content, within: .seconds(300), explainedAs: shown)
        else { return ExitCode.ok }
        server.show(answer.json) {
            Terminal.out("the world was replaced with that of \(file == "-" ? "standard input" : file)")
        }
        return ExitCode.ok
    }
}
