/// A command of `understudy`, declared in one file and listed in `Commands.all`.
///
/// Parsing, help, suggestions, completions and the man page follow from the declaration.
protocol Command: SendableMetatype {
    /// The word after `understudy`.
    static var name: String { get }
    /// The purpose in one clause, without a capital and without a full stop.
    static var summary: String { get }
    /// The arguments as the usage line shows them; empty for a command that takes none.
    static var usage: String { get }
    /// The words that the command takes beside its flags.
    static var operands: Operands { get }
    /// The command's own flags, which only the command line sets.
    static var options: [Option] { get }
    /// The flags of `serve` that the command takes too; the environment and `understudy.json` set them as well.
    static var settings: [Option] { get }
    /// A paragraph below the flags; empty for a command that needs none.
    static var discussion: String { get }
    /// Command lines to copy, each with one line that explains it.
    static var examples: [Example] { get }

    /// Runs the command and returns the exit code of the process.
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32
}

extension Command {
    static var usage: String { "" }
    static var operands: Operands { .none }
    static var options: [Option] { [] }
    static var settings: [Option] { [] }
    static var discussion: String { "" }
    static var examples: [Example] { [] }

    /// All flags of the command, its own first.
    static var flags: [Option] { options + settings }
}

/// The words that a command takes beside its flags.
enum Operands {
    case none
    /// At most one of the names.
    case name([String])
    /// At least one file, at most `count`.
    case files(atMost: Int)
    /// A program with its arguments, after `--`.
    case program
}

/// A command line to copy and its explanation.
struct Example {
    let line: String
    let explanation: String

    init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}
