import Basics
import JSON
import RegularExpressions

/// A member that a JSON body has to have, looked for in the text of the body (own-API contract, section 20).
///
/// The expressions fit every body that has the member, however it is spelled. They fit some others too: those with the
/// same names at other places.
struct TextMember: Hashable {
    /// The names of the members, from the outermost one.
    let names: [String]
    /// The number, boolean or null as WireMock spells it; nil for any value.
    let value: String?

    /// Letters, digits or `_` written as escapes, which no usual writer of JSON does: such a text is not looked at.
    static let escapes = #"\\u00(?:3\d|[4-7])"#

    private static let blanks = #"\s*"#

    /// An expression for the member below those around it.
    var whole: String {
        names.map(Self.mention).joined(separator: #"\s*\{[\s\S]*"#) + ending
    }

    /// An expression for the member alone, which shares no character with any other member.
    var last: String { (names.last.map(Self.mention) ?? "") + ending }

    private var ending: String {
        guard let value else { return "" }
        let forms = Self.otherForms(of: value) + ["\"\(Self.spelled(value))\""]
        return "\(Self.blanks)(?:\(forms.joined(separator: "|")))\(Self.blanks)[,}]"
    }

    private static func mention(_ name: String) -> String { "\"\(spelled(name))\"\(blanks):" }

    /// The expressions for the values, other than strings, that WireMock spells so.
    private static func otherForms(of value: String) -> [String] {
        switch try? JSONReader.read(text: value) {
        case .integer(0): [#"-?0"#]
        // One number has many spellings, such as 5.0 and 50e-1.
        case .number: [#"-?\d[\d.eE+-]*"#]
        default: [StubConversion.escaped(value)]
        }
    }

    // MARK: Spelling

    /// An expression for the ways in which JSON spells a text, but for letters and digits as escapes.
    private static func spelled(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            guard !isPlain(scalar) else {
                output.unicodeScalars.append(scalar)
                continue
            }
            var forms: [String] = []
            if scalar.value >= 0x20, scalar != "\"", scalar != "\\" {
                forms.append(StubConversion.escaped(String(Character(scalar))))
            }
            if let letter = shortEscapes[scalar] { forms.append(#"\\"# + StubConversion.escaped(letter)) }
            forms.append(String(Character(scalar)).utf16.map(unit).joined())
            output += "(?:\(forms.joined(separator: "|")))"
        }
        return output
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.value < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    private static let shortEscapes: [Unicode.Scalar: String] = [
        "\u{8}": "b", "\t": "t", "\n": "n", "\u{C}": "f", "\r": "r", "\"": "\"", "\\": "\\", "/": "/",
    ]

    /// An expression for an escape with four digits.
    private static func unit(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        let padded = String(repeating: "0", count: 4 - digits.count) + digits
        return #"\\u"# + padded.map { $0.isLetter ? "[\($0)\($0.uppercased())]" : String($0) }.joined()
    }

    // MARK: Overlaps

    /// Tells whether every body with the other member has this one too.
    func isImplied(by other: TextMember) -> Bool {
        self == other || value == nil && other.names.starts(with: names)
    }

    /// Tells whether a text is a part of the member wherever that occurs.
    func holds(_ text: String) -> Bool {
        (names.last.map { "\"\($0)\"".contains(text) } ?? false) || (value?.contains(text) ?? false)
    }

    /// Tells whether the member occurs wherever a text does.
    func isFound(in text: String) -> Bool {
        (try? RegularExpression(last))?.isFound(in: text) ?? false
    }

    /// Tells whether some body could have both so that they share characters, though neither holds the other for
    /// certain.
    func mayLie(upon text: String) -> Bool {
        guard let forms = plainForms else { return true }
        // The blanks of a member may be any.
        let text = text.unicodeScalars.filter { !" \t\n\r".unicodeScalars.contains($0) }
        guard !text.isEmpty else { return true }
        return forms.contains { form in
            if form.contains(String(String.UnicodeScalarView(text))) { return true }
            if !Overlaps.lengths(Array(form.unicodeScalars), Array(text)).isEmpty { return true }
            // A member follows a brace or a comma, which the text must have before the part that both share.
            return Overlaps.lengths(Array(text), Array(form.unicodeScalars)).contains { length in
                guard let before = text.dropLast(length).last else { return true }
                return before == "{" || before == ","
            }
        }
    }

    /// The ways in which the member may be written, without blanks; nil if there are too many.
    private var plainForms: [String]? {
        guard let name = names.last, name.unicodeScalars.allSatisfy(Self.isPlain) else { return nil }
        guard let value else { return ["\"\(name)\":"] }
        if case .number? = try? JSONReader.read(text: value) { return nil }
        guard value.unicodeScalars.allSatisfy(Self.isPlain) else { return nil }
        let values = value == "0" ? ["0", "-0", "\"0\""] : [value, "\"\(value)\""]
        return values.flatMap { value in [",", "}"].map { "\"\(name)\":\(value)\($0)" } }
    }
}

/// The ways in which one text may lie upon the end of another.
enum Overlaps {
    /// The numbers of characters, fewer than either has, with which the first ends and the second begins.
    static func lengths(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> [Int] {
        (1..<max(min(first.count, second.count), 1)).filter { first.suffix($0).elementsEqual(second.prefix($0)) }
    }
}
