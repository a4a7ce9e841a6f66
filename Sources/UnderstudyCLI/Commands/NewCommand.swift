import Backend
import ClientCommands
import CustomAPIs
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
        "NAME [--apis DIR] [--openapi FILE] [--har FILE… [--host GLOB…]] [--wiremock DIR] [--table NAME…] [--no-redact]"
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
            help: "copies an OpenAPI document and the files that it refers to",
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
    ]
    static let discussion =
        "Without a source the folder gets a stub for GET /hello, a table and a resource of items, and a scenario."
    static let examples = [
        Example("understudy new shop", "an example of each kind of file, to change"),
        Example("understudy new shop --openapi shop.yaml", "an API that responds as its document says"),
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
        guard !FolderReader.exists("\(shown)/\(name)") else { throw NewFolder.exists("\(shown)/\(name)") }
        let scaffold: Scaffold
        let notes: [SeedError.Item]
        do throws(SeedError) {
            scaffold = try Scaffold(order(arguments), version: RunningEmulator.version)
            notes = try check(scaffold, name, "\(shown)/\(name)")
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"), isAboutLine: false)
        }
        if arguments.isOn("no-redact"), arguments["har"] != nil {
            Terminal.error(
                "understudy: warning: --no-redact: \(shown)/\(name)/recordings will hold every password, token and "
                    + "personal detail in the traffic"
            )
        }
        try write(scaffold, name, below: shown)
        for file in scaffold.files { Terminal.out("\(shown)/\(name)/\(file.path)") }
        if !scaffold.omissions.isEmpty {
            Terminal.out("left out or changed:")
            for item in scaffold.omissions { Terminal.out("  \(item.text)") }
            let (count, disabled) = scaffold.mappings
            if disabled > 0 { Terminal.out("disabled with \"enabled\":false: \(disabled) of \(count) stubs") }
        }
        for note in notes { Terminal.error("note: \(note.text)") }
        Terminal.out("understudy serve \(isDefault ? "" : "--apis \(shown) ")--api \(name)")
        return ExitCode.ok
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

    /// Reads the files as `serve` will and returns its notes; nothing is written that would not be taken.
    private static func check(
        _ scaffold: Scaffold,
        _ name: String,
        _ place: String
    ) throws(SeedError) -> [SeedError.Item] {
        let files = scaffold.files.map {
            CustomAPIFolder.File(name: $0.path, place: "\(place)/\($0.path)", bytes: $0.bytes)
        }
        let reading = CustomAPIReader.read(CustomAPIFolder(name: name, place: place, files: files))
        guard reading.errors.isEmpty else { throw SeedError(reading.errors) }
        return reading.notes + reading.examined()
    }

    private static func write(_ scaffold: Scaffold, _ name: String, below root: String) throws(UsageError) {
        let files = scaffold.files.map { file in
            FolderWriter.File(
                components: file.path.split(separator: "/").map(String.init),
                bytes: file.bytes,
                isPrivate: file.path.hasSuffix(".har")
            )
        }
        try NewFolder.create(name, below: root, files: files)
    }
}
