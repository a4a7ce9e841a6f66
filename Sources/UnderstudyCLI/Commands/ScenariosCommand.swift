import ClientCommands
import JSON
import Understudy
import Worlds

/// `scenarios`: lists the scenarios of the seeds that `serve` would load (control contract, section 7).
enum ScenariosCommand: Command {
    static let name = "scenarios"
    static let summary = "lists every scenario with its title"
    static let part: CommandPart? = .listing
    static let usage = "[--api NAME…] [--seeds DIR] [--apis DIR…] [--json]"
    static let options = [LoadedAPIs.option, Option.json]
    static let settings = ServeOptions.shared.filter { $0.name == "seeds" } + [CustomAPIOptions.folders]
    static let examples = [Example("understudy scenarios --api trendy --json", "titles and expectations as JSON")]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let settings = try LoadedAPIs.settings(of: self, arguments)
        let seeds = try Configuration.seeds(settings, APICatalogue.names)
        let all = try LoadedAPIs.load(arguments.values["api"], own: settings.own, from: seeds).flatMap(\.scenarios)
        if arguments.isOn("json") {
            let items = all.map { scenario -> JSON in
                [
                    "name": .string(scenario.name), "title": .string(scenario.title),
                    "expect": .string(scenario.expect),
                ]
            }
            Terminal.out(JSON.array(items).text)
            return ExitCode.ok
        }
        for scenario in all {
            let gap = String(repeating: " ", count: max(1, 36 - scenario.name.count))
            Terminal.out(scenario.name + gap + scenario.title.withoutControls)
        }
        return ExitCode.ok
    }
}
