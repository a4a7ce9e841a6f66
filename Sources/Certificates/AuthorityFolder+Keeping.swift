package import CivilTime

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

    /// Opens the authority of a folder, which has to be one that may sign names; makes one that may if there is none.
    package static func open(
        _ path: String,
        signing names: [DNSName],
        owner: String,
        now: Instant
    ) throws(CertificateError) -> Opened {
        guard !names.isEmpty else { return try open(path, owner: owner, now: now) }
        var options = Authority.Options()
        options.names = names.filter { !NameConstraints.local.permits($0) }
        let opened: Opened
        if let found = try load(path, now: now) {
            opened = found
        } else {
            do throws(CertificateError) {
                opened = try open(path, options: options, owner: owner, now: now)
            } catch {
                // Another process was quicker.
                guard let found = try load(path, now: now) else { throw error }
                opened = found
            }
        }
        let missing = names.filter { !opened.authority.permits($0) }.map(\.text)
        guard missing.isEmpty else {
            throw CertificateError(
                .name,
                "\(path): this authority may not sign \(missing.joined(separator: ", ")), which --map names. "
                    + "`understudy trust --renew --allow-name \(missing.joined(separator: " "))` makes one that may."
            )
        }
        return opened
    }

    /// Makes a new authority in the place of the one of a folder, which may sign what that one may and the names of
    /// `options`; makes one if there is none.
    package static func renew(
        _ path: String,
        options: Authority.Options,
        owner: String,
        now: Instant
    ) throws(CertificateError) -> Opened {
        let path = trimmed(path)
        guard let former = try load(path, now: now) else {
            return try open(path, options: options, owner: owner, now: now)
        }
        var options = options
        if let constraints = former.authority.constraints {
            let names = constraints.names.compactMap { DNSName($0) }
            options.names =
                names.filter { !NameConstraints.local.permits($0) && !options.names.contains($0) } + options.names
        } else {
            options.isUnconstrained = true
        }
        let made = try Authority.make(owner: owner, options: options, now: now)
        try replace(made, at: path)
        return Opened(authority: made, wasMade: true, warnings: options.warning.map { [$0] } ?? [])
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
