#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is read and written at offsets of the caller's choice.
///
/// Several threads may use it at once: no call depends on another's position.
package final class DataFile: Sendable {
    private let descriptor: OwnedDescriptor
    /// The folder that it was opened in.
    private let folder: String
    /// Its name in that folder, when it was opened.
    package let name: String

    private init(_ number: Int32, _ name: String, in folder: String) {
        descriptor = OwnedDescriptor(number)
        self.name = name
        self.folder = folder
    }

    /// Opens a regular file that the user named.
    package static func reading(_ path: String) throws(Errno) -> DataFile {
        try regular(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), name(of: path), in: folder(of: path))
    }

    private static func name(of path: String) -> String {
        path.utf8.lastIndex(of: 0x2F).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the content of a file beside this one, by its name alone; nil if there is none of at most `limit` bytes.
    ///
    /// A link is refused.
    package func contents(beside name: String, limit: Int) -> [UInt8]? {
        guard let file = try? DataFile.named(name, below: folder, isWritable: false), file.size <= limit else {
            return nil
        }
        return try? file.read(at: 0, count: file.size)
    }

    /// Opens a file for reading and writing, and creates it if it is missing.
    ///
    /// Only this user can read a new one, unless it is `forAll` whom the process' mask lets.
    package static func writing(_ path: String, forAll: Bool = false) throws(Errno) -> DataFile {
        let mode: mode_t = forAll ? 0o666 : 0o600
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, mode)
        return try regular(number, name(of: path), in: folder(of: path))
    }

    /// Opens a file directly below a folder.
    ///
    /// A link is refused, and so is a name that leads elsewhere.
    package static func named(_ name: String, below folder: String, isWritable: Bool) throws(Errno) -> DataFile {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { throw Errno(code: EINVAL) }
        if isWritable { _ = mkdir(folder, 0o755) }
        let directory = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard directory >= 0 else { throw .current }
        defer { _ = close(directory) }
        let flags = (isWritable ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        return try regular(openat(directory, name, flags, 0o600), name, in: folder)
    }

    private static func regular(_ number: Int32, _ name: String, in folder: String) throws(Errno) -> DataFile {
        guard number >= 0 else { throw .current }
        let file = DataFile(number, name, in: folder)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .current }
        if let error = Errno.ofIrregular(status) { throw error }
        return file
    }

    /// The length in bytes.
    package var size: Int {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns the bytes from an offset on; there are fewer than requested only at the end of the file.
    package func read(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        var done = 0
        while done < count {
            let start = done
            let result = bytes.withUnsafeMutableBytes { buffer in
                retryingInterruptions {
                    pread(
                        descriptor.number,
                        buffer.baseAddress.map { $0 + start },
                        count - start,
                        off_t(offset + start)
                    )
                }
            }
            switch result {
            case .success(0):
                bytes.removeLast(count - done)
                return bytes
            case .success(let more): done += more
            case .failure(let error): throw error
            }
        }
        return bytes
    }

    /// Writes all bytes at an offset, replacing old ones.
    package func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        var done = 0
        while done < bytes.count {
            let start = done
            let result = bytes.withUnsafeBytes { buffer in
                retryingInterruptions {
                    pwrite(
                        descriptor.number,
                        buffer.baseAddress.map { $0 + start },
                        bytes.count - start,
                        off_t(offset + start)
                    )
                }
            }
            switch result {
            case .success(let more): done += more
            case .failure(let error): throw error
            }
        }
    }

    /// Sets the length of the file by cutting it or filling it with zeros.
    package func truncate(to length: Int) { _ = ftruncate(descriptor.number, off_t(length)) }

    /// Tells whether it is the same file, under whatever name.
    package func isSame(as other: DataFile) -> Bool {
        var (own, its) = (stat(), stat())
        return fstat(descriptor.number, &own) == 0 && fstat(other.descriptor.number, &its) == 0
            && own.st_dev == its.st_dev && own.st_ino == its.st_ino
    }

    /// Locks the file against other writers that lock it, in this process and in any other; false if there is one.
    package func lock() -> Bool { flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    package func unlock() { _ = flock(descriptor.number, LOCK_UN) }

    /// Waits until everything written is on the disk.
    package func synchronize() { _ = fsync(descriptor.number) }

    /// Creates a folder unless it exists.
    package static func makeFolder(_ path: String) throws(Errno) {
        guard mkdir(path, 0o755) != 0 else { return }
        let error = Errno.current
        if error.code != EEXIST { throw error }
    }

    /// Moves a file out of the way: its name gets `.previous` before the extension.
    ///
    /// - Returns: The new name, or nil when there was nothing to move.
    package static func keepPrevious(_ path: String, ending: String) -> String? {
        guard FolderReader.exists(path) else { return nil }
        let stem = path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
        let kept = stem + ".previous" + ending
        return rename(path, kept) == 0 ? kept : nil
    }
}
