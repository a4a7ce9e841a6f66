import ClientCommands
import Traffic

/// The words that the completion scripts ask for: names that only a running server or the seeds have (clients
/// contract, section 2).
///
/// It prints one word a line, or `@files` or `@folders` where the shell completes paths, and never an error.
enum CompletionAnswer {
    /// The word after the program's name by which the scripts ask.
    static let command = "__complete"

    /// Returns what fits the last of the words, which follow the program's name.
    static func words(for line: [String]) -> [String] {
        guard let name = line.first, let command = Commands.named(name), let current = line.last, line.count > 1 else {
            return []
        }
        var operands: [String] = []
        let values = values(command, line.dropFirst().dropLast(), &operands)
        return candidates(values, CompletionNames(line: line, operands: operands)).filter {
            $0.hasPrefix("@") || $0.hasPrefix(current)
        }
    }

    /// The values that fit after the words before the last, whose operands are collected.
    private static func values(
        _ command: any Command.Type,
        _ words: ArraySlice<String>,
        _ operands: inout [String]
    ) -> Option.Values {
        var pending: Option?
        for word in words {
            if pending != nil, !word.hasPrefix("--") {
                if case .list = pending?.kind {} else { pending = nil }
                continue
            }
            guard word.hasPrefix("-"), word.utf8.count > 1 else {
                operands.append(word)
                continue
            }
            let flag = String(word.prefix { $0 != "=" })
            let option = command.flags.first { $0.isMeant(by: flag) }
            pending = option?.kind == .toggle || word.contains("=") ? nil : option
        }
        if let pending { return pending.values }
        switch command.operands {
        case .filters: return .names(TrafficFilter.Key.allCases.map { "\($0.rawValue):" })
        case .actions(let actions):
            if let word = operands.first, let action = actions.first(where: { $0.name == word && !word.isEmpty }) {
                return action.values(ofOperand: operands.count - 1)
            }
            return operands.isEmpty ? .names(actions.map(\.name).filter { !$0.isEmpty }) : .names([])
        case .none, .name, .files, .program: return .names([])
        }
    }

    private static func candidates(_ values: Option.Values, _ names: CompletionNames) -> [String] {
        switch values {
        case .anything: []
        case .files: ["@files"]
        case .folders: ["@folders"]
        case .names(let names): names
        case .scenarios: names.offline(.scenarios)
        case .apis: names.offline(.apis)
        case .running(let wanted): names.running(wanted) ?? names.offline(wanted)
        }
    }
}
