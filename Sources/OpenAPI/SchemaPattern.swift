import RegularExpressions

/// A pattern of a schema that is held against values.
struct SchemaPattern: Sendable {
    let expression: RegularExpression

    /// Reads a pattern; nil if it is outside of the dialect (own-API contract, section 6), so that nothing is held
    /// against it.
    init?(_ source: String) {
        guard let expression = try? RegularExpression(source) else { return nil }
        self.expression = expression
    }

    var source: String { expression.source }

    /// The work that a text makes, in steps of a comparison.
    func work(on text: String) -> Int { text.utf8.count * max(expression.size, 1) / 64 }

    /// Tells whether some part of the text fits.
    func isFound(in text: String) -> Bool { expression.isFound(in: text) }
}
