#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the files of a folder, and none outside of it (control contract, section 18).
package enum FolderReader {
    /// The largest file that is read.
    private static let limit = 256 * 1024 * 1024

    /// Returns the names in a folder below a root, in byte order; nil if it can't be read or a component is a link.
    package static func names(in components: [String], below root: String) -> [String]? {
        let descriptor = folder(components, below: root)
        guard descriptor >= 0 else { return nil }
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
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

    /// Returns a regular file's bytes; nil if it can't be read, or if it or a folder above it is a link.
    ///
    /// Each component is opened relative to the one before it, so that none can be replaced in between.
    package static func contents(of name: String, in components: [String], below root: String) -> [UInt8]? {
        guard isComponent(name) else { return nil }
        let directory = folder(components, below: root)
        guard directory >= 0 else { return nil }
        defer { close(directory) }
        return try? contents(ofDescriptor: openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
    }

    /// Opens a folder component by component.
    ///
    /// The root itself may be a link, because the user named it.
    private static func folder(_ components: [String], below root: String) -> Int32 {
        var descriptor = open(root, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        for component in components {
            guard descriptor >= 0 else { return descriptor }
            let parent = descriptor
            defer { close(parent) }
            guard isComponent(component) else { return -1 }
            descriptor = openat(parent, component, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
        }
        return descriptor
    }

    private static func isComponent(_ name: String) -> Bool {
        !name.isEmpty && !name.contains("/") && name != "." && name != ".."
    }

    /// Returns the bytes of a regular file that the user named; `Errno.unreadable` has the words for a failure.
    package static func contents(ofFile path: String) throws(Errno) -> [UInt8] {
        try contents(ofDescriptor: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }

    /// Reads to the end and closes.
    private static func contents(ofDescriptor descriptor: Int32) throws(Errno) -> [UInt8] {
        guard descriptor >= 0 else { throw .current }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .current }
        if let error = Errno.ofIrregular(status) { throw error }
        guard status.st_size <= limit else { throw Errno(code: EFBIG) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .current
            }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { throw Errno(code: EFBIG) }
        }
    }

    /// Returns whether anything has that path, including a broken link.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
