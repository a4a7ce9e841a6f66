import APIDocs
import Backend
import ClientCommands
import Conditions
import Control
import Engine
import HTTPMessage
import JSON
import Journal
import Understudy
import Worlds

/// `openapi`: prints an OpenAPI 3.1 document (control contract, section 2).
enum OpenAPICommand: Command {
    static let name = "openapi"
    static let summary = "prints the OpenAPI 3.1 document of an API, or of the control API"
    static let part: CommandPart? = .listing
    static let usage = "NAME (an API, or control) [--apis DIR…]"
    static let operands = Operands.name(["control"] + APICatalogue.names)
    static let options = [
        Option(name: "api", kind: .value("NAME"), values: .apis, help: "the API, instead of NAME", default: "NAME")
    ]
    static let settings = [CustomAPIOptions.folders]
    static let examples = [Example("understudy openapi control > control.json", "the control API")]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let own = try LoadedAPIs.settings(of: self, arguments).own
        let known = APICatalogue.names + own.names
        guard arguments.operands.isEmpty || arguments["api"] == nil else {
            throw UsageError(message: "openapi takes NAME or --api NAME, not both")
        }
        guard let name = arguments.operands.first ?? arguments["api"] else {
            throw UsageError(message: "openapi needs a name: control, \(known.joined(separator: ", "))")
        }
        let document: JSON
        if name == "control" {
            document = APICatalogue.control.value.document(servers: ["http://127.0.0.1:4680"], apis: known).document
        } else {
            let api = try LoadedAPIs.load([name], own: own)[0]
            let port = Configuration().port(of: api)
            let servers = ["http://127.0.0.1:\(port)", "http://127.0.0.1:4680/\(name)"]
            document = OpenAPIDescription.document(of: api, servers: servers)
        }
        Terminal.out(String(decoding: document.serialized(options: JSONWriter.Options(pretty: true)), as: UTF8.self))
        return ExitCode.ok
    }
}
