import Control
import Emulation
import JSON
import Recording
import Transport
import Understudy

extension Commands {
    private static let apiOption = Option(name: "api", kind: .value("NAME"), help: "the API", standard: "required")
    private static let upstreamOption = Option(
        name: "upstream",
        kind: .value("URL"),
        help: "the real backend, such as https://api.example.com",
        standard: "required"
    )

    /// Serve's flags without the list of APIs: one API is meant here.
    private static var serveFlags: [Option] { ServeOptions.serve.filter { $0.name != "api" } }

    private static func configuration(
        _ command: String,
        _ own: [Option],
        _ arguments: Arguments
    ) throws(UsageError) -> (Configuration, api: String) {
        let settings = try Settings(own + serveFlags, arguments: arguments, environment: Environment.variables)
        guard let api = settings["api"] else {
            let known = APICatalogue.names.joined(separator: ", ")
            throw UsageError(message: "\(command) needs --api NAME, one of \(known)")
        }
        let configuration = try Configuration(settings)
        Terminal.warn(settings.warnings)
        return (configuration, api)
    }

    private static func origin(_ text: String?, _ command: String) throws(UsageError) -> String {
        guard let text else { throw UsageError(message: "\(command) needs --upstream URL") }
        guard let origin = UpstreamOrigin(text) else {
            throw UsageError(
                message:
                    "--upstream: \"\(text)\" is not an http or https address without a path, such as https://api.example.com"
            )
        }
        return origin.text
    }

    // MARK: record

    private static let recordOptions = [
        apiOption, upstreamOption,
        Option(name: "out", kind: .value("FILE.har"), help: "the recording", standard: "recordings/NAME.har"),
        Option(
            name: "no-redact",
            kind: .toggle,
            help: "keeps every secret in the recording, whose name then ends in .unredacted.har",
            standard: "off"
        ),
    ]

    static func record(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: recordOptions + serveFlags)
        if arguments.wantsHelp {
            let usage = "--api NAME --upstream URL [--out FILE.har] [serve flags]"
            Terminal.out(Help.command("record", usage: usage, options: recordOptions + serveFlags))
            return ExitCode.ok
        }
        var (configuration, api) = try configuration("record", recordOptions, arguments)
        var order = ModeOrder(api: 0, mode: .record)
        order.upstream = try origin(arguments.values["upstream"]?.last, "record")
        let redacts = arguments.values["no-redact"] == nil
        let path = outputName(arguments.values["out"]?.last ?? "recordings/\(api).har", redacts: redacts)
        if arguments.values["out"] == nil {
            do throws(Errno) {
                try DataFile.makeFolder("recordings")
            } catch {
                throw UsageError(
                    message: "the folder recordings can't be made: \(error); --out FILE.har names another place"
                )
            }
        }
        order.recording = path
        let made: ModePreparation
        do throws(RecordingError) {
            made = try ModePreparation.make(order, [.path(path)], redacts: redacts)
        } catch {
            throw UsageError(message: error.text)
        }
        if !redacts {
            Terminal.error(
                "understudy: warning: --no-redact: \(path) will hold every password, token and personal detail that passes"
            )
        }
        configuration.mode = made
        if configuration.logLevel != .quiet {
            Terminal.error("understudy: recording \(order.upstream ?? "") into \(path)")
            configuration.onRecorded = { RecordingCounts.show($0.entries, $0.bytes, $0.problem) }
        }
        return operate(configuration)
    }

    /// The name with the ending that says whether secrets are in it.
    ///
    /// A name without any ending gets `.har`.
    static func outputName(_ name: String, redacts: Bool) -> String {
        let mark = RecordingPlace.unredacted + RecordingPlace.ending
        guard redacts else {
            guard !name.hasSuffix(mark) else { return name }
            return (name.hasSuffix(".har") ? String(name.dropLast(4)) : name) + mark
        }
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let hasEnding = last.isEmpty || last.contains(".") || FolderReader.exists(name)
        return hasEnding ? name : name + RecordingPlace.ending
    }

    /// The recording that a name means: the file itself, or the one with the ending that the name lacks.
    static func inputName(_ name: String) -> String {
        let endings = [RecordingPlace.ending, RecordingPlace.unredacted + RecordingPlace.ending]
        let names = [name] + endings.map { name + $0 }
        return names.first { FolderReader.exists($0) && !FolderReader.isFolder($0) } ?? name
    }

    /// A file that is not there is a slip of the command line, as for `validate`; a broken one is a verdict.
    private static func expectFiles(_ paths: [String]) throws(UsageError) {
        for path in paths where !FolderReader.exists(path) {
            throw UsageError(message: "\(path): there is no such file")
        }
    }

    // MARK: replay

    private static let replayOptions = [
        apiOption,
        Option(
            name: "miss",
            kind: .value("fail|emulate|forward|STATUS"),
            help: "what a request gets that no recording has",
            standard: "fail"
        ),
        Option(
            name: "upstream",
            kind: .value("URL"),
            help: "the real backend for --miss forward",
            standard: "none"
        ),
        Option(
            name: "speed",
            kind: .value("N"),
            help: "0 for no waits, 1 as recorded, 2 twice as fast",
            standard: "0"
        ),
        Option(
            name: "exhausted",
            kind: .value("repeat|fail"),
            help: "what a request gets whose entries have all been served",
            standard: "repeat"
        ),
        Option(
            name: "refresh",
            kind: .toggle,
            help: "moves dates and token lifetimes to the world's clock",
            standard: "off"
        ),
        Option(
            name: "keep-links",
            kind: .toggle,
            help: "leaves addresses of the recorded backend in answers, instead of leading them here",
            standard: "off"
        ),
        Option(name: "ignore-query", kind: .list("NAME…"), help: "query parameters left out", standard: "none"),
        Option(name: "ignore-body", kind: .list("a.b…"), help: "members of JSON bodies left out", standard: "none"),
    ]

    static func replay(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: replayOptions + serveFlags, takesOperands: 1_000)
        if arguments.wantsHelp {
            let usage = "FILE.har… --api NAME [flags] [serve flags]"
            Terminal.out(Help.command("replay", usage: usage, options: replayOptions + serveFlags))
            return ExitCode.ok
        }
        guard !arguments.operands.isEmpty else { throw UsageError(message: "replay needs a recording: FILE.har") }
        let names = arguments.operands.map(inputName)
        try expectFiles(names)
        var (configuration, _) = try configuration("replay", replayOptions, arguments)
        var order = ModeOrder(api: 0, mode: .replay)
        order.recording = names.joined(separator: ", ")
        if let text = arguments.values["miss"]?.last {
            guard let miss = MissPolicy(text) else {
                throw UsageError(
                    message: "--miss: \"\(text)\" is not fail, emulate, forward, or a status from 200 to 599"
                )
            }
            order.miss = miss
        }
        if arguments.values["upstream"] != nil || order.miss == .forward {
            order.upstream = try origin(arguments.values["upstream"]?.last, "replay --miss forward")
        }
        if let text = arguments.values["speed"]?.last {
            guard let speed = Double(text), speed >= 0, speed <= 1_000_000 else {
                throw UsageError(message: "--speed: \"\(text)\" is not a number from 0 to 1000000")
            }
            order.speed = speed
        }
        if let text = arguments.values["exhausted"]?.last {
            guard text == "repeat" || text == "fail" else {
                throw UsageError(message: "--exhausted: \"\(text)\" is neither repeat nor fail")
            }
            order.failsWhenExhausted = text == "fail"
        }
        order.refresh = arguments.values["refresh"] != nil
        order.keepsLinks = arguments.values["keep-links"] != nil
        order.ignoredQuery = arguments.values["ignore-query"] ?? []
        order.ignoredBody = arguments.values["ignore-body"] ?? []
        var progress = Progress()
        let isQuiet = configuration.logLevel == .quiet
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
        for recording in made.read {
            for oddity in recording.oddities where !isQuiet {
                Terminal.error("understudy: \(oddity.text(in: recording.name))")
            }
        }
        let usable = made.book?.lines.count ?? 0
        let unusable = made.book?.unusable ?? 0
        if !isQuiet {
            Terminal.error(
                "understudy: replaying \(usable) entries"
                    + (unusable > 0 ? "; \(unusable) more have no answer to replay" : "")
            )
        }
        configuration.mode = made
        return operate(configuration)
    }

    // MARK: diff

    private static let diffOptions =
        [
            apiOption,
            Option(
                name: "user",
                kind: .value("WHO"),
                help: "whose credential stands in for those whose sign-in the recording does not hold",
                standard: "none"
            ),
            Option(name: "values", kind: .toggle, help: "shows values that differ too", standard: "off"),
            Option(name: "ignore-body", kind: .list("a.b…"), help: "members of bodies left out", standard: "none"),
            Option(name: "ignore-headers", kind: .list("NAME…"), help: "header fields left out", standard: "none"),
            Option(name: "json", kind: .toggle, help: "prints JSON", standard: "off"),
        ] + ServeOptions.shared.filter { $0.name != "clock" }  // Each entry is compared at the time of its recording.

    static func diff(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: diffOptions, takesOperands: 1)
        if arguments.wantsHelp {
            Terminal.out(Help.command("diff", usage: "FILE.har --api NAME [flags]", options: diffOptions))
            return ExitCode.ok
        }
        guard let file = arguments.operands.first.map(inputName) else {
            throw UsageError(message: "diff needs a recording: FILE.har")
        }
        try expectFiles([file])
        let (configuration, api) = try configuration("diff", diffOptions, arguments)
        var order = OfflineDiff.Order(api: api, seeds: configuration.seeds, seed: configuration.emulator.seed)
        order.user = arguments.values["user"]?.last
        order.rules = MatchRules(
            headers: arguments.values["ignore-headers"] ?? [],
            query: [],
            body: arguments.values["ignore-body"] ?? []
        )
        var progress = Progress()
        let isJSON = arguments.values["json"] != nil
        let showsValues = arguments.values["values"] != nil
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
        if let other = summary.likelyAPI {
            Terminal.error(
                "understudy: warning: \(file) has no path of \(api); its paths are those of \(other): --api \(other)"
            )
        }
        if summary.compared == 0 {
            let why = summary.reasons.first.map { "most of its entries were not because \($0.reason)" }
            Terminal.error("understudy: warning: nothing was compared: \(file): \(why ?? "it has no entries")")
        }
        return summary.breaking > 0 ? ExitCode.failed : ExitCode.ok
    }
}
