import ClientCommands
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A store of roots that `trust` and `untrust` change (transport contract, section 5).
enum TrustStore: String, CaseIterable {
    case system, nss, java, simulators

    /// The name of our root in stores that have names.
    static let nickname = "understudy"

    /// The changes that make a store of this machine trust a root, one for each place that was found.
    func additions(of root: String) -> [TrustChange] {
        switch self {
        case .system: SystemStore.additions(of: root)
        case .nss: NSSStore.folders.map { NSSStore.addition(of: root, to: $0) }
        case .java: JavaStore.addition(of: root).map { [$0] } ?? []
        case .simulators: SimulatorStore.additions(of: root)
        }
    }

    /// The changes that end the trust; `root` is nil where the authority is gone already.
    func removals(of root: String?) -> [TrustChange] {
        switch self {
        case .system: SystemStore.removals(of: root)
        case .nss: NSSStore.folders.compactMap(NSSStore.removal)
        case .java: JavaStore.removal().map { [$0] } ?? []
        case .simulators: []
        }
    }
}

/// The change of one store: what would run, and as whom.
struct TrustChange {
    let store: TrustStore
    /// The place that is changed, for people.
    let place: String
    /// The commands, each a list of arguments, run in order.
    let commands: [[String]]
    /// Tells whether only root may do it.
    var needsRoot = false

    /// The commands as they run: through `sudo` where this user is not root.
    var runnable: [[String]] {
        needsRoot && geteuid() != 0 ? commands.map { ["sudo"] + $0 } : commands
    }

    /// Runs the commands; returns the reason of the first that fails.
    func run() -> String? {
        for command in runnable {
            let run = ToolRun(command)
            guard run.status == 0 else {
                let said = (run.errorText + run.text).split(separator: "\n").first.map { ": \($0)" } ?? ""
                return "\(command.joined(separator: " ")) ended with \(run.status)\(said)"
            }
        }
        return nil
    }
}

/// The programs of this machine.
enum Tool {
    /// The path of a program, as `PATH` has it; nil if it is not there.
    static func path(_ name: String) -> String? {
        let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
        // Tools of the administrator are often in none of a user's own places.
        return (folders + ["/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
