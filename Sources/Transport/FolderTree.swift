#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the files of a folder and of those in it (own-API contract, section 23).
///
/// A link within the folder is followed if it stays there. Each file is opened component by component, without
/// following links any more, so that nothing can lead outside in between.
package struct FolderTree: Sendable {
    /// The kind of thing that a path leads to.
    package enum Look: Sendable, Equatable {
        case missing
        /// A regular file of that many bytes.
        case file(Int)
        case folder
        /// Something that is not read, with the reason.
        case refused(String)
    }

    /// The folder as the user named it.
    package let root: String
    /// The absolute path of the folder without links; nil if there is no such folder.
    private let realRoot: String?

    package init(_ root: String) {
        self.root = root
        realRoot = FolderReader.isFolder(root) ? Self.realPath(root) : nil
    }

    /// The path of an entry, as the user knows the folder.
    package func place(_ components: [String]) -> String {
        let start = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
        return ([start] + components).joined(separator: "/")
    }

    /// Returns what an entry is.
    package func look(at components: [String]) -> Look {
        guard let realRoot else { return .missing }
        guard let real = Self.realPath(([realRoot] + components).joined(separator: "/")) else {
            return FolderReader.exists(([realRoot] + components).joined(separator: "/"))
                ? .refused("is a link that leads nowhere, or can't be reached") : .missing
        }
        guard real == realRoot || real.hasPrefix(realRoot == "/" ? "/" : realRoot + "/") else {
            return .refused("is a link that leads out of the folder")
        }
        var status = stat()
        guard stat(real, &status) == 0 else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(Int(status.st_size))
        case S_IFDIR:
            let own = ([realRoot] + components.dropLast()).joined(separator: "/")
            guard components.isEmpty || !(own + "/").hasPrefix(real + "/") else {
                return .refused("is a link to a folder around it")
            }
            return .folder
        default: return .refused("is neither a file nor a folder")
        }
    }

    /// Returns the names in a folder, in byte order; nil if it can't be read.
    package func names(in components: [String]) -> [String]? {
        guard let realRoot, let inner = inner(components) else { return nil }
        return FolderReader.names(in: inner, below: realRoot)
    }

    /// Returns a regular file's bytes; nil if it can't be read or has more than `limit`.
    package func contents(of components: [String], limit: Int) -> [UInt8]? {
        guard let realRoot, case .file(let size) = look(at: components), size <= limit,
            var inner = inner(components), let name = inner.popLast(),
            let bytes = FolderReader.contents(of: name, in: inner, below: realRoot), bytes.count <= limit
        else { return nil }
        return bytes
    }

    /// The components of an entry's real path below the folder; nil if it lies elsewhere.
    private func inner(_ components: [String]) -> [String]? {
        guard let realRoot, let real = Self.realPath(([realRoot] + components).joined(separator: "/")) else {
            return nil
        }
        guard real != realRoot else { return [] }
        let start = realRoot == "/" ? "/" : realRoot + "/"
        guard real.hasPrefix(start) else { return nil }
        return real.dropFirst(start.count).split(separator: "/").map(String.init)
    }

    private static func realPath(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
