package import Emulation
import Transport

/// Where the seed worlds come from: a folder, or the copy inside the binary (control contract, section 6).
package enum SeedSource: Sendable, Equatable {
    case builtIn
    case folder(String)

    /// The files of one API.
    package func files(api: String) throws(SeedError) -> SeedFiles {
        switch self {
        case .builtIn:
            return SeedFiles(
                EmbeddedSeeds.files.filter { $0.api == api }.map {
                    SeedFiles.File(name: $0.name, place: "built-in:\(api)/\($0.name)", bytes: Array($0.text.utf8))
                },
                isBuiltIn: true
            )
        case .folder(let root):
            var files: [SeedFiles.File] = []
            for (folder, prefix) in [("", ""), ("/scenarios", "scenarios/")] {
                let path = "\(root)/\(api)\(folder)"
                guard let names = FolderReader.names(in: path) else {
                    if prefix.isEmpty { throw Self.fault(path, "the folder can't be read") }
                    continue
                }
                for name in names where name.hasSuffix(".json") {
                    let place = "\(path)/\(name)"
                    guard let bytes = FolderReader.contents(of: name, in: path) else {
                        throw Self.fault(place, "the file can't be read, or leads out of its folder")
                    }
                    files.append(SeedFiles.File(name: prefix + name, place: place, bytes: bytes))
                }
            }
            return SeedFiles(files)
        }
    }

    private static func fault(_ place: String, _ reason: String) -> SeedError {
        SeedError([SeedError.Item(place: place, line: 1, path: "$", reason: reason)])
    }
}
