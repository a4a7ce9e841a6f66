import JSON
import Traffic
import Transport

/// `fault`: lists, adds, enables, disables and deletes faults (clients contract, section 1).
package enum FaultCommand: ServerCommand {
    package static let name = "fault"
    package static let summary = "lists, adds, enables, disables and deletes faults"
    package static let part: CommandPart? = .steering
    package static let usage = "list | add FILE|-|JSON | add --status N --path P … | delete ID|--all | on ID | off ID"
    package static let operands = Operands.actions([
        Action("list", "", "lists the faults in the order in which they are tried"),
        Action(
            "add",
            "[FILE|-|JSON]",
            "adds a fault, or a list of faults as a whole or not at all",
            counts: 0...1,
            values: .files
        ),
        Action("delete", "ID", "deletes a fault, or all with --all", counts: 0...1, values: .running(.faults)),
        Action("on", "ID", "enables a fault", counts: 1...1, values: .running(.inactiveFaults)),
        Action("off", "ID", "disables a fault; it uses up nothing", counts: 1...1, values: .running(.activeFaults)),
    ])
    package static let options =
        FaultFlags.all.map { $0.name == "api" ? $0 : $0.only(for: "add") }
        + [Option(name: "all", kind: .toggle, help: "delete: all faults", default: "off").only(for: "delete")]
    package static let examples = [
        Example("understudy fault add --status 503 --path '/api/**' --times 2", "the next two requests fail")
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        switch arguments.action?.name {
        case "add": try add(arguments, server)
        case "delete": try delete(arguments, server)
        case "on": try turn(arguments.operands[0], isOn: true, server)
        case "off": try turn(arguments.operands[0], isOn: false, server)
        default: try list(server)
        }
        return ExitCode.ok
    }

    private static func list(_ server: RunningServer) throws(CommandFailure) {
        let answer = try server.call("GET", "/faults")
        server.show(answer) {
            var table = TextTable([
                .init("ID", isKey: true), .init("NAME", isFlexible: true), .init("MATCH", isFlexible: true),
                .init("EFFECT", isFlexible: true),
                .init("WHEN", isFlexible: true), .init("PHASE"), .init("HITS", isRight: true), .init("OFF"),
                .init("SOURCE"),
            ])
            for fault in answer["items"]?.arrayValue ?? [] {
                table.add([
                    .init(fault["id"]?.stringValue ?? "", .bold), .init(fault["name"]?.stringValue ?? ""),
                    .init(FaultText.match(fault["match"])), .init(FaultText.effect(fault["effect"])),
                    .init(FaultText.window(fault["when"])), .init(fault["phase"] == "after" ? "after" : ""),
                    .init("\(fault["hits"]?.intValue ?? 0)"), .init(fault["enabled"] == false ? "off" : "", .yellow),
                    .init(fault["source"]?.stringValue ?? ""),
                ])
            }
            table.print(server.style, orSay: "The world has no faults.")
            if answer["enabled"] == false { Terminal.error("All faults of the world are disabled.") }
        }
    }

    private static func turn(_ id: String, isOn: Bool, _ server: RunningServer) throws(CommandFailure) {
        let answer = try named(id, server) { () throws(CommandFailure) in
            try server.call("PATCH", "/faults/" + PercentText.segment(id), body: ["enabled": .bool(isOn)])
        }
        server.show(answer) { Terminal.out("\(answer["id"]?.stringValue ?? id) is \(isOn ? "on" : "off")") }
    }

    private static func named(
        _ id: String,
        _ server: RunningServer,
        _ call: () throws(CommandFailure) -> JSON
    ) throws(CommandFailure) -> JSON {
        try server.call(naming: "fault", id, listedAt: "/faults", by: "id", call)
    }

    private static func delete(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) {
        if arguments.isOn("all") {
            guard arguments.operands.isEmpty else { throw .usage("fault delete takes an ID or --all, not both") }
            _ = try server.call("DELETE", "/faults")
            if !server.explains, !server.printsJSON { Terminal.out("all faults were deleted") }
            return
        }
        guard let id = arguments.operands.first else { throw .usage("fault delete needs ID, or --all") }
        _ = try named(id, server) { () throws(CommandFailure) in
            try server.call("DELETE", "/faults/" + PercentText.segment(id))
        }
        if !server.explains, !server.printsJSON { Terminal.out("\(VisibleText.escaped(id)) was deleted") }
    }

    // MARK: Adding

    private static func add(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) {
        guard let operand = arguments.operands.first else {
            show(try added(try FaultFlags.fault(arguments), server.withoutAPI()), server)
            return
        }
        guard !FaultFlags.areUsed(arguments) else {
            throw .usage("fault add takes a fault as \(operand.hasPrefix("{") ? "JSON" : operand), or flags, not both")
        }
        switch try read(operand) {
        case .array(let faults): try add(faults, server)
        case let fault: show(try added(fault, server), server)
        }
    }

    /// Adds one fault; the detail of a refusal has its only reason, which is not listed again.
    private static func added(_ fault: JSON, _ server: RunningServer) throws(CommandFailure) -> JSON {
        do throws(CommandFailure) {
            return try server.call("POST", "/faults", body: fault)
        } catch {
            guard case .problem(let answer) = error, !server.printsJSON, answer.json["errors"]?.arrayValue?.count == 1,
                let title = answer.json["title"]?.stringValue, let detail = answer.json["detail"]?.stringValue
            else { throw error }
            throw .failed(VisibleText.escaped("\(title): \(detail)"))
        }
    }

    private static func read(_ operand: String) throws(CommandFailure) -> JSON {
        // A word without a dot or slash is hardly a file.
        if !operand.contains("."), !operand.contains("/"), !FolderReader.exists(operand),
            !operand.contains("{"), let meant = Synonyms.fault(operand)
        {
            throw .input("\(VisibleText.escaped(operand)): there is no such file; did you mean \(meant)?")
        }
        return try JSONText.operand(operand, "fault add")
    }

    /// Adds all faults; those that were added go again where one is refused.
    private static func add(_ faults: [JSON], _ server: RunningServer) throws(CommandFailure) {
        guard !faults.isEmpty else { throw .usage("fault add: the list has no faults") }
        var added: [JSON] = []
        for (place, fault) in faults.enumerated() {
            do throws(CommandFailure) {
                added.append(try server.call("POST", "/faults", body: fault))
            } catch {
                for answer in added {
                    guard let id = answer["id"]?.stringValue else { continue }
                    _ = try server.call("DELETE", "/faults/" + PercentText.segment(id))
                }
                throw located(error, place)
            }
        }
        for answer in added { show(answer, server) }
    }

    /// The refusal of one fault of a list, with its place in the paths.
    private static func located(_ failure: CommandFailure, _ place: Int) -> CommandFailure {
        guard case .problem(let answer) = failure, case .object(let problem) = answer.json else { return failure }
        var members = problem.members
        for index in members.indices where members[index].name == "errors" {
            let items = members[index].value.arrayValue ?? []
            members[index].value = .array(
                items.map { item in
                    let path = item["path"]?.stringValue ?? "$"
                    let reason = item["reason"] ?? ""
                    return ["path": .string("$[\(place)]" + path.dropFirst()), "reason": reason]
                }
            )
        }
        let content = JSON.object(JSONObject(members)).serialized()
        return .problem(ServerAnswer(status: answer.status, content: content, isJSON: true, totalCount: nil))
    }

    private static func show(_ answer: JSON, _ server: RunningServer) {
        server.show(answer) {
            ProblemText.warn(answer)
            let id = answer["id"]?.stringValue ?? ""
            let words = "\(FaultText.effect(answer["effect"])) for \(FaultText.match(answer["match"]))"
            Terminal.out("\(server.style(id, .bold))  \(VisibleText.escaped(words))")
        }
    }
}
