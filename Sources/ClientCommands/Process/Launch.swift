import Basics
import CLaunch

/// The command line that the process was started with, and the commit that it was built from.
package enum Launch {
    /// The words of the command line, the program's name first.
    ///
    /// They are those of C's `main`: Swift reads them from `/proc`, which a container may lack.
    package static var arguments: [String] {
        let count = understudy_argument_count()
        guard count > 0 else { return CommandLine.arguments }
        return (0..<count).compactMap { understudy_argument($0).map { String(cString: $0) } }
    }

    /// The line of `--version`: the version, and the commit if the build knows it (transport contract, section 10).
    package static var version: String {
        let commit = String(cString: understudy_commit)
        return "understudy \(ProgramVersion.number)" + (commit.isEmpty ? "" : " (\(commit))")
    }
}
