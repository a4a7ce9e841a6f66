import APIDocs
import Control
import Emulation
import HTTPMessage
import JSON
import Understudy

/// `openapi`: prints an OpenAPI 3.1 document (control contract, section 2).
enum OpenAPICommand: Command {
    static let name = "openapi"
    static let summary = "prints the OpenAPI 3.1 document of an API, or of the control API"
    static let usage = "NAME (an API, or control)"
    static let operands = Operands.name(["control"] + APICatalogue.names)
    static let examples = [Example("understudy openapi control > control.json", "the control API")]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard let name = arguments.operands.first else {
            throw UsageError(message: "openapi needs a name: control, \(APICatalogue.names.joined(separator: ", "))")
        }
        let document: JSON
        if name == "control" {
            document = ControlAPI.document(servers: ["http://127.0.0.1:4680"], apis: APICatalogue.names).document
        } else {
            let api = try LoadedAPIs.load([name])[0]
            let servers = ["http://127.0.0.1:\(4680 + api.identity.portOffset)", "http://127.0.0.1:4680/\(name)"]
            document = OpenAPI(api, servers: servers).document
        }
        Terminal.out(String(decoding: document.serialized(options: JSONWriter.Options(pretty: true)), as: UTF8.self))
        return ExitCode.ok
    }
}
