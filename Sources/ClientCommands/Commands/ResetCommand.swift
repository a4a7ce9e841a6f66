import JSON
import Traffic

/// `reset`: returns a world to its seed (clients contract, section 1).
package enum ResetCommand: ServerCommand {
    package static let name = "reset"
    package static let summary = "resets a world, or one API in it, to its seed, and reports the responses cut off"
    package static let part: CommandPart? = .steering
    package static let usage = "[--api NAME] [--keep-clock]"
    package static let options = [
        Option(name: "keep-clock", kind: .toggle, help: "keeps the clock setting", default: "off")
    ]
    package static let examples = [
        Example("understudy reset --world checkout --keep-clock", "the seed data, at the same time")
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let query = arguments.isOn("keep-clock") ? [(name: "keep", value: "clock")] : []
        let answer = try server.call("POST", "/reset", query: query)
        server.show(answer) {
            let world = VisibleText.escaped(answer["world"]?.stringValue ?? "main")
            let cut = answer["cancelled"]?.intValue ?? 0
            let what = server.api.map { "\($0) in the world \(world)" } ?? "the world \(world)"
            let responses =
                cut == 0 ? "no responses in progress" : "\(cut) \(cut == 1 ? "response" : "responses") cut off"
            Terminal.out("\(what) was reset to its seed; \(responses)")
        }
        return ExitCode.ok
    }
}
