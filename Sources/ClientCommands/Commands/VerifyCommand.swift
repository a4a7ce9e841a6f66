import CivilTime
import JSON
import Traffic

/// `verify`: judges what a client has sent; exits 1 unless the verdict is pass (clients contract, section 1).
package enum VerifyCommand: ServerCommand {
    package static let name = "verify"
    package static let summary = "verifies received requests against expectations; exits 1 unless the verdict is pass"
    package static let part: CommandPart? = .looking
    package static let usage = "[FILE|-|JSON]"
    package static let operands = Operands.files(atMost: 1)
    package static let options = [
        Option(
            name: "allow-dropped",
            kind: .toggle,
            help: "judges what the journal has kept, even if it has dropped entries",
            default: "off"
        ),
        Option(
            name: "no-other-hosts",
            kind: .toggle,
            help:
                "with the forward proxy: fails if the clients asked for a host that is neither mapped nor in --tunnel",
            default: "off"
        ),
    ]
    package static let discussion =
        "FILE or JSON is the body of POST /__admin/verify, such as {\"match\":{\"path\":\"/api/models\"},\"count\":{\"exactly\":1}}."
    package static let examples = [Example("understudy verify refreshed-once.json", "in the shell script of a test")]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let judgesHosts = arguments.isOn("no-other-hosts")
        guard let file = arguments.operands.first ?? (judgesHosts ? "{}" : nil) else {
            throw .usage("verify needs FILE, JSON, - for standard input, or --no-other-hosts")
        }
        var body = try JSONText.operand(file, "verify")
        if case .object(var order) = body {
            if arguments.isOn("allow-dropped") { order["allowDropped"] = true }
            if judgesHosts { order["noOtherHosts"] = true }
            body = .object(order)
        }
        // The server waits as long as the body says.
        let wait = body["within"]?.stringValue.flatMap { try? Interval(iso8601Duration: $0) } ?? .zero
        let answer = try server.call("POST", "/verify", body: body, within: .seconds(30) + wait)
        server.show(answer) {
            let isPass = answer["verdict"] == "pass"
            let verdict = server.style(answer["verdict"]?.stringValue ?? "", isPass ? .green : .red)
            let count = answer["count"]?.intValue ?? 0
            var text = "\(verdict): \(count) \(count == 1 ? "request matches" : "requests match")"
            if let reason = answer["reason"]?.stringValue { text += "; \(VisibleText.escaped(reason))" }
            if isPass, let dropped = answer["dropped"]?.intValue { text += "; the journal has dropped \(dropped)" }
            Terminal.out(text)
            for miss in answer["nearMisses"]?.arrayValue ?? [] {
                let differences = miss["differences"]?.arrayValue?.compactMap(\.stringValue) ?? []
                let words = differences.joined(separator: "; ")
                Terminal.out(VisibleText.escaped("  near miss \(miss["id"]?.stringValue ?? ""): \(words)"))
            }
        }
        return server.explains || answer["verdict"] == "pass" ? ExitCode.ok : ExitCode.failed
    }
}
