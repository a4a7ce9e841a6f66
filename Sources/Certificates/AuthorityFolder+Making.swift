#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The making of the folder, so that processes which start at once agree on one authority.
extension AuthorityFolder {
    /// Puts a new authority into its place; false if another process has put one there meanwhile.
    static func put(_ authority: Authority, at path: String) throws(CertificateError) -> Bool {
        do {
            try makeParents(of: path)
            var generator = SystemRandomNumberGenerator()
            let beside = "\(path).making-\(String(generator.next(), radix: 16))"
            let folder: Folder
            do {
                folder = try Folder.make(beside)
            } catch {
                // A volume is a folder whose surroundings can't be written, as in a container.
                guard let filled = try fill(path, authority) else { throw error }
                return filled
            }
            var isPlaced = false
            defer {
                if !isPlaced {
                    File.allCases.forEach { folder.remove($0.rawValue) }
                    rmdir(beside)
                }
            }
            try write(authority, into: folder)
            folder.synchronize()
            if rename(beside, path) == 0 {
                isPlaced = true
                synchronizeParent(of: path)
                return true
            }
            // There is a folder: another process's authority, or one that can't be replaced or holds other things.
            let error = SystemError.current
            guard let filled = try fill(path, authority) else { throw error }
            return filled
        } catch {
            throw CertificateError(
                .notMade,
                "\(path): no folder can be made for the authority (\(error)). Name a place with --ca DIR or UNDERSTUDY_CA "
                    + "where this user can write."
            )
        }
    }

    /// Puts a new authority in the place of the one that is there; the former files are removed.
    static func replace(_ authority: Authority, at path: String) throws(CertificateError) {
        do {
            var generator = SystemRandomNumberGenerator()
            let mark = String(generator.next(), radix: 16)
            let (beside, former) = ("\(path).making-\(mark)", "\(path).former-\(mark)")
            let folder = try Folder.make(beside)
            var isPlaced = false
            defer {
                if !isPlaced {
                    File.allCases.forEach { folder.remove($0.rawValue) }
                    rmdir(beside)
                }
            }
            try write(authority, into: folder)
            folder.synchronize()
            guard rename(path, former) == 0 else { throw SystemError.current }
            guard rename(beside, path) == 0 else {
                let error = SystemError.current
                _ = rename(former, path)
                throw error
            }
            isPlaced = true
            synchronizeParent(of: path)
            let old = try Folder(former)
            for name in File.allCases.map(\.rawValue) + [bundle] { old.remove(name) }
            rmdir(former)
        } catch {
            throw CertificateError(
                .notMade,
                "\(path): the authority can't be replaced (\(error)). Make the folder that it lies in writable for this user, or "
                    + "name another place with --ca."
            )
        }
    }

    /// Writes the files into an empty folder that exists, under its lock; nil if there is no such folder.
    private static func fill(_ path: String, _ authority: Authority) throws(SystemError) -> Bool? {
        guard let folder = try? Folder(path) else { return nil }
        folder.lock()
        defer { folder.unlock() }
        guard !File.allCases.contains(where: { folder.has($0.rawValue) }) else { return false }
        // Under other names first: a process that is killed leaves nothing that looks like an authority.
        let unfinished = ".unfinished"
        File.allCases.forEach { folder.remove($0.rawValue + unfinished) }
        try write(authority, into: folder, suffix: unfinished)
        for file in File.allCases { try folder.rename(file.rawValue + unfinished, to: file.rawValue) }
        folder.synchronize()
        return true
    }

    private static func write(_ authority: Authority, into folder: Folder, suffix: String = "") throws(SystemError) {
        for file in File.allCases {
            let text =
                switch file {
                case .root: authority.root.pem
                case .issuer: authority.issuer.pem
                case .issuerKey: authority.issuerKey.pem
                case .leafKey: authority.leafKey.pem
                }
            try folder.write(
                text,
                to: file.rawValue + suffix,
                mode: file.isSecret ? Folder.Mode.secret : Folder.Mode.open
            )
        }
    }

    private static func makeParents(of path: String) throws(SystemError) {
        var place = path.startIndex
        while let slash = path[place...].dropFirst().firstIndex(of: "/") {
            let parent = String(path[..<slash])
            if mkdir(parent, Folder.Mode.folder) != 0 {
                let error = SystemError.current
                // A folder that exists may lie on a disk that can't be written.
                guard isFolder(parent) else { throw error }
            }
            place = slash
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func synchronizeParent(of path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        (try? Folder(parent))?.synchronize()
    }
}
