#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An open folder whose files are reached through its descriptor, so that nothing can be swapped in between.
final class Folder {
    /// The mode of a folder, and those of the files in it.
    enum Mode {
        static let folder: mode_t = 0o700
        static let secret: mode_t = 0o600
        static let open: mode_t = 0o644
    }

    let path: String
    private let descriptor: Int32

    /// Opens a folder; throws the system's error number, `ELOOP` or `ENOTDIR` for a symbolic link.
    init(_ path: String) throws(SystemError) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
        guard number >= 0 else { throw .current }
        self.path = path
        descriptor = number
    }

    deinit { close(descriptor) }

    /// Makes a folder, whatever the umask is.
    static func make(_ path: String) throws(SystemError) -> Folder {
        guard mkdir(path, Mode.folder) == 0, chmod(path, Mode.folder) == 0 else { throw .current }
        return try Folder(path)
    }

    /// Tells whether a path is a symbolic link itself.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Tells whether there is something of that name.
    func has(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Reads a file, up to a byte more than 1 MiB, and its mode; throws `ELOOP` for a symbolic link.
    func read(_ name: String) throws(SystemError) -> (bytes: [UInt8], mode: mode_t) {
        let number = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw .current }
        defer { close(number) }
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .current }
        return (try FileBytes.read(number), status.st_mode & 0o777)
    }

    /// Makes a new file of that mode, whatever the umask is, and waits until it is on disk.
    func write(_ text: String, to name: String, mode: mode_t) throws(SystemError) {
        let number = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard number >= 0 else { throw .current }
        defer { close(number) }
        guard fchmod(number, mode) == 0 else { throw .current }
        try FileBytes.write(Array(text.utf8), to: number)
        guard fsync(number) == 0 else { throw .current }
    }

    /// Gives a file another name in the folder.
    func rename(_ name: String, to other: String) throws(SystemError) {
        guard renameat(descriptor, name, descriptor, other) == 0 else { throw .current }
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Waits until the names of the files are on disk.
    func synchronize() { fsync(descriptor) }

    /// Waits for the lock that processes take while they write into the folder.
    func lock() { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }

    func unlock() { flock(descriptor, LOCK_UN) }
}

/// An error number of the system.
struct SystemError: Error, Hashable, CustomStringConvertible {
    let code: Int32

    static var current: SystemError { SystemError(code: errno) }

    var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

/// Whole files by descriptor or path.
enum FileBytes {
    /// Reads a file by its path, links followed.
    static func read(path: String) throws(SystemError) -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .current }
        defer { close(number) }
        return try read(number)
    }

    /// Reads up to one byte more than the longest PEM text.
    static func read(_ number: Int32) throws(SystemError) -> [UInt8] {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .current }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= PEM.longest {
            let count = buffer.withUnsafeMutableBytes { platformRead(number, $0.baseAddress, $0.count) }
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { throw .current }
                continue
            }
            bytes += buffer[..<count]
        }
        return bytes
    }

    static func write(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformWrite(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .current
            }
        }
    }

    private static func platformRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.read(number, bytes, count)
        #else
        Darwin.read(number, bytes, count)
        #endif
    }

    private static func platformWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(number, bytes, count)
        #else
        Darwin.write(number, bytes, count)
        #endif
    }
}
