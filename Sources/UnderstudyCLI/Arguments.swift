/// A command line that can't be taken; the process exits with code 2.
struct UsageError: Error {
    let message: String
}

/// A command line cut into flags and operands.
struct Arguments {
    private(set) var values: [String: [String]] = [:]
    private(set) var operands: [String] = []
    /// The words after `--`, for a command that runs a program.
    private(set) var program: [String] = []
    private(set) var wantsHelp = false

    /// Cuts the words after a command's name by the flags and operands that it declares.
    init(_ words: [String], of command: any Command.Type) throws(UsageError) {
        var rest = words[...]
        if case .program = command.operands {
            let end = words.firstIndex(of: "--") ?? words.endIndex
            rest = words[..<end]
            program = Array(words[end...].dropFirst())
        }
        // A request for help wins over every error in the line.
        guard !rest.contains("-h"), !rest.contains("--help") else {
            wantsHelp = true
            return
        }
        let options = command.flags
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            var known = options.first { $0.flag == parts[0] }
            // Without a value it is no port of an API that is found later, but a slip.
            if known == nil, parts.count == 2 || rest.first.map({ !$0.hasPrefix("-") }) ?? false {
                known = OwnAPIOptions.port(flag: parts[0], among: options)
            }
            guard let option = known else { throw Self.unknown(parts[0], options) }
            try take(option, inline: parts.count == 2 ? parts[1] : nil, from: &rest)
        }
        try checkOperands(of: command)
    }

    /// The last value of an option, since a later flag overrides an earlier one.
    subscript(_ name: String) -> String? { values[name]?.last }

    func isOn(_ name: String) -> Bool { values[name] != nil }

    private func checkOperands(of command: any Command.Type) throws(UsageError) {
        switch command.operands {
        case .none: try refuseOperands(after: 0)
        case .name: try refuseOperands(after: 1)
        case .files(let count): try refuseOperands(after: count)
        case .program:
            guard let word = operands.first else { return }
            throw UsageError(
                message: "unexpected argument \"\(word)\"; the program comes after --: "
                    + "understudy \(command.name) -- CMD …"
            )
        }
    }

    private func refuseOperands(after count: Int) throws(UsageError) {
        guard operands.count > count else { return }
        throw UsageError(message: "unexpected argument \"\(operands[count])\"")
    }

    private mutating func take(
        _ option: Option,
        inline: String?,
        from rest: inout ArraySlice<String>
    ) throws(UsageError) {
        switch option.kind {
        case .toggle:
            guard inline == nil else { throw UsageError(message: "\(option.flag) takes no value") }
            values[option.name] = ["true"]
        case .value:
            guard let value = inline ?? Self.popValue(&rest) else { throw Self.missingValue(option) }
            values[option.name] = [value]
        case .list:
            var found: [String] = inline.map { [$0] } ?? []
            if inline == nil {
                while let value = Self.popValue(&rest) { found.append(value) }
            }
            guard !found.isEmpty else { throw Self.missingValue(option) }
            values[option.name, default: []] += found.flatMap { $0.split(separator: ",").map(String.init) }
        }
    }

    private static func popValue(_ rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--"), next != "-h" else { return nil }
        return rest.popFirst()
    }

    private static func missingValue(_ option: Option) -> UsageError {
        UsageError(message: "\(option.flag) needs a value: \(option.usage)")
    }

    /// The refusal of a flag that no option has.
    static func unknown(_ flag: String, _ options: [Option]) -> UsageError {
        let help = Option(name: "help", kind: .toggle, help: "", default: "")
        let near = NearestName.option(for: flag, among: options + [help])
        let hint = near.map { "; did you mean \($0.flag)?" } ?? ""
        return UsageError(message: "unknown flag \(flag)\(hint)")
    }
}
