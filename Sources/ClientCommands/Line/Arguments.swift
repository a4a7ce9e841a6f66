import JSON

/// A command line, or a file that it names, that can't be taken; the process exits with code 2.
package struct UsageError: Error {
    package let message: String
    /// Tells whether the help of the command can say more; false for what is wrong in a file.
    package var isAboutLine = true

    package init(message: String, isAboutLine: Bool = true) {
        self.message = message
        self.isAboutLine = isAboutLine
    }
}

/// A command line cut into flags and operands.
package struct Arguments {
    package private(set) var values: [String: [String]] = [:]
    package private(set) var operands: [String] = []
    /// The words after `--`, for a command that runs a program.
    package private(set) var program: [String] = []
    package private(set) var wantsHelp = false
    /// The action that the operands begin with, for a command that has actions.
    package private(set) var action: Action?

    /// Cuts the words after a command's name by the flags and operands that it declares.
    ///
    /// `unlisted` finds the option of a flag that no command declares, such as the port of an API that is still to be found.
    package init(
        _ words: [String],
        of command: any Command.Type,
        unlisted: (_ flag: String, _ options: [Option]) -> Option? = { _, _ in nil }
    ) throws(UsageError) {
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
            guard word.hasPrefix("-"), word != "-", !Self.isOperand(word, command) else {
                operands.append(word)
                continue
            }
            // What follows has no flags, as everywhere.
            if word == "--" {
                operands += rest
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            var inline = parts.count == 2 ? parts[1] : nil
            var known = options.first { $0.isMeant(by: parts[0]) }
            if known == nil, let (option, value) = Self.joined(word, options) { (known, inline) = (option, value) }
            // Without a value it is no port of an API that is found later, but a slip.
            if known == nil, parts.count == 2 || rest.first.map({ !$0.hasPrefix("-") }) ?? false {
                known = unlisted(parts[0], options)
            }
            guard let option = known else { throw Self.unknown(parts[0], options, of: command.name) }
            try take(option, inline: inline, from: &rest)
        }
        try checkOperands(of: command)
    }

    /// The value of an option, the last one of several.
    package subscript(_ name: String) -> String? { values[name]?.last }

    package func isOn(_ name: String) -> Bool { values[name] != nil }

    /// Returns the arguments with other values of an option; none leaves it out.
    package func with(_ values: [String], of name: String) -> Arguments {
        var copy = self
        copy.values[name] = values.isEmpty ? nil : values
        return copy
    }

    /// Tells whether a word that begins with a dash is no flag: a negated filter (clients contract, section 9), or a
    /// number below zero.
    private static func isOperand(_ word: String, _ command: any Command.Type) -> Bool {
        guard !word.hasPrefix("--") else { return false }
        switch command.operands {
        case .filters: return word.contains(":")
        case .actions: return word.dropFirst().first.map { $0.isASCII && $0.isNumber } ?? false
        case .none, .name, .files, .program: return false
        }
    }

    /// Reads `-n5`: a letter with its value in one word.
    private static func joined(_ word: String, _ options: [Option]) -> (Option, String)? {
        guard word.count > 2, !word.hasPrefix("--"),
            let option = options.first(where: { $0.isMeant(by: "\(word.prefix(2))") }),
            option.kind != .toggle
        else { return nil }
        return (option, String(word.dropFirst(2)))
    }

    private mutating func checkOperands(of command: any Command.Type) throws(UsageError) {
        switch command.operands {
        case .none: try refuseOperands(after: 0, of: command)
        case .name: try refuseOperands(after: 1, of: command)
        case .files(let count): try refuseOperands(after: count, of: command)
        case .filters: break
        case .actions(let actions):
            try takeAction(of: actions, command)
            try refuseFlags(of: command)
        case .program:
            guard let word = operands.first else { return }
            throw UsageError(
                message: "unexpected argument \"\(word)\"; the program comes after --: "
                    + "understudy \(command.name) -- CMD …"
            )
        }
    }

    /// Takes the action's name from the operands and checks the number of the others.
    private mutating func takeAction(of actions: [Action], _ declaration: any Command.Type) throws(UsageError) {
        let command = declaration.name
        let plain = actions.first { $0.name.isEmpty }
        if let word = operands.first, let found = actions.first(where: { $0.name == word && !word.isEmpty }) {
            operands.removeFirst()
            action = found
        } else if let plain, operands.isEmpty || plain.counts.upperBound > 0 {
            action = plain
        } else {
            let names = actions.map(\.name).filter { !$0.isEmpty }
            let known = names.joined(separator: ", ")
            guard let word = operands.first else {
                throw UsageError(message: "\(command) needs one of \(known)")
            }
            let near =
                Synonyms.line(for: word, of: command, among: actions.map(\.name))
                ?? NearestName.likely(word, among: names).map { "\(command) \($0)" }
            let hint = Suggestion.hint(near)
            throw UsageError(message: "\(command) has no \"\(word)\": it has \(known)\(hint)")
        }
        guard let action else { return }
        let name = action.name.isEmpty ? command : "\(command) \(action.name)"
        guard operands.count >= action.counts.lowerBound else {
            throw UsageError(message: "\(name) needs \(action.usage): understudy \(name) \(action.usage)")
        }
        try refuseOperands(after: action.counts.upperBound, of: declaration)
        for (place, word) in operands.enumerated() {
            guard case .running(let names) = action.values(ofOperand: place), names.areSegments else { continue }
            // An address without the name, or with a dot for it, is that of all: `fault delete "$ID"` must not clear them.
            guard !word.isEmpty else {
                throw UsageError(message: "\(name) needs \(action.usage): understudy \(name) \(action.usage)")
            }
            guard !word.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
                throw UsageError(message: "\(name): \"\(word)\" is not a name that a URL path can have")
            }
        }
    }

    /// Refuses a flag of another action, which would silently do nothing.
    private func refuseFlags(of command: any Command.Type) throws(UsageError) {
        guard let action else { return }
        for option in command.options where values[option.name] != nil && !option.actions.isEmpty {
            guard !option.actions.contains(action.name) else { continue }
            let meant = option.actions.map { "\(command.name) \($0)" }.joined(separator: ", ")
            let name = action.name.isEmpty ? command.name : "\(command.name) \(action.name)"
            throw UsageError(message: "\(option.flag) is for \(meant), not for \(name)")
        }
    }

    private func refuseOperands(after count: Int, of command: any Command.Type) throws(UsageError) {
        guard operands.count > count else { return }
        throw UsageError(message: "unexpected argument \"\(operands[count])\"; usage: \(command.usageLine)")
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
            try set(option, value)
        case .optional(_, let alone):
            let next = rest.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
            if inline == nil, next != nil { rest.removeFirst() }
            try set(option, inline ?? next ?? alone)
        case .repeated:
            guard let value = inline ?? Self.popValue(&rest) else { throw Self.missingValue(option) }
            values[option.name, default: []].append(value)
        case .list:
            var found: [String] = inline.map { [$0] } ?? []
            if inline == nil {
                // A list of files takes recordings, too.
                while found.isEmpty || option.values == .files || !Self.isRecording(rest.first),
                    let value = Self.popValue(&rest)
                {
                    found.append(value)
                }
            }
            guard !found.isEmpty else { throw Self.missingValue(option) }
            values[option.name, default: []] += found.flatMap { $0.split(separator: ",").map(String.init) }
        }
    }

    /// Keeps the one value of an option; another one would silently be lost.
    private mutating func set(_ option: Option, _ value: String) throws(UsageError) {
        guard let former = values[option.name]?.last, former != value else { return values[option.name] = [value] }
        throw UsageError(message: "\(option.flag) takes one value, but two different ones were given")
    }

    private static func popValue(_ rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--"), next != "-h" else { return nil }
        return rest.popFirst()
    }

    /// Tells whether a word behind a list of values is a file: `--rule auth/* traffic.har`.
    private static func isRecording(_ word: String?) -> Bool { word?.lowercased().hasSuffix(".har") ?? false }

    private static func missingValue(_ option: Option) -> UsageError {
        UsageError(message: "\(option.flag) needs a value: \(option.usage)")
    }

    /// The refusal of a flag that no option has.
    package static func unknown(_ flag: String, _ options: [Option], of command: String = "") -> UsageError {
        let help = Option(name: "help", kind: .toggle, help: "", default: "")
        let near =
            Synonyms.flag(for: flag, of: command) ?? NearestName.option(for: flag, among: options + [help])?.flag
        let hint = Suggestion.hint(near)
        return UsageError(message: "unknown flag \(flag)\(hint)")
    }
}
