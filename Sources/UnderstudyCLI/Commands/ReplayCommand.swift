import Backend
import ClientCommands
import Control
import Proxying
import Recording
import Serving
import Transport
import Understudy

/// `replay`: serves one API from recordings (control contract, section 13).
enum ReplayCommand: Command {
    static let name = "replay"
    static let summary = "serves an API from recordings"
    static let part: CommandPart? = .serving
    static let usage = "FILE.har… --api NAME [flags] [serve flags]"
    static let operands = Operands.files(atMost: 1_000)
    static let options = [
        RecordingOptions.api,
        Option(
            name: RecordingOptions.host.name,
            kind: .list("GLOB…|ADDRESS"),
            help: RecordingOptions.host.help + "; or a numeric address to listen on",
            default: "all, and 127.0.0.1 and ::1"
        ),
        Option(
            name: "miss",
            kind: .value("fail|emulate|forward|STATUS"),
            values: .names(["fail", "emulate", "forward"]),
            help: "the response to a request that no recording has",
            default: "fail"
        ),
        Option(
            name: "upstream",
            kind: .value("URL"),
            help: "the real backend for --miss forward",
            default: "none"
        ),
        Option(
            name: "speed",
            kind: .value("N"),
            help: "0: no delays, 1: as recorded, 2: twice as fast",
            default: "0"
        ),
        Option(
            name: "exhausted",
            kind: .value("repeat|fail"),
            values: .names(["repeat", "fail"]),
            help: "the response once every matching entry has been served",
            default: "repeat"
        ),
        Option(
            name: "refresh",
            kind: .toggle,
            help: "shifts dates and token lifetimes to the world's clock",
            default: "off"
        ),
        Option(
            name: "keep-links",
            kind: .toggle,
            help: "keeps links to the recorded backend instead of rewriting them to this server",
            default: "off"
        ),
        Option(name: "ignore-query", kind: .list("NAME…"), help: "query parameters to ignore", default: "none"),
        Option(
            name: "ignore-body",
            kind: .list("a.b…"),
            help: "members of JSON bodies, and fields of forms, to ignore",
            default: "none"
        ),
    ]
    static let settings = RecordingOptions.serve.filter { $0.name != RecordingOptions.host.name }
    static let examples = [
        Example("understudy replay trendy.har --api trendy --miss emulate", "the emulation serves missing requests")
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard !arguments.operands.isEmpty else { throw UsageError(message: "replay needs a recording: FILE.har") }
        let names = arguments.operands.map(RecordingFiles.inputName)
        try NamedFile.expect(names)
        // The flag of `serve` has the same name.
        let addresses = (arguments.values[RecordingOptions.host.name] ?? []).filter(ListenAddress.isNumeric)
        let serving = arguments.with(addresses, of: RecordingOptions.host.name)
        var (configuration, _, drawsCode) = try RecordingOptions.configuration(of: self, serving)
        let isProxied = configuration.forwardProxy?.entries.isEmpty == false
        let order = try order(arguments, names, isProxied: isProxied)
        if order.reachesUpstream { try RecordingOptions.checkShared(configuration, "replay --miss forward") }
        let isQuiet = configuration.logLevel == .quiet
        var progress = Progress()
        let made: ModePreparation
        do throws(RecordingError) {
            made = try ModePreparation.make(order, names.map { .path($0) }) {
                if !isQuiet { progress.show($0, $1, of: $2) }
            }
        } catch {
            progress.clear()
            Terminal.error("understudy: \(error.text)")
            return ExitCode.failed
        }
        if let refusal = made.refusal {
            progress.clear()
            Terminal.error("understudy: \(refusal)")
            return ExitCode.failed
        }
        if !isQuiet { announce(made) }
        configuration.mode = made
        return EmulatorRun.untilStopped(configuration, drawsCode: drawsCode)
    }

    /// `isProxied` tells that the forward proxy answers for hosts of the API, whose clients name the real backend.
    private static func order(
        _ arguments: Arguments,
        _ names: [String],
        isProxied: Bool
    ) throws(UsageError) -> ModeOrder {
        var order = ModeOrder(api: 0, mode: .replay)
        order.recording = names.joined(separator: ", ")
        if let text = arguments["miss"] {
            guard let miss = MissPolicy(text) else {
                throw UsageError(
                    message: "--miss: \"\(text)\" is not fail, emulate, forward, or a status from 200 to 599"
                )
            }
            order.miss = miss
        }
        if arguments["upstream"] != nil || order.miss == .forward && !isProxied {
            order.upstream = try RecordingOptions.origin(arguments["upstream"], "replay --miss forward")
        }
        if let text = arguments["speed"] {
            guard let speed = Double(text), speed >= 0, speed <= 1_000_000 else {
                throw UsageError(message: "--speed: \"\(text)\" is not a number from 0 to 1000000")
            }
            order.speed = speed
        }
        if let text = arguments["exhausted"] {
            guard text == "repeat" || text == "fail" else {
                throw UsageError(message: "--exhausted: \"\(text)\" is neither repeat nor fail")
            }
            order.failsWhenExhausted = text == "fail"
        }
        order.hosts = (arguments.values[RecordingOptions.host.name] ?? []).filter { !ListenAddress.isNumeric($0) }
        order.refresh = arguments.isOn("refresh")
        if arguments.isOn("keep-links") { order.links = .keep }
        order.ignoredQuery = arguments.values["ignore-query"] ?? []
        order.ignoredBody = arguments.values["ignore-body"] ?? []
        return order
    }

    /// Prints the oddities of the recordings and the number of entries.
    private static func announce(_ made: ModePreparation) {
        for note in made.notes { Terminal.error("understudy: \(note.text)") }
        let all = made.book?.lines.count ?? 0
        let usable = made.book?.answering ?? 0
        let unusable = (made.book?.unusable ?? 0) + all - usable
        Terminal.error(
            "understudy: replaying \(usable) \(usable == 1 ? "entry" : "entries")"
                + (unusable > 0 ? "; skipped \(unusable) without a response to replay" : "")
                + (made.hosts.others > 0 ? "; left out \(made.hosts.others) of other hosts" : "")
        )
    }
}
