import Basics
import ClientCommands
import Understudy

/// The completion script for zsh, for a folder of `fpath` or for `source`.
///
/// No variable of the script may be called `commands`: it would hide zsh's own table, from which programs are completed.
enum ZshCompletion {
    static var script: String {
        let commands = Commands.all.map { "        " + quoted("\(colonsEscaped($0.name)):\($0.summary)") }
        return """
            #compdef understudy
            # zsh completion for understudy, printed by: understudy completions zsh
            _understudy_scenarios() {
                local -a names
                names=(${(f)"$(_call_program scenarios understudy scenarios 2>/dev/null)"})
                _understudy_list ${names%% *}
            }

            # Own APIs with a mistake in their files list nothing; the built-in ones are always there.
            _understudy_apis() {
                local -a names
                names=(${(M)${(f)"$(_call_program apis understudy routes 2>/dev/null)"}:#[a-z]*})
                (( $#names )) || names=(\(APICatalogue.names.joined(separator: " ")))
                _understudy_list ${names%% *}
            }

            # Asks the program, which asks a running server.
            _understudy_ask() {
                local -a names
                names=(${(f)"$(understudy __complete "${(@)words[1,CURRENT]}" 2>/dev/null)"})
                case "$names[1]" in
                @files) _files ;;
                @folders) _files -/ ;;
                *:) compadd -S '' -a names ;;
                *) compadd -a names ;;
                esac
            }

            # Completes a word of a list, or the flag that ends it.
            _understudy_list() {
                if [[ "$PREFIX" == -* ]]; then compadd -- $flags; else compadd -- "$@"; fi
            }

            _understudy() {
                local curcontext="$curcontext" state
                local -a state_descr line summaries flags
                summaries=(
            \(commands.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe -t commands command summaries
                    _arguments '(-)'{-h,--help}'[prints the list of commands]' '(-)--version[prints the version]'
                    return
                fi
                local command="$words[2]"
                curcontext="${curcontext%:*:*}:understudy-$command:"
                shift words
                (( CURRENT-- ))
                case "$command" in
            \(Commands.all.map(commandCase).joined(separator: "\n"))
                esac
            }

            if [ "$funcstack[1]" = _understudy ]; then
                _understudy "$@"
            else
                compdef _understudy understudy
            fi
            """
    }

    private static func commandCase(_ command: any Command.Type) -> String {
        var specifications = command.flags.map(specification)
        specifications.append("'(-)'{-h,--help}'[prints the help of the command]'")
        switch command.operands {
        case .none: break
        case .name(let names): specifications.append(quoted("1:name:(\(names.joined(separator: " ")))"))
        case .files: specifications.append(quoted("*:file:_files"))
        case .program: break
        case .actions, .filters: specifications.append(quoted("*:word:_understudy_ask"))
        }
        let lines = specifications.map { "            " + $0 }.joined(separator: " \\\n")
        let flags = (command.flags.map(\.flag) + ["--help"]).joined(separator: " ")
        var start = "    \(command.name))\n        flags=(\(flags))\n"
        if case .program = command.operands { start += program }
        return start + "        _arguments \\\n\(lines)\n        ;;"
    }

    /// The completion of a program and its arguments, by their own completions.
    private static let program = """
                local -i end="${words[(ie)--]}"
                if (( end < CURRENT )); then
                    shift "$end" words
                    (( CURRENT -= end ))
                    if (( CURRENT == 1 )); then _command_names -e; else _normal; fi
                    return
                fi

        """

    private static func specification(_ option: Option) -> String {
        let help = option.help.replacing("[", with: "\\[").replacing("]", with: "\\]")
        if case .list(let placeholder) = option.kind {
            // Every word up to the next flag belongs to the list.
            let action =
                switch option.values {
                case .names(let names): " _understudy_list \(names.joined(separator: " "))"
                case .scenarios: " _understudy_scenarios"
                case .apis: " _understudy_apis"
                case .anything, .files, .folders, .running: " _understudy_list"
                }
            return quoted("*\(option.flag)=[\(help)]:*-*:\(colonsEscaped(placeholder)):\(action)")
        }
        let action =
            switch option.values {
            case .anything: " "
            case .files: "_files"
            case .folders: "_files -/"
            case .names(let names): "(\(names.joined(separator: " ")))"
            case .scenarios: "_understudy_scenarios"
            case .apis: "_understudy_apis"
            case .running: "_understudy_ask"
            }
        if case .optional(let placeholder, _) = option.kind {
            return quoted("\(option.flag)=[\(help)]::\(colonsEscaped(placeholder)):\(action)")
        }
        guard let placeholder = option.placeholder else { return quoted("\(option.flag)[\(help)]") }
        return quoted("\(option.flag)=[\(help)]:\(colonsEscaped(placeholder)):\(action)")
    }

    private static func colonsEscaped(_ text: String) -> String { text.replacing(":", with: "\\:") }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
