import Backend
import ClientCommands
import HTTPMessage
import JSON
import Worlds

/// `routes`: lists the endpoints of the emulated APIs (control contract, section 2).
enum RoutesCommand: Command {
    static let name = "routes"
    static let summary = "lists every endpoint with its status"
    static let part: CommandPart? = .listing
    static let usage = "[--api NAME…] [--apis DIR…] [--json]"
    static let options = [LoadedAPIs.option, Option.json]
    static let settings = [CustomAPIOptions.folders]
    static let examples = [Example("understudy routes --api omnichat", "the endpoints of one API")]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let own = try LoadedAPIs.settings(of: self, arguments).own
        let apis = try LoadedAPIs.load(arguments.values["api"], own: own)
        if arguments.isOn("json") {
            Terminal.out(JSON.array(apis.flatMap(items)).text)
            return ExitCode.ok
        }
        for api in apis {
            let routes = api.listedRoutes
            Terminal.out("\(api.identity.name) (\(routes.count) endpoints)")
            for route in routes {
                let method = route.method.rawValue
                let gap = String(repeating: " ", count: max(1, 8 - method.count))
                let template = route.template.withoutControls
                let path = template + String(repeating: " ", count: max(1, 42 - template.count))
                Terminal.out("  \(method)\(gap)\(path)\(route.standing)")
            }
        }
        return ExitCode.ok
    }

    private static func items(of api: AnyAPI) -> [JSON] {
        api.listedRoutes.map { route in
            [
                "api": .string(api.identity.name), "method": .string(route.method.rawValue),
                "path": .string(route.template), "status": .string(route.standing),
                "summary": .string(route.summary),
            ]
        }
    }
}
