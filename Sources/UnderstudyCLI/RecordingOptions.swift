import ClientCommands
import Control
import JSON
import Recording
import Transport
import Understudy

/// The flags that `record`, `replay` and `diff` share, with their checks.
enum RecordingOptions {
    static let api = Option(
        name: "api",
        kind: .value("NAME"),
        values: .apis,
        help: "the API",
        default: "required"
    )

    static let upstream = Option(
        name: "upstream",
        kind: .value("URL"),
        help: "the real backend, such as https://api.example.com",
        default: "required"
    )

    static let host = Option(
        name: "host",
        kind: .list("GLOB…"),
        help: "only entries of matching hosts, such as api.example.com or *.example.com",
        default: "all"
    )

    /// The flags of `serve` without its list of APIs, since these commands take one API.
    static let serve = ServeOptions.serve.filter { $0.name != api.name }

    /// The checked configuration of a command, and the API that it names.
    static func configuration(
        of command: any Command.Type,
        _ arguments: Arguments,
        takesAnyName: Bool = true
    ) throws(UsageError) -> (Configuration, api: String, drawsCode: Bool?) {
        let settings = try Settings(
            ServeOptions.adding(to: command.flags),
            arguments: arguments,
            environment: Environment.variables
        )
        guard let api = settings[api.name] else {
            let known = (APICatalogue.names + settings.own.names).joined(separator: ", ")
            let more = takesAnyName ? ", or any other name" : ""
            throw UsageError(message: "\(command.name) needs --api NAME, one of \(known)\(more)")
        }
        let known = APICatalogue.names + settings.own.names
        guard takesAnyName || known.contains(api) else {
            throw UsageError(message: LoadedAPIs.unknown(api, among: known))
        }
        let configuration = try Configuration(settings, takesNames: true)
        EmulatorRun.warn(settings, configuration)
        if !known.contains(api), let near = Suggestion.nearest(to: api, among: known) {
            Terminal.warn(["there is no API \"\(api)\", so it is only a name; did you mean \(near)?"])
        }
        return (configuration, api, try LANOptions.inverts(settings))
    }

    /// Refuses a mode with a real backend in device mode, unless that is asked for (transport contract, section 8).
    static func checkShared(_ configuration: Configuration, _ command: String) throws(UsageError) {
        guard let network = configuration.localNetwork, !network.sharesUpstream else { return }
        throw UsageError(
            message:
                "\(command): with --lan everybody on the network could use the real backend; --lan-upstream allows it"
        )
    }

    /// The origin that `--upstream` names.
    static func origin(_ text: String?, _ command: String) throws(UsageError) -> String {
        guard let text else { throw UsageError(message: "\(command) needs --upstream URL") }
        guard let origin = UpstreamOrigin(text) else {
            throw UsageError(
                message:
                    "--upstream: \"\(text)\" is not an http or https address without a path, such as https://api.example.com"
            )
        }
        return origin.text
    }
}
