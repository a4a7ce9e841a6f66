#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes a new folder with files, all of it or nothing (own-API contract, section 23).
package enum FolderWriter {
    package enum Refusal: Error, Sendable, Equatable {
        /// Something has the name of the folder.
        case exists
        /// A part could not be written.
        case failed(path: String, reason: String)
    }

    /// A file below the new folder.
    package struct File: Sendable {
        /// The components of its path.
        package var components: [String]
        package var bytes: [UInt8]
        /// True if only this user may read it.
        package var isPrivate: Bool

        package init(components: [String], bytes: [UInt8], isPrivate: Bool) {
            self.components = components
            self.bytes = bytes
            self.isPrivate = isPrivate
        }
    }

    /// Creates a folder of that name below `root`, which is created if it is missing.
    ///
    /// The files are written under another name first, so that nobody sees half a folder. No link is followed below
    /// `root`, and what was written is removed if a part fails.
    package static func create(_ name: String, below root: String, files: [File]) throws(Refusal) {
        let isNewRoot = mkdir(root, 0o755) == 0
        // What stands in the way of the folder, which the opening alone would call missing.
        let obstacle = isNewRoot || errno == EEXIST ? nil : Errno.current
        let parent = open(root, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard parent >= 0 else { throw .failed(path: root, reason: "\(obstacle ?? .current)") }
        defer { _ = close(parent) }
        do throws(Refusal) {
            try create(name, in: parent, files)
        } catch {
            if isNewRoot { _ = rmdir(root) }
            guard case .failed(let path, let reason) = error else { throw error }
            throw .failed(path: "\(root)/\(path)", reason: reason)
        }
    }

    private static func create(_ name: String, in parent: Int32, _ files: [File]) throws(Refusal) {
        guard isComponent(name) else { throw .failed(path: name, reason: "is not the name of a folder") }
        var status = stat()
        guard fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { throw .exists }
        let draft = ".\(name).new-\(getpid())"
        guard mkdirat(parent, draft, 0o755) == 0 else { throw failure(name) }
        do throws(Refusal) {
            try fill(draft, in: parent, files)
            // Claims the name: nothing that appeared meanwhile is replaced.
            guard mkdirat(parent, name, 0o755) == 0 else { throw errno == EEXIST ? .exists : failure(name) }
            guard renameat(parent, draft, parent, name) == 0 else {
                let refusal = failure(name)
                _ = unlinkat(parent, name, AT_REMOVEDIR)
                throw refusal
            }
        } catch {
            remove(draft, in: parent)
            throw error
        }
    }

    private static func fill(_ draft: String, in parent: Int32, _ files: [File]) throws(Refusal) {
        let folder = openFolder(draft, in: parent)
        guard folder >= 0 else { throw failure(draft) }
        defer { _ = close(folder) }
        for file in files { try write(file, in: folder) }
    }

    /// Writes files into a folder that is there; each file is whole or as it was, and no link is followed.
    package static func put(_ files: [File], in name: String, below root: String) throws(Refusal) {
        let parent = open(root, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard parent >= 0 else { throw failure(root) }
        defer { _ = close(parent) }
        let folder = openFolder(name, in: parent)
        guard folder >= 0 else { throw failure("\(root)/\(name)") }
        defer { _ = close(folder) }
        for file in files {
            let shown = "\(root)/\(name)/\(file.components.joined(separator: "/"))"
            guard let last = file.components.last, isComponent(last) else {
                throw .failed(path: shown, reason: "is not a path below the folder")
            }
            var draft = file
            draft.components[draft.components.count - 1] = ".\(last).new-\(getpid())"
            do throws(Refusal) {
                try write(draft, in: folder)
            } catch {
                if case .failed(_, let reason) = error { throw .failed(path: shown, reason: reason) }
                throw error
            }
            let from = draft.components.joined(separator: "/")
            guard renameat(folder, from, folder, file.components.joined(separator: "/")) == 0 else {
                let refusal = failure(shown)
                _ = unlinkat(folder, from, 0)
                throw refusal
            }
        }
    }

    private static func write(_ file: File, in folder: Int32) throws(Refusal) {
        let shown = file.components.joined(separator: "/")
        guard let name = file.components.last, file.components.allSatisfy(isComponent) else {
            throw .failed(path: shown, reason: "is not a path below the folder")
        }
        var descriptor = fcntl(folder, F_DUPFD_CLOEXEC, 0)
        defer { _ = close(descriptor) }
        for component in file.components.dropLast() {
            guard mkdirat(descriptor, component, 0o755) == 0 || errno == EEXIST else { throw failure(shown) }
            let next = openFolder(component, in: descriptor)
            guard next >= 0 else { throw failure(shown) }
            _ = close(descriptor)
            descriptor = next
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let output = openat(descriptor, name, flags, file.isPrivate ? 0o600 : 0o644)
        guard output >= 0 else { throw failure(shown) }
        defer { _ = close(output) }
        var rest = file.bytes[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { bytes in
                retryingInterruptions { SystemCall.write(output, bytes.baseAddress, bytes.count) }
            }
            switch result {
            case .success(let count): rest = rest.dropFirst(count)
            case .failure(let error): throw .failed(path: shown, reason: "\(error)")
            }
        }
    }

    private static func openFolder(_ name: String, in parent: Int32) -> Int32 {
        openat(parent, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Removes a folder with all that is in it.
    private static func remove(_ name: String, in parent: Int32) {
        let descriptor = openFolder(name, in: parent)
        guard descriptor >= 0 else {
            _ = unlinkat(parent, name, 0)
            return
        }
        // The copy is closed with the directory.
        if let directory = fdopendir(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
            var names: [String] = []
            while let entry = readdir(directory) {
                let found = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if found != ".", found != ".." { names.append(found) }
            }
            closedir(directory)
            for found in names { remove(found, in: descriptor) }
        }
        _ = close(descriptor)
        _ = unlinkat(parent, name, AT_REMOVEDIR)
    }

    private static func isComponent(_ name: String) -> Bool {
        !name.isEmpty && !name.contains("/") && name != "." && name != ".." && !name.utf8.contains(0)
    }

    private static func failure(_ path: String) -> Refusal { .failed(path: path, reason: "\(Errno.current)") }
}

/// The system's call, which the type's own function hides.
private enum SystemCall {
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Darwin.write(descriptor, bytes, count)
        #endif
    }
}
