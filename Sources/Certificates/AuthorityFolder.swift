package import CivilTime

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of an authority: `root.pem`, `issuer.pem`, `issuer.key` and `leaf.key` (transport contract, section 4).
///
/// An existing authority is used or refused, never replaced.
package enum AuthorityFolder {
    /// An authority with the facts of its opening.
    package struct Opened: Sendable {
        package var authority: Authority
        /// Tells whether it was made just now, by this process.
        package var wasMade: Bool
        /// Sentences for people.
        package var warnings: [String]
    }

    enum File: String, CaseIterable {
        case root = "root.pem"
        case issuer = "issuer.pem"
        case issuerKey = "issuer.key"
        case leafKey = "leaf.key"

        var isSecret: Bool { self == .issuerKey || self == .leafKey }
    }

    /// Returns the folder that was chosen, or says that there is none.
    package static func place(_ folder: String?) throws(CertificateError) -> String {
        guard let folder else {
            throw CertificateError(
                .unreadable,
                "There is no place for the certificate authority, since HOME is not set; --ca DIR names one."
            )
        }
        return folder
    }

    /// Opens the authority of a folder; makes it if there is none.
    ///
    /// - Parameters:
    ///   - path: The folder's place.
    ///   - options: The options of the making; any but the default ones are refused for an authority that exists.
    ///   - owner: See `Authority.make`.
    ///   - now: The time of day.
    /// - Returns: The authority, and whether it was made.
    /// - Throws: What is wrong and what to do.
    package static func open(
        _ path: String,
        options: Authority.Options = Authority.Options(),
        owner: String,
        now: Instant
    ) throws(CertificateError) -> Opened {
        let path = trimmed(path)
        if let found = try load(path, now: now) {
            guard options.areDefault else {
                throw CertificateError(
                    .exists,
                    "\(path): this authority exists, and what it may sign was settled when it was made. Remove the folder "
                        + "(and the trust in its root) first, or name another with --ca."
                )
            }
            return found
        }
        let made = try Authority.make(owner: owner, options: options, now: now)
        if try put(made, at: path) {
            return Opened(authority: made, wasMade: true, warnings: options.warning.map { [$0] } ?? [])
        }
        // Another process was quicker.
        return try open(path, options: options, owner: owner, now: now)
    }

    /// Opens the authority of a folder; nil if there is none.
    package static func load(_ path: String, now: Instant) throws(CertificateError) -> Opened? {
        let path = trimmed(path)
        guard !Folder.isLink(path) else { throw linked(path) }
        let folder: Folder
        do {
            folder = try Folder(path)
        } catch {
            if error.code == ENOENT { return nil }
            throw CertificateError(
                .unreadable,
                "\(path): the authority's folder can't be opened (\(error)). Make it readable for this user, or name "
                    + "another with --ca."
            )
        }
        if !File.allCases.allSatisfy({ folder.has($0.rawValue) }) {
            // A process that fills an existing folder has its lock.
            folder.lock()
            defer { folder.unlock() }
            if !File.allCases.contains(where: { folder.has($0.rawValue) }) { return nil }
        }
        return try read(folder, now: now)
    }

    /// The user and the host of this process, as `USER@HOST`.
    package static func owner() -> String {
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "\(user)@localhost" }
        return "\(user)@" + String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: Reading

    private static func read(_ folder: Folder, now: Instant) throws(CertificateError) -> Opened {
        let root = try certificate(.root, folder)
        let issuer = try certificate(.issuer, folder)
        let issuerKey = try key(.issuerKey, folder)
        let leafKey = try key(.leafKey, folder)
        guard issuer.belongs(to: issuerKey) else {
            throw CertificateError(.mismatch, "\(folder.path)/issuer.key is not the key of issuer.pem. \(remedy)")
        }
        guard issuer.isIssued(by: root), root.isIssued(by: root) else {
            throw CertificateError(.mismatch, "\(folder.path)/issuer.pem is not signed by root.pem. \(remedy)")
        }
        let end = min(root.notAfter, issuer.notAfter)
        guard now < end else {
            throw CertificateError(
                .expired,
                "\(folder.path): this authority has expired on \(end.isoDay). Run `understudy untrust --yes --remove`, then "
                    + "`understudy trust`, and install the new root on your devices."
            )
        }
        let authority = try Authority(root: root, issuer: issuer, issuerKey: issuerKey, leafKey: leafKey)
        var warnings: [String] = []
        if end - now < Authority.shortTime {
            warnings.append(
                "\(folder.path): this authority expires on \(end.isoDay). Make another soon: `understudy untrust --yes "
                    + "--remove`, then `understudy trust`."
            )
        }
        return Opened(authority: authority, wasMade: false, warnings: warnings)
    }

    private static let remedy =
        "Put the right file there, or remove the folder so that another authority is made, whose root devices have to "
        + "trust anew."

    private static func certificate(_ file: File, _ folder: Folder) throws(CertificateError) -> Certificate {
        let blocks = try blocks(file, folder)
        guard blocks.count == 1, blocks[0].label == "CERTIFICATE", let read = Certificate(der: blocks[0].content) else {
            throw CertificateError(.malformed, "\(folder.path)/\(file.rawValue) is not one certificate. \(remedy)")
        }
        return read
    }

    private static func key(_ file: File, _ folder: Folder) throws(CertificateError) -> PrivateKey {
        let blocks = try blocks(file, folder)
        guard blocks.count == 1, let read = PrivateKey(der: blocks[0].content),
            read.kind == .ellipticCurve(bits: 256)
        else { throw CertificateError(.malformed, "\(folder.path)/\(file.rawValue) is not a P-256 key. \(remedy)") }
        return read
    }

    private static func blocks(_ file: File, _ folder: Folder) throws(CertificateError) -> [PEM.Block] {
        let path = "\(folder.path)/\(file.rawValue)"
        let bytes: [UInt8]
        let mode: mode_t
        do {
            (bytes, mode) = try folder.read(file.rawValue)
        } catch {
            if error.code == ELOOP { throw linked(path) }
            let reason = error.code == ENOENT ? "\(path) is missing." : "\(path) can't be read (\(error))."
            throw CertificateError(.unreadable, "\(reason) \(remedy)")
        }
        guard !file.isSecret || mode & 0o077 == 0 else {
            throw CertificateError(
                .exposed,
                "\(path): others can read this key. Run `chmod 600 \(path)`; if they may have copied it, remove the folder "
                    + "instead, so that another authority is made."
            )
        }
        do {
            return try PEM.read(bytes)
        } catch {
            throw CertificateError(.malformed, "\(path):\(error.line): \(error.reason). \(remedy)")
        }
    }

    private static func linked(_ path: String) -> CertificateError {
        CertificateError(
            .link,
            "\(path) is a symbolic link, which could lead to another's key. Put the files themselves there, or name the real "
                + "folder with --ca."
        )
    }

    /// Returns the path without slashes at its end.
    static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
