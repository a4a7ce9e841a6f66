import Backend
import ClientCommands
import JSON
import Transport
import Understudy

/// `seeds`: writes the built-in seeds, as a starting point (clients contract, section 1).
enum SeedsCommand: Command {
    static let name = "seeds"
    static let summary = "writes the built-in seeds and scenarios to a folder, as a starting point"
    static let part: CommandPart? = .own
    static let usage = "write DIR [--api NAME…]"
    static let operands = Operands.actions([
        Action("write", "DIR", "writes them; DIR must be new or empty", counts: 1...1, values: .folders)
    ])
    static let options = [LoadedAPIs.option]
    // It asks no server, and takes what its neighbours take (clients contract, section 1).
    static var serverFlags: [Option] { ServerOptions.all.filter { $0.name != ServerOptions.api.name } }
    static let examples = [Example("understudy seeds write seeds", "then: understudy serve --watch")]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let names = arguments.values["api"] ?? APICatalogue.names
        for name in names where !APICatalogue.names.contains(name) {
            throw UsageError(message: LoadedAPIs.unknown(name, among: APICatalogue.names))
        }
        let folder = arguments.operands[0]
        guard !arguments.isOn("explain") else {
            Terminal.out("# seeds write makes no control call: it writes files that are built into the program")
            return ExitCode.ok
        }
        if FolderReader.exists(folder) {
            guard let found = FolderReader.names(in: [], below: folder) else {
                throw UsageError(message: "\(folder) is not a readable folder", isAboutLine: false)
            }
            guard found.isEmpty else {
                throw UsageError(message: "\(folder) is not empty, and nothing is overwritten", isAboutLine: false)
            }
        }
        var count = 0
        for name in names {
            let files = SeedSource.builtIn(name).files.map { file in
                FolderWriter.File(
                    components: file.name.split(separator: "/").map(String.init),
                    bytes: file.bytes,
                    isPrivate: false
                )
            }
            try NewFolder.create(name, below: folder, files: files)
            count += files.count
        }
        if arguments.isOn("json") {
            let apis = JSON.array(names.map { .string($0) })
            Terminal.out(JSON.object(["folder": .string(folder), "files": .integer(Int64(count)), "apis": apis]).text)
            return ExitCode.ok
        }
        Terminal.out("wrote \(count) files of \(names.count) \(names.count == 1 ? "API" : "APIs") to \(folder)")
        return ExitCode.ok
    }
}
