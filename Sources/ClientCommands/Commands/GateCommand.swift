import JSON
import Traffic

/// `gate`: holds responses until they are released (clients contract, section 1).
package enum GateCommand: ServerCommand {
    package static let name = "gate"
    package static let summary = "holds matching requests or responses until they are released"
    package static let part: CommandPart? = .steering
    package static let usage = "list | add NAME --path P [--phase after] | release NAME [ID…] | delete NAME"
    package static let operands = Operands.actions([
        Action("list", "", "lists the gates, and what they hold"),
        Action("add", "NAME", "creates a gate", counts: 1...1),
        Action(
            "release",
            "NAME [ID…]",
            "releases all that it holds, or these IDs, in this order",
            counts: 1...1_000,
            values: .running(.gates),
            further: .running(.heldExchanges)
        ),
        Action("delete", "NAME", "releases all that it holds and deletes it", counts: 1...1, values: .running(.gates)),
    ])
    package static let options =
        MatchOptions.all.map { $0.name == "api" ? $0 : $0.only(for: "add") } + [
            Option(
                name: "phase",
                kind: .value("before|after"),
                values: .names(["before", "after"]),
                help: "before or after the endpoint has run",
                default: "before"
            ).only(for: "add")
        ]
    package static let examples = [
        Example("understudy gate add g1 --path '/api/v1/auth/**'", "holds sign-ins before they run")
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        switch arguments.action?.name {
        case "add": try add(arguments, server.withoutAPI())
        case "release": try release(arguments.operands, server)
        case "delete":
            let name = arguments.operands[0]
            _ = try named(name, server) { () throws(CommandFailure) in
                try server.call("DELETE", "/gates/" + PercentText.segment(name))
            }
            if !server.explains, !server.printsJSON { Terminal.out("gate \(VisibleText.escaped(name)) was deleted") }
        default: try list(server)
        }
        return ExitCode.ok
    }

    private static func named(
        _ name: String,
        _ server: RunningServer,
        _ call: () throws(CommandFailure) -> JSON
    ) throws(CommandFailure) -> JSON {
        try server.call(naming: "gate", name, listedAt: "/gates", call)
    }

    private static func list(_ server: RunningServer) throws(CommandFailure) {
        let answer = try server.call("GET", "/gates")
        server.show(answer) {
            var table = TextTable([
                .init("NAME", isKey: true), .init("MATCH", isFlexible: true), .init("PHASE"),
                .init("HELD", isFlexible: true),
                .init("PASSED", isRight: true), .init("OFF"),
            ])
            for gate in answer["items"]?.arrayValue ?? [] {
                let held = gate["held"]?.arrayValue?.compactMap(\.stringValue) ?? []
                table.add([
                    .init(gate["name"]?.stringValue ?? "", .bold), .init(FaultText.match(gate["match"])),
                    .init(gate["phase"]?.stringValue ?? "before"), .init(held.joined(separator: " "), .yellow),
                    .init("\(gate["passed"]?.intValue ?? 0)"), .init(gate["enabled"] == false ? "off" : ""),
                ])
            }
            table.print(server.style, orSay: "The world has no gates.")
        }
    }

    private static func add(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) {
        let match = try MatchOptions.match(arguments)
        guard !match.isEmpty else {
            throw .usage("gate add needs a match: --path P, or another flag of the match")
        }
        var body: JSONObject = ["name": .string(arguments.operands[0]), "match": .object(match)]
        if let phase = try FaultFlags.phase(arguments) { body.append("phase", .string(phase)) }
        let answer = try server.call("POST", "/gates", body: .object(body))
        server.show(answer) {
            ProblemText.warn(answer)
            Terminal.out(
                "the gate \(VisibleText.escaped(answer["name"]?.stringValue ?? "")) holds \(FaultText.match(.object(match)))"
            )
        }
    }

    private static func release(_ operands: [String], _ server: RunningServer) throws(CommandFailure) {
        let ids = operands.dropFirst()
        let body: JSON = ids.isEmpty ? [:] : ["held": .array(ids.map { .string($0) })]
        let answer = try named(operands[0], server) { () throws(CommandFailure) in
            try server.call("POST", "/gates/\(PercentText.segment(operands[0]))/release", body: body)
        }
        server.show(answer) {
            let released = answer["released"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let shown = released.map(VisibleText.escaped).joined(separator: " ")
            Terminal.out(released.isEmpty ? "the gate held nothing" : "released \(shown)")
        }
    }
}
