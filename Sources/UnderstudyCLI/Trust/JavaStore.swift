import ClientCommands
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The roots of the Java that `JAVA_HOME` names.
enum JavaStore {
    /// The password that every Java comes with.
    private static let password = "changeit"

    private static var home: String? {
        guard let home = Environment["JAVA_HOME"], !home.isEmpty, access("\(home)/bin/keytool", X_OK) == 0 else {
            return nil
        }
        return home
    }

    private static func store(_ home: String) -> String {
        ["lib/security/cacerts", "jre/lib/security/cacerts"].map { "\(home)/\($0)" }.first(where: FolderReader.exists)
            ?? "\(home)/lib/security/cacerts"
    }

    private static func keytool(_ home: String, _ arguments: [String]) -> [String] {
        ["\(home)/bin/keytool"] + arguments
            + ["-cacerts", "-storepass", password, "-alias", TrustStore.nickname]
    }

    static func addition(of root: String) -> TrustChange? {
        guard let home else { return nil }
        let add = keytool(home, ["-importcert", "-noprompt", "-file", root])
        let commands = holds(home) ? [keytool(home, ["-delete"]), add] : [add]
        return change(home, commands)
    }

    static func removal() -> TrustChange? {
        guard let home, holds(home) else { return nil }
        return change(home, [keytool(home, ["-delete"])])
    }

    private static func change(_ home: String, _ commands: [[String]]) -> TrustChange {
        let store = store(home)
        return TrustChange(store: .java, place: store, commands: commands, needsRoot: access(store, W_OK) != 0)
    }

    private static func holds(_ home: String) -> Bool { ToolRun(keytool(home, ["-list"])).status == 0 }
}
