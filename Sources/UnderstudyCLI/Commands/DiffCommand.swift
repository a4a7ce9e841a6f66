import Backend
import ClientCommands
import Engine
import JSON
import Proxying
import Recording
import Transport
import Understudy

/// `diff`: compares a recording with the emulation, without a server (control contract, section 13).
enum DiffCommand: Command {
    static let name = "diff"
    static let summary = "compares a recording with the emulation; exits 1 on a breaking difference"
    static let part: CommandPart? = .own
    static let usage = "FILE.har --api NAME [flags]"
    static let operands = Operands.files(atMost: 1)
    static let options = [
        RecordingOptions.api,
        RecordingOptions.host,
        Option(
            name: "user",
            kind: .value("WHO"),
            help: "the user whose credential replaces those without a recorded sign-in",
            default: "none"
        ),
        Option(name: "values", kind: .toggle, help: "shows differing values too", default: "off"),
        Option(name: "ignore-body", kind: .list("a.b…"), help: "members of bodies to ignore", default: "none"),
        Option(name: "ignore-headers", kind: .list("NAME…"), help: "header fields to ignore", default: "none"),
        Option.json,
    ]
    // Each entry is compared at the time of its recording, so there is no clock to set.
    static let settings = ServeOptions.shared.filter { $0.name != "clock" } + [CustomAPIOptions.folders]
    static let examples = [
        Example("understudy diff trendy.har --api trendy --values", "fails if the backend differs in a breaking way")
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard let file = arguments.operands.first.map(RecordingFiles.inputName) else {
            throw UsageError(message: "diff needs a recording: FILE.har")
        }
        try NamedFile.expect([file])
        // The flag of `serve` has the same name.
        let serving = arguments.with([], of: RecordingOptions.host.name)
        let (configuration, api, _) = try RecordingOptions.configuration(of: self, serving, takesAnyName: false)
        let own = configuration.customAPIs.first { $0.name == api }
        // A mistake in the API's folder is no difference.
        do throws(SeedError) { _ = try CustomAPILoad(own.map { [$0] } ?? []) } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"), isAboutLine: false)
        }
        var order = OfflineDiff.Order(
            api: api,
            own: own,
            seeds: configuration.seeds,
            seed: configuration.emulator.seed
        )
        order.user = arguments["user"]
        order.hosts = HostFilter(arguments.values[RecordingOptions.host.name] ?? [])
        order.rules = MatchRules(
            headers: arguments.values["ignore-headers"] ?? [],
            query: [],
            body: arguments.values["ignore-body"] ?? []
        )
        if let user = order.user,
            let users = OfflineDiff.usersWithoutTheNamed(order, at: TimeSource.system.wall()),
            case .failed(let text) = NameHint.unknown("user", user, among: users, in: nil, listsKnown: true)
        {
            Terminal.error("understudy: \(api): \(text)")
            return ExitCode.failed
        }
        var progress = Progress()
        let isJSON = arguments.isOn("json")
        let showsValues = arguments.isOn("values")
        var items: [JSON] = []
        let summary: OfflineDiff.Summary
        do throws(RecordingError) {
            summary = try OfflineDiff.run(file, order, progress: { progress.show(file, $0, of: $1) }) { entry in
                if isJSON {
                    items.append(entry.json)
                } else {
                    let lines = entry.lines(showsValues: showsValues)
                    if !lines.isEmpty { progress.clear() }
                    for line in lines { Terminal.out(line) }
                }
            }
        } catch {
            progress.clear()
            Terminal.error("understudy: \(error.text)")
            return ExitCode.failed
        }
        if isJSON {
            Terminal.out(JSON.object(["items": .array(items), "summary": summary.json]).text)
        } else {
            Terminal.out(summary.text)
        }
        warn(summary, file: file, api: api)
        return summary.breaking > 0 ? ExitCode.failed : ExitCode.ok
    }

    private static func warn(_ summary: OfflineDiff.Summary, file: String, api: String) {
        if let other = summary.likelyAPI {
            Terminal.error(
                "understudy: warning: \(file) has no path of \(api); its paths are those of \(other): --api \(other)"
            )
        }
        if let prefix = summary.prefix {
            Terminal.error(
                "understudy: warning: \(file) has no path of \(api); it has some behind \(prefix), as a gateway puts it in front"
            )
        }
        if summary.compared == 0 {
            let why = summary.reasons.map { "\($0.count) of \(summary.skipped) because \($0.reason)" }
            let reason = why.isEmpty ? "it has no entries" : "no entry, \(why.joined(separator: ", "))"
            Terminal.error("understudy: warning: nothing was compared: \(file): \(reason)")
        }
    }
}
