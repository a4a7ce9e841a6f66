/// A regular expression that is matched in time linear in the text (own-API contract, section 6).
///
/// The dialect is ECMA-262's with its flag `u`: code points, not code units. Back-references, look-around and flags
/// within the expression are refused. As without that flag, any ASCII punctuation may be escaped, and `]`, `}` and a
/// `{` that opens no repetition stand for themselves. Letters are compared with their case.
package struct RegularExpression: Sendable {
    /// The maximum number of characters of a source.
    package static let longestSource = 1_000

    /// The text that it was read from.
    package let source: String
    let program: Program

    /// Reads an expression.
    package init(_ source: String) throws(RegularExpressionError) {
        var reader = RegularExpressionReader(source)
        program = try reader.program()
        self.source = source
    }

    /// The number of instructions that it was translated to: what a character of a text costs at most.
    package var size: Int { program.instructions.count }

    /// Tells whether the whole text fits.
    package func matchesWhole(_ text: String) -> Bool {
        var simulation = Simulation(program, .whole)
        return simulation.run(text) ?? false
    }

    /// Tells whether some part of the text fits, as JSON Schema's `pattern` asks.
    package func isFound(in text: String) -> Bool {
        var simulation = Simulation(program, .anywhere)
        return simulation.run(text) ?? false
    }

    /// Tells whether some part of the text fits, and adds the states that were looked at to `work`; nil if these are
    /// more than `most`.
    package func isFound(in text: String, work: inout Int, most: Int) -> Bool? {
        var simulation = Simulation(program, .anywhere, mostWork: most)
        defer { work += simulation.work }
        return simulation.run(text)
    }
}

extension RegularExpression: Hashable {
    /// Equality of the sources, by code point.
    package static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        left.source.utf8.elementsEqual(right.source.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in source.utf8 { hasher.combine(byte) }
    }
}
