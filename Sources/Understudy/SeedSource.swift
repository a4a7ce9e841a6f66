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
                EmbeddedSeeds.files(of: api).map {
                    SeedFiles.File(name: $0.name, place: "built-in:\(api)/\($0.name)", bytes: Array($0.text.utf8))
                },
                isBuiltIn: true
            )
        case .folder(let root):
            var files: [SeedFiles.File] = []
            for (components, prefix) in [([api], ""), ([api, "scenarios"], "scenarios/")] {
                let path = ([root] + components).joined(separator: "/")
                guard let names = FolderReader.names(in: components, below: root) else {
                    // No scenarios is no fault, but a folder that is there has to be one.
                    if prefix.isEmpty || FolderReader.exists(path) {
                        throw Self.fault(path, "the folder can't be read, or is a link")
                    }
                    continue
                }
                for name in names where name.hasSuffix(".json") {
                    let place = "\(path)/\(name)"
                    guard let bytes = FolderReader.contents(of: name, in: components, below: root) else {
                        throw Self.fault(place, "the file can't be read, or is a link")
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
