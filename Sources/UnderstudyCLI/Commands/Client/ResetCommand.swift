import JSON
import Traffic

/// `reset`: returns a world to its seed (clients contract, section 1).
enum ResetCommand: ServerCommand {
    static let name = "reset"
    static let summary = "returns a world, or one API in it, to its seed, and says what was cut"
    static let part: CommandPart? = .steering
    static let usage = "[--api NAME] [--keep-clock]"
    static let options = [
        Option(name: "keep-clock", kind: .toggle, help: "leaves the clock as it is set", default: "off")
    ]
    static let examples = [Example("understudy reset --world checkout --keep-clock", "the data anew, at the same time")]

    static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let query = arguments.isOn("keep-clock") ? [(name: "keep", value: "clock")] : []
        let answer = try server.call("POST", "/reset", query: query)
        server.show(answer) {
            let world = VisibleText.escaped(answer["world"]?.stringValue ?? "main")
            let cut = answer["cancelled"]?.intValue ?? 0
            let what = server.api.map { "\($0) in the world \(world)" } ?? "the world \(world)"
            let responses =
                cut == 0 ? "nothing was under way" : "\(cut) \(cut == 1 ? "response" : "responses") under way cut"
            Terminal.out("\(what) is back at its seed; \(responses)")
        }
        return ExitCode.ok
    }
}
