import JSON
import Traffic

/// `outbox`: the codes, links and pushes that the backends would have sent (clients contract, section 1).
package enum OutboxCommand: ServerCommand {
    package static let name = "outbox"
    package static let summary = "shows codes, links and pushes that would have been sent, newest first"
    package static let part: CommandPart? = .looking
    package static let usage = "[--to WHO] [-f]"
    package static let options = [
        Option(name: "to", kind: .value("WHO"), help: "only messages to this address", default: "all"),
        Option(name: "follow", kind: .toggle, letter: "f", help: "keeps showing new ones", default: "off"),
    ]
    package static let examples = [
        Example("understudy outbox --to anna@example.com -f", "the code, as soon as it is sent")
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let to = arguments["to"]
        let query = to.map { [(name: "to", value: $0)] } ?? []
        guard arguments.isOn("follow") else {
            let answer = try server.call("GET", "/outbox", query: query)
            let nothing = try nothing(to, answer, server)
            server.show(answer) { table(answer).print(server.style, orSay: nothing) }
            return ExitCode.ok
        }
        if server.explains {
            _ = try server.call("GET", "/outbox", query: query)
            server.explainEvents()
            return ExitCode.ok
        }
        var shown = Set<String>()
        try EventFollower(server).run { () throws(CommandFailure) in
            // The stream is open before the list is read, so that nothing is missed.
            let answer = try server.call("GET", "/outbox", query: query)
            for message in (answer["items"]?.arrayValue ?? []).reversed() where shown.insert(key(of: message)).inserted
            {
                print(message, server)
            }
        } event: { kind, data in
            guard kind == "outbox", let object = data.objectValue else { return }
            let message = JSONObject(object.members.filter { $0.name != "seq" && $0.name != "world" })
            let isMeant = to == nil || message["to"]?.stringValue?.lowercased() == to?.lowercased()
            let isOfAPI = server.api == nil || message["api"]?.stringValue == server.api
            guard isMeant, isOfAPI, shown.insert(key(of: .object(message))).inserted else { return }
            print(.object(message), server)
        }
    }

    /// The sentence for an empty list, with the addresses that have messages where another one was asked for.
    private static func nothing(_ to: String?, _ answer: JSON, _ server: RunningServer) throws(CommandFailure) -> String
    {
        let empty = "The outbox is empty."
        guard let to, answer["items"]?.arrayValue?.isEmpty == true, !server.explains, !server.printsJSON else {
            return empty
        }
        var known: [String] = []
        for name in try server.names(at: "/outbox", by: "to") where !known.contains(name) { known.append(name) }
        guard !known.isEmpty else { return empty }
        let near = NameHint.nearest(to: to, among: known).map { "; did you mean \(VisibleText.escaped($0))?" }
        return "The outbox has nothing for \(VisibleText.escaped(to))"
            + (near ?? "; it has messages for \(NameHint.list(known)).")
    }

    /// The same text for a message of the list and of an event, which have the members in different orders.
    private static func key(of message: JSON) -> String {
        let members = message.objectValue?.members ?? []
        return members.map { "\($0.name) \($0.value.text)" }.sorted().joined(separator: "\n")
    }

    private static func content(of message: JSON) -> String {
        let parts = ["code", "url", "token", "title", "body"].compactMap { message[$0]?.stringValue }
        return parts.isEmpty ? message["data"]?.text ?? "" : parts.joined(separator: "  ")
    }

    private static func table(_ answer: JSON) -> TextTable {
        var table = TextTable([
            .init("AT"), .init("API"), .init("KIND"), .init("TO"), .init("WHAT", isFlexible: true), .init("EXPIRES"),
        ])
        for message in answer["items"]?.arrayValue ?? [] {
            table.add([
                .init(message["at"]?.stringValue ?? ""), .init(message["api"]?.stringValue ?? ""),
                .init(message["kind"]?.stringValue ?? ""), .init(message["to"]?.stringValue ?? ""),
                .init(content(of: message), .bold), .init(message["expiresAt"]?.stringValue ?? ""),
            ])
        }
        return table
    }

    private static func print(_ message: JSON, _ server: RunningServer) {
        if server.printsJSON { return Terminal.out(message.text) }
        let words = ["at", "api", "kind", "to"].map { message[$0]?.stringValue ?? "" }.joined(separator: "  ")
        Terminal.out(VisibleText.escaped(words) + "  " + server.style(VisibleText.escaped(content(of: message)), .bold))
    }
}
