package import Backend
import JSON
import Transport

/// The source of the seed worlds: a folder, or the copy inside the binary (control contract, section 6).
package enum SeedSource: Sendable, Equatable {
    case builtIn
    case folder(String)

    /// The files of one API.
    ///
    /// A folder need not be complete. If it has no table of an API, the built-in tables are used. Its scenarios are
    /// added to the built-in ones and replace those of the same name.
    package func files(api: String) throws(SeedError) -> SeedFiles {
        guard case .folder(let root) = self else { return Self.builtIn(api) }
        let names = APICatalogue.names
        for name in FolderReader.names(in: [], below: root) ?? [] where !names.contains(name) && !name.hasPrefix(".") {
            guard FolderReader.names(in: [name], below: root) != nil else { continue }
            let hint = Suggestion.hint(to: name, among: names)
            throw Self.fault("\(root)/\(name)", "there is no API of that name\(hint)")
        }
        guard names.contains(where: { FolderReader.names(in: [$0], below: root) != nil }) else {
            throw Self.fault(root, "the folder can't be read, or has no folder named after an API")
        }
        return try Self.files(api: api, below: root)
    }

    /// The files of one API, from the folder of its name below `root`; other entries of `root` are ignored.
    package static func files(api: String, below root: String) throws(SeedError) -> SeedFiles {
        let own = try Self.folder(root, api)
        let builtIn = Self.builtIn(api)
        // A checkout of the project holds the same files as the binary, which need not be parsed again.
        let sorted = own.files.sorted { $0.name < $1.name }
        if sorted.count == builtIn.files.count, zip(sorted, builtIn.files).allSatisfy({ $0.isCopy(of: $1) }) {
            return builtIn
        }
        guard own.files.contains(where: { !$0.name.hasPrefix(Self.scenarios) }) else {
            guard !own.files.isEmpty else { return builtIn }
            let taken = Set(own.files.map(\.name))
            return SeedFiles(builtIn.files.filter { !taken.contains($0.name) } + own.files)
        }
        let taken = Set(own.files.map(\.name))
        let others = builtIn.files.filter { $0.name.hasPrefix(Self.scenarios) && !taken.contains($0.name) }
        return SeedFiles((own.files + others).sorted { $0.name < $1.name })
    }

    private static let scenarios = "scenarios/"

    /// The files that come with the build.
    package static func builtIn(_ api: String) -> SeedFiles { APICatalogue.builtInSeed(of: api) }

    private static func folder(_ root: String, _ api: String) throws(SeedError) -> SeedFiles {
        var files: [SeedFiles.File] = []
        // A scenario's name may have two parts, such as `expired-session/refresh-dead`.
        let parts = (FolderReader.names(in: [api, "scenarios"], below: root) ?? [])
            .filter { !$0.contains(".") }
            .map { ([api, "scenarios", $0], scenarios + $0 + "/") }
        for (components, prefix) in [([api], ""), ([api, "scenarios"], scenarios)] + parts {
            let path = ([root] + components).joined(separator: "/")
            guard let names = FolderReader.names(in: components, below: root) else {
                // A missing folder is no problem, but an existing one has to be readable.
                if FolderReader.exists(path) { throw fault(path, "the folder can't be read, or is a link") }
                continue
            }
            for name in names where name.hasSuffix(".json") {
                let place = "\(path)/\(name)"
                guard let bytes = FolderReader.contents(of: name, in: components, below: root) else {
                    throw fault(place, "the file can't be read, or is a link")
                }
                files.append(SeedFiles.File(name: prefix + name, place: place, bytes: bytes))
            }
        }
        return SeedFiles(files)
    }

    private static func fault(_ place: String, _ reason: String) -> SeedError {
        SeedError([SeedError.Item(place: place, line: 1, path: "$", reason: reason)])
    }
}
