import JSON
import Traffic

/// `world`: lists, makes and deletes worlds (clients contract, section 1).
package enum WorldCommand: ServerCommand {
    package static let name = "world"
    package static let summary = "lists, creates, forks and deletes worlds, and prints their addresses"
    package static let part: CommandPart? = .steering
    package static let usage = "list | new [NAME] [--from WORLD] | delete NAME | urls NAME"
    package static let operands = Operands.actions([
        Action("list", "", "lists all worlds"),
        Action("new", "[NAME]", "creates a world from the seed, or forks one", counts: 0...1),
        Action(
            "delete",
            "NAME",
            "deletes a world and cuts off its responses",
            counts: 1...1,
            values: .running(.otherWorlds)
        ),
        Action("urls", "NAME", "prints the addresses of a world", counts: 1...1, values: .running(.worlds)),
    ])
    package static let options = [
        Option(
            name: "from",
            kind: .value("WORLD"),
            values: .running(.worlds),
            help: "new: a world to fork, or a snapshot to restore",
            default: "none"
        ).only(for: "new")
    ]
    package static let examples = [Example("understudy world new checkout --from main", "a copy of the world main")]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let named = server
        let server = server.withoutWorldOfEnvironment()
        switch arguments.action?.name {
        // A snapshot is one of the chosen world, which can't be the one that is made.
        case "new":
            let isOfWorld = arguments["from"] != nil && arguments.operands.first != named.world
            try make(arguments, isOfWorld ? named : server)
        case "delete":
            let name = arguments.operands[0]
            _ = try server.call(naming: "world", name, listedAt: "/worlds") { () throws(CommandFailure) in
                try server.call("DELETE", "/worlds/" + PercentText.segment(name))
            }
            if !server.explains, !server.printsJSON {
                Terminal.out("the world \(VisibleText.escaped(name)) was deleted")
            }
        case "urls": try urls(arguments.operands[0], server)
        default: try list(server)
        }
        return ExitCode.ok
    }

    private static func list(_ server: RunningServer) throws(CommandFailure) {
        let answer = try server.call("GET", "/worlds")
        server.show(answer) {
            var table = TextTable([
                .init("NAME", isKey: true), .init("FROM"), .init("CREATED", isFlexible: true), .init("CLOCK"),
                .init("REQUESTS", isRight: true),
                .init("JOURNAL", isRight: true), .init("SCENARIO", isFlexible: true),
            ])
            for world in answer["items"]?.arrayValue ?? [] {
                let clock = world["clock"]
                table.add([
                    .init(world["name"]?.stringValue ?? "", .bold), .init(world["forkedFrom"]?.stringValue ?? ""),
                    .init(world["createdAt"]?.stringValue ?? ""),
                    .init("\(clock?["now"]?.stringValue ?? "") \(clock?["mode"]?.stringValue ?? "")"),
                    .init("\(world["requests"]?.intValue ?? 0)"),
                    .init(TrafficText.size(world["bytes"]?.intValue ?? 0)), .init(world["scenario"]?.stringValue ?? ""),
                ])
            }
            table.print(server.style, orSay: "There are no worlds.")
        }
    }

    private static func make(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) {
        var body = JSONObject()
        if let name = arguments.operands.first { body.append("name", .string(name)) }
        if let from = arguments["from"] { body.append("from", .string(from)) }
        let answer = try made(.object(body), from: arguments["from"], server)
        server.show(answer) {
            Terminal.out("the world \(VisibleText.escaped(answer["name"]?.stringValue ?? "")) was created")
            table(answer["urls"]?.objectValue).print(server.style, orSay: "It has no APIs.")
        }
    }

    /// Makes the world; where what it is to start from is unknown, the names that the server has are looked up.
    private static func made(_ body: JSON, from: String?, _ server: RunningServer) throws(CommandFailure) -> JSON {
        do throws(CommandFailure) {
            return try server.call("POST", "/worlds", body: body)
        } catch {
            guard case .problem(let answer) = error, answer.status == 404, let from, !server.printsJSON else {
                throw error
            }
            let known = try server.names(at: "/worlds") + server.names(at: "/snapshots")
            guard !known.contains(from) else { throw error }
            throw NameHint.unknown("world or snapshot", from, among: known, in: nil)
        }
    }

    private static func urls(_ name: String, _ server: RunningServer) throws(CommandFailure) {
        var addressed = server
        addressed.world = name
        let answer = try server.call(naming: "world", name, listedAt: "/worlds") { () throws(CommandFailure) in
            try addressed.call("GET", "/apis")
        }
        server.show(answer) {
            let items = (answer["items"]?.arrayValue ?? []).filter {
                server.api == nil || $0["name"]?.stringValue == server.api
            }
            let urls = items.map { item -> JSONObject.Member in
                var url = item["url"]?.stringValue ?? ""
                if name != "main", !url.hasSuffix("/@\(name)") { url += "/@\(PercentText.segment(name))" }
                return JSONObject.Member(name: item["name"]?.stringValue ?? "", value: .string(url))
            }
            table(JSONObject(urls)).print(server.style, orSay: "It has no APIs.")
        }
    }

    private static func table(_ urls: JSONObject?) -> TextTable {
        var table = TextTable([.init("API"), .init("ADDRESS", isFlexible: true)])
        for member in urls?.members ?? [] { table.add([.init(member.name), .init(member.value.stringValue ?? "")]) }
        return table
    }
}
