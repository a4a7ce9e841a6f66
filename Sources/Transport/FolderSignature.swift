#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The names, sizes, times and numbers of a folder's content.
///
/// Two equal signatures most likely have the same content.
package struct FolderSignature: Sendable, Equatable {
    private struct Item: Sendable, Equatable {
        var path: String
        var size: Int
        var seconds: Int
        var nanoseconds: Int
        /// A file that took another's place has another number, whatever time it has.
        var number: UInt64
    }

    /// The number of items that are examined, above that of any seeds.
    private static let mostItems = 100_000

    private var items: [Item] = []

    /// Examines the files of a folder and of its subfolders, no deeper than `depth`.
    ///
    /// `skips` tells by its name which file or folder is not looked at.
    package init(of root: String, depth: Int, skips: (String) -> Bool = { _ in false }) {
        add([], root, depth, skips: skips)
    }

    /// The signature of the files alone for which a closure returns true, by their path in the folder.
    package func restricted(to takes: (String) -> Bool) -> FolderSignature {
        var copy = self
        copy.items = items.filter { takes($0.path) }
        return copy
    }

    /// The number of files, without folders.
    package var fileCount: Int { items.count { $0.size >= 0 } }

    private mutating func add(
        _ components: [String],
        _ root: String,
        _ depth: Int,
        skips: (String) -> Bool
    ) {
        for name in FolderReader.names(in: components, below: root) ?? [] where !skips(name) {
            guard items.count < Self.mostItems else { return }
            let path = components + [name]
            var status = stat()
            let text = ([root] + path).joined(separator: "/")
            guard lstat(text, &status) == 0 else { continue }
            let changed = Self.changed(status)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            items.append(
                Item(
                    path: path.joined(separator: "/"),
                    size: isFolder ? -1 : Int(status.st_size),
                    // A folder's own time changes with files that do not count, such as those of an editor.
                    seconds: isFolder ? 0 : changed.seconds,
                    nanoseconds: isFolder ? 0 : changed.nanoseconds,
                    number: isFolder ? 0 : UInt64(status.st_ino)
                )
            )
            if isFolder, depth > 0 { add(path, root, depth - 1, skips: skips) }
        }
    }

    private static func changed(_ status: stat) -> (seconds: Int, nanoseconds: Int) {
        #if canImport(Darwin)
        (Int(status.st_mtimespec.tv_sec), Int(status.st_mtimespec.tv_nsec))
        #else
        (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
        #endif
    }
}
