import ClientCommands
import Transport

/// The roots of the operating system: the login keychain of macOS, or the anchors of a Linux distribution.
enum SystemStore {
    /// A distribution's folder of further roots, and the command that takes them over.
    private struct Anchors {
        let folder: String
        let fileName: String
        let update: [String]
    }

    /// Those of Fedora, Arch and Debian; the first whose folder and command are there is the one.
    private static let known = [
        Anchors(
            folder: "/etc/pki/ca-trust/source/anchors",
            fileName: "understudy.pem",
            update: ["update-ca-trust", "extract"]
        ),
        Anchors(
            folder: "/etc/ca-certificates/trust-source/anchors",
            fileName: "understudy.crt",
            update: ["trust", "extract-compat"]
        ),
        Anchors(
            folder: "/usr/local/share/ca-certificates",
            fileName: "understudy.crt",
            update: ["update-ca-certificates"]
        ),
    ]

    private static var anchors: Anchors? {
        known.first { FolderReader.isFolder($0.folder) && Tool.path($0.update[0]) != nil }
    }

    static func additions(of root: String) -> [TrustChange] {
        #if os(macOS)
        [
            TrustChange(
                store: .system,
                place: keychain,
                commands: [["/usr/bin/security", "add-trusted-cert", "-r", "trustRoot", "-k", keychain, root]]
            )
        ]
        #else
        guard let anchors else { return [] }
        let file = "\(anchors.folder)/\(anchors.fileName)"
        return [
            TrustChange(
                store: .system,
                place: file,
                commands: [["install", "-m", "644", root, file], anchors.update],
                needsRoot: true
            )
        ]
        #endif
    }

    static func removals(of root: String?) -> [TrustChange] {
        #if os(macOS)
        guard let root else { return [] }
        return [
            TrustChange(
                store: .system,
                place: keychain,
                commands: [["/usr/bin/security", "remove-trusted-cert", root]]
            )
        ]
        #else
        guard let anchors else { return [] }
        let file = "\(anchors.folder)/\(anchors.fileName)"
        guard FolderReader.exists(file) else { return [] }
        // Debian's command removes what is gone only when it makes everything anew.
        let update = anchors.update[0] == "update-ca-certificates" ? anchors.update + ["--fresh"] : anchors.update
        return [
            TrustChange(store: .system, place: file, commands: [["rm", "-f", file], update], needsRoot: true)
        ]
        #endif
    }

    #if os(macOS)
    private static var keychain: String { (Environment["HOME"] ?? "") + "/Library/Keychains/login.keychain-db" }
    #endif
}
