import Transport

/// The folder of the certificate authority (transport contract, section 4).
package enum AuthorityPlace {
    /// The folder that `UNDERSTUDY_CA` names, else the one among the user's data; nil where neither is known.
    package static var folder: String? {
        if let named = Environment["UNDERSTUDY_CA"], !named.isEmpty { return named }
        return data.map { "\($0)/ca" }
    }

    /// The folder of the user's data; nil where it is not known.
    package static var data: String? {
        #if os(macOS)
        return Environment["HOME"].map { "\($0)/Library/Application Support/Understudy" }
        #else
        if let data = Environment["XDG_DATA_HOME"], !data.isEmpty { return "\(data)/understudy" }
        return Environment["HOME"].map { "\($0)/.local/share/understudy" }
        #endif
    }

    /// Returns a path that holds in every working folder.
    package static func absolute(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path.hasPrefix("/") ? path : "\(WorkingFolder.path)/\(path)"
    }

    /// The certificate of the root, where an authority was made.
    package static var existingRoot: String? {
        folder.map { "\($0)/root.pem" }.flatMap { FolderReader.exists($0) ? $0 : nil }
    }
}
