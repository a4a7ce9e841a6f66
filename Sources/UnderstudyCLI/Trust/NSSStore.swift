import ClientCommands
import Transport

/// The databases of Firefox and, on Linux, Chromium.
enum NSSStore {
    /// The folders below the user's own in which Firefox keeps its profiles.
    private static let profiles = [
        ".mozilla/firefox", "snap/firefox/common/.mozilla/firefox", ".var/app/org.mozilla.firefox/.mozilla/firefox",
        "Library/Application Support/Firefox/Profiles",
    ]
    private static let chromium = ".pki/nssdb"

    /// The folders with a database, if there is a program to change them.
    static var folders: [String] {
        guard Tool.path("certutil") != nil, let home = Environment["HOME"] else { return [] }
        var found: [String] = []
        if FolderReader.exists("\(home)/\(chromium)/cert9.db") { found.append("\(home)/\(chromium)") }
        for place in profiles {
            for name in (FolderReader.names(in: [], below: "\(home)/\(place)") ?? []).sorted()
            where FolderReader.exists("\(home)/\(place)/\(name)/cert9.db") {
                found.append("\(home)/\(place)/\(name)")
            }
        }
        return found
    }

    static func addition(of root: String, to folder: String) -> TrustChange {
        let add = [
            "certutil", "-A", "-d", "sql:\(folder)", "-n", TrustStore.nickname, "-t", "C,,", "-i", root,
        ]
        // An earlier root of the same name would stay beside the new one.
        let commands = holds(folder) ? [deletion(folder), add] : [add]
        return TrustChange(store: .nss, place: folder, commands: commands)
    }

    static func removal(from folder: String) -> TrustChange? {
        guard holds(folder) else { return nil }
        return TrustChange(store: .nss, place: folder, commands: [deletion(folder)])
    }

    private static func deletion(_ folder: String) -> [String] {
        ["certutil", "-D", "-d", "sql:\(folder)", "-n", TrustStore.nickname]
    }

    private static func holds(_ folder: String) -> Bool {
        ToolRun(["certutil", "-L", "-d", "sql:\(folder)", "-n", TrustStore.nickname]).status == 0
    }
}
