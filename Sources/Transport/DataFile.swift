#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is read and written at places of the caller's choice.
///
/// May be used by several threads at once: no call depends on another's position.
package final class DataFile: Sendable {
    private let descriptor: OwnedDescriptor

    private init(_ number: Int32) { descriptor = OwnedDescriptor(number) }

    /// Opens a regular file of the user's naming.
    package static func reading(_ path: String) throws(Errno) -> DataFile {
        try regular(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }

    /// Opens a file for reading and writing, and makes it when it is not there; nobody else can read a new one.
    package static func writing(_ path: String) throws(Errno) -> DataFile {
        try regular(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600))
    }

    /// Opens a file directly below a folder; a link is refused, and so is a name that leads elsewhere.
    package static func named(_ name: String, below folder: String, isWritable: Bool) throws(Errno) -> DataFile {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { throw Errno(code: EINVAL) }
        if isWritable { _ = mkdir(folder, 0o755) }
        let directory = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard directory >= 0 else { throw .current }
        defer { _ = close(directory) }
        let flags = (isWritable ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        return try regular(openat(directory, name, flags, 0o600))
    }

    private static func regular(_ number: Int32) throws(Errno) -> DataFile {
        guard number >= 0 else { throw .current }
        let file = DataFile(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .current }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Errno(code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        return file
    }

    /// Its length in bytes.
    package var size: Int {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The bytes from a place on, fewer than asked for only at the end of the file.
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

    /// Writes all of it at a place; what lay there is replaced.
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

    /// Cuts the file, or fills it with zeros, to that length.
    package func truncate(to length: Int) { _ = ftruncate(descriptor.number, off_t(length)) }

    /// Tells whether it is that very file, under whatever name.
    package func isSame(as other: DataFile) -> Bool {
        var (own, its) = (stat(), stat())
        return fstat(descriptor.number, &own) == 0 && fstat(other.descriptor.number, &its) == 0
            && own.st_dev == its.st_dev && own.st_ino == its.st_ino
    }

    /// Keeps others who ask from writing, in this process and in any other; false when somebody is at it.
    package func lock() -> Bool { flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    package func unlock() { _ = flock(descriptor.number, LOCK_UN) }

    /// Waits until everything written is on the disk.
    package func synchronize() { _ = fsync(descriptor.number) }

    /// Makes a folder unless it is there.
    package static func makeFolder(_ path: String) throws(Errno) {
        guard mkdir(path, 0o755) != 0 else { return }
        let error = Errno.current
        if error.code != EEXIST { throw error }
    }

    /// Moves a file out of the way: its name gets `.previous` before the ending.
    ///
    /// - Returns: the new name, or nil when there was nothing to move.
    package static func keepPrevious(_ path: String, ending: String) -> String? {
        guard FolderReader.exists(path) else { return nil }
        let stem = path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
        let kept = stem + ".previous" + ending
        return rename(path, kept) == 0 ? kept : nil
    }
}
