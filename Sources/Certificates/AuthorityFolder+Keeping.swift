#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The changes of a folder that commands make.
extension AuthorityFolder {
    /// The file of the system's roots and ours, which `understudy trust --bundle` writes.
    package static let bundle = "bundle.pem"

    /// Writes the bundle, in place of the one before, and returns its path.
    package static func writeBundle(_ text: String, in path: String) throws(CertificateError) -> String {
        let path = trimmed(path)
        let place = "\(path)/\(bundle)"
        do {
            let folder = try Folder(path)
            let draft = "\(bundle).unfinished"
            folder.lock()
            defer { folder.unlock() }
            folder.remove(draft)
            try folder.write(text, to: draft, mode: Folder.Mode.open)
            try folder.rename(draft, to: bundle)
            return place
        } catch {
            throw CertificateError(
                .notMade,
                "\(place) can't be written (\(error)). Make the folder writable for this user, or name another with --ca."
            )
        }
    }

    /// Removes a folder with the files of an authority, whatever is wrong with them; false if there is none.
    ///
    /// Anything else in the folder stays, and is reported.
    package static func remove(_ path: String) throws(CertificateError) -> Bool {
        let path = trimmed(path)
        guard !Folder.isLink(path) else {
            throw CertificateError(
                .link,
                "\(path) is a symbolic link, which is left alone. Remove the real folder yourself."
            )
        }
        do {
            let folder = try Folder(path)
            for name in File.allCases.map(\.rawValue) + [bundle] { folder.remove(name) }
        } catch {
            if error.code == ENOENT { return false }
            throw CertificateError(.unreadable, "\(path) can't be opened (\(error)).")
        }
        guard rmdir(path) == 0 else {
            let error = SystemError.current
            throw CertificateError(
                .notMade,
                "\(path): the authority's files are gone, and the folder can't be removed (\(error)): look at what else is in it."
            )
        }
        return true
    }
}
