import Conditions
import JSON
import Traffic

/// `latency`: shows or sets the network of a world (clients contract, section 1).
package enum LatencyCommand: ServerCommand {
    package static let name = "latency"
    package static let summary = "shows or sets the latency profile of a world"
    package static let part: CommandPart? = .steering
    package static let usage = "[PROFILE|none]"
    package static let operands = Operands.name(profiles)
    package static let discussion =
        "The profiles: \(profiles.joined(separator: ", ")). understudy config shows their values."
    package static let examples = [Example("understudy latency 3g", "as slow as 3G")]

    private static let profiles = LatencyProfile.all.map(\.name) + [LatencyProfile.none]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        guard let profile = arguments.operands.first else {
            show(try server.call("GET", "/latency"), server)
            return ExitCode.ok
        }
        guard profiles.contains(profile) else {
            guard server.printsJSON else {
                throw NameHint.unknown("latency profile", profile, among: profiles, in: nil, mayMeanFault: true)
            }
            _ = try server.call("PUT", "/latency", body: ["profile": .string(profile)])
            return ExitCode.failed
        }
        show(try server.call("PUT", "/latency", body: ["profile": .string(profile)]), server)
        return ExitCode.ok
    }

    private static func show(_ latency: JSON, _ server: RunningServer) {
        server.show(latency) {
            ProblemText.warn(latency)
            let shown: String
            if let profile = latency["profile"]?.stringValue {
                let summary = LatencyProfile.all.first { $0.name == profile }.map { "  \($0.summary)" } ?? ""
                shown = profile + summary
            } else {
                shown = latency.text
            }
            Terminal.out(VisibleText.escaped(shown))
        }
    }
}
