#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a store, with checks of the files in it.
///
/// A link is refused wherever it leads, because SQLite would look for the log beside its target (control contract,
/// section 18). A file with a second name is refused as well: that name may be in another folder without the log. The
/// folder itself may be a link, because the user names it.
struct StoreFolder {
    private let folder: String
    private let name: String

    init(_ folder: String, _ name: String) {
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.name = name
    }

    /// Returns true if the file is there; throws if the places beside it hold anything that SQLite must not touch.
    func hasFile() throws(WorldStoreError) -> Bool {
        for suffix in ["-wal", "-shm", "-journal", FileReplacement.unfinishedSuffix] {
            guard let kind = Self.kind(of: folder + name + suffix) else { continue }
            throw WorldStoreError(
                path: folder + name + suffix,
                reason: "is \(kind), where the store needs a file of its own. Nothing was changed: "
                    + "move it away, or name another folder with --state"
            )
        }
        let path = folder + name
        if let kind = Self.kind(of: path) {
            throw WorldStoreError(
                path: path,
                reason: "is \(kind), but a store must be a regular file. Nothing was changed: move it away, or name "
                    + "the store's folder with --state"
            )
        }
        let names = Self.names(of: path)
        if names > 1 {
            throw WorldStoreError(
                path: path,
                reason:
                    "has \(names) names (hard links), so writing here would change the file under its "
                    + "other names too, such as a backup. Nothing was changed: put a copy in its place, or name another "
                    + "folder with --state"
            )
        }
        return StateFile.size(path) != nil
    }

    /// Returns the number of names of the regular file at a path; 0 if there is none.
    private static func names(of path: String) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(status.st_nlink)
    }

    /// Returns, in words, the kind of anything at a path other than a regular file; nil if there is one, or nothing.
    static func kind(of path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "a symbolic link"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}
