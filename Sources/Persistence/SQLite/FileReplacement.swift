#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The atomic replacement of files: written beside their place, synced, then renamed into it.
package enum FileReplacement {
    /// The suffix of the previous copy.
    package static let previousSuffix = ".previous"
    /// The suffix of a file until it is complete.
    package static let unfinishedSuffix = ".unfinished"

    /// Writes a file; the previous one is kept beside it as `NAME.previous`.
    package static func write(_ bytes: [UInt8], to path: String) throws(StorageError) {
        let unfinished = path + unfinishedSuffix
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure() }
        var isWritten = writeAll(bytes, descriptor) && fsync(descriptor) == 0
        let reason = errno
        isWritten = close(descriptor) == 0 && isWritten
        guard isWritten else {
            unlink(unfinished)
            throw failure(reason)
        }
        try install(unfinished, as: path)
    }

    /// Renames a finished file into its place; the previous one is kept beside it as `NAME.previous`.
    package static func install(_ finished: String, as path: String) throws(StorageError) {
        try sync(finished)
        var status = stat()
        if lstat(path, &status) == 0 {
            // By a link, so that there is no moment in which the place is empty.
            let previous = path + previousSuffix
            unlink(previous)
            guard link(path, previous) == 0 else { throw failure() }
        }
        guard rename(finished, path) == 0 else { throw failure() }
        try sync(folder(of: path))
    }

    /// Waits until a file or a folder is on disk.
    package static func sync(_ path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        let result = fsync(descriptor)
        let reason = errno
        close(descriptor)
        guard result == 0 else { throw failure(reason) }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func writeAll(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Darwin.write(descriptor, bytes, count)
        #endif
    }

    private static func failure(_ reason: Int32 = errno) -> StorageError {
        let kind: StorageError.Kind =
            switch reason {
            case ENOSPC, EDQUOT: .full
            case EACCES, EPERM, EROFS, ENOENT, ENOTDIR: .notAccessible
            default: .inputOutput
            }
        return StorageError(kind, String(cString: strerror(reason)))
    }
}
