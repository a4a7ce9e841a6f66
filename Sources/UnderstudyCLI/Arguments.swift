/// Why a command line can't be taken: exit code 2.
struct UsageError: Error {
    let message: String
}

/// A command line cut into flags and operands.
struct Arguments {
    private(set) var values: [String: [String]] = [:]
    private(set) var operands: [String] = []
    private(set) var wantsHelp = false

    /// Cuts a command line by the options that may be given, with at most `takesOperands` words beside them.
    init(_ words: [String], options: [Option], takesOperands: Int = 0) throws(UsageError) {
        // Whoever asks for help gets it, whatever else is wrong with the line.
        guard !words.contains("-h"), !words.contains("--help") else {
            wantsHelp = true
            return
        }
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.flag == parts[0] }) else {
                throw Self.unknown(parts[0], options)
            }
            try take(option, inline: parts.count == 2 ? parts[1] : nil, from: &rest)
        }
        guard operands.count <= takesOperands else {
            throw UsageError(message: "unexpected argument \"\(operands[takesOperands])\"")
        }
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
        case .value(let what):
            guard let value = inline ?? Self.popValue(&rest) else {
                throw UsageError(message: "\(option.flag) needs a value: \(option.flag) \(what)")
            }
            values[option.name] = [value]
        case .list(let what):
            var found: [String] = inline.map { [$0] } ?? []
            if inline == nil {
                while let value = Self.popValue(&rest) { found.append(value) }
            }
            guard !found.isEmpty else {
                throw UsageError(message: "\(option.flag) needs a value: \(option.flag) \(what)")
            }
            values[option.name, default: []] += found.flatMap { $0.split(separator: ",").map(String.init) }
        }
    }

    private static func popValue(_ rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--"), next != "-h" else { return nil }
        return rest.popFirst()
    }

    private static func unknown(_ flag: String, _ options: [Option]) -> UsageError {
        let help = Option(name: "help", kind: .toggle, help: "", standard: "")
        let near = NearestName.option(for: flag, among: options + [help])
        let hint = near.map { "; did you mean \($0.flag)?" } ?? ""
        return UsageError(message: "unknown flag \(flag)\(hint)")
    }
}
