/// Translates the text of a regular expression to a program, part by part, without recursion.
struct RegularExpressionReader {
    /// A group that is open, or the whole expression.
    struct Group {
        let start: Int
        /// The alternatives that have ended.
        var alternatives: [[Instruction]] = []
        /// The alternative that is being read.
        var sequence: [Instruction] = []
        /// The place in the alternative at which the last repeatable part begins.
        var atom: Int?
        /// The names of groups in the alternative, and in those before it.
        var names: Set<String> = []
        var earlierNames: Set<String> = []
    }

    let source: [Unicode.Scalar]
    var place = 0
    private var groups = [Group(start: 0)]
    private var sets: [ScalarSet] = []
    private var numbers: [ScalarSet: Int32] = [:]

    init(_ source: String) { self.source = Array(source.unicodeScalars) }

    /// Reads all of it.
    mutating func program() throws(RegularExpressionError) -> Program {
        guard source.count <= RegularExpression.longestSource else {
            throw RegularExpressionError(
                reason: "a regular expression has at most \(RegularExpression.longestSource) characters",
                offset: RegularExpression.longestSource
            )
        }
        while place < source.count { try part() }
        guard groups.count == 1, let whole = groups.popLast() else {
            throw RegularExpressionError(reason: "a group is not closed", offset: groups.last?.start ?? 0)
        }
        let instructions = Self.joined(whole)
        try check(instructions.count, at: 0)
        return Program(instructions: instructions + [.match], sets: sets)
    }

    private mutating func part() throws(RegularExpressionError) {
        let start = place
        let scalar = source[place]
        place += 1
        switch scalar {
        case "|": endAlternative()
        case "(": try open(start)
        case ")": try close(start)
        case "^": assertion(.start)
        case "$": assertion(.end)
        case ".": add(.anyButLineEnds)
        case "[": add(try characterClass(from: start))
        case "\\": try escape(from: start)
        case "*": try repeated(0, nil, at: start)
        case "+": try repeated(1, nil, at: start)
        case "?": try repeated(0, 1, at: start)
        case "{":
            guard let (least, most) = try bounds(from: start) else { return add(ScalarSet(scalar.value)) }
            try repeated(least, most, at: start)
        default: add(ScalarSet(scalar.value))
        }
    }

    /// The text at the place, if it continues with that.
    mutating func skip(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard source[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    func failure(_ reason: String, at offset: Int) -> RegularExpressionError {
        RegularExpressionError(reason: reason, offset: offset)
    }

    // MARK: Parts

    private mutating func change(_ body: (inout Group) -> Void) { body(&groups[groups.count - 1]) }

    private mutating func add(_ set: ScalarSet) {
        let number = numbers[set] ?? Int32(sets.count)
        if number == Int32(sets.count) {
            sets.append(set)
            numbers[set] = number
        }
        add([.take(number)])
    }

    private mutating func add(_ instructions: [Instruction]) {
        change { group in
            group.atom = group.sequence.count
            group.sequence += instructions
        }
    }

    private mutating func assertion(_ assertion: Assertion) {
        change { group in
            group.atom = nil
            group.sequence.append(.check(assertion))
        }
    }

    private mutating func escape(from start: Int) throws(RegularExpressionError) {
        switch source[place...].first {
        case "b":
            place += 1
            assertion(.wordBoundary)
        case "B":
            place += 1
            assertion(.noWordBoundary)
        default: add(try escapedSet(from: start))
        }
    }

    private mutating func endAlternative() {
        change { group in
            group.alternatives.append(group.sequence)
            group.sequence = []
            group.atom = nil
            group.earlierNames.formUnion(group.names)
            group.names = []
        }
    }

    private mutating func open(_ start: Int) throws(RegularExpressionError) {
        if skip("?") {
            if skip("=") || skip("!") { throw failure("look-ahead is not supported", at: start) }
            if skip("<=") || skip("<!") { throw failure("look-behind is not supported", at: start) }
            if skip("<") {
                let name = try groupName(from: start)
                guard groups.allSatisfy({ !$0.names.contains(name) }) else {
                    throw failure("two groups are named \(name)", at: start)
                }
                change { $0.names.insert(name) }
            } else if !skip(":") {
                throw failure("a group begins with ( or (?: or (?<name>, flags within are not supported", at: start)
            }
        }
        groups.append(Group(start: start))
    }

    private mutating func close(_ start: Int) throws(RegularExpressionError) {
        guard groups.count > 1, let group = groups.popLast() else {
            throw failure("a ) without its (", at: start)
        }
        let instructions = Self.joined(group)
        try check(instructions.count, at: group.start)
        add(instructions)
        let names = group.names.union(group.earlierNames)
        guard groups[groups.count - 1].names.isDisjoint(with: names) else {
            throw failure("two groups have the same name", at: group.start)
        }
        change { $0.names.formUnion(names) }
    }

    private mutating func groupName(from start: Int) throws(RegularExpressionError) -> String {
        var name = ""
        while place < source.count, source[place] != ">" {
            let scalar = source[place]
            let isFirst = name.isEmpty
            guard
                scalar == "$" || scalar == "_" || scalar.properties.isIDStart
                    || !isFirst && (scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}")
            else { throw failure("not the name of a group", at: start) }
            name.unicodeScalars.append(scalar)
            place += 1
        }
        guard skip(">"), !name.isEmpty else { throw failure("not the name of a group", at: start) }
        return name
    }

    // MARK: Repetition

    /// The bounds of `{n}`, `{n,}` or `{n,m}`; nil, and nothing read, for anything else.
    private mutating func bounds(from start: Int) throws(RegularExpressionError) -> (least: Int, most: Int?)? {
        let before = place
        guard let least = number() else { return back(to: before) }
        if skip("}") { return (least, least) }
        guard skip(",") else { return back(to: before) }
        if skip("}") { return (least, nil) }
        guard let most = number(), skip("}") else { return back(to: before) }
        guard least <= most else { throw failure("the bounds of a repetition are in the wrong order", at: start) }
        return (least, most)
    }

    private mutating func back<T>(to before: Int) -> T? {
        place = before
        return nil
    }

    /// The number at the place; one that is too large for any program is a large one.
    private mutating func number() -> Int? {
        var value: Int?
        while place < source.count, let digit = source[place].decimalDigit {
            value = min((value ?? 0) * 10 + digit, 1_000_000_000)
            place += 1
        }
        return value
    }

    private mutating func repeated(_ least: Int, _ most: Int?, at start: Int) throws(RegularExpressionError) {
        let group = groups[groups.count - 1]
        guard let atom = group.atom else { throw failure("nothing to repeat", at: start) }
        // Which of several ways is tried first makes no difference to whether a text fits.
        _ = skip("?")
        let part = Array(group.sequence[atom...])
        let copies = most.map { least * part.count + ($0 - least) * (part.count + 1) } ?? max(least, 1) * part.count + 2
        if !part.isEmpty { try check(copies, at: start) }
        let all = part.isEmpty ? [] : Self.repeated(part, least, most)
        change { group in
            group.sequence.replaceSubrange(atom..., with: all)
            group.atom = nil
        }
    }

    private static func repeated(_ part: [Instruction], _ least: Int, _ most: Int?) -> [Instruction] {
        var all: [Instruction] = []
        let length = Int32(part.count)
        guard let most else {
            guard least > 0 else { return [.split(length + 2)] + part + [.jump(-length - 1)] }
            for _ in 0..<least { all += part }
            return all + [.split(-length)]
        }
        for _ in 0..<least { all += part }
        for rest in stride(from: most - least, to: 0, by: -1) {
            all.append(.split(Int32(rest) * (length + 1)))
            all += part
        }
        return all
    }

    /// The alternatives of a group as one sequence.
    private static func joined(_ group: Group) -> [Instruction] {
        var all = group.sequence
        for alternative in group.alternatives.reversed() {
            all = [.split(Int32(alternative.count) + 2)] + alternative + [.jump(Int32(all.count) + 1)] + all
        }
        return all
    }

    /// Refuses what would be too large, together with what is open around it.
    private func check(_ count: Int, at offset: Int) throws(RegularExpressionError) {
        let open = groups.reduce(0) { sum, group in
            sum + group.sequence.count + group.alternatives.reduce(0) { $0 + $1.count + 2 }
        }
        guard count <= Program.mostInstructions, open + count <= 2 * Program.mostInstructions else {
            throw failure(
                "the repetitions written out have more than \(Program.mostInstructions) parts",
                at: offset
            )
        }
    }
}

extension Unicode.Scalar {
    /// The value of an ASCII digit.
    var decimalDigit: Int? {
        ("0"..."9").contains(self) ? Int(value - 0x30) : nil
    }

    /// The value of an ASCII hexadecimal digit.
    var hexDigit: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "A"..."F": value - 0x37
        case "a"..."f": value - 0x57
        default: nil
        }
    }
}
