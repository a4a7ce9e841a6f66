import ClientCommands
import Control
import Proxying
import Recording
import Serving
import Transport
import Understudy

/// `record`: proxies one API to its real backend and writes a recording (control contract, section 13).
enum RecordCommand: Command {
    static let name = "record"
    static let summary = "serves an API from its real backend and writes a redacted recording"
    static let part: CommandPart? = .serving
    static let usage = "--api NAME --upstream URL [--out FILE.har] [--links here|keep] [--fresh] [serve flags]"
    static let options = [
        RecordingOptions.api, RecordingOptions.upstream,
        Option(
            name: "out",
            kind: .value("FILE.har"),
            values: .files,
            help: "the recording",
            default: "recordings/NAME.har, in the folder of the API if it has one"
        ),
        Option(
            name: "links",
            kind: .value("here|keep"),
            values: .names(ModeOrder.Links.allCases.map(\.rawValue)),
            help: "here: links to the backend point to this server; the recording keeps the original",
            default: "keep"
        ),
        Option(
            name: "fresh",
            kind: .toggle,
            help: "takes If-None-Match and If-Modified-Since out of requests, so that 200s are recorded and no 304s",
            default: "off"
        ),
        Option(
            name: "no-redact",
            kind: .toggle,
            help: "keeps every secret in the recording, whose name then ends in .unredacted.har",
            default: "off"
        ),
    ]
    static let settings = RecordingOptions.serve
    static let examples = [
        Example(
            "understudy record --api trendy --upstream https://api.example.com --out trendy.har",
            "records while an app uses the API's port"
        )
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var (configuration, api, drawsCode) = try RecordingOptions.configuration(of: self, arguments)
        try RecordingOptions.checkShared(configuration, name)
        var order = ModeOrder(api: 0, mode: .record)
        order.upstream = try RecordingOptions.origin(arguments["upstream"], "record")
        if let text = arguments["links"] {
            guard let links = ModeOrder.Links(rawValue: text) else {
                throw UsageError(message: "--links: \"\(text)\" is neither here nor keep")
            }
            order.links = links
        }
        order.fresh = arguments.isOn("fresh")
        let redacts = !arguments.isOn("no-redact")
        // The recordings of a custom API belong to its folder.
        let own = configuration.customAPIs.first { $0.name == api }?.folder
        let folder = own.map { "\($0)/recordings" } ?? "recordings"
        let path = RecordingFiles.outputName(arguments["out"] ?? "\(folder)/\(api).har", redacts: redacts)
        if arguments["out"] == nil {
            do throws(Errno) {
                try DataFile.makeFolder(folder)
            } catch {
                throw UsageError(
                    message: "can't create the folder \(folder): \(error); --out FILE.har names another place"
                )
            }
        }
        order.recording = path
        do throws(RecordingError) {
            configuration.mode = try ModePreparation.make(order, [.path(path)], redacts: redacts)
        } catch {
            throw UsageError(message: error.text)
        }
        if !redacts {
            Terminal.error(
                "understudy: warning: --no-redact: \(path) will hold every password, token and personal detail in the "
                    + "traffic"
            )
        }
        if configuration.logLevel != .quiet {
            configuration.onRecorded = { RecordingCounts.show($0.entries, $0.bytes, $0.problem) }
        }
        return EmulatorRun.untilStopped(configuration, drawsCode: drawsCode)
    }
}
