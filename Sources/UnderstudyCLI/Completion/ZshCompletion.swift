/// The completion script for zsh, for a folder of `fpath` or for `source`.
enum ZshCompletion {
    static var script: String {
        let commands = Commands.all.map { "        " + quoted("\(colonsEscaped($0.name)):\($0.summary)") }
        return """
            #compdef understudy
            # zsh completion for understudy, printed by: understudy completions zsh
            _understudy_scenarios() {
                local -a names
                names=(${(f)"$(_call_program scenarios understudy scenarios 2>/dev/null)"})
                names=(${names%% *})
                compadd -a names
            }

            _understudy() {
                local curcontext="$curcontext" state
                local -a state_descr line commands
                commands=(
            \(commands.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe -t commands command commands
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
        case .program: specifications.append(quoted("(-)*::program:_normal"))
        }
        let lines = specifications.map { "            " + $0 }.joined(separator: " \\\n")
        return "    \(command.name))\n        _arguments \\\n\(lines)\n        ;;"
    }

    private static func specification(_ option: Option) -> String {
        let help = option.help.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let action =
            switch option.values {
            case .anything: " "
            case .files: "_files"
            case .folders: "_files -/"
            case .names(let names): "(\(names.joined(separator: " ")))"
            case .scenarios: "_understudy_scenarios"
            }
        switch option.kind {
        case .toggle: return quoted("\(option.flag)[\(help)]")
        case .value(let placeholder):
            return quoted("\(option.flag)=[\(help)]:\(colonsEscaped(placeholder)):\(action)")
        // Every word up to the next flag belongs to a list.
        case .list(let placeholder):
            return quoted("*\(option.flag)=[\(help)]:*-*:\(colonsEscaped(placeholder)):\(action)")
        }
    }

    private static func colonsEscaped(_ text: String) -> String { text.replacing(":", with: "\\:") }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
