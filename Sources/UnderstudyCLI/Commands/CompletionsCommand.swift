import ClientCommands
import JSON

/// `completions`: prints the completion script of a shell.
enum CompletionsCommand: Command {
    static let name = "completions"
    static let summary = "prints the completion script for bash, zsh or fish"
    static let usage = "bash|zsh|fish"
    static let operands = Operands.name(shells.map(\.name))
    static let examples = [
        Example("source <(understudy completions bash)", "for this bash; put it into ~/.bashrc to keep it"),
        Example("understudy completions zsh > \"${fpath[1]}/_understudy\"", "for zsh, with compinit in ~/.zshrc"),
        Example("understudy completions fish > ~/.config/fish/completions/understudy.fish", "for fish"),
    ]

    private static let shells: [(name: String, script: @Sendable () -> String)] = [
        ("bash", { BashCompletion.script }), ("zsh", { ZshCompletion.script }), ("fish", { FishCompletion.script }),
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let known = shells.map(\.name)
        guard let name = arguments.operands.first else {
            throw UsageError(message: "completions needs a shell: \(known.joined(separator: ", "))")
        }
        guard let shell = shells.first(where: { $0.name == name }) else {
            let hint = Suggestion.hint(to: name, among: known)
            throw UsageError(message: "there is no completion for \"\(name)\"; known: bash, zsh, fish\(hint)")
        }
        Terminal.out(shell.script())
        return ExitCode.ok
    }
}
