/// A command of `understudy`, declared in one file and listed in `Commands.all`.
///
/// Parsing, help, suggestions, completions and the man page follow from the declaration.
package protocol Command: SendableMetatype {
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
    /// The flags that all commands of a running server share; empty for a command that asks none.
    static var serverFlags: [Option] { get }
    /// The part of the overview that lists the command; nil for one that it leaves out.
    static var part: CommandPart? { get }
    /// A paragraph below the flags; empty for a command that needs none.
    static var discussion: String { get }
    /// Command lines to copy, each with one line that explains it.
    static var examples: [Example] { get }

    /// Runs the command and returns the exit code of the process.
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32
}

extension Command {
    package static var usage: String { "" }
    package static var operands: Operands { .none }
    package static var options: [Option] { [] }
    package static var settings: [Option] { [] }
    package static var serverFlags: [Option] { [] }
    package static var part: CommandPart? { .help }
    package static var discussion: String { "" }
    package static var examples: [Example] { [] }

    /// All flags of the command, its own first.
    package static var flags: [Option] { options + settings + serverFlags }

    /// The command line in short: `understudy clock [ACTION]`.
    package static var usageLine: String { ["understudy", name, usage].filter { !$0.isEmpty }.joined(separator: " ") }
}

/// The words that a command takes beside its flags.
package enum Operands {
    case none
    /// At most one of the names.
    case name([String])
    /// At least one file, at most `count`.
    case files(atMost: Int)
    /// A program with its arguments, after `--`.
    case program
    /// One of several actions, each with operands of its own.
    case actions([Action])
    /// Filters of exchanges; one that begins with a dash is no flag.
    case filters
}

/// One thing that a command can do, such as `advance` of `clock`.
package struct Action: Sendable {
    /// The word after the command's; empty for what the command does without one.
    package let name: String
    /// Its operands as the usage line shows them.
    package let usage: String
    package let summary: String
    /// The number of operands that it takes.
    let counts: ClosedRange<Int>
    /// The values that completion offers for its first operand.
    private let values: Option.Values
    /// Those for the operands behind the first.
    private let further: Option.Values

    package init(
        _ name: String,
        _ usage: String = "",
        _ summary: String,
        counts: ClosedRange<Int> = 0...0,
        values: Option.Values = .anything,
        further: Option.Values? = nil
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.counts = counts
        self.values = values
        self.further = further ?? values
    }

    /// The values that completion offers for an operand, by its place behind the action's name.
    package func values(ofOperand place: Int) -> Option.Values {
        guard place < counts.upperBound else { return .names([]) }
        return place == 0 ? values : further
    }
}

/// The parts of the list of commands, in its order.
package enum CommandPart: String, CaseIterable {
    case serving = "Serve"
    case looking = "Inspect a running server"
    case steering = "Control a running server"
    case own = "Your own files and APIs"
    case listing = "Lists and documents"
    case help = "Setup and help"
}

/// A command line to copy and its explanation.
package struct Example {
    package let line: String
    package let explanation: String

    package init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}
