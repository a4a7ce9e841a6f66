import Backend
import Basics
import Conditions
import JSON
import Traffic

/// `scenario`: switches scenarios on and off, and lists them (clients contract, section 1).
package enum ScenarioCommand: ServerCommand {
    package static let name = "scenario"
    package static let summary = "switches scenarios on and off, and lists those of a running server"
    package static let part: CommandPart? = .steering
    package static let usage = "on NAME… | off NAME… | list [TEXT]"
    package static let operands = Operands.actions([
        Action("on", "NAME…", "switches scenarios on", counts: 1...1_000, values: .running(.inactiveScenarios)),
        Action(
            "off",
            "NAME…",
            "switches them off; rows that they changed stay changed",
            counts: 1...1_000,
            values: .running(.activeScenarios)
        ),
        Action(
            "list",
            "[TEXT]",
            "lists them and marks those that are on; TEXT begins a word of name, title or expectation",
            counts: 0...1_000
        ),
    ])
    package static let examples = [
        Example("understudy scenario on omnichat/stream-cut-midway", "a stream that is cut off")
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let action = arguments.action?.name ?? "list"
        guard action != "list" else {
            try list(arguments.operands.joined(separator: " "), server)
            return ExitCode.ok
        }
        for operand in arguments.operands {
            // With an API named, its own name is enough.
            let name = operand.contains("/") ? operand : server.api.map { "\($0)/\(operand)" } ?? operand
            try turn(name, isOn: action == "on", server)
        }
        return ExitCode.ok
    }

    private static func turn(_ name: String, isOn: Bool, _ server: RunningServer) throws(CommandFailure) {
        let path =
            "/scenarios/" + name.split(separator: "/").map { PercentText.segment(String($0)) }.joined(separator: "/")
        let answer = try server.call(naming: "scenario", name, listedAt: "/scenarios", mayMeanFault: true) {
            () throws(CommandFailure) in
            try server.call(isOn ? "PUT" : "DELETE", path)
        }
        server.show(answer) {
            let shown = VisibleText.escaped(answer["name"]?.stringValue ?? name)
            Terminal.out("\(shown) is \(isOn ? server.style("on", .green) : "off")")
            if isOn, let expect = answer["expect"]?.stringValue {
                Terminal.out("  \(VisibleText.escaped(expect))")
            }
            let changed = answer["changed"]?.arrayValue?.compactMap(\.stringValue) ?? []
            if !changed.isEmpty {
                Terminal.out("  rows that stay changed: " + changed.map(VisibleText.escaped).joined(separator: ", "))
            }
        }
    }

    /// The longest text that has to be a whole word: RST is not the end of "first", and br does not begin "browser".
    private static let longestWhole = 3

    /// Tells whether a text begins a word of another, or is one where it is short.
    private static func has(_ wanted: String, in text: String) -> Bool {
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        var rest = text[...]
        while let found = rest.firstRange(of: wanted) {
            let isBegun = !isWord(text[..<found.lowerBound].last) || !isWord(wanted.first)
            if isBegun, wanted.count > longestWhole || !isWord(text[found.upperBound...].first) { return true }
            rest = text[text.index(after: found.lowerBound)...]
        }
        return false
    }

    private static func list(_ text: String, _ server: RunningServer) throws(CommandFailure) {
        let answer = try server.call("GET", "/scenarios")
        let wanted = text.lowercased()
        let items = (answer["items"]?.arrayValue ?? []).filter { item in
            wanted.isEmpty
                || ["name", "title", "expect"].contains {
                    item[$0]?.stringValue.map { has(wanted, in: $0.lowercased()) } ?? false
                }
        }
        server.show(["items": .array(items)]) {
            var table = TextTable([.init("ON"), .init("NAME", isKey: true), .init("TITLE", isFlexible: true)])
            for item in items {
                let isOn = item["active"]?.boolValue ?? false
                table.add([
                    .init(isOn ? "on" : "", .green), .init(item["name"]?.stringValue ?? "", isOn ? .bold : nil),
                    .init(item["title"]?.stringValue ?? ""),
                ])
            }
            let nothing = "No scenario matches \"\(VisibleText.escaped(text))\"."
            table.print(server.style, orSay: wanted.isEmpty ? "There are no scenarios." : nothing)
            // The word may be one for what a fault does, whatever scenario has it as well.
            if let fault = NameHint.fault(text) { Terminal.error("\(fault).") }
        }
    }
}
