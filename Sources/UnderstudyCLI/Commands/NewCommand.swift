import APIFolders
import Backend
import ClientCommands
import CustomAPIs
import JSON
import Scaffolding
import Traffic
import Transport
import Understudy

/// `new`: writes the folder of an API of the user's own (own-API contract, section 19).
enum NewCommand: Command {
    static let name = "new"
    static let summary = "creates the folder of your own API"
    static let part: CommandPart? = .own
    static let usage =
        "NAME [--apis DIR] [--openapi FILE] [--json-server FILE] [--har FILE… [--host GLOB…]] [--wiremock DIR] "
        + "[--table NAME…] [--no-redact] [--complete]"
    static let operands = Operands.name([])
    static let options = [
        Option(
            name: "apis",
            kind: .value("DIR"),
            values: .folders,
            help: "the folder that holds the folders of APIs",
            default: "./apis"
        ),
        Option(
            name: "openapi",
            kind: .value("FILE"),
            values: .files,
            help: "copies an OpenAPI document, and creates the tables, resources and sign-in that it describes",
            default: "none"
        ),
        Option(
            name: "json-server",
            kind: .value("FILE"),
            values: .files,
            help: "imports the db.json of json-server: lists as tables, single objects as single resources",
            default: "none"
        ),
        Option(
            name: "har",
            kind: .list("FILE…"),
            values: .files,
            help: "imports the entries of HAR files, without their secrets",
            default: "none"
        ),
        RecordingOptions.host,
        Option(
            name: "wiremock",
            kind: .value("DIR"),
            values: .folders,
            help: "imports WireMock's mappings in DIR/mappings as stubs, with the bodies in DIR/__files",
            default: "none"
        ),
        Option(
            name: "table",
            kind: .list("NAME…"),
            help: "creates a table with three rows and a resource at /NAME",
            default: "none"
        ),
        Option(
            name: "no-redact",
            kind: .toggle,
            help: "keeps every secret of the HAR files, whose names then end in .unredacted.har",
            default: "off"
        ),
        Option(
            name: "complete",
            kind: .toggle,
            help: "adds to the folder what its OpenAPI document describes; what is there stays as it is",
            default: "off"
        ),
    ]
    static let discussion =
        "Without a source the folder gets a stub for GET /hello, a table and a resource of items, and a scenario."
    static let examples = [
        Example("understudy new shop", "an example of each kind of file, to change"),
        Example("understudy new shop --openapi shop.yaml", "an API that responds as its document says"),
        Example("understudy new shop --json-server db.json", "the tables of json-server"),
        Example("understudy new shop --complete", "tables, resources and sign-in for the document in apis/shop"),
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        guard let name = arguments.operands.first else {
            throw UsageError(message: "new needs a name: understudy new NAME")
        }
        if let reason = nameRefusal(of: name) {
            throw UsageError(message: "\"\(VisibleText.escaped(name))\": \(reason)")
        }
        let root = try root(arguments)
        let isDefault = root == CustomAPICatalogue.usualFolder
        let shown = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
        let folder = "\(shown)/\(name)"
        let completes = arguments.isOn("complete")
        if !completes, FolderReader.exists(folder) { throw NewFolder.exists(folder) }
        let scaffold: Scaffold
        let reading: CustomAPIReading
        do throws(SeedError) {
            var (order, kept) =
                completes
                ? try present(folder, name, arguments)
                : (try order(arguments), CustomAPIFolder(name: name, place: folder, files: []))
            (scaffold, reading) = try made(&order, kept)
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"), isAboutLine: false)
        }
        if arguments.isOn("no-redact"), arguments["har"] != nil {
            Terminal.error(
                "understudy: warning: --no-redact: \(shown)/\(name)/recordings will hold every password, token and "
                    + "personal detail in the traffic"
            )
        }
        try write(scaffold, name, below: shown, completes: completes)
        tell(scaffold, folder)
        for note in reading.notes + reading.examined() { Terminal.error("note: \(note.text)") }
        let report = scaffold.proposal
        if let report, let definition = reading.definition {
            for line in ProposalText.lines(report, definition) { Terminal.out(line) }
        }
        Terminal.out("understudy serve \(isDefault ? "" : "--apis \(shown) ")--api \(name)")
        if let report, let definition = reading.definition { Terminal.out(ProposalText.call(report, definition)) }
        return ExitCode.ok
    }

    /// Makes the files and reads them as `serve` will.
    ///
    /// Rows made of a document that would not be taken are left out, and if that does not help, all that is made of it.
    private static func made(
        _ order: inout ScaffoldOrder,
        _ folder: CustomAPIFolder
    ) throws(SeedError) -> (Scaffold, CustomAPIReading) {
        for _ in 0..<3 {
            let scaffold = try Scaffold(order, version: RunningEmulator.version)
            do throws(SeedError) {
                return (scaffold, try check(scaffold, folder))
            } catch {
                guard scaffold.proposal != nil else { throw error }
                for item in error.items {
                    let parts = item.place.split(separator: "/").suffix(2)
                    guard parts.first == "tables", let file = parts.last else { continue }
                    order.refusedRows[String(file.dropLast(5))] = "\(item.path): \(item.reason)"
                }
            }
        }
        order.proposes = false
        let scaffold = try Scaffold(order, version: RunningEmulator.version)
        let note = "the document is copied, and nothing is made of it: its tables would not fit"
        Terminal.error("note: \(note)")
        return (scaffold, try check(scaffold, folder))
    }

    /// Lists the files, and what was not carried over.
    private static func tell(_ scaffold: Scaffold, _ folder: String) {
        for file in scaffold.files { Terminal.out("\(folder)/\(file.path)") }
        if scaffold.files.isEmpty { Terminal.out("\(folder) has all that its document describes; nothing is changed") }
        guard !scaffold.omissions.isEmpty else { return }
        Terminal.out("left out or changed:")
        for item in scaffold.omissions { Terminal.out("  \(item.text)") }
        let (count, disabled) = scaffold.mappings
        if disabled > 0 { Terminal.out("disabled with \"enabled\":false: \(disabled) of \(count) stubs") }
    }

    private static func nameRefusal(of name: String) -> String? {
        if let reason = CustomAPIName.refusal(of: name) { return reason }
        return APICatalogue.names.contains(name) ? "a built-in API has this name" : nil
    }

    /// The folder that the flag names, else the first one of the other settings.
    private static func root(_ arguments: Arguments) throws(UsageError) -> String {
        if let named = arguments["apis"] { return named }
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        Terminal.warn(settings.warnings)
        return settings.list(CustomAPIOptions.folders.name)?.first ?? CustomAPICatalogue.usualFolder
    }

    private static func order(_ arguments: Arguments) throws(SeedError) -> ScaffoldOrder {
        var order = ScaffoldOrder()
        order.redacts = !arguments.isOn("no-redact")
        var problems: [SeedError.Item] = []
        for name in ["table", "har"] where arguments.values[name]?.isEmpty == true {
            problems.append(SeedError.Item(flag: "--\(name)", reason: "needs a value"))
        }
        for table in arguments.values["table"] ?? [] {
            guard !order.tables.contains(table) else { continue }
            order.tables.append(table)
            if let reason = TableFiles.refusal(of: table) {
                problems.append(SeedError.Item(flag: "--table", reason: "\"\(table)\": \(reason)"))
            }
        }
        func read(_ body: () throws(SeedError) -> Void) {
            do throws(SeedError) { try body() } catch { problems += error.items }
        }
        if let path = arguments["json-server"] {
            read { () throws(SeedError) in order.database = try ScaffoldSources.database(path) }
        }
        if let path = arguments["openapi"] {
            read { () throws(SeedError) in order.document = try ScaffoldSources.document(path) }
        }
        if let paths = arguments.values["har"] {
            read { () throws(SeedError) in order.archives = try ScaffoldSources.archives(paths) }
        }
        order.hosts = arguments.values[RecordingOptions.host.name] ?? []
        if !order.hosts.isEmpty, arguments["har"] == nil {
            problems.append(SeedError.Item(flag: "--host", reason: "requires --har"))
        }
        if let path = arguments["wiremock"] {
            read { () throws(SeedError) in try ScaffoldSources.wireMock(path, into: &order) }
        }
        guard problems.isEmpty else { throw SeedError(problems) }
        return order
    }

    /// Reads a folder that is to be completed.
    private static func present(
        _ path: String,
        _ name: String,
        _ arguments: Arguments
    ) throws(SeedError) -> (ScaffoldOrder, CustomAPIFolder) {
        let others = ["openapi", "json-server", "har", RecordingOptions.host.name, "wiremock", "table"]
        if let other = others.first(where: { arguments.values[$0] != nil }) {
            throw refusal("--\(other)", "can't be used with --complete, which reads the document in \(path)")
        }
        guard FolderReader.isFolder(path) else {
            throw refusal(path, "there is no such folder: understudy new \(name) --openapi FILE creates it")
        }
        let folder = CustomAPIFolderReader.read(path, name: name)
        let documents = CustomAPIFolder.documents.filter { folder.file($0) != nil }
        guard let document = documents.first else {
            throw refusal(path, "has no openapi.yaml, openapi.yml or openapi.json to complete it from")
        }
        var order = ScaffoldOrder()
        var api: JSONObject?
        if let file = folder.file("api.json") {
            let reading = CustomAPIReader.read(folder)
            guard reading.errors.isEmpty else { throw SeedError(reading.errors) }
            guard case .bytes(let bytes) = file.content else { throw refusal(file.place, "can't be read") }
            api = (try? JSONReader.read(bytes))?.objectValue
        }
        let tables = folder.files(in: "tables", ending: ".json").map { $0.name.dropFirst(7).dropLast(5) }
        order.present = ScaffoldOrder.Present(api: api, tables: tables.map(String.init))
        order.document = try ScaffoldSources.document("\(path)/\(document)")
        return (order, folder)
    }

    private static func refusal(_ place: String, _ reason: String) -> SeedError {
        SeedError([SeedError.Item(flag: place, reason: reason)])
    }

    /// Reads the files as `serve` will; nothing is written that would not be taken.
    private static func check(_ scaffold: Scaffold, _ folder: CustomAPIFolder) throws(SeedError) -> CustomAPIReading {
        let made = scaffold.files.map {
            CustomAPIFolder.File(name: $0.path, place: "\(folder.place)/\($0.path)", bytes: $0.bytes)
        }
        let reading = CustomAPIReader.read(folder.with(made))
        guard reading.errors.isEmpty else { throw SeedError(reading.errors) }
        return reading
    }

    private static func write(
        _ scaffold: Scaffold,
        _ name: String,
        below root: String,
        completes: Bool
    ) throws(UsageError) {
        let files = scaffold.files.map { file in
            FolderWriter.File(
                components: file.path.split(separator: "/").map(String.init),
                bytes: file.bytes,
                isPrivate: file.path.hasSuffix(".har")
            )
        }
        guard completes else { return try NewFolder.create(name, below: root, files: files) }
        if !files.isEmpty { try NewFolder.complete(name, below: root, files: files) }
    }
}
