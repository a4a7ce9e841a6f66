import ClientCommands
import Understudy

/// The completion script for bash 3.2 and later.
///
/// It needs no package beside bash. A word belongs to the nearest flag before it: a list takes every word up to the next
/// flag, a value takes one word.
enum BashCompletion {
    static var script: String {
        let commands = Commands.all.map { $0.name } + ["--help", "--version"]
        return """
            # bash completion for understudy, printed by: understudy completions bash
            _understudy_files() {
                local found
                compopt -o filenames 2>/dev/null
                while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$1" -- "$2")
            }

            # Names with other characters are left out, since compgen would expand them.
            _understudy_scenarios() {
                "${COMP_WORDS[0]}" scenarios 2>/dev/null | sed -n 's|^\\([A-Za-z0-9._/-]*\\) .*|\\1|p'
            }

            # Own APIs with a mistake in their files list nothing; the built-in ones are always there.
            _understudy_apis() {
                local found
                found="$("${COMP_WORDS[0]}" routes 2>/dev/null | sed -n 's|^\\([a-z0-9-]*\\) (.*|\\1|p')"
                printf '%s\\n' "${found:-\(APICatalogue.names.joined(separator: " "))}"
            }

            # Asks the program, which asks a running server; the line has what COMP_WORDS would cut at colons.
            _understudy_ask() {
                local -a typed=("${COMP_WORDS[@]:1:COMP_CWORD}")
                if [ -n "${COMP_LINE-}" ]; then
                    read -r -a typed <<<"${COMP_LINE:0:COMP_POINT}"
                    typed=("${typed[@]:1}")
                    case "${COMP_LINE:0:COMP_POINT}" in *" ") typed+=("") ;; esac
                fi
                "${COMP_WORDS[0]}" __complete "${typed[@]}" 2>/dev/null | sed -n '/^[@A-Za-z0-9._/:|-]*$/p'
            }

            _understudy() {
                local current="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}"
                local flag="" flags="" operands="" values="" kind="" prefix="" distance=0 i
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(commands.joined(separator: " "))" -- "$current"))
                    return
                fi
                case "$command" in
            \(Commands.all.map(commandCase).joined(separator: "\n"))
                *) return ;;
                esac
                # Bash makes a word of its own of the = in --flag=value.
                [ "$current" = "=" ] && current=""
                for ((i = COMP_CWORD - 1; i > 1; i--)); do
                    case "${COMP_WORDS[i]}" in
                    --) [ "$operands" = program ] && { _understudy_program "$i"; return; } ;;
                    esac
                done
                for ((i = COMP_CWORD - 1; i > 1; i--)); do
                    [ "${COMP_WORDS[i]}" = "=" ] && [ "$i" -lt "$COMP_CWORD" ] && continue
                    distance=$((distance + 1))
                    case "${COMP_WORDS[i]}" in --*) flag="${COMP_WORDS[i]}"; break ;; esac
                done
                case "$command $flag" in
            \(valueCases().joined(separator: "\n"))
                esac
                [ "$kind" = value ] && [ "$distance" -gt 1 ] && kind=""
                if [ -n "$kind" ] && [ "${current#-}" = "$current" ]; then
                    # A list may be one word with commas.
                    if [ "$kind" = list ] && [ "${current%,*}" != "$current" ]; then
                        prefix="${current%,*},"
                        current="${current##*,}"
                    fi
                    case "$values" in
                    @files) _understudy_files -f "$current" ;;
                    @folders) _understudy_files -d "$current" ;;
                    @scenarios) values="$(_understudy_scenarios)" ;;
                    @apis) values="$(_understudy_apis)" ;;
                    @ask) values="$(_understudy_ask)" ;;
                    esac
                    case "$values" in
                    @*) ;;
                    *) COMPREPLY=($(compgen -P "$prefix" -W "$values" -- "$current")) ;;
                    esac
                    [ "$kind" = value ] && return
                    # After a list another flag may follow.
                    [ -n "$current$prefix" ] && return
                fi
                case "$current" in
                -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
                *)
                    case "$operands" in
                    "") [ -n "$current" ] || COMPREPLY+=($(compgen -W "$flags")) ;;
                    @files) [ -n "$kind" ] || _understudy_files -f "$current" ;;
                    program) COMPREPLY+=($(compgen -W "$flags --" -- "$current")) ;;
                    @ask)
                        [ "$kind" = list ] && return
                        values="$(_understudy_ask)"
                        case "$values" in
                        @files) _understudy_files -f "$current" ;;
                        @folders) _understudy_files -d "$current" ;;
                        *) COMPREPLY+=($(compgen -W "$values" -- "${current##*:}")) ;;
                        esac
                        # A key of a filter is not the end of its word.
                        case "${COMPREPLY[*]-}" in *:) compopt -o nospace 2>/dev/null ;; esac
                        ;;
                    *) COMPREPLY+=($(compgen -W "$operands" -- "$current")) ;;
                    esac
                    ;;
                esac
            }

            # Completes the program of exec, whose first word stands after the word number $1.
            _understudy_program() {
                local current="${COMP_WORDS[COMP_CWORD]}"
                if type _command_offset >/dev/null 2>&1; then
                    _command_offset $(($1 + 1))
                elif [ "$COMP_CWORD" -eq $(($1 + 1)) ]; then
                    COMPREPLY=($(compgen -c -- "$current"))
                else
                    _understudy_files -f "$current"
                fi
            }

            complete -F _understudy understudy
            """
    }

    private static func commandCase(_ command: any Command.Type) -> String {
        let flags = (command.flags.map(\.flag) + ["--help"]).joined(separator: " ")
        let operands =
            switch command.operands {
            case .none: ""
            case .name(let names): names.joined(separator: " ")
            case .files: "@files"
            case .program: "program"
            case .actions, .filters: "@ask"
            }
        return "    \(command.name)) flags=\"\(flags)\" operands=\"\(operands)\" ;;"
    }

    /// One case for each kind and set of values, with every command and flag that has them.
    private static func valueCases() -> [String] {
        var cases: [(patterns: [String], action: String)] = []
        for command in Commands.all {
            for option in command.flags {
                guard let action = action(option) else { continue }
                let pattern = "\"\(command.name) \(option.flag)\""
                if let index = cases.firstIndex(where: { $0.action == action }) {
                    cases[index].patterns.append(pattern)
                } else {
                    cases.append(([pattern], action))
                }
            }
        }
        return cases.map { "    \($0.patterns.joined(separator: " | ")))\n        \($0.action) ;;" }
    }

    private static func action(_ option: Option) -> String? {
        let kind: String
        switch option.kind {
        case .toggle: return nil
        case .value, .optional, .repeated: kind = "value"
        case .list: kind = "list"
        }
        let values =
            switch option.values {
            case .anything: ""
            case .files: "@files"
            case .folders: "@folders"
            case .names(let names): names.joined(separator: " ")
            case .scenarios: "@scenarios"
            case .apis: "@apis"
            case .running: "@ask"
            }
        return "kind=\(kind) values=\"\(values)\""
    }
}
