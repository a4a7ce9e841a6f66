/// Takes comments and the contents of text literals out of Swift, so that a rule looks at code alone.
///
/// Code inside an interpolation stays.
struct CodeScanner {
    private enum Mode {
        case code(parentheses: Int)
        case text(hashes: Int, isMultiline: Bool)
        case comment(depth: Int)
    }

    private let characters: [Character]
    private var place = 0
    private var modes: [Mode] = [.code(parentheses: 0)]
    private var lines: [String] = [""]

    /// The code of each line.
    static func code(of text: String) -> [String] {
        var scanner = CodeScanner(characters: Array(text.replacing("\r\n", with: "\n")))
        while scanner.place < scanner.characters.count { scanner.step() }
        return scanner.lines
    }

    private init(characters: [Character]) { self.characters = characters }

    private func starts(_ text: String) -> Bool {
        place + text.count <= characters.count && characters[place..<(place + text.count)].elementsEqual(text)
    }

    private mutating func keep(_ count: Int) {
        for _ in 0..<count where place < characters.count {
            lines[lines.count - 1].append(characters[place])
            place += 1
        }
    }

    private mutating func step() {
        if characters[place].isNewline {
            lines.append("")
            place += 1
            if case .text(_, false) = modes.last { modes.removeLast() }
            return
        }
        switch modes[modes.count - 1] {
        case .code(let parentheses): stepInCode(parentheses)
        case .text(let hashes, let isMultiline): stepInText(hashes, isMultiline)
        case .comment(let depth):
            if starts("*/") {
                modes[modes.count - 1] = .comment(depth: depth - 1)
                if depth == 1 { modes.removeLast() }
                place += 2
            } else if starts("/*") {
                modes[modes.count - 1] = .comment(depth: depth + 1)
                place += 2
            } else {
                place += 1
            }
        }
    }

    private mutating func stepInCode(_ parentheses: Int) {
        switch characters[place] {
        case "/", "#", "\"", "(", ")": break
        default: return keep(1)
        }
        if starts("//") {
            while place < characters.count, !characters[place].isNewline { place += 1 }
            return
        }
        if starts("/*") {
            modes.append(.comment(depth: 1))
            place += 2
            return
        }
        let hashes = characters[place...].prefix { $0 == "#" }.count
        if place + hashes < characters.count, characters[place + hashes] == "\"" {
            keep(hashes)
            let isMultiline = starts("\"\"\"")
            modes.append(.text(hashes: hashes, isMultiline: isMultiline))
            return keep(isMultiline ? 3 : 1)
        }
        // Inside an interpolation the closing parenthesis leads back into the text.
        if modes.count > 1, characters[place] == "(" { modes[modes.count - 1] = .code(parentheses: parentheses + 1) }
        if modes.count > 1, characters[place] == ")" {
            modes[modes.count - 1] = .code(parentheses: parentheses - 1)
            if parentheses == 1 { modes.removeLast() }
        }
        keep(1)
    }

    private mutating func stepInText(_ hashes: Int, _ isMultiline: Bool) {
        guard characters[place] == "\"" || characters[place] == "\\" else {
            place += 1
            return
        }
        let marks = String(repeating: "#", count: hashes)
        let end = (isMultiline ? "\"\"\"" : "\"") + marks
        if starts(end) {
            modes.removeLast()
            return keep(end.count)
        }
        let escape = "\\" + marks
        guard starts(escape) else {
            place += 1
            return
        }
        place += escape.count
        guard place < characters.count, !characters[place].isNewline else { return }
        if characters[place] == "(" {
            modes.append(.code(parentheses: 1))
            return keep(1)
        }
        place += 1
    }
}
