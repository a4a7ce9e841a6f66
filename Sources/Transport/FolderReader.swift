#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the files of a folder, and none that lie outside it (control contract, section 18).
package enum FolderReader {
    /// The largest file that is read.
    private static let limit = 256 * 1024 * 1024

    /// The names in a folder in byte order; nil if it can't be read.
    package static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A regular file's bytes; nil if it can't be read, is a link, or the name is more than a name.
    ///
    /// The folder is opened first and the file in it, without following a link: nothing can be put in between.
    package static func contents(of name: String, in folder: String) -> [UInt8]? {
        guard !name.isEmpty, !name.contains("/"), name != "..", name != "." else { return nil }
        let directory = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard directory >= 0 else { return nil }
        defer { close(directory) }
        return contents(ofDescriptor: openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
    }

    /// A regular file's bytes.
    package static func contents(ofFile path: String) -> [UInt8]? {
        contents(ofDescriptor: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }

    /// Reads to the end and closes.
    private static func contents(ofDescriptor descriptor: Int32) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            return nil
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { return nil }
        }
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
