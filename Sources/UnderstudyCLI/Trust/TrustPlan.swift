import Basics
import ClientCommands

/// The plan of `trust` and `untrust`: printed, or run.
enum TrustPlan {
    /// Prints the changes of each store, and runs them if asked to; returns the exit code.
    ///
    /// A change that fails leaves the others to be done.
    static func carryOut(
        _ stores: [(store: TrustStore, changes: [TrustChange])],
        runs: Bool,
        command: String
    ) -> Int32 {
        var hasFailed = false
        let found = stores.filter { !$0.changes.isEmpty }
        for (_, changes) in found {
            for change in changes {
                let name = change.store.rawValue
                Terminal.out("\(name)  \(change.place)\(change.needsRoot ? "  (needs root)" : "")")
                for words in change.runnable { Terminal.out("  " + words.map(quoted).joined(separator: " ")) }
                guard runs else { continue }
                if let reason = change.run() {
                    hasFailed = true
                    Terminal.error("understudy: \(name): \(reason)")
                } else {
                    Terminal.out("  done")
                }
            }
        }
        let missing = stores.filter(\.changes.isEmpty).map(\.store.rawValue)
        if !missing.isEmpty { Terminal.out("nothing to do for \(missing.joined(separator: ", "))") }
        if !runs, !found.isEmpty { Terminal.out("Nothing was changed. `\(command)` runs these commands.") }
        return hasFailed ? ExitCode.failed : ExitCode.ok
    }

    /// Returns a word as a shell takes it, for people who copy the line.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_./:=,+@%".utf8.contains(byte)
                }
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
