import Basics
import ClientCommands
import Understudy

/// The completion script for fish.
enum FishCompletion {
    static var script: String {
        var lines = [
            "# fish completion for understudy, printed by: understudy completions fish",
            "function __understudy_operand_due",
            "    # True while no operand follows the command.",
            "    test (count (string match --invert -- '-*' (commandline -opc))) -le 2",
            "end",
            "function __understudy_ask",
            "    # Asks the program, which asks a running server.",
            "    set -l words (commandline -opc) (commandline -ct)",
            "    for word in (understudy __complete $words[2..-1] 2>/dev/null)",
            "        switch $word",
            "            case @files",
            "                __fish_complete_path (commandline -ct)",
            "            case @folders",
            "                __fish_complete_directories (commandline -ct)",
            "            case '*'",
            "                echo $word",
            "        end",
            "    end",
            "end",
            "complete -c understudy -f",
            "complete -c understudy -n __fish_use_subcommand -l help -s h -d 'prints the list of commands'",
            "complete -c understudy -n __fish_use_subcommand -l version -d 'prints the version'",
        ]
        for command in Commands.all {
            let summary = quoted(command.summary)
            lines.append("complete -c understudy -n __fish_use_subcommand -a \(command.name) -d \(summary)")
        }
        for command in Commands.all { lines += completions(of: command) }
        return lines.joined(separator: "\n")
    }

    private static func completions(of command: any Command.Type) -> [String] {
        let isSeen = "__fish_seen_subcommand_from \(command.name)"
        var lines: [String] = []
        switch command.operands {
        case .none: break
        case .name(let names):
            let condition = quoted("\(isSeen); and __understudy_operand_due")
            lines.append("complete -c understudy -n \(condition) -a \(quoted(names.joined(separator: " ")))")
        case .actions, .filters:
            lines.append("complete -c understudy -n \(quoted(isSeen)) -a '(__understudy_ask)'")
        case .files: lines.append("complete -c understudy -n \(quoted(isSeen)) -F")
        case .program:
            let condition = quoted("\(isSeen); and contains -- -- (commandline -opc)")
            lines.append(
                "complete -c understudy -n \(condition) -a '(__fish_complete_subcommand --fcs-skip=(contains -i -- -- "
                    + "(commandline -opc)))'"
            )
        }
        for option in command.flags {
            let line =
                "complete -c understudy -n \(quoted(isSeen)) -l \(option.name)\(option.letter.map { " -s \($0)" } ?? "")\(value(option))"
            lines.append("\(line) -d \(quoted(option.help))")
        }
        lines.append("complete -c understudy -n \(quoted(isSeen)) -l help -s h -d 'prints the help of the command'")
        return lines
    }

    /// The flags of `complete` that describe the value of an option.
    private static func value(_ option: Option) -> String {
        if option.kind == .toggle { return "" }
        return switch option.values {
        case .anything: " -x"
        case .files: " -r -F"
        case .folders: " -x -a '(__fish_complete_directories)'"
        case .names(let names): " -x -a \(quoted(names.joined(separator: " ")))"
        case .apis:
            " -x -a '(begin; string split \" \" \"\(APICatalogue.names.joined(separator: " "))\"; understudy routes 2>/dev/null "
                + "| string match -r \"^[a-z][a-z0-9-]*(?= )\"; end | sort -u)'"
        case .running: " -x -a '(__understudy_ask)'"
        case .scenarios: " -x -a '(understudy scenarios 2>/dev/null | string replace -r \" +\" \\t)'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
