import JSON
import Traffic

/// `snapshot`: named states of a world to return to (clients contract, section 1).
package enum SnapshotCommand: ServerCommand {
    package static let name = "snapshot"
    package static let summary = "takes, lists, restores and deletes snapshots of a world"
    package static let part: CommandPart? = .steering
    package static let usage = "list | take NAME | restore NAME | delete NAME"
    package static let operands = Operands.actions([
        Action("list", "", "lists the world's snapshots"),
        Action("take", "NAME", "takes a snapshot", counts: 1...1),
        Action("restore", "NAME", "restores a snapshot and its clock", counts: 1...1, values: .running(.snapshots)),
        Action("delete", "NAME", "deletes a snapshot", counts: 1...1, values: .running(.snapshots)),
    ])
    package static let examples = [Example("understudy snapshot take signed-in", "a state to return to")]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let name = arguments.operands.first ?? ""
        let path = "/snapshots/" + PercentText.segment(name)
        switch arguments.action?.name {
        case "take":
            let answer = try server.call("POST", "/snapshots", body: ["name": .string(name)])
            server.show(answer) { Terminal.out("the snapshot \(VisibleText.escaped(name)) was taken") }
        case "restore":
            let answer = try server.call(naming: "snapshot", name, listedAt: "/snapshots") {
                () throws(CommandFailure) in
                try server.call("POST", path + "/restore")
            }
            server.show(answer) {
                let cut = answer["cancelled"]?.intValue ?? 0
                Terminal.out(
                    "the world \(answer["world"]?.stringValue ?? "main") was restored to the snapshot \(VisibleText.escaped(name)); "
                        + (cut == 0
                            ? "no responses in progress" : "\(cut) \(cut == 1 ? "response" : "responses") cut off")
                )
            }
        case "delete":
            _ = try server.call(naming: "snapshot", name, listedAt: "/snapshots") { () throws(CommandFailure) in
                try server.call("DELETE", path)
            }
            if !server.explains, !server.printsJSON {
                Terminal.out("the snapshot \(VisibleText.escaped(name)) was deleted")
            }
        default: try list(server)
        }
        return ExitCode.ok
    }

    private static func list(_ server: RunningServer) throws(CommandFailure) {
        let answer = try server.call("GET", "/snapshots")
        server.show(answer) {
            var table = TextTable([
                .init("NAME", isFlexible: true, isKey: true), .init("TAKEN"), .init("CLOCK"),
                .init("REQUESTS", isRight: true),
            ])
            for item in answer["items"]?.arrayValue ?? [] {
                table.add([
                    .init(item["name"]?.stringValue ?? "", .bold), .init(item["createdAt"]?.stringValue ?? ""),
                    .init(item["clock"]?["mode"]?.stringValue ?? ""), .init("\(item["requests"]?.intValue ?? 0)"),
                ])
            }
            table.print(server.style, orSay: "The world has no snapshots.")
        }
    }
}
